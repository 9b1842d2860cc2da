package viewer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/deeds-evals/deeds/internal/trace"
)

// failed is an attempt that edited before it read.
func failed() trace.Trace {
	return trace.Trace{
		Head: trace.Head{
			Run: "20260102T030405Z-abcd", Case: "chain/read-before-edit", World: "drafts", Model: "sim:0.6", Agent: "builtin",
			Kind: "simulated", Claim: "A bounded edit is grounded in the file and changes only what was asked.",
			Attempt: 2, Play: 1, Outcome: "fail",
			Siblings: []trace.Sibling{{Attempt: 1, Outcome: "pass"}, {Attempt: 2, Outcome: "fail"}, {Attempt: 3, Outcome: "void", Reason: "provider"}},
			Facts:    map[string]string{"channel": "draft"},
		},
		Events: []trace.Event{
			{N: 1, Kind: "user", Title: "Switch the channel in settings.txt.", Lead: "Switch the channel in settings.txt."},
			{N: 2, Turn: 1, AtMS: 12, Kind: "says", Title: "I will edit it.", Lead: "I will edit it.", Parts: []trace.Part{
				{Name: "thinking", Text: "The file is small.\nI know what it says.\nNo need to read it.", Folded: true},
			}},
			{N: 3, Turn: 1, AtMS: 12, Kind: "call", Title: `edit new="Published" old="draft" path="settings.txt"`, Lead: `edit new="Published" old="draft" path="settings.txt"`,
				Status: "ok, 3 ms", Blames: []int{1}, Parts: []trace.Part{
					{Name: "changed", Text: "settings.txt"},
					{Name: "result", Text: "edited settings.txt\n@@ -1 +1 @@\n-channel=draft\n+channel=Published"},
				}},
			{N: 4, Turn: 2, AtMS: 1450, Kind: "child", Title: "worker-1 started: look again", Lead: "worker-1 started: look again"},
			{N: 5, Turn: 1, AtMS: 1460, Agent: "worker-1", Depth: 1, Kind: "call", Title: `read path="settings.txt"`, Lead: `read path="settings.txt"`,
				Status: "error, 1 ms", Bad: true, Parts: []trace.Part{{Name: "result", Text: "no such file: settings.txt"}}},
			{N: 6, Turn: 3, AtMS: 2100, Kind: "call", Title: `bash command=(2 lines)`, Lead: "bash", Status: "ok, exit status 1, 20 ms", Blames: []int{1, 2}, Parts: []trace.Part{
				{Name: "arguments", Text: "command:\n  cat settings.txt\n  false"},
				{Name: "result", Text: "channel=Published\nkeep=this"},
			}},
			{N: 7, Turn: 4, AtMS: 2500, Kind: "says", Title: "Done.", Lead: "Done."},
		},
		Verdicts: []trace.Verdict{
			{Signal: "filesystem-safety", Name: "changed settings.txt", Outcome: "pass", Where: "read_before_edit_test.go:27"},
			{Signal: "tool-chain", Name: "read settings.txt before edit", Outcome: "fail", Got: "edit at event 3, and none before it", Where: "read_before_edit_test.go:24", Events: []int{3, 6}},
			{Signal: "no-unneeded-tools", Name: "no bash", Outcome: "fail", Got: "bash at event 6", Where: "read_before_edit_test.go:25", Events: []int{6}, Conditional: true},
			{Signal: "ask-or-act", Name: "asked nothing", Outcome: "n/a"},
		},
		Files: []trace.File{
			{Path: "settings.txt", Change: "changed", Diff: "@@ -1,2 +1,2 @@\n-channel=draft\n+channel=Published\n keep=this\n"},
			{Path: "data.bin", Change: "created", Note: "binary, 0 → 12 bytes"},
		},
		Ending: trace.Ending{Reason: "answered", DurationMS: 2600, AgentMS: 40, Turns: 4, Calls: 3, Prompt: 900, Completion: 80, Containment: "strict"},
	}
}

// passed is another attempt of the same unit, which read first.
func passed() trace.Trace {
	t := failed()
	t.Head.Attempt, t.Head.Outcome = 1, "pass"
	t.Events = []trace.Event{
		t.Events[0],
		{N: 2, Turn: 1, AtMS: 10, Kind: "says", Title: "Let me look.", Lead: "Let me look."},
		{N: 3, Turn: 1, AtMS: 10, Kind: "call", Title: `read path="settings.txt"`, Lead: `read path="settings.txt"`, Status: "ok, 1 ms",
			Parts: []trace.Part{{Name: "result", Text: "1 channel=draft\n2 keep=this"}}},
		{N: 4, Turn: 2, AtMS: 900, Kind: "call", Title: `edit new="published" old="draft" path="settings.txt"`, Lead: `edit new="published" old="draft" path="settings.txt"`,
			Status: "ok, 2 ms", Parts: []trace.Part{{Name: "changed", Text: "settings.txt"}, {Name: "result", Text: "edited settings.txt"}}},
		{N: 5, Turn: 3, AtMS: 1200, Kind: "says", Title: "Done.", Lead: "Done."},
	}
	t.Verdicts = []trace.Verdict{
		{Signal: "filesystem-safety", Name: "changed settings.txt", Outcome: "pass"},
		{Signal: "tool-chain", Name: "read settings.txt before edit", Outcome: "pass", Events: []int{3, 4}},
	}
	t.Files = t.Files[:1]
	return t
}

// A reader presses keys and looks at the screen.
type reader struct {
	t *testing.T
	m *model
}

func read(t *testing.T, c Config, columns, lines int) *reader {
	r := &reader{t, newModel(c)}
	r.send(tea.WindowSizeMsg{Width: columns, Height: lines})
	return r
}

// send gives the model a message, and whatever comes of it.
func (r *reader) send(msg tea.Msg) {
	_, cmd := r.m.Update(msg)
	if cmd == nil {
		return
	}
	if msg := cmd(); msg != nil {
		if _, quit := msg.(tea.QuitMsg); !quit {
			r.send(msg)
		}
	}
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "space": {Code: tea.KeySpace, Text: " "},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "backspace": {Code: tea.KeyBackspace},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
}

func keyOf(name string) tea.KeyPressMsg {
	if k, ok := named[name]; ok {
		return k
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// press presses keys that are given by name, with blanks between them.
func (r *reader) press(keys string) *reader {
	for _, k := range strings.Fields(keys) {
		r.send(keyOf(k))
	}
	return r
}

// quits reports whether a key ends the viewer.
func (r *reader) quits(key string) bool {
	_, cmd := r.m.Update(keyOf(key))
	if cmd == nil {
		return false
	}
	_, quit := cmd().(tea.QuitMsg)
	return quit
}

// screen is what is drawn, with the blanks at the ends of lines taken away.
func (r *reader) screen() string {
	lines := strings.Split(r.m.View().Content, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// here is the row that the cursor is on, without its mark.
func (r *reader) here() string {
	r.t.Helper()
	for l := range strings.SplitSeq(r.screen(), "\n") {
		if rest, ok := strings.CutPrefix(l, "▌"); ok {
			return strings.TrimSpace(rest)
		}
	}
	r.t.Fatalf("no cursor:\n%s", r.screen())
	return ""
}
