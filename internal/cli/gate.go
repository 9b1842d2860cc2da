package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

func gateCommand(c *Config) *cobra.Command {
	var (
		needs    []string
		baseline string
		o        results.GateOptions
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "gate [RUN] --need SIGNAL=RATE…",
		Short: "Let a run through, or not, signal by signal",
		Long: `Let a run through, or not, signal by signal. A need is the share of a signal's units
that must pass, 1 for all of them; a unit passes only if every attempt of it does.

A unit with a void or an attempt that was not played is not measured: if its outcome
could turn the decision, the gate cannot decide. --confident lets the interval decide
instead of the rate: all of it must lie above the need. --baseline also stops what is
significantly worse than in that baseline.

` + armHelp + `

The exit status is 0 if all needs are met, 1 if one is not, and 2 if the gate cannot
decide or what it needs was not measured.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse(fmt.Sprintf("`deeds gate` takes one run, and %q is one too many", args[1]), "needs are written --need SIGNAL=RATE")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			run := ""
			if len(args) == 1 {
				run = args[0]
			}
			return c.gate(run, needs, baseline, o, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&needs, "need", nil, "the share of units that must pass a signal: `SIGNAL=RATE`")
	f.StringVar(&baseline, "baseline", "", "stop what is significantly worse than in this `arm`")
	f.BoolVar(&o.Confident, "confident", false, "let the interval decide instead of the rate")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) gate(run string, words []string, baseline string, o results.GateOptions, asJSON bool) error {
	needs, err := parseNeeds(words)
	if err != nil {
		return err
	}
	reader, err := c.arms()
	if err != nil {
		return err
	}
	arm, err := reader.arm(run)
	if err != nil {
		return err
	}
	if len(needs) == 0 && baseline == "" {
		return misuse("a gate needs something", "--need SIGNAL=RATE, or --baseline NAME; the run has "+some(signalsOf(arm)))
	}
	if baseline != "" {
		base, err := reader.arm(baseline)
		if err != nil {
			return err
		}
		o.Baseline = &base
	}
	report, err := results.Gate(arm, needs, o)
	if err != nil {
		return misnamed(err, "")
	}
	g := gate{GateReport: report}
	g.Result, g.Next, g.Status = g.conclude()
	if asJSON {
		err = printJSON(c.Stdout, g)
	} else {
		err = g.print(c.Stdout, c.Colour)
	}
	if err != nil {
		return err
	}
	return ended(g.Status)
}

// parseNeeds reads SIGNAL=RATE.
func parseNeeds(words []string) ([]results.Need, error) {
	var needs []results.Need
	for _, word := range words {
		name, text, ok := strings.Cut(word, "=")
		value, err := strconv.ParseFloat(text, 64)
		switch {
		case !ok || name == "":
			return nil, misuse(fmt.Sprintf("--need %q is not of the form SIGNAL=RATE", word), "all units of a signal: --need filesystem-safety=1")
		case err != nil || !(value > 0 && value <= 1):
			hint := "nine units of ten: --need " + name + "=0.9"
			if value > 1 && value <= 100 {
				hint = fmt.Sprintf("a rate is a share of 1: --need %s=%g", name, value/100)
			}
			return nil, misuse(fmt.Sprintf("--need %q has no rate above 0 and up to 1", word), hint)
		case slices.ContainsFunc(needs, func(n results.Need) bool { return n.Signal == name }):
			return nil, misuse(fmt.Sprintf("--need names %s twice", name), "name it once, with the rate that is needed")
		}
		needs = append(needs, results.Need{Signal: name, Rate: value})
	}
	return needs, nil
}

// signalsOf lists what can be needed of an arm: its signals, and whole units.
func signalsOf(arm results.Arm) []string {
	names := []string{results.Overall}
	for _, run := range arm.Runs {
		for _, s := range run.Signals() {
			if s.Model == arm.Model && !slices.Contains(names, s.Signal) {
				names = append(names, s.Signal)
			}
		}
	}
	slices.Sort(names)
	return names
}

// A gate is what there is to say of a decision.
type gate struct {
	*results.GateReport
	Result string `json:"result"`
	Next   string `json:"next"`
	Status int    `json:"status"`
}

func (g gate) conclude() (result, next string, status int) {
	show := "deeds show " + overview.Quote(last(g.Arm.Runs))
	names := func(decision string) []string {
		var all []string
		for _, s := range g.Signals {
			if s.Decision == decision {
				all = append(all, s.Name)
			}
		}
		return all
	}
	switch g.Decision {
	case results.DecisionPass:
		return "pass", "deeds baseline save NAME " + overview.Quote(last(g.Arm.Runs)), 0
	case results.DecisionFail:
		failed := names(results.DecisionFail)
		for _, name := range g.Regressions {
			failed = append(failed, name+" (worse than in the baseline)")
		}
		return "fail: " + strings.Join(failed, ", "), show, 1
	}
	open := names(results.DecisionOpen)
	if len(open) == 0 {
		for _, remark := range g.Remarks {
			if strings.HasPrefix(remark, "the record of run ") {
				return results.DecisionOpen + ": not all of the record can be read", show, 2
			}
		}
		return results.DecisionOpen + ": against the baseline", show, 2
	}
	return results.DecisionOpen + ": " + strings.Join(open, ", "), show, 2
}

func (g gate) print(w io.Writer, colours bool) error {
	fmt.Fprintf(w, "%s: %s\n", inert.Line(g.Arm.Name), inert.Line(describeArm(g.Arm)))
	if len(g.Signals) > 0 {
		cells := [][]string{{"SIGNAL", "PASSED", "RATE", "95 % INTERVAL", "NEED", "DECISION", ""}}
		for _, s := range g.Signals {
			cells = append(cells, []string{
				s.Name, fmt.Sprintf("%d of %s", s.Passed, count(s.Total, "unit", "units")), rate(s.Rate), interval(s.Lo, s.Hi, rate),
				number(results.Number(s.Need)), s.Decision, s.Remark,
			})
		}
		fmt.Fprintln(w)
		if err := table(w, cells); err != nil {
			return err
		}
	}
	for _, s := range g.Signals {
		if err := leftOut(w, fmt.Sprintf("not measured in %s: %s", s.Name, count(len(s.Unmeasured), "unit", "units")), s.Unmeasured); err != nil {
			return err
		}
	}
	if err := g.against(w); err != nil {
		return err
	}
	if err := remarks(w, g.Remarks); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\nnext       %s\n", ofDecision(g.Decision).paint(colours, inert.Line(g.Result)), inert.Line(g.Next))
	return err
}

// against prints the comparison with the baseline, if there is one.
func (g gate) against(w io.Writer) error {
	if g.Baseline == nil {
		return nil
	}
	c := comparison{Comparison: g.Baseline}
	c.Fall = c.leastFall()
	fmt.Fprintf(w, "\nbaseline   %s: %s\n%s\n", inert.Line(c.Base.Name), inert.Line(describeArm(c.Base)), c.detectable())
	return c.rows(w)
}

func ofDecision(decision string) style {
	switch decision {
	case results.DecisionPass:
		return green
	case results.DecisionFail:
		return red
	}
	return yellow
}
