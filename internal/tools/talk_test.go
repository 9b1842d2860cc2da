package tools

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTodo(t *testing.T) {
	w := newWorld(t, Build, nil, func(e *Env) { e.Todos = []Todo{{Content: "old", Status: "pending"}} })
	require.Equal(t, []Todo{{Content: "old", Status: "pending"}}, w.Todos())
	out := w.call("todo", is{"items": []is{
		{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress", "priority": "high"},
		{"content": "c", "status": "pending"}, {"content": "d", "status": "cancelled"},
	}})
	want := []Todo{{"a", "completed", ""}, {"b", "in_progress", "high"}, {"c", "pending", ""}, {"d", "cancelled", ""}}
	require.Equal(t, Outcome{
		Status: OK, Text: "The todo list is set, 2 of 4 items left:\n[x] a\n[>] b\n[ ] c\n[-] d",
		Signal: Signal{Kind: TodosSet, Todos: want},
	}, out)
	require.Equal(t, want, w.Todos())
	w.Todos()[0].Content = "changed"
	require.Equal(t, want, w.Todos(), "what is handed out is a copy")

	require.Equal(t, Malformed, w.call("todo", is{"items": []is{{"content": "x"}}}).Status)
	require.Equal(t, want, w.Todos(), "a list that is refused changes nothing")

	out = w.call("todo", is{"items": []is{}})
	require.Equal(t, "The todo list is empty.", out.Text)
	require.Empty(t, w.Todos())

	w.SetMode(Plan)
	out = w.call("todo", is{"items": []is{}})
	require.Equal(t, Outcome{Status: Refused, Text: "todo is not available in plan mode: write the steps into the plan instead."}, out)
}

func TestQuestion(t *testing.T) {
	for _, mode := range []Mode{Build, Plan} {
		w := newWorld(t, mode, nil)
		out := w.call("question", is{"questions": []is{{"question": "Which store?", "options": []string{"disk", "memory"}}, {"question": "Why?"}}})
		require.Equal(t, Outcome{
			Status: OK, Text: "The user was asked. The turn ends here, until they answer.",
			Signal: Signal{Kind: AskedUser, Text: "Which store?\n- disk\n- memory\n\nWhy?"},
		}, out)
	}
}

func TestPlanEnter(t *testing.T) {
	w := newWorld(t, Build, nil)
	out := w.call("plan_enter", is{"reason": "It is large."})
	require.Equal(t, Outcome{
		Status: OK, Text: "The user was asked to plan first. The turn ends here, until they agree or decline.",
		Signal: Signal{Kind: AskedToPlan, Text: "It is large."},
	}, out)
	require.Equal(t, Build, w.Mode(), "only the user's consent changes the mode")
	w.SetMode(Plan)
	require.Equal(t, Refused, w.call("plan_enter", is{"reason": "a"}).Status)
}

func TestPlanDone(t *testing.T) {
	w := newWorld(t, Plan, files{"plans/note.txt": "x", "plans/empty.md": "", "plans/deep/x.md": "x", "plans/folder.md/": "", "other.md": "x"})
	out := w.call("plan_done", is{"summary": "s"})
	require.Equal(t, Outcome{Status: Failed, Text: "there is no plan yet: write it to plans/NAME.md first"}, out)

	require.Equal(t, OK, w.call("write", is{"path": "plans/b.md", "content": "# B\n"}).Status)
	ready := func(path string) Outcome {
		return Outcome{
			Status: OK, Text: "The plan " + path + " was put before the user. The turn ends here, until they approve or refuse it.",
			Signal: Signal{Kind: PlanReady, Text: "s", Path: path},
		}
	}
	require.Equal(t, ready("plans/b.md"), w.call("plan_done", is{"summary": "s"}))

	// A plan that was written in this conversation comes before a newer one.
	later := filepath.Join(w.dir, "plans/c.md")
	require.NoError(t, os.WriteFile(later, []byte("# C\n"), 0o644))
	require.NoError(t, os.Chtimes(later, time.Time{}, time.Now().Add(time.Hour)))
	require.Equal(t, ready("plans/b.md"), w.call("plan_done", is{"summary": "s"}))
	require.Equal(t, ready("plans/c.md"), New(w.env).call(t, w.dir, "plan_done", is{"summary": "s"}), "else the newest is meant")
	require.Equal(t, OK, w.call("edit", is{"path": "plans/c.md", "old": "C", "new": "D"}).Status)
	require.NoError(t, os.Chtimes(later, time.Time{}, time.Now().Add(-time.Hour)))
	require.Equal(t, ready("plans/c.md"), w.call("plan_done", is{"summary": "s"}))
	require.NoError(t, os.Remove(later))
	require.Equal(t, ready("plans/b.md"), w.call("plan_done", is{"summary": "s"}), "one that is gone is not")

	w = newWorld(t, Plan, nil)
	require.Equal(t, Failed, w.call("plan_done", is{"summary": "s"}).Status, "without plans/")
}

func (s *Set) call(t *testing.T, dir, name string, arguments any) Outcome {
	return world{s, t, dir}.call(name, arguments)
}

func TestPlanModeWritesOnlyPlans(t *testing.T) {
	w := newWorld(t, Plan, files{"a.txt": "a\n", "plans/a.md": "a\n", "elsewhere/x.md": "a\n"})
	require.NoError(t, os.Symlink("../a.txt", filepath.Join(w.dir, "plans/link.md")))
	for _, path := range []string{"plans/new.md", "./plans//new2.md", w.dir + "/plans/new3.md", "src/../plans/new4.md", "plans/a b.md", "plans/.x.md"} {
		out := w.call("write", is{"path": path, "content": "x"})
		require.Equal(t, OK, out.Status, out.Text)
	}
	require.Equal(t, OK, w.call("edit", is{"path": "plans/a.md", "old": "a", "new": "b"}).Status)
	require.Equal(t, "b\n", w.content("plans/a.md"))
	for _, path := range []string{
		"a.txt", "a.md", "plans", "plans/x.txt", "plans/x.MD", "plans/.md", "plans/deep/x.md", "plans/../a.md", "plan/x.md", "Plans/x.md",
		"plans/x.md/y", "x/plans/x.md", "plans/link.md", "../plans/x.md", "/plans/x.md", "plansx.md",
	} {
		for name, arguments := range map[string]is{"write": {"path": path, "content": "x"}, "edit": {"path": path, "old": "a", "new": "b"}} {
			out := w.call(name, arguments)
			require.Equal(t, Refused, out.Status, "%s %s", name, path)
			require.Contains(t, out.Text, "nothing was written: ")
			require.Empty(t, out.Changed)
		}
	}
	require.Equal(t, "nothing was written: in plan mode only Markdown files directly in plans/ can be written, such as plans/NAME.md, not a.txt",
		w.call("write", is{"path": "a.txt", "content": "x"}).Text)
	require.Equal(t, "a\n", w.content("a.txt"))

	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, "plans")))
	require.NoError(t, os.Symlink("elsewhere", filepath.Join(w.dir, "plans")))
	require.Equal(t, Refused, w.call("write", is{"path": "plans/x.md", "content": "x"}).Status, "plans/ leads elsewhere")
	w.SetMode(Build)
	require.Equal(t, OK, w.call("write", is{"path": "plans/x.md", "content": "x"}).Status)
	require.Equal(t, OK, w.call("write", is{"path": "a.txt", "content": "x"}).Status)
}

func TestPlanModeOnlyInspects(t *testing.T) {
	var ran []string
	w := newWorld(t, Plan, nil, withShell(fakeShell{ran: &ran}))
	require.Equal(t, OK, w.call("bash", is{"command": "git status && ls | wc -l"}).Status)
	for _, command := range []string{"rm a", "ls > a", "echo $(touch a)", "make test"} {
		out := w.call("bash", is{"command": command})
		require.Equal(t, Refused, out.Status)
		require.Contains(t, out.Text, "the command was not run, since bash only inspects in plan mode: ")
		require.Contains(t, out.Text, "Allowed are: ls,")
	}
	require.Equal(t, []string{"git status && ls | wc -l"}, ran)
	w.SetMode(Build)
	require.Equal(t, OK, w.call("bash", is{"command": "make test"}).Status)
}

func TestReadsMayRunTogether(t *testing.T) {
	w := newWorld(t, Build, tree)
	done := make(chan Outcome)
	calls := [][2]string{{"read", `{"path":"main.go"}`}, {"grep", `{"pattern":"Run"}`}, {"glob", `{"pattern":"*"}`}, {"ls", `{}`}, {"bash", `{"command":"ls"}`}}
	for range 4 {
		for _, c := range calls {
			go func() { done <- w.Run(t.Context(), w.Prepare(c[0], c[1])) }()
		}
	}
	for range 4 * len(calls) {
		require.Equal(t, OK, (<-done).Status)
	}
}
