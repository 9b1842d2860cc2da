package cli

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/results"
)

// How much of a long text is shown without --full, in lines and in bytes a line.
const (
	fewLines  = 12
	lineBytes = 400
)

// indent is what each generation of children moves to the right.
const indent = 4

// A traceText prints the trace of one attempt as plain text. Whatever the agent and its
// world have said is inert in it.
type traceText struct {
	w       *bufio.Writer
	colours bool
	full    bool
	find    string // long texts are shown where they hold it, and it stands out
	err     error
}

func newTraceText(w io.Writer, colours, full bool) *traceText {
	return &traceText{w: bufio.NewWriter(w), colours: colours, full: full}
}

// end returns the first error there was.
func (t *traceText) end() error {
	if err := t.w.Flush(); t.err == nil {
		t.err = err
	}
	return t.err
}

// line prints one line: a margin as it is, text made inert and in a style.
func (t *traceText) line(margin string, s style, text string) {
	if t.err != nil {
		return
	}
	line := margin + t.paint(s, inert.Line(text))
	_, t.err = t.w.WriteString(strings.TrimRight(line, " ") + "\n")
}

// paint puts a text in a style, and what is looked for in another one.
func (t *traceText) paint(s style, text string) string {
	if !t.colours || t.find == "" {
		return s.paint(t.colours, text)
	}
	var b strings.Builder
	for text != "" {
		at := trace.Find(text, t.find)
		if at < 0 {
			break
		}
		b.WriteString(s.paint(true, text[:at]))
		b.WriteString(found.paint(true, text[at:at+len(t.find)]))
		text = text[at+len(t.find):]
	}
	return b.String() + s.paint(true, text)
}

// found is the style of what was looked for.
const found style = "7"

func (t *traceText) blank() { t.line("", normal, "") }

// field prints a text of any length behind a name.
func (t *traceText) field(name string, s style, text string) {
	if text != "" {
		t.block(fmt.Sprintf("%-11s", name), strings.Repeat(" ", 11), s, text)
	}
}

// whole prints the lines of a text behind margins.
func (t *traceText) whole(first, next string, s style, text string) {
	margin := first
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		t.line(margin, s, strings.ReplaceAll(l, "\t", "    "))
		margin = next
	}
}

// block prints the lines of a text behind margins, cut where it is long: to its
// beginning, or to where it holds what is looked for.
func (t *traceText) block(first, next string, s style, text string) {
	if t.full {
		t.whole(first, next, s, text)
		return
	}
	text = strings.TrimRight(text, "\n")
	at := -1
	if t.find != "" {
		at = trace.Find(text, t.find)
	}
	before := 0
	if at >= 0 {
		before = max(0, strings.Count(text[:at], "\n")-2)
	}
	total := strings.Count(text, "\n") + 1
	if total <= fewLines+1 {
		before = 0
	}
	margin := first
	if before > 0 {
		t.line(margin, faint, "… "+count(before, "line", "lines")+" before")
		margin = next
	}
	shown, passed := 0, 0
	for l := range strings.SplitSeq(text, "\n") {
		passed++
		if passed <= before {
			continue
		}
		if shown == fewLines && total-passed > 0 {
			t.line(margin, faint, "… "+moreLines(total-passed+1))
			return
		}
		t.line(margin, s, t.cut(strings.ReplaceAll(l, "\t", "    ")))
		margin = next
		shown++
	}
}

// cut shortens a line, around what is looked for where it would be cut off.
func (t *traceText) cut(l string) string {
	if t.full || len(l) <= lineBytes+40 {
		return l
	}
	from := 0
	if at := trace.Find(l, t.find); t.find != "" && at+len(t.find) > lineBytes {
		from = boundary(l, min(at-lineBytes/4, len(l)-lineBytes))
	}
	to := boundary(l, from+lineBytes)
	text := l[from:to]
	if from > 0 {
		text = "…" + text
	}
	if to < len(l) {
		text += fmt.Sprintf("… %d more bytes (--full)", len(l)-to)
	}
	return text
}

// boundary is the nearest place before i at which no character is torn.
func boundary(s string, i int) int {
	for i = max(0, min(i, len(s))); i > 0 && i < len(s) && !utf8.RuneStart(s[i]); {
		i--
	}
	return i
}

func moreLines(n int) string { return count(n, "more line", "more lines") + " (--full)" }

// print prints the whole of a trace.
func (t *traceText) print(tr trace.Trace) {
	t.head(tr.Head)
	if len(tr.Events) == 0 {
		t.blank()
		t.line("", faint, "nothing happened")
	}
	t.events(tr.Events)
	t.ending(tr.Ending)
	t.verdicts(tr.Verdicts)
	t.files(tr.Files)
}

func (t *traceText) head(h trace.Head) {
	t.line("", bold, h.Case)
	t.field("claim", normal, h.Claim)
	t.field("run", normal, h.Run)
	model := h.Model + " in " + h.Agent
	if h.Kind != "" && h.Kind != results.Live {
		model += " (" + h.Kind + ")"
	}
	t.field("model", normal, model)
	t.field("world", normal, h.World)
	t.field("variant", normal, h.Variant)
	t.field("facts", normal, facts(h.Facts))
	which := fmt.Sprintf("%d of %d", h.Attempt, len(h.Siblings))
	if h.Play > 1 || h.Reroll {
		which += fmt.Sprintf(", play %d", h.Play)
	}
	if h.Reroll {
		which += ", a reroll: it does not count"
	}
	if len(h.Siblings) > 1 {
		which += " (" + siblings(h.Siblings) + ")"
	}
	t.field("attempt", normal, which)
	outcome := h.Outcome
	if h.Reason != "" {
		outcome += ": " + h.Reason
	}
	t.field("outcome", ofOutcome(h.Outcome), outcome)
	t.field("", normal, h.Detail)
}

// facts lists what was drawn or forced: "limit=200 name=Ada".
func facts(all map[string]string) string {
	var words []string
	for name, value := range all {
		words = append(words, name+"="+value)
	}
	slices.Sort(words)
	return strings.Join(words, "\n")
}

// which names an attempt on one line.
func which(h trace.Head) string {
	words := place(results.Slot{Case: h.Case, World: h.World, Variant: h.Variant, Model: h.Model, Attempt: h.Attempt})
	if h.Play > 1 || h.Reroll {
		words += fmt.Sprintf(", play %d", h.Play)
	}
	return words
}

// title says which attempt it is, and what became of it.
func (t *traceText) title(h trace.Head) {
	outcome := h.Outcome
	if h.Reason != "" {
		outcome += " (" + h.Reason + ")"
	}
	t.line("", bold, which(h)+": "+outcome)
}

// events prints events under the titles of their turns.
func (t *traceText) events(events []trace.Event) {
	for i, e := range events {
		if i == 0 || !e.SameTurn(events[i-1]) {
			t.turn(e)
		}
		t.event(e)
	}
}

func (t *traceText) turn(e trace.Event) {
	t.blank()
	t.line(strings.Repeat(" ", indent*e.Depth), faint, e.TurnTitle())
}

// number is the margin of an event: whether it is to blame, its number, its depth.
func (t *traceText) number(e trace.Event) string {
	mark := " "
	if len(e.Blames) > 0 {
		mark = red.paint(t.colours, ">")
	}
	return fmt.Sprintf("%s %3d  %s", mark, e.N, strings.Repeat(" ", indent*e.Depth))
}

// event prints one event.
func (t *traceText) event(e trace.Event) {
	margin := t.number(e)
	blank := strings.Repeat(" ", 7+indent*e.Depth)
	under := blank + strings.Repeat(" ", 9)
	say := func(show func(first, next string, s style, text string), kind string, s style, text string) {
		show(margin+fmt.Sprintf("%-8s ", inert.Line(kind)), under, s, text)
		margin = blank // an event has its number once
	}
	parts := make(map[string]string, len(e.Parts))
	for _, p := range e.Parts {
		parts[p.Name] = p.Text
	}
	switch {
	case parts["thinking"] != "":
		say(t.thinking, "thinking", faint, parts["thinking"])
	case e.Kind == "thinks":
		say(t.whole, "thinking", faint, e.Title)
	}
	text := strings.TrimLeft(e.Lead+"\n"+parts["text"]+parts["arguments"], "\n")
	switch e.Kind {
	case "thinks":
	case "call", "served":
		say(t.block, e.Kind, ofKind[e.Kind], text)
	default:
		s := ofKind[e.Kind]
		if e.Title == "(nothing)" {
			s, text = faint, e.Title
		}
		say(t.whole, e.Kind, s, text)
	}
	t.status(under, e, parts["changed"])
	if parts["result"] != "" {
		t.block(under+"| ", under+"| ", normal, parts["result"])
	}
	if parts["sent as"] != "" {
		t.block(under, under, faint, "sent as "+parts["sent as"])
	}
}

// ofKind are the styles of events.
var ofKind = map[string]style{
	"user": blue, "says": bold, "mode": yellow, "plan": yellow, "question": yellow, "todo": yellow, "notice": faint,
}

// thinking is folded to its first line.
func (t *traceText) thinking(first, next string, s style, text string) {
	switch head, rest, more := strings.Cut(text, "\n"); {
	case t.find != "" && trace.Find(text, t.find) >= 0:
		t.block(first, next, s, text)
	case more && !t.full:
		t.line(first, s, t.cut(head)+" … "+moreLines(strings.Count(rest, "\n")+1))
	default:
		t.whole(first, next, s, text)
	}
}

// status says how a call or a message ended, and what it changed.
func (t *traceText) status(margin string, e trace.Event, changed string) {
	words := e.Status
	if changed != "" {
		if words != "" {
			words += ", "
		}
		words += "changed " + some(strings.Split(changed, "\n"))
	}
	s := green
	switch {
	case e.Kind != "call" && e.Kind != "served":
		s = yellow
	case e.Bad:
		s = red
	}
	if words != "" {
		t.line(margin, s, words)
	}
}

func (t *traceText) ending(e trace.Ending) {
	t.blank()
	end := e.Reason
	if e.Detail != "" {
		end += ": " + e.Detail
	}
	t.field("end", normal, end)
	t.field("took", normal, fmt.Sprintf("%s, of which %s the agent's own; %s, %s", took(e.DurationMS), took(e.AgentMS),
		count(e.Turns, "turn", "turns"), count(e.Calls, "call", "calls")))
	tokens := fmt.Sprintf("%d in, %d out", e.Prompt, e.Completion)
	if e.Unreported > 0 {
		tokens += ", and more: " + count(e.Unreported, "answer", "answers") + " told no usage"
	}
	if e.Cost != nil {
		tokens += fmt.Sprintf("; $%.4f %s", *e.Cost, e.CostSource)
	}
	t.field("tokens", normal, tokens)
	t.field("contained", normal, e.Containment)
}

func (t *traceText) verdicts(all []trace.Verdict) {
	if len(all) == 0 {
		return
	}
	t.blank()
	t.line("", faint, "verdicts")
	for _, v := range all {
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
		if v.Want != "" {
			t.block("       want ", "            ", normal, v.Want)
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
	for _, n := range events {
		all = append(all, fmt.Sprint(n))
	}
	if len(all) == 1 {
		return "event " + all[0]
	}
	return "events " + strings.Join(all, ", ")
}

// files prints how the workspace changed.
func (t *traceText) files(all []trace.File) {
	t.blank()
	if len(all) == 0 {
		t.line("", faint, "no file changed")
		return
	}
	t.line("", faint, "files")
	for _, f := range all {
		switch f.Change {
		case "created":
			t.line("  ", green, f.Path+" (created)")
		case "removed":
			t.line("  ", red, f.Path+" (removed)")
		case "changed":
			t.line("  ", yellow, f.Path)
		default:
			t.line("  ", yellow, f.Path+" ("+f.Change+")")
		}
		if f.Note != "" {
			t.line("    ", faint, f.Note)
		}
		t.diff("    ", f.Diff, 4*fewLines)
	}
}

// diff prints a unified diff, and without --full no more of it than some lines.
func (t *traceText) diff(margin, text string, most int) {
	if text == "" {
		return
	}
	shown := 0
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if !t.full && shown == most {
			t.line(margin, faint, "… more of the difference (--full)")
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
		t.line(margin, s, t.cut(strings.ReplaceAll(l, "\t", "    ")))
		shown++
	}
}

// siblings lists the outcomes of the attempts of a unit.
func siblings(all []trace.Sibling) string {
	rows := make([]results.SlotResult, 0, len(all))
	for _, s := range all {
		row := results.SlotResult{Slot: results.Slot{Attempt: s.Attempt}, Outcome: s.Outcome}
		if s.Outcome != results.NotRun {
			row.Decided = &results.Attempt{Reason: s.Reason}
		}
		rows = append(rows, row)
	}
	return attempts(rows)
}
