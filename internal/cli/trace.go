package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/diff"
	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

// How much of a long text is shown without --full, in lines and in bytes a line.
const (
	fewLines  = 12
	lineBytes = 400
)

// A trace prints the evidence of one attempt. Whatever the agent and its world
// have said is inert in it.
type trace struct {
	w       io.Writer
	colours bool
	full    bool
	err     error
	guilty  map[int]bool // events that a failed verdict points to
}

// line prints one line: a margin as it is, text made inert and in a style.
func (t *trace) line(margin string, s style, text string) {
	if t.err != nil {
		return
	}
	line := margin + s.paint(t.colours, inert.Line(text))
	_, t.err = fmt.Fprintln(t.w, strings.TrimRight(line, " "))
}

func (t *trace) blank() { t.line("", normal, "") }

// field prints a text of any length behind a name.
func (t *trace) field(name string, s style, text string) {
	if text != "" {
		t.block(fmt.Sprintf("%-11s", name), strings.Repeat(" ", 11), s, text)
	}
}

// whole prints the lines of a text behind margins.
func (t *trace) whole(first, next string, s style, text string) {
	margin := first
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		t.line(margin, s, strings.ReplaceAll(l, "\t", "    "))
		margin = next
	}
}

// block prints the lines of a text behind margins, cut where it is long.
func (t *trace) block(first, next string, s style, text string) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	more := 0
	if !t.full && len(lines) > fewLines+1 {
		more = len(lines) - fewLines
		lines = lines[:fewLines]
	}
	margin := first
	for _, l := range lines {
		l = strings.ReplaceAll(l, "\t", "    ")
		if !t.full && len(l) > lineBytes+40 {
			cut := lineBytes
			for cut > 0 && !utf8.RuneStart(l[cut]) {
				cut--
			}
			l = l[:cut] + fmt.Sprintf("… %d more bytes (--full)", len(l)-cut)
		}
		t.line(margin, s, l)
		margin = next
	}
	if more > 0 {
		t.line(next, faint, "… "+moreLines(more))
	}
}

func moreLines(n int) string { return count(n, "more line", "more lines") + " (--full)" }

func (t *trace) print(run, claim string, a *results.Attempt, of []results.SlotResult, e behavior.Evidence) {
	t.guilty = make(map[int]bool)
	for _, v := range a.Verdicts {
		if v.Outcome == results.Fail {
			for _, i := range v.Events {
				t.guilty[i] = true
			}
		}
	}
	t.head(run, claim, a, of)
	t.timeline(e)
	t.ending(a, e)
	t.verdicts(a)
	t.files(e)
}

func (t *trace) head(run, claim string, a *results.Attempt, of []results.SlotResult) {
	t.line("", bold, a.Case)
	t.field("claim", normal, claim)
	t.field("run", normal, run)
	t.field("model", normal, a.Model+" in "+a.Agent)
	t.field("world", normal, a.World)
	t.field("variant", normal, a.Variant)
	which := fmt.Sprintf("%d of %d", a.Attempt, len(of))
	if a.Play > 1 || a.Reroll {
		which += fmt.Sprintf(", play %d", a.Play)
	}
	if a.Reroll {
		which += ", a reroll: it does not count"
	}
	if len(of) > 1 {
		which += " (" + attempts(of) + ")"
	}
	t.field("attempt", normal, which)
	outcome := a.Outcome
	if a.Reason != "" {
		outcome += ": " + a.Reason
	}
	t.field("outcome", ofOutcome(a.Outcome), outcome)
	t.field("", normal, a.Detail)
}

func (t *trace) timeline(e behavior.Evidence) {
	turn, agent := -1, ""
	for i, ev := range e.Timeline {
		if ev.Turn != turn || ev.Agent != agent {
			turn, agent = ev.Turn, ev.Agent
			t.blank()
			t.line("", faint, turnTitle(ev))
		}
		t.event(i, ev)
	}
	if len(e.Timeline) == 0 {
		t.blank()
		t.line("", faint, "nothing happened")
	}
}

func turnTitle(ev behavior.Event) string {
	title := fmt.Sprintf("turn %d", ev.Turn)
	if ev.Turn == 0 {
		title = "before the first turn"
	}
	if ev.Agent != "" {
		title += " of child " + ev.Agent
	}
	if ev.At > 0 {
		title += ", at " + duration(ev.At)
	}
	return title
}

// event prints one event. Events count from 1, as in the output of go test.
func (t *trace) event(i int, ev behavior.Event) {
	mark := " "
	if t.guilty[i] {
		mark = ">"
	}
	margin := fmt.Sprintf("%s %3d  ", red.paint(t.colours && mark == ">", mark), i+1)
	say := func(kind string, s style, text string) {
		show := t.whole
		if kind == "call" {
			show = t.block
		}
		show(margin+fmt.Sprintf("%-9s", inert.Line(kind)), strings.Repeat(" ", 16), s, text)
		margin = strings.Repeat(" ", 7) // an event has its number once
	}
	switch ev.Kind {
	case behavior.KindUser:
		say("user", blue, ev.Text)
	case behavior.KindMessage:
		t.message(ev, say)
	case behavior.KindCall:
		t.call(ev.Call, say)
	case behavior.KindMode:
		say("mode", yellow, string(ev.Mode))
	case behavior.KindPlan:
		say("plan", yellow, join(ev.State, ev.Text))
	case behavior.KindQuestion:
		say("question", yellow, ev.Text)
	case behavior.KindTodo:
		say("todo", yellow, todos(ev.Todos))
	case behavior.KindNotice:
		say("notice", faint, ev.Text)
	case behavior.KindServed:
		if ev.Call == nil {
			return
		}
		stub := *ev.Call
		if ev.ID != "" {
			stub.Tool = ev.ID + "/" + stub.Tool
		}
		t.call(&stub, func(_ string, s style, text string) { say("served", s, text) })
	default:
		text := join(ev.State, ev.Text)
		if ev.Exit != nil {
			text = join(fmt.Sprintf("%s, exit status %d", ev.State, *ev.Exit), ev.Text)
		}
		say(string(ev.Kind), normal, strings.TrimSpace(ev.ID+" "+text))
	}
}

// message prints what the agent said. Its thinking is folded to its first line.
func (t *trace) message(ev behavior.Event, say func(string, style, string)) {
	said := false
	if thinking := strings.TrimSpace(ev.Reasoning); thinking != "" {
		first, rest, _ := strings.Cut(thinking, "\n")
		if rest != "" && !t.full {
			first += " … " + moreLines(strings.Count(rest, "\n")+1)
		} else if rest != "" {
			first = thinking
		}
		say("thinking", faint, first)
		said = true
	}
	if text := strings.TrimSpace(ev.Text); text != "" {
		say("says", bold, text)
		said = true
	}
	switch {
	case ev.Stop != "" && ev.Stop != "stop" && ev.Stop != "tool_calls":
		say("ended by", yellow, ev.Stop)
	case !said:
		say("says", faint, "(nothing)")
	}
}

func (t *trace) call(c *behavior.Call, say func(string, style, string)) {
	if c == nil {
		say("call", yellow, "(the record has no call here)")
		return
	}
	head := strings.TrimSpace(c.Tool + " " + args(c))
	say("call", normal, head)
	s, status := green, string(c.Status)
	if c.Status != behavior.OK {
		s = red
	}
	if c.Exit != nil && *c.Exit != 0 {
		status += fmt.Sprintf(", exit status %d", *c.Exit)
	}
	if c.Took > 0 {
		status += ", " + duration(c.Took)
	}
	if len(c.Changed) > 0 {
		status += ", changed " + some(c.Changed)
	}
	t.line(strings.Repeat(" ", 16), s, status)
	if c.Result != "" {
		bar := strings.Repeat(" ", 16) + "| "
		t.block(bar, bar, normal, c.Result)
	}
	if c.RawTool != "" && c.RawTool != c.Tool {
		t.line(strings.Repeat(" ", 16), faint, "sent as "+c.RawTool)
	}
}

// args spells the arguments as name=value, by name, long ones on lines of their own.
func args(c *behavior.Call) string {
	if len(c.Args) == 0 {
		return c.Raw
	}
	names := make([]string, 0, len(c.Args))
	for n := range c.Args {
		names = append(names, n)
	}
	sort.Strings(names)
	var short, long []string
	for _, n := range names {
		if text, ok := c.Args[n].(string); ok && strings.Contains(text, "\n") {
			long = append(long, "\n"+n+":\n  "+strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  "))
			continue
		}
		short = append(short, n+"="+value(c.Args[n]))
	}
	return strings.Join(short, " ") + strings.Join(long, "")
}

// value spells an argument as JSON, for people.
func value(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSpace(b.String())
}

func todos(list []behavior.Todo) string {
	if len(list) == 0 {
		return "(empty)"
	}
	boxes := map[string]string{"completed": "[x]", "in_progress": "[>]", "cancelled": "[-]", "pending": "[ ]"}
	var lines []string
	for _, t := range list {
		box := boxes[t.Status]
		if box == "" {
			box = "[" + t.Status + "]"
		}
		lines = append(lines, box+" "+t.Content)
	}
	return strings.Join(lines, "\n")
}

func join(state, text string) string { return strings.TrimSpace(state + "\n" + text) }

func (t *trace) ending(a *results.Attempt, e behavior.Evidence) {
	t.blank()
	end := string(e.End.Reason)
	if e.End.Detail != "" {
		end += ": " + e.End.Detail
	}
	t.field("end", normal, end)
	t.field("took", normal, fmt.Sprintf("%s, of which %s the agent's own; %s, %s", took(a.DurationMS), took(a.AgentMS),
		count(a.Turns, "turn", "turns"), count(a.Calls, "call", "calls")))
	tokens := fmt.Sprintf("%d in, %d out", a.Usage.Prompt, a.Usage.Completion)
	if a.Usage.Cost != nil {
		tokens += fmt.Sprintf("; $%.4f %s", *a.Usage.Cost, a.Usage.CostSource)
	}
	t.field("tokens", normal, tokens)
	t.field("contained", normal, a.Containment)
}

func (t *trace) verdicts(a *results.Attempt) {
	if len(a.Verdicts) == 0 {
		return
	}
	t.blank()
	t.line("", faint, "verdicts")
	for _, v := range a.Verdicts {
		s := ofOutcome(v.Outcome)
		if v.Outcome == results.NA {
			s = faint
		}
		head := v.Signal + ": " + v.Name
		if v.Conditional {
			head += " (conditional)"
		}
		t.block("  "+s.paint(t.colours, fmt.Sprintf("%-5s", inert.Line(v.Outcome))), "       ", normal, head)
		if v.Outcome == results.Pass {
			continue
		}
		t.block("       got  ", "            ", normal, v.Got)
		if len(v.Events) > 0 {
			t.line("       ", normal, "see  "+eventList(v.Events))
		}
		if v.Where != "" {
			t.line("       ", faint, "at   "+v.Where)
		}
	}
}

func eventList(events []int) string {
	var all []string
	for _, i := range events {
		all = append(all, fmt.Sprint(i+1))
	}
	if len(all) == 1 {
		return "event " + all[0]
	}
	return "events " + strings.Join(all, ", ")
}

// files prints how the workspace changed.
func (t *trace) files(e behavior.Evidence) {
	changed := e.Changed()
	t.blank()
	if len(changed) == 0 {
		t.line("", faint, "no file changed")
		return
	}
	t.line("", faint, "files")
	for _, p := range changed {
		before, had := e.Before[p]
		after, has := e.After[p]
		switch {
		case !had:
			t.line("  ", green, p+" (created)")
		case !has:
			t.line("  ", red, p+" (removed)")
		default:
			t.line("  ", yellow, p+changeOf(before, after))
		}
		t.change(before, after)
	}
}

// changeOf says what else changed besides the content.
func changeOf(before, after behavior.File) string {
	switch {
	case before.Link != after.Link:
		return fmt.Sprintf(" (link: %s → %s)", orFile(before.Link), orFile(after.Link))
	case before.Mode != after.Mode:
		return fmt.Sprintf(" (mode: %v → %v)", before.Mode, after.Mode)
	}
	return ""
}

func orFile(link string) string {
	if link == "" {
		return "no link"
	}
	return link
}

// change prints the difference of two contents.
func (t *trace) change(before, after behavior.File) {
	switch {
	case before.Digest != "" || after.Digest != "":
		t.line("    ", faint, fmt.Sprintf("%d → %d bytes, kept by digest alone", before.Size, after.Size))
		return
	case !utf8.Valid(before.Data) || !utf8.Valid(after.Data):
		t.line("    ", faint, fmt.Sprintf("binary, %d → %d bytes", len(before.Data), len(after.Data)))
		return
	}
	text := diff.Unified(string(before.Data), string(after.Data))
	if text == "" {
		return
	}
	for i, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if !t.full && i == 4*fewLines {
			t.line("    ", faint, "… more of the difference (--full)")
			return
		}
		s := normal
		switch {
		case strings.HasPrefix(l, "+"):
			s = green
		case strings.HasPrefix(l, "-"):
			s = red
		case strings.HasPrefix(l, "@@"):
			s = faint
		}
		t.line("    ", s, strings.ReplaceAll(l, "\t", "    "))
	}
}
