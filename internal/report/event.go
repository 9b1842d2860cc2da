package report

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// An Event is one event of a timeline, as far as it is printed. Its number is
// its place in the timeline, counted from 1.
type Event struct {
	Kind  string // user, message, call, mode, plan, question, todo, notice
	Turn  int    // 0 for what came before the agent's first message
	Agent string // the child's id, or empty
	ID    string // what the event is about, where it is about something with a name

	Text  string // what was said or asked
	Stop  string // why a message ended, where it says more than stop or tool_calls
	Mode  string
	State string
	Todos []string // the items of a todo list, each as "status content"

	// The rest is for calls. Result is what the tool answered; Raw is what the
	// agent sent where that was no JSON object.
	Tool   string
	Args   map[string]any
	Raw    string
	Status string // ok, error, refused, …
	Result string
	Exit   *int
}

// silent reports whether the event has nothing to show: a message whose calls
// say all there is.
func (e Event) silent() bool {
	return e.Kind == "message" && strings.TrimSpace(e.Text) == "" && e.stop() == ""
}

// Line renders the event on one line.
func (e Event) Line() string {
	var b strings.Builder
	if e.Agent != "" {
		fmt.Fprintf(&b, "[%s] ", oneLine(e.Agent))
	}
	b.WriteString(oneLine(e.Kind))
	switch e.Kind {
	case "call":
		e.call(&b)
	case "served":
		if e.ID != "" {
			e.Tool = e.ID + "/" + e.Tool
		}
		e.call(&b)
	case "mode":
		space(&b, oneLine(e.Mode))
	case "todo":
		e.todo(&b)
	default:
		space(&b, oneLine(e.ID))
		space(&b, oneLine(e.State))
		if e.Exit != nil {
			fmt.Fprintf(&b, " exit %d", *e.Exit)
		}
		if text := strings.TrimSpace(e.Text); text != "" {
			space(&b, quote(text, maxWords))
		}
		space(&b, e.stop())
	}
	return b.String()
}

func (e Event) call(b *strings.Builder) {
	space(b, oneLine(e.Tool))
	if len(e.Args) == 0 && e.Raw != "" {
		space(b, quote(e.Raw, maxWords))
	}
	for _, name := range sortedNames(e.Args) {
		fmt.Fprintf(b, " %s=%s", oneLine(name), value(e.Args[name]))
	}
	if e.Exit != nil && *e.Exit != 0 {
		fmt.Fprintf(b, "  exit %d", *e.Exit)
	}
	if e.Status != "" && e.Status != "ok" {
		fmt.Fprintf(b, "  %s", oneLine(e.Status))
	}
	if result := strings.TrimSpace(e.Result); result != "" {
		fmt.Fprintf(b, "  → %s", quote(result, maxWords))
	}
}

func (e Event) todo(b *strings.Builder) {
	if len(e.Todos) == 0 {
		space(b, "(empty)")
		return
	}
	items := make([]string, len(e.Todos))
	for i, item := range e.Todos {
		items[i] = shorten(oneLine(item), maxValue)
	}
	space(b, shorten(strings.Join(items, "; "), 3*maxWords))
}

// stop says why the message ended, unless it ended as messages do.
func (e Event) stop() string {
	switch e.Stop {
	case "", "stop", "tool_calls":
		return ""
	}
	return "(ended by " + oneLine(e.Stop) + ")"
}

func space(b *strings.Builder, word string) {
	if word != "" {
		b.WriteByte(' ')
		b.WriteString(word)
	}
}

// value renders an argument: a string in quotes, anything else as JSON.
func value(v any) string {
	if s, ok := v.(string); ok {
		return quote(s, maxValue)
	}
	j, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("(%T)", v)
	}
	return shorten(oneLine(string(j)), maxValue)
}

func sortedNames(args map[string]any) []string {
	names := make([]string, 0, len(args))
	for name := range args {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
