package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deeds-evals/deeds/internal/diff"
	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/internal/viewer"
	"github.com/deeds-evals/deeds/results"
)

const vsHint = "it takes an attempt (2), an outcome (pass), RUN, @MODEL or RUN@MODEL; the last three with #2 for attempt 2"

// against finds the attempt that another one is held against.
func (c *Config) against(run *results.Run, slots []results.SlotResult, a *results.Attempt, word string) (played, error) {
	of := trace.Siblings(slots, a.Unit())
	switch word {
	case results.Pass, results.Fail, results.Void:
		for _, s := range of {
			if s.Outcome == word && s.Attempt != a.Attempt {
				return played{run, slots, s.Decided}, nil
			}
		}
		return played{}, misuse(fmt.Sprintf("no other attempt of %s is a %s", unitWords(a.Slot), word), "its attempts: "+attempts(of))
	}
	if n, err := strconv.Atoi(word); err == nil && strconv.Itoa(n) == word && slices.ContainsFunc(of, func(s results.SlotResult) bool { return s.Attempt == n }) {
		return c.numbered(played{run, slots, nil}, of, a, n)
	}
	names, number, numbered := strings.Cut(word, "#")
	n := 0
	if numbered {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 1 {
			return played{}, misuse(fmt.Sprintf("%q is no attempt to hold it against", word), vsHint)
		}
	}
	name, model, modelled := strings.Cut(names, "@")
	if modelled && model == "" || names == "" && !numbered {
		return played{}, misuse(fmt.Sprintf("%q is no attempt to hold it against", word), vsHint)
	}
	there := played{run: run, slots: slots}
	if name != "" {
		info, err := c.find(name)
		if err != nil {
			return played{}, notAgainst(err, word, run, of)
		}
		if there.run, err = results.Load(info.Dir); err != nil {
			return played{}, err
		}
		there.slots = there.run.Slots()
	}
	if model == "" {
		model = a.Model
		if all := there.run.Models(); !slices.Contains(all, model) && len(all) == 1 {
			model = all[0]
		}
	}
	unit := a.Unit()
	unit.Model = model
	others := trace.Siblings(there.slots, unit)
	if len(others) == 0 { // by whatever agent
		others = slices.DeleteFunc(slices.Clone(there.slots), func(s results.SlotResult) bool {
			return s.Case != a.Case || s.World != a.World || s.Variant != a.Variant || s.Model != model
		})
	}
	if len(others) == 0 {
		return played{}, neverPlayed(there.run, a, model)
	}
	return c.numbered(there, others, a, n)
}

// numbered picks an attempt out of slots: the nth, or for 0 the one of the same number,
// or else the first that was played.
func (c *Config) numbered(there played, of []results.SlotResult, a *results.Attempt, n int) (played, error) {
	i := slices.IndexFunc(of, func(s results.SlotResult) bool {
		return s.Attempt == n || n == 0 && s.Attempt == a.Attempt && s.Decided != nil
	})
	if i < 0 && n == 0 {
		i = slices.IndexFunc(of, func(s results.SlotResult) bool { return s.Decided != nil })
	}
	switch {
	case i < 0 && n == 0:
		return played{}, misuse(unitWords(of[0].Slot)+" was not run in "+there.run.ID, "")
	case i < 0:
		return played{}, misuse(fmt.Sprintf("%s has no attempt %d", unitWords(of[0].Slot), n), "its attempts: "+attempts(of))
	case of[i].Decided == nil:
		return played{}, misuse(place(of[i].Slot)+" was not run", "its attempts: "+attempts(of))
	case of[i].Decided.Run == a.Run && of[i].Slot == a.Slot && of[i].Decided.Play == a.Play:
		return played{}, misuse(place(a.Slot)+" is the attempt itself", "its attempts: "+attempts(of))
	}
	there.attempt = of[i].Decided
	return there, nil
}

// notAgainst says what a word can have meant that names no run.
func notAgainst(err error, word string, run *results.Run, of []results.SlotResult) error {
	hint := vsHint
	var f *fault
	switch {
	case errors.As(err, &f) && strings.HasPrefix(f.hint, "did you mean"):
		return err
	case slices.Contains(run.Models(), strings.TrimPrefix(word, "model=")):
		hint = "--vs " + overview.Quote("@"+strings.TrimPrefix(word, "model=")) + " is that model"
	case strings.Trim(word, "0123456789") == "":
		hint = "its attempts: " + attempts(of)
		return misuse(fmt.Sprintf("%s has no attempt %s, and there is no run of that name", unitWords(of[0].Slot), word), hint)
	}
	return misuse(err.Error(), hint)
}

// neverPlayed says that a model did not play a unit in a run.
func neverPlayed(run *results.Run, a *results.Attempt, model string) error {
	models := run.Models()
	if !slices.Contains(models, model) {
		return misuse(fmt.Sprintf("run %s has no model %q", run.ID, model), didYouMean(model, models, "it has "+some(models)+": --vs RUN@MODEL"))
	}
	s := a.Slot
	s.Model = model
	return misuse(fmt.Sprintf("run %s has no attempt of %s", run.ID, unitWords(s)), "")
}

// unitWords names a unit in words.
func unitWords(s results.Slot) string {
	words, _, _ := strings.Cut(place(s), fmt.Sprintf(", attempt %d", s.Attempt))
	return words
}

// beside shows two attempts beside each other. At a terminal they are two columns. In
// text each side has lines of its own, as in a diff: that is readable at 80 columns, can
// be searched, and nothing has to be cut to fit.
func (c *Config) beside(ctx context.Context, a, b played, s showing) error {
	one, err := a.trace()
	if err != nil {
		return err
	}
	two, err := b.trace()
	if err != nil {
		return err
	}
	if c.atTerminal() && !s.plain && !s.asJSON {
		if err := s.holds(one); err != nil {
			return err
		}
		v := c.viewing(one, s, a, b)
		v.Against = &two
		return viewer.Show(ctx, v)
	}
	if s.selects() {
		return misuse("--vs shows two attempts whole", "leave out --find, --event and --guilty")
	}
	aligned := trace.Align(one, two)
	if s.asJSON {
		return printJSON(c.Stdout, pairing(a, b, aligned))
	}
	t := &besideText{traceText: newTraceText(c.Stdout, c.Colour, s.full), a: one, b: two}
	t.print(aligned)
	return t.end()
}

// A pairingJSON is two attempts beside each other. FirstDifference is null where there is
// none.
type pairingJSON struct {
	Run             string           `json:"run"`
	Attempt         *results.Attempt `json:"attempt"`
	AgainstRun      string           `json:"against_run"`
	Against         *results.Attempt `json:"against"`
	FirstDifference *trace.Pair      `json:"first_difference"`
	Drawn           []string         `json:"drawn,omitempty"` // facts that are taken for equal
	Pairs           []trace.Pair     `json:"pairs"`
}

func pairing(a, b played, al trace.Alignment) pairingJSON {
	out := pairingJSON{Run: a.run.ID, Attempt: a.attempt, AgainstRun: b.run.ID, Against: b.attempt, Drawn: al.Drawn, Pairs: al.Pairs}
	if al.First >= 0 {
		out.FirstDifference = &al.Pairs[al.First]
	}
	return out
}

// A besideText prints two traces as one.
type besideText struct {
	*traceText
	a, b trace.Trace
}

func (t *besideText) print(al trace.Alignment) {
	t.heads()
	t.blank()
	t.line("", bold, t.first(al))
	if len(al.Drawn) > 0 {
		t.line("", faint, "drawn for each, and taken for equal: "+strings.Join(al.Drawn, ", "))
	}
	var left, right trace.Event
	for i, p := range al.Pairs {
		x, y := t.of(p)
		if x != nil && (left.N == 0 || !x.SameTurn(left)) || y != nil && (right.N == 0 || !y.SameTurn(right)) {
			t.turns(x, y)
		}
		if i == al.First {
			t.line("", yellow, "first difference")
		}
		t.pair(p.Same, x, y)
		if x != nil {
			left = *x
		}
		if y != nil {
			right = *y
		}
	}
	t.signals()
	t.changes()
}

// of are the events of a pair, nil for a side that has none.
func (t *besideText) of(p trace.Pair) (x, y *trace.Event) {
	if p.A > 0 {
		x = &t.a.Events[p.A-1]
	}
	if p.B > 0 {
		y = &t.b.Events[p.B-1]
	}
	return x, y
}

// heads says which two attempts they are: what they share, then each by what it does not.
func (t *besideText) heads() {
	a, b := t.a.Head, t.b.Head
	t.line("", bold, a.Case)
	t.field("claim", normal, a.Claim)
	t.field("world", normal, a.World)
	t.field("variant", normal, a.Variant)
	apart := !maps.Equal(a.Facts, b.Facts)
	if !apart {
		t.field("facts", normal, facts(a.Facts))
	}
	for _, side := range []struct {
		mark string
		s    style
		trace.Head
	}{{"-", red, a}, {"+", green, b}} {
		words := fmt.Sprintf("%-9s %s in %s, attempt %d", side.Outcome, side.Model, side.Agent, side.Attempt)
		if side.Play > 1 || side.Reroll {
			words += fmt.Sprintf(", play %d", side.Play)
		}
		words += " of run " + side.Run
		if side.Kind != "" && side.Kind != results.Live {
			words += " (" + side.Kind + ")"
		}
		t.field(side.mark, side.s, words)
		if apart {
			t.field("", normal, facts(side.Facts))
		}
	}
}

// first says where they part.
func (t *besideText) first(al trace.Alignment) string {
	if al.First < 0 {
		if slices.ContainsFunc(al.Pairs, func(p trace.Pair) bool { return p.Same == trace.Reworded }) {
			return "no difference but in words: they did the same, and the same came of it"
		}
		return "no difference: they did the same, and the same came of it"
	}
	switch p := al.Pairs[al.First]; {
	case p.A == 0:
		return fmt.Sprintf("first difference: event %d of +, which - does not have", p.B)
	case p.B == 0:
		return fmt.Sprintf("first difference: event %d of -, which + does not have", p.A)
	case p.A == p.B:
		return fmt.Sprintf("first difference: event %d", p.A)
	default:
		return fmt.Sprintf("first difference: event %d of -, event %d of +", p.A, p.B)
	}
}

// turns is the title of the turns that a pair is in.
func (t *besideText) turns(x, y *trace.Event) {
	var titles []string
	depth := 0
	for _, e := range []*trace.Event{x, y} {
		if e != nil {
			depth = e.Depth
			title, _, _ := strings.Cut(e.TurnTitle(), ", at ")
			titles = append(titles, title)
		}
	}
	t.blank()
	t.line(strings.Repeat(" ", indent*depth), faint, strings.Join(slices.Compact(titles), " beside "))
}

// pair prints two events as one line where they are alike, else one under the other, with
// the difference of their texts.
func (t *besideText) pair(same string, x, y *trace.Event) {
	if same == trace.Equal {
		t.side(" ", normal, x.N, y.N, *x)
		return
	}
	left, right := red, green
	if same == trace.Reworded {
		left, right = normal, normal
	}
	if x != nil {
		t.side("-", left, x.N, 0, *x)
	}
	if y != nil {
		t.side("+", right, 0, y.N, *y)
	}
	if x == nil || y == nil || same == trace.Reworded {
		return
	}
	texts := make(map[string]string)
	for _, p := range x.Parts {
		texts[p.Name] = p.Text
	}
	for _, p := range y.Parts {
		if old := texts[p.Name]; p.Name != "thinking" && old != p.Text {
			delta := diff.Unified(lastLine(old), lastLine(p.Text))
			t.line(strings.Repeat(" ", 12), faint, p.Name)
			t.diff(strings.Repeat(" ", 14), delta, fewLines)
		}
		delete(texts, p.Name)
	}
}

// lastLine ends the last line of a text.
func lastLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// side prints one event by its numbers. A number that is 0 is left out.
func (t *besideText) side(mark string, s style, a, b int, e trace.Event) {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	blame := " "
	if len(e.Blames) > 0 {
		blame = red.paint(t.colours, ">")
	}
	margin := fmt.Sprintf("%s%s%3s %3s  %s", s.paint(t.colours, mark), blame, number(a), number(b), strings.Repeat(" ", indent*e.Depth))
	t.line(margin, s, t.cut(fmt.Sprintf("%-8s ", e.Kind)+titled(e)))
}

// signals lists the verdicts of either side where they are not the same.
func (t *besideText) signals() {
	type key struct{ signal, name string }
	found := make(map[key][2]trace.Verdict)
	var order []key
	for side, tr := range []trace.Trace{t.a, t.b} {
		for _, v := range tr.Verdicts {
			k := key{v.Signal, v.Name}
			both, known := found[k]
			if !known {
				order = append(order, k)
			}
			both[side] = v
			found[k] = both
		}
	}
	if len(order) == 0 {
		return
	}
	t.blank()
	t.line("", faint, "verdicts")
	same := 0
	for _, k := range order {
		both := found[k]
		if both[0].Outcome == both[1].Outcome {
			same++
			continue
		}
		t.line("  ", normal, k.signal+": "+k.name)
		t.finding("    - ", both[0])
		t.finding("    + ", both[1])
	}
	if same > 0 {
		t.line("  ", faint, count(same, "verdict is", "verdicts are")+" the same")
	}
}

// finding prints what was found of one side, and of what did not pass why.
func (t *besideText) finding(margin string, v trace.Verdict) {
	outcome := v.Outcome
	if outcome == "" {
		outcome = "(none)"
	}
	if v.Outcome == results.Pass {
		t.line(margin, ofOutcome(v.Outcome), outcome)
		return
	}
	margin += ofOutcome(v.Outcome).paint(t.colours, fmt.Sprintf("%-5s", inert.Line(outcome)))
	words := v.Got
	if len(v.Events) > 0 {
		words = strings.TrimSpace(words + "\nsee " + eventList(v.Events))
	}
	t.block(margin, strings.Repeat(" ", 11), normal, words)
}

// changes lists the files that did not come out alike.
func (t *besideText) changes() {
	found := make(map[string][2]trace.File)
	var paths []string
	for side, tr := range []trace.Trace{t.a, t.b} {
		for _, f := range tr.Files {
			both, known := found[f.Path]
			if !known {
				paths = append(paths, f.Path)
			}
			both[side] = f
			found[f.Path] = both
		}
	}
	slices.Sort(paths)
	t.blank()
	if len(paths) == 0 {
		t.line("", faint, "no file changed")
		return
	}
	t.line("", faint, "files")
	same := 0
	for _, p := range paths {
		both := found[p]
		if both[0] == both[1] {
			same++
			continue
		}
		t.line("  ", yellow, p)
		for side, f := range both {
			mark, s := "    - ", red
			if side == 1 {
				mark, s = "    + ", green
			}
			words := f.Change
			if words == "" {
				words = "as it was"
			}
			if f.Note != "" {
				words += ": " + f.Note
			}
			t.line(mark, s, words)
			t.diff("      ", f.Diff, 2*fewLines)
		}
	}
	if same > 0 {
		t.line("  ", faint, count(same, "file", "files")+" changed alike")
	}
}
