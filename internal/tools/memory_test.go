package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
)

func TestMemory(t *testing.T) {
	notes := afero.NewMemMapFs()
	w := newWorld(t, Build, nil, func(e *Env) { e.Memory = notes })
	require.Equal(t, Outcome{Status: OK, Text: "(there are no notes)"}, w.call("memory", is{"operation": "list"}))
	require.Equal(t, Outcome{Status: OK, Text: "saved the note test-command (2 lines, 23 bytes)"},
		w.call("memory", is{"operation": "save", "key": "test-command", "text": "# Tests\nRun make test."}))
	b, err := afero.ReadFile(notes, ".agents/memory/test-command.md")
	require.NoError(t, err)
	require.Equal(t, "# Tests\nRun make test.\n", string(b))
	require.Equal(t, "the note test-command says exactly this already", w.call("memory", is{"operation": "save", "key": "test-command", "text": "# Tests\nRun make test.\n"}).Text)
	require.Equal(t, "replaced the note test-command (1 line, 10 bytes), which said:\n# Tests\nRun make test.",
		w.call("memory", is{"operation": "save", "key": "test-command", "text": "Run make."}).Text)
	w.call("memory", is{"operation": "save", "key": "a", "text": "\n  first  \nsecond"})
	require.NoError(t, afero.WriteFile(notes, ".agents/memory/other.txt", []byte("x"), 0o644))
	require.NoError(t, afero.WriteFile(notes, ".agents/memory/Not A Key.md", []byte("x"), 0o644))
	require.Equal(t, Outcome{Status: OK, Text: "a: first\ntest-command: Run make."}, w.call("memory", is{"operation": "list"}))

	// It outlives the conversation.
	w = newWorld(t, Plan, nil, func(e *Env) { e.Memory = notes })
	require.Equal(t, Outcome{Status: OK, Text: "Run make."}, w.call("memory", is{"operation": "read", "key": "test-command"}))
	require.Equal(t, Outcome{Status: Failed, Text: "there is no note test-comand; did you mean test-command?\nThe notes are: a, test-command."},
		w.call("memory", is{"operation": "read", "key": "test-comand"}))
	for _, a := range []is{{"operation": "save", "key": "b", "text": "x"}, {"operation": "forget", "key": "a"}} {
		require.Equal(t, Outcome{Status: Refused, Text: "nothing was changed: in plan mode memory only reads and lists"}, w.call("memory", a))
	}
	w.SetMode(Build)
	require.Equal(t, Outcome{Status: OK, Text: "removed the note a"}, w.call("memory", is{"operation": "forget", "key": "a"}))
	require.Equal(t, Failed, w.call("memory", is{"operation": "forget", "key": "a"}).Status)
	all, err := Memories(notes)
	require.NoError(t, err)
	require.Equal(t, []Memory{{"test-command", "Run make."}}, all)
	require.Equal(t, Unknown, newWorld(t, Build, nil).call("memory", is{"operation": "list"}).Status, "there is nowhere to keep it")
}

func TestMemoryArguments(t *testing.T) {
	w := newWorld(t, Build, nil, func(e *Env) { e.Memory = afero.NewMemMapFs() })
	for _, tt := range []struct {
		args is
		want string
	}{
		{is{}, "operation is missing"},
		{is{"operation": "delete"}, `operation must be one of save, read, list, forget, not "delete"`},
		{is{"operation": "read"}, "read needs a key"},
		{is{"operation": "list", "key": "a"}, "list takes no key and no text"},
		{is{"operation": "save", "key": "a"}, "save needs a text; forget removes a note"},
		{is{"operation": "save", "key": "a", "text": " "}, "save needs a text"},
		{is{"operation": "save", "key": "a", "text": strings.Repeat("x", maxMemory+1)}, "text is longer than 16 KiB: 16385 bytes"},
		{is{"operation": "read", "key": "a", "text": "x"}, "read takes no text"},
		{is{"operation": "save", "key": "../a", "text": "x"}, `key must be words in lower case with hyphens between, at most 64 bytes, such as test-command, not "../a"`},
		{is{"operation": "save", "key": "A b", "text": "x"}, "key must be words"},
		{is{"operation": "save", "key": "a.md", "text": "x"}, "key must be words"},
		{is{"operation": "save", "key": strings.Repeat("a", 65), "text": "x"}, "key must be words"},
		{is{"operation": "save", "name": "a", "value": "x"}, `there is no argument "name": here it is called "key"; there is no argument "value": here it is called "text"`},
	} {
		out := w.call("memory", tt.args)
		require.Equal(t, Malformed, out.Status)
		require.Contains(t, out.Text, tt.want)
	}
}

// What the agent's own commands put in the place of a note is no reason to stop.
func TestMemoryThatCannotBeRead(t *testing.T) {
	home := t.TempDir()
	notes := afero.NewBasePathFs(afero.NewOsFs(), home)
	w := newWorld(t, Build, nil, func(e *Env) { e.Memory = notes })
	w.call("memory", is{"operation": "save", "key": "a", "text": "first"})
	require.NoError(t, os.WriteFile(filepath.Join(home, memoryFolder, "big.md"), nil, 0o644))
	require.NoError(t, os.Truncate(filepath.Join(home, memoryFolder, "big.md"), maxWhole+1))
	all, err := Memories(notes)
	require.NoError(t, err)
	require.Equal(t, []Memory{{"a", "first"}, {"big", "(cannot be read: larger than 32 MiB)"}}, all)

	require.NoError(t, os.RemoveAll(filepath.Join(home, memoryFolder)))
	require.NoError(t, os.WriteFile(filepath.Join(home, memoryFolder), nil, 0o644))
	for _, a := range []is{{"operation": "list"}, {"operation": "save", "key": "a", "text": "x"}, {"operation": "read", "key": "a"}, {"operation": "forget", "key": "a"}} {
		out := w.call("memory", a)
		require.Equal(t, Failed, out.Status, a)
		require.Contains(t, out.Text, "not a directory")
	}
}
