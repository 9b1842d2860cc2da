package expect_test

import (
	"io/fs"
	"maps"

	"github.com/deeds-evals/deeds/behavior"
)

// A scene is evidence put together from parts.
type part func(*behavior.Evidence)

func scene(parts ...part) behavior.Evidence {
	e := behavior.Evidence{
		Workspace: "/dev/shm/w-3f9c1a/project",
		Timeline:  []behavior.Event{{Kind: behavior.KindUser, Text: "Please."}},
		Before:    behavior.Files{},
		After:     behavior.Files{},
		End:       behavior.End{Reason: behavior.EndStop},
	}
	for _, p := range parts {
		p(&e)
	}
	return e
}

func event(ev behavior.Event) part {
	return func(e *behavior.Evidence) { e.Timeline = append(e.Timeline, ev) }
}

type args = map[string]any

// call is a call that succeeded, unless something else is said after it.
func call(turn int, tool string, a args) part {
	return event(behavior.Event{Kind: behavior.KindCall, Turn: turn, Call: &behavior.Call{Tool: tool, Args: a, Status: behavior.OK}})
}

func read(turn int, path string) part { return call(turn, "read", args{"path": path}) }
func edit(turn int, path string) part {
	return func(e *behavior.Evidence) {
		call(turn, "edit", args{"path": path, "old": "a", "new": "b"})(e)
		changed(e.Path(path))(e)
	}
}
func bash(turn int, command string) part { return call(turn, "bash", args{"command": command}) }

// The parts below refine the last event.

func last(f func(*behavior.Event)) part {
	return func(e *behavior.Evidence) { f(&e.Timeline[len(e.Timeline)-1]) }
}

func ended(s behavior.Status, result string) part {
	return last(func(ev *behavior.Event) { ev.Call.Status, ev.Call.Result = s, result })
}
func result(text string) part { return last(func(ev *behavior.Event) { ev.Call.Result = text }) }
func exit(code int) part {
	return last(func(ev *behavior.Event) {
		ev.Call.Exit = &code
		if code != 0 {
			ev.Call.Status = behavior.Failed
		}
	})
}
func changed(files ...string) part { return last(func(ev *behavior.Event) { ev.Call.Changed = files }) }
func child(id string) part         { return last(func(ev *behavior.Event) { ev.Agent = id }) }

func say(turn int, text string) part {
	return event(behavior.Event{Kind: behavior.KindMessage, Turn: turn, Text: text})
}
func user(turn int, text string) part {
	return event(behavior.Event{Kind: behavior.KindUser, Turn: turn, Text: text})
}
func mode(turn int, m behavior.Mode) part {
	return event(behavior.Event{Kind: behavior.KindMode, Turn: turn, Mode: m})
}
func plan(turn int, state string) part {
	return event(behavior.Event{Kind: behavior.KindPlan, Turn: turn, State: state})
}
func question(turn int, text string) part {
	return event(behavior.Event{Kind: behavior.KindQuestion, Turn: turn, Text: text})
}
func todo(turn int, todos ...behavior.Todo) part {
	return event(behavior.Event{Kind: behavior.KindTodo, Turn: turn, Todos: todos})
}
func item(content, status string) behavior.Todo {
	return behavior.Todo{Content: content, Status: status}
}

// The parts below are about the whole.

func before(files behavior.Files) part {
	return func(e *behavior.Evidence) { e.Before, e.After = files, maps.Clone(files) }
}

// after lays files over the ones before; a nil Data and no mode takes one away.
func after(files behavior.Files) part {
	return func(e *behavior.Evidence) {
		for p, f := range files {
			if f.Data == nil && f.Mode == 0 {
				delete(e.After, p)
				continue
			}
			e.After[p] = f
		}
	}
}

func text(s string) behavior.File {
	return behavior.File{Mode: 0o644, Data: []byte(s), Size: int64(len(s))}
}

func link(target string) behavior.File {
	return behavior.File{Mode: fs.ModeSymlink | 0o777, Link: target}
}

func folder() behavior.File { return behavior.File{Mode: fs.ModeDir | 0o755} }

func gone() behavior.File { return behavior.File{} }

func facts(pairs ...string) part {
	return func(e *behavior.Evidence) {
		e.Facts = map[string]string{}
		for i := 0; i+1 < len(pairs); i += 2 {
			e.Facts[pairs[i]] = pairs[i+1]
		}
	}
}

func end(r behavior.EndReason, detail string) part {
	return func(e *behavior.Evidence) { e.End = behavior.End{Reason: r, Detail: detail} }
}
