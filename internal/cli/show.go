package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/results"
)

// A showing says what is to be shown.
type showing struct {
	world, variant, model string
	attempt, play         int
	full, asJSON, plain   bool

	find   string
	event  int
	guilty bool
	vs     string
}

// picks reports whether something narrower than a run or a case is asked for.
func (s showing) picks() bool {
	return s.world != "" || s.variant != "" || s.model != "" || s.attempt != 0 || s.play != 0 || s.vs != "" || s.selects()
}

// selects reports whether some of the events are asked for.
func (s showing) selects() bool { return s.find != "" || s.event != 0 || s.guilty }

func showCommand(c *Config) *cobra.Command {
	var s showing
	cmd := &cobra.Command{
		Use:   "show [RUN] [CASE]",
		Short: "Show what happened in an attempt",
		Long: `Show what happened in an attempt: the prompt, the agent's turns and calls, what
came back, what the judge found and the events it points to, and how the files
changed. On a terminal it is a reader (? lists its keys), elsewhere and with
--plain it is text.

Without CASE the run is summed up. Of several attempts the first one that failed
is shown, else the first void one, else the first.

--vs shows another attempt of the same case, world and variant beside it, and
where they part:

  --vs 3             attempt 3
  --vs pass          the first that passed; fail and void likewise
  --vs RUN           the same attempt in another run
  --vs @MODEL        the same attempt by another model of the run
  --vs RUN@MODEL#2   attempt 2 by that model in that run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return misuse(fmt.Sprintf("`deeds show` takes a run and a case, and %q is one too many", args[2]), "`deeds show --help` says what it takes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd); err != nil {
				return err
			}
			return c.show(cmd.Context(), args, s)
		},
	}
	f := cmd.Flags()
	f.IntVar(&s.attempt, "attempt", 0, "the attempt to show, from 1")
	f.IntVar(&s.play, "play", 0, "the play of the attempt: a void is played again (default: the one that counts)")
	f.StringVar(&s.world, "world", "", "the world to show")
	f.StringVar(&s.variant, "variant", "", "the variant to show")
	f.StringVar(&s.model, "model", "", "the model to show")
	f.StringVar(&s.find, "find", "", "show the events that hold this `text`, in whatever case")
	f.IntVar(&s.event, "event", 0, "show event `N` whole, and what stands next to it")
	f.BoolVar(&s.guilty, "guilty", false, "show the events that failed verdicts point to, and the verdicts")
	f.StringVar(&s.vs, "vs", "", "show `another` attempt beside it, see above")
	f.BoolVar(&s.full, "full", false, "show long texts, thinking and results whole")
	f.BoolVar(&s.plain, "plain", false, "print text on a terminal too")
	f.BoolVar(&s.asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) show(ctx context.Context, args []string, s showing) error {
	info, id, err := c.whatToShow(args)
	if err != nil {
		return err
	}
	run, err := results.Load(info.Dir)
	if err != nil {
		return err
	}
	slots := run.Slots()
	cases := casesOf(slots)
	switch {
	case id == "" && !s.picks():
		return c.showRun(info, run, s.asJSON)
	case id == "" && len(cases) == 1:
		id = cases[0]
	case id == "":
		return misuse("it takes a case to show an attempt of", "deeds show "+info.ID+" CASE; the run has "+some(cases))
	}
	id, err = findCase(cases, id, info.ID)
	if err != nil {
		return err
	}
	slot, err := s.pick(run, slots, id)
	if err != nil {
		return err
	}
	attempt, err := s.choose(slot)
	if err != nil {
		return err
	}
	if s.vs != "" {
		other, err := c.against(run, slots, attempt, s.vs)
		if err != nil {
			return err
		}
		return c.beside(ctx, played{run, slots, attempt}, other, s)
	}
	if s.asJSON && !s.selects() {
		data, err := run.Evidence(*attempt)
		if err != nil {
			return err
		}
		return printJSON(c.Stdout, map[string]any{
			"run": info.ID, "claim": run.Claim(id), "attempt": attempt, "evidence": json.RawMessage(data),
		})
	}
	return c.read(ctx, played{run, slots, attempt}, s)
}

// whatToShow tells the run from the case in what was typed.
func (c *Config) whatToShow(args []string) (info results.RunInfo, id string, err error) {
	switch len(args) {
	case 0:
		info, err = c.find("")
		return info, "", err
	case 2:
		info, err = c.find(args[0])
		return info, args[1], err
	}
	info, err = c.find(args[0])
	if !errors.Is(err, results.ErrNoRun) {
		return info, "", err
	}
	last, lastErr := c.find("")
	if lastErr != nil {
		return results.RunInfo{}, "", lastErr
	}
	run, loadErr := results.Load(last.Dir)
	if loadErr != nil {
		return results.RunInfo{}, "", loadErr
	}
	cases := casesOf(run.Slots())
	if strings.Contains(args[0], "/") || len(matching(cases, args[0])) > 0 {
		return last, args[0], nil
	}
	var f *fault
	hint := "`deeds runs` lists the runs, `deeds show` the cases of the last one"
	if errors.As(err, &f) {
		hint = f.hint
	}
	names := slices.Clone(cases)
	for _, c := range cases {
		names = append(names, path.Base(c))
	}
	if f == nil || !strings.HasPrefix(f.hint, "did you mean") {
		hint = didYouMean(args[0], names, hint)
	}
	return results.RunInfo{}, "", misuse(fmt.Sprintf("there is no run %q, and no case of that name in the last run", args[0]), hint)
}

// casesOf lists the cases of a run, in order.
func casesOf(slots []results.SlotResult) []string {
	var all []string
	seen := make(map[string]bool)
	for _, s := range slots {
		if !seen[s.Case] {
			seen[s.Case] = true
			all = append(all, s.Case)
		}
	}
	return all
}

// matching returns the cases of that id, else those whose last part it is.
func matching(cases []string, id string) []string {
	if slices.Contains(cases, id) {
		return []string{id}
	}
	var found []string
	for _, c := range cases {
		if path.Base(c) == id {
			found = append(found, c)
		}
	}
	return found
}

func findCase(cases []string, id, run string) (string, error) {
	switch found := matching(cases, id); len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", misuse(fmt.Sprintf("run %s has no case %q", run, id), didYouMean(id, cases, "it has "+some(cases)))
	default:
		return "", misuse(fmt.Sprintf("%q is the name of several cases", id), "give the folder as well: "+strings.Join(found, ", "))
	}
}

// some lists a few of many names.
func some(names []string) string {
	const few = 8
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > few:
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}

// pick returns the slot to show.
func (s showing) pick(run *results.Run, slots []results.SlotResult, id string) (slot results.SlotResult, err error) {
	var found []results.SlotResult
	for _, r := range slots {
		if r.Case == id && (s.world == "" || s.world == r.World) && (s.variant == "" || s.variant == r.Variant) &&
			(s.model == "" || s.model == r.Model) && (s.attempt == 0 || s.attempt == r.Attempt) {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return slot, misuse("no attempt of "+id+" fits", "it was planned as "+describe(run.Units(), id))
	}
	slot = found[0]
	for _, outcome := range []string{results.Pass, results.Void, results.Fail} { // the last one wins
		if i := slices.IndexFunc(found, func(r results.SlotResult) bool { return r.Outcome == outcome }); i >= 0 {
			slot = found[i]
		}
	}
	return slot, nil
}

// describe lists what there is of a case.
func describe(units []results.UnitResult, id string) string {
	const few = 6
	var all []string
	for _, u := range units {
		if u.Case == id && len(all) < few {
			first, last := u.Slots[0].Slot, u.Slots[len(u.Slots)-1].Slot
			words := strings.TrimPrefix(place(first), id+", ")
			if last.Attempt != first.Attempt {
				words += fmt.Sprintf(" to %d", last.Attempt)
			}
			all = append(all, words)
		}
	}
	return strings.Join(all, "; ")
}

// place names a slot in words.
func place(s results.Slot) string {
	words := []string{s.Case}
	if s.World != "" {
		words = append(words, "world "+s.World)
	}
	if s.Variant != "" {
		words = append(words, "variant "+s.Variant)
	}
	return strings.Join(append(words, s.Model, fmt.Sprintf("attempt %d", s.Attempt)), ", ")
}

// choose returns the play to show.
func (s showing) choose(slot results.SlotResult) (*results.Attempt, error) {
	if s.play == 0 {
		if slot.Decided == nil {
			return nil, misuse(place(slot.Slot)+" was not run", "")
		}
		return slot.Decided, nil
	}
	for _, p := range slot.Plays {
		if p.Play == s.play {
			return p, nil
		}
	}
	return nil, misuse(fmt.Sprintf("%s has no play %d", place(slot.Slot), s.play), count(len(slot.Plays), "play is", "plays are")+" on record")
}

// A slotRow is one slot in the list.
type slotRow struct {
	results.Slot
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
	Plays   int    `json:"plays"`
	Rerolls int    `json:"rerolls,omitempty"`
}

// showRun sums a run up, and lists its units.
func (c *Config) showRun(info results.RunInfo, run *results.Run, asJSON bool) error {
	s := summarize(info, run)
	if asJSON {
		rows := make([]slotRow, 0)
		for _, slot := range run.Slots() {
			row := slotRow{Slot: slot.Slot, Outcome: slot.Outcome, Plays: len(slot.Plays), Rerolls: slot.Rerolls}
			if slot.Decided != nil {
				row.Reason = slot.Decided.Reason
			}
			rows = append(rows, row)
		}
		return printJSON(c.Stdout, struct {
			*summary
			Slots []slotRow `json:"slots"`
		}{s, rows})
	}
	rows := [][]string{{"CASE", "WORLD", "VARIANT", "MODEL", "ATTEMPTS"}}
	for _, u := range run.Units() {
		rows = append(rows, []string{u.Case, u.World, u.Variant, u.Model, attempts(u.Slots)})
	}
	if err := table(c.Stdout, rows); err != nil {
		return err
	}
	return s.print(c.Stdout, c.Colour, c.shorten(info.Dir))
}

// attempts lists the outcomes of slots: "1 pass, 2 fail". Many are only counted.
func attempts(slots []results.SlotResult) string {
	var all []string
	if len(slots) > 10 {
		n := make(map[string]int)
		for _, s := range slots {
			n[s.Outcome]++
		}
		for _, outcome := range []string{results.Pass, results.Fail, results.Void, results.NotRun} {
			if n[outcome] > 0 {
				all = append(all, fmt.Sprintf("%d times %s", n[outcome], outcome))
			}
		}
		return strings.Join(all, ", ")
	}
	for _, s := range slots {
		word := fmt.Sprintf("%d %s", s.Attempt, s.Outcome)
		if s.Outcome == results.Void && s.Decided.Reason != "" {
			word += " (" + s.Decided.Reason + ")"
		}
		all = append(all, word)
	}
	return strings.Join(all, ", ")
}
