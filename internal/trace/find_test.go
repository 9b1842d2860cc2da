package trace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/trace"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, what string
		want       int
	}{
		{"", "", 0}, {"a", "", 0}, {"", "a", -1}, {"abc", "c", 2}, {"abc", "abcd", -1},
		{"aaab", "AAB", 1}, {"xAaB", "aab", 1}, {"Bb", "bB", 0}, {"a-b", "-B", 1},
		{"ein Über-Fall", "über", 4}, {"漢字", "字", 3}, {"a\xffb", "\xffB", 1}, {"xX", "X", 0}, {"yxyX", "xyx", 1},
	} {
		require.Equal(t, tt.want, trace.Find(tt.text, tt.what), "%q in %q", tt.what, tt.text)
	}
}

func TestHas(t *testing.T) {
	t.Parallel()
	e := of(behavior.Event{Kind: behavior.KindCall, Call: &behavior.Call{
		Tool: "write", Args: map[string]any{"content": "one\nNeedle\n"}, Status: behavior.Refused, Result: strings.Repeat("x", 1000) + "thread",
	}}).Events[0]
	for _, held := range []string{"WRITE", "needle", "THREAD", "refused", "call"} {
		require.True(t, e.Has(held), held)
	}
	require.False(t, e.Has("haystack"))
}

func BenchmarkHas(b *testing.B) {
	e := of(behavior.Event{Kind: behavior.KindCall, Call: &behavior.Call{Tool: "bash", Result: strings.Repeat("a line of a long result\n", 10<<20/24)}}).Events[0]
	b.SetBytes(10 << 20)
	for b.Loop() {
		if e.Has("a line of a short result") {
			b.Fatal("it is not there")
		}
	}
}
