package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/internal/viewer"
	"github.com/deeds-evals/deeds/results"
)

// A played is an attempt, and the run that it is of.
type played struct {
	run     *results.Run
	slots   []results.SlotResult // of the run
	attempt *results.Attempt
}

// trace reads its evidence.
func (p played) trace() (trace.Trace, error) {
	return trace.Read(p.run, p.attempt, trace.Siblings(p.slots, p.attempt.Unit()))
}

// check refuses what cannot be meant.
func (s showing) check(cmd *cobra.Command) error {
	switch {
	case cmd.Flags().Changed("event") && s.event < 1:
		return misuse(fmt.Sprintf("there is no event %d", s.event), "events are counted from 1")
	case s.event != 0 && (s.find != "" || s.guilty):
		return misuse("--event shows one event, and --find and --guilty choose from all", "leave one of them out")
	}
	return nil
}

// read shows an attempt: to a reader at a terminal, or as text.
func (c *Config) read(ctx context.Context, p played, s showing) error {
	tr, err := p.trace()
	if err != nil {
		return err
	}
	if err := s.holds(tr); err != nil {
		return err
	}
	if c.atTerminal() && !s.plain && !s.asJSON {
		return viewer.Show(ctx, c.viewing(tr, s, p))
	}
	if s.asJSON {
		return printJSON(c.Stdout, struct {
			Run      string           `json:"run"`
			Claim    string           `json:"claim"`
			Attempt  *results.Attempt `json:"attempt"`
			Events   []trace.Event    `json:"events"`
			Verdicts []trace.Verdict  `json:"verdicts"`
		}{tr.Head.Run, tr.Head.Claim, p.attempt, s.selected(tr), s.accusing(tr)})
	}
	t := newTraceText(c.Stdout, c.Colour, s.full)
	t.find = s.find
	switch {
	case s.event != 0:
		t.one(tr, s.event)
	case s.guilty && s.find == "":
		t.guilty(tr)
	case s.selects():
		found := s.selected(tr)
		t.title(tr.Head)
		t.events(found)
		t.blank()
		t.line("", faint, fmt.Sprintf("%d of %s", len(found), count(len(tr.Events), "event", "events")))
	default:
		t.print(tr)
	}
	return t.end()
}

// holds says so where there is nothing of what is asked for.
func (s showing) holds(tr trace.Trace) error {
	switch {
	case s.event > len(tr.Events):
		hint := "it has none"
		if n := len(tr.Events); n > 0 {
			hint = fmt.Sprintf("it has events 1 to %d", n)
		}
		return misuse(fmt.Sprintf("%s has no event %d", which(tr.Head), s.event), hint)
	case s.find != "" && len(s.selected(tr)) == 0:
		what := fmt.Sprintf("no event of %s holds %q", which(tr.Head), s.find)
		if s.guilty {
			what = fmt.Sprintf("no event of %s that a failed verdict points to holds %q", which(tr.Head), s.find)
		}
		return &fault{what: what, code: 1}
	}
	return nil
}

// selected are the events that are asked for. They are never nil.
func (s showing) selected(tr trace.Trace) []trace.Event {
	found := []trace.Event{}
	for _, e := range tr.Events {
		if (s.event == 0 || e.N == s.event) && (!s.guilty || len(e.Blames) > 0) && (s.find == "" || e.Has(s.find)) {
			found = append(found, e)
		}
	}
	return found
}

// accusing are the verdicts on what is asked for: those that failed, or that point to
// the event.
func (s showing) accusing(tr trace.Trace) []trace.Verdict {
	found := []trace.Verdict{}
	for _, v := range tr.Verdicts {
		if s.event != 0 && slices.Contains(v.Events, s.event) || s.event == 0 && v.Outcome == results.Fail {
			found = append(found, v)
		}
	}
	return found
}

// one prints one event whole, between the titles of its neighbours.
func (t *traceText) one(tr trace.Trace, n int) {
	t.title(tr.Head)
	e := tr.Events[n-1]
	switch {
	case n == 1:
		t.turn(e)
	case e.SameTurn(tr.Events[n-2]):
		t.turn(e)
		t.closed(tr.Events[n-2])
	default:
		t.blank()
		t.closed(tr.Events[n-2])
		t.turn(e)
	}
	full := t.full
	t.full = true
	t.event(e)
	t.full = full
	if n < len(tr.Events) {
		if next := tr.Events[n]; !next.SameTurn(e) {
			t.turn(next)
		}
		t.closed(tr.Events[n])
	}
	t.verdicts(showing{event: n}.accusing(tr))
}

// closed prints an event as its title.
func (t *traceText) closed(e trace.Event) {
	t.line(t.number(e), faint, strings.TrimSpace(fmt.Sprintf("%-8s ", e.Kind)+titled(e)))
}

// titled is the title of an event, and how it ended.
func titled(e trace.Event) string {
	if e.Status == "" {
		return e.Title
	}
	return e.Title + "  " + e.Status
}

// guilty prints the events that failed verdicts point to, and those verdicts.
func (t *traceText) guilty(tr trace.Trace) {
	t.title(tr.Head)
	failed := showing{}.accusing(tr)
	guilty := showing{guilty: true}.selected(tr)
	switch {
	case len(failed) == 0:
		t.blank()
		t.line("", faint, "no verdict failed")
		return
	case len(guilty) == 0:
		t.blank()
		t.line("", faint, "no failed verdict points to an event")
	}
	t.events(guilty)
	t.verdicts(failed)
}

// atTerminal reports whether a person can read and type here.
func (c *Config) atTerminal() bool {
	in, isFile := c.Stdin.(*os.File)
	out, alsoFile := c.Stdout.(*os.File)
	if !isFile || !alsoFile || c.getenv("TERM") == "" || c.getenv("TERM") == "dumb" {
		return false
	}
	return term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// viewing is what the viewer is told. It may go on to any other attempt of the units that
// it was given.
func (c *Config) viewing(tr trace.Trace, s showing, known ...played) viewer.Config {
	return viewer.Config{
		Trace: tr, In: c.Stdin, Out: c.Stdout, Colour: c.Colour, Environ: c.Environ,
		Find: s.find, Event: s.event, Full: s.full,
		Load: func(of trace.Head, attempt int) (trace.Trace, error) {
			for _, p := range known {
				if p.run.ID != of.Run {
					continue
				}
				unit := results.Slot{Case: of.Case, World: of.World, Variant: of.Variant, Model: of.Model, Agent: of.Agent}.Unit()
				for _, slot := range trace.Siblings(p.slots, unit) {
					if slot.Attempt == attempt && slot.Decided != nil {
						return played{p.run, p.slots, slot.Decided}.trace()
					}
				}
			}
			return trace.Trace{}, fmt.Errorf("attempt %d was not run", attempt)
		},
	}
}
