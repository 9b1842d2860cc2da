package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

func powerCommand(c *Config) *cobra.Command {
	var (
		o      results.PowerOptions
		run    string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "power --base P --k N (--effect D | --cases N)",
		Short: "Say how many units show an effect, or which effect some show",
		Long: `Say how many units show an effect, or which effect some units show, before a token is
spent. A unit is a case in one of its worlds and variants.

The base is a pass rate and the effect a change of it, both as shares of 1; k is the
attempts of a unit on each side. With --run they are measured, and so is the spread of
its units; --row measures a signal or a marker of it.

The formula takes a normal distribution and units that are alike. The simulation
plays the very test by which ` + "`deeds compare`" + ` decides.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed
			switch {
			case run == "" && (!given("base") || !given("k")):
				return misuse("`deeds power` takes the pass rate of the base and the attempts of a unit", "deeds power --base 0.3 --k 3 --effect 0.1; --run RUN measures both")
			case run == "" && o.Row != "":
				return misuse("--row is of a run, and there is none", "name it: --run RUN")
			case run == "" && !given("effect") && !given("cases"):
				return misuse("`deeds power` takes the effect to be seen, or the units there are", "--effect 0.1 asks for units, --cases 34 for an effect")
			case given("effect") && o.Effect == 0:
				return misuse("an effect of 0 cannot be seen with any number of units", "--effect 0.1 is ten points up")
			case given("cases") && o.Cases < 2:
				return misuse(fmt.Sprintf("--cases is %d, and it takes two at least", o.Cases), "--cases 34 is that many units; leave it out to be told how many it takes")
			case given("k") && o.K < 1:
				return misuse(fmt.Sprintf("--k is %d, and a unit has one attempt at least", o.K), "--k 3 is what -repeat=3 plays")
			}
			return c.power(o, run, asJSON)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&o.Base, "base", 0, "pass rate of the base")
	f.IntVar(&o.K, "k", 0, "attempts of a unit, a side")
	f.Float64Var(&o.Effect, "effect", 0, "the change to be seen: 0.1 is ten points up")
	f.IntVar(&o.Cases, "cases", 0, "the units there are")
	f.Float64Var(&o.Alpha, "alpha", 0.05, "how often a difference may be seen where there is none")
	f.Float64Var(&o.Power, "power", 0.8, "how often the change is to be seen")
	f.StringVar(&run, "run", "", "measure base, k and spread in `RUN[,RUN…][@MODEL]`")
	f.StringVar(&o.Row, "row", "", "a signal or marker of the run (default: the pass rate of attempts)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) power(o results.PowerOptions, run string, asJSON bool) error {
	hint := "shares of 1, and an effect that there is room for: --base 0.3 --effect 0.1"
	if run != "" {
		reader, err := c.arms()
		if err != nil {
			return err
		}
		arm, err := reader.arm(run)
		if err != nil {
			return err
		}
		o.From = &arm
		if o.Effect == 0 && o.Cases == 0 {
			o.Cases = arm.Summary().Units
		}
	}
	report, err := results.PlanPower(o)
	if err != nil {
		return misnamed(err, hint)
	}
	if asJSON {
		return printJSON(c.Stdout, report)
	}
	return printPower(c.Stdout, report)
}

func printPower(w io.Writer, p *results.PowerReport) error {
	of := ""
	if p.Row != "" {
		of = " of " + inert.Line(p.Row)
	}
	fmt.Fprintf(w, "base %s%s, %s a unit and side, alpha %s, power %s\n", number(results.Number(p.Base)), of,
		count(p.K, "attempt", "attempts"), number(results.Number(p.Alpha)), number(results.Number(p.Power)))
	if p.Effect.Known() {
		fmt.Fprintf(w, "\nunits needed to see %s\n", figure("%+.4g", p.Effect))
		for _, line := range []struct {
			n    *int
			what string
		}{
			{p.CasesNeeded, "by the formula"},
			{p.CasesConcentrated, "by the formula, if the change sits on the fewest units"},
			{p.CasesNeededMeasure, fmt.Sprintf("with the spread that was measured (sd %s)", rate(p.SD))},
			{p.CasesNeededSim, "by simulation of the test that decides"},
		} {
			if line.n != nil {
				fmt.Fprintf(w, "  %6d  %s\n", *line.n, line.what)
			}
		}
	}
	if p.Cases != nil {
		fmt.Fprintf(w, "\nwith %s\n", count(*p.Cases, "unit", "units"))
		fmt.Fprintf(w, "  %6s  is the least rise that shows\n", rate(p.DetectableEffect))
		fmt.Fprintf(w, "  %6s  is the least fall\n", rate(leastFall(results.Number(p.Base), p.K, *p.Cases, p.Alpha, p.Power)))
		if p.PowerAt.Known() {
			fmt.Fprintf(w, "  %6s  is the chance to see %s, by the formula\n", percent(p.PowerAt), figure("%+.4g", p.Effect))
		}
		if p.PowerSimulated.Known() {
			fmt.Fprintf(w, "  %6s  is that chance, by simulation of the test that decides\n", percent(p.PowerSimulated))
		}
	}
	return remarks(w, p.Remarks)
}
