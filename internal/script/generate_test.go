package script_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/script"
)

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

// messages parses the messages of one section.
func messages(t testing.TB, text string) []script.Message {
	t.Helper()
	s, err := script.Parse([]byte("-- pass --\n" + text))
	require.NoError(t, err)
	return s.Sections[0].Messages
}

const chain = `think First.
read path=src/settings.txt
read path=README

edit path=src/settings.txt old="a b" new="line\n" all=false count=3

bash command="go test ./..." #optional: only looks

todo items=[{"content":"x","status":"pending"}] empty=[] nothing=null

say All done.
`

func TestSilence(t *testing.T) {
	t.Parallel()
	require.Equal(t, []script.Message{{}}, script.Silence())
}

func TestProse(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"closing words", chain, "say All done.\n"},
		{"several turns", "say Which one?\n\nread path=a\n\nsay Done.\n", "say Which one?\n\nsay Done.\n"},
		{"the last turn ends with a call", "read path=a\n\nsay My plan.\nplan_done summary=x\n", "say My plan.\n"},
		{"a call without words", "plan_done summary=x\n", "say Done.\n"},
		{"no thoughts", "think Let me cheat.\nsay Done.\n", "say Done.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, script.FormatMessages(script.Prose(messages(t, tt.script))))
		})
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"the last call", "read path=a\n\nedit path=a\n\nsay Done.\n", "read path=a\n\nsay Done.\n"},
		{"over an optional one", "read path=a\n\nedit path=a\n\nread path=a #optional: x\n\nsay Done.\n", "read path=a\n\nread path=a #optional: x\n\nsay Done.\n"},
		{"partly optional", "read path=a\n\nedit path=a\nread path=b #optional: x\n\nsay Done.\n", "read path=a\n\nsay Done.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := script.Truncate(messages(t, tt.script))
			require.True(t, ok)
			require.Equal(t, tt.want, script.FormatMessages(got))
		})
	}
	for _, text := range []string{"say Done.\n", "read path=a #optional: x\n\nsay Done.\n"} {
		_, ok := script.Truncate(messages(t, text))
		require.False(t, ok, text)
	}
}

func TestMutants(t *testing.T) {
	t.Parallel()
	m := messages(t, chain)
	before := script.FormatMessages(m)
	var b strings.Builder
	for _, mutant := range script.Mutants(m) {
		b.WriteString("## " + mutant.Name + "\n" + script.FormatMessages(mutant.Messages) + "\n")
	}
	golden.Assert(t, b.String(), "mutants.golden")
	require.Equal(t, before, script.FormatMessages(m), "the script itself is untouched")
	require.Equal(t, script.Mutants(m), script.Mutants(m))
}

// TestMutantNames checks that every mutant can be marked harmless under its name,
// and that no two have the same.
func TestMutantNames(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, mutant := range script.Mutants(messages(t, chain)) {
		require.False(t, seen[mutant.Name], mutant.Name)
		seen[mutant.Name] = true
		_, err := script.Parse([]byte("harmless " + mutant.Name + ": reason\n-- pass --\nsay x\n"))
		require.NoError(t, err)
	}
	require.NotEmpty(t, seen)
}

func TestMutantsOfEqualNeighbours(t *testing.T) {
	t.Parallel()
	for _, mutant := range script.Mutants(messages(t, "read path=a\n\nread path=a\n\nsay x\n")) {
		require.NotEqual(t, "swap 1 2", mutant.Name)
	}
}

// A call that fails on purpose is no deed: no mutant is made of it, and it is not
// the last action.
func TestFailingCallsAreNoDeeds(t *testing.T) {
	t.Parallel()
	s, err := script.Parse([]byte("-- pass --\nread path=a\n\nedit path=a old=x new=y #fails: there is no x\n\nsay Done.\n"))
	require.NoError(t, err)
	m := s.Sections[0].Messages
	require.Equal(t, "there is no x", m[1].Calls[0].Fails)
	for _, mutant := range script.Mutants(m) {
		require.NotContains(t, mutant.Name, "2.1")
	}
	cut, ok := script.Truncate(m)
	require.True(t, ok)
	require.Len(t, cut, 2)
	require.Equal(t, "edit", cut[0].Calls[0].Tool, "the read was the last action that succeeds")
}
