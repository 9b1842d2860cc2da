package trace

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/behavior"
)

const (
	titleBytes  = 300 // what a title is cut at
	foldedLines = 12  // a text of more lines is folded,
	foldedBytes = 4 << 10
)

// event is what a person reads of an event of the evidence.
func event(ev behavior.Event) Event {
	out := Event{Kind: flat(string(ev.Kind))}
	switch ev.Kind {
	case behavior.KindMessage:
		message(&out, ev)
	case behavior.KindCall:
		call(&out, ev.Call, "")
	case behavior.KindServed:
		call(&out, ev.Call, ev.ID)
	case behavior.KindMode:
		out.say("", string(ev.Mode))
	case behavior.KindTodo:
		todos(&out, ev.Todos)
	default:
		lead := strings.TrimSpace(ev.ID + " " + ev.State)
		if ev.Exit != nil {
			lead += fmt.Sprintf(", exit status %d", *ev.Exit)
			out.Bad = *ev.Exit != 0
		}
		if ev.Kind == behavior.KindChild && ev.State == "failed" {
			out.Bad = true
		}
		out.say(lead, ev.Text)
		out.changed(ev.Changed)
	}
	if out.Title == "" {
		out.Title = "(nothing)"
	}
	return out
}

// say makes the title of a lead and a text. What does not fit in it becomes a part.
func (e *Event) say(lead, text string) {
	lead = flat(lead)
	text = strings.TrimSpace(text)
	first := oneLine(text)
	e.Title = first
	if lead != "" {
		e.Title = lead
		if first != "" {
			e.Title += ": " + first
		}
	}
	e.Lead = e.Title
	if first != text {
		e.Lead = lead
		e.part("text", text)
	}
}

// part adds a text, unless there is none.
func (e *Event) part(name, text string) {
	if text == "" {
		return
	}
	folded := name == "thinking" || len(text) > foldedBytes || strings.Count(text, "\n") >= foldedLines
	e.Parts = append(e.Parts, Part{Name: name, Text: text, Folded: folded})
}

func (e *Event) changed(paths []string) {
	all := make([]string, len(paths))
	for i, p := range paths {
		all[i] = flat(p)
	}
	e.part("changed", strings.Join(all, "\n"))
}

// message is what the agent said and thought. A message of nothing but calls has
// neither.
func message(out *Event, ev behavior.Event) {
	out.Kind = "says"
	thinking, text := strings.TrimSpace(ev.Reasoning), strings.TrimSpace(ev.Text)
	switch {
	case text == "" && thinking != "":
		out.Kind, out.Title = "thinks", oneLine(thinking)
		if out.Title == thinking {
			out.Lead = thinking
		} else {
			out.part("thinking", thinking)
		}
	default:
		out.part("thinking", thinking)
		out.say("", text)
	}
	if ev.Stop != "" && ev.Stop != "stop" && ev.Stop != "tool_calls" {
		out.Status, out.Bad = "ended by "+flat(ev.Stop), true
	}
}

func todos(out *Event, list []behavior.Todo) {
	boxes := map[string]string{"completed": "[x]", "in_progress": "[>]", "cancelled": "[-]", "pending": "[ ]"}
	var lines []string
	done := 0
	for _, t := range list {
		box := boxes[t.Status]
		if box == "" {
			box = "[" + flat(t.Status) + "]"
		}
		if t.Status == "completed" {
			done++
		}
		lines = append(lines, box+" "+flat(t.Content))
	}
	switch {
	case len(list) == 0:
		out.say("", "(empty)")
	case len(list) == 1:
		out.say("", lines[0])
	default:
		out.Title = fmt.Sprintf("%d of %d done", done, len(list))
		out.part("text", strings.Join(lines, "\n"))
	}
}

// TurnTitle names the turn of the event, and when the event began: "turn 2 of child
// worker-1, at 1.2 s".
func (e Event) TurnTitle() string {
	title := fmt.Sprintf("turn %d", e.Turn)
	if e.Turn == 0 {
		title = "before the first turn"
	}
	if e.Agent != "" {
		title += " of child " + e.Agent
	}
	if e.AtMS > 0 {
		title += ", at " + Duration(time.Duration(e.AtMS)*time.Millisecond)
	}
	return title
}

// SameTurn reports whether both belong under one title.
func (e Event) SameTurn(other Event) bool { return e.Turn == other.Turn && e.Agent == other.Agent }

// Duration shows a duration with the digits that matter: "3 ms", "1.2 s", "2m5s".
func Duration(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}

var breaks = strings.NewReplacer("\r", `\r`, "\n", `\n`)

// flat makes a name one line without losing any of it.
func flat(s string) string { return breaks.Replace(s) }

// shorten cuts a text to what a title holds.
func shorten(s string) string {
	if len(s) <= titleBytes {
		return s
	}
	cut := titleBytes
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
