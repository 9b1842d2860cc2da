package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// A comparing says how to compare.
type comparing struct {
	noise          []string
	guards         []string
	worlds         []string
	margin, alpha  float64
	strict, asJSON bool
}

func compareCommand(c *Config) *cobra.Command {
	var o comparing
	cmd := &cobra.Command{
		Use:   "compare [BASE] CANDIDATE",
		Short: "Say whether two arms differ, and what could have been seen",
		Long: `Say whether two arms differ, signal by signal and marker by marker, paired by unit.

` + armHelp + ` One run that holds exactly two models is compared by itself, the
first model with the second.

What could have been detected is said first. The exact permutation of the arms
within each unit decides, P (HOLM) holds it against its whole table. With --noise,
each row is held against what the replicate runs of one model differ by. A guard of
--must-not-regress passes if its row is shown not to have fallen by --margin, fails
if it is shown to have fallen, and is inconclusive else.

The exit status is 1 if a guard fails or overall or a signal got worse, and 2 if
nothing could be compared or, with --strict, a guard is inconclusive.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return misuse(fmt.Sprintf("`deeds compare` takes two arms, and %q is one too many", args[2]), "several runs of one arm are written RUN,RUN")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.alpha <= 0 || o.alpha >= 1 {
				return misuse(fmt.Sprintf("--alpha is %g, and lies between 0 and 1", o.alpha), "0.05 calls one difference in twenty where there is none")
			}
			if o.margin <= 0 || o.margin >= 1 {
				return misuse(fmt.Sprintf("--margin is %g, and lies between 0 and 1", o.margin), "0.05 lets a guard fall by 5 points")
			}
			if cmd.Flags().Changed("margin") && len(o.guards) == 0 {
				return misuse("--margin is of guards, and there is none", "name one: --must-not-regress overall")
			}
			return c.compare(args, o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.noise, "noise", nil, "replicate `RUN,RUN[@MODEL]` of one model, for the floors")
	f.StringSliceVar(&o.guards, "must-not-regress", nil, "guard these signals and markers (`a,b`), or overall")
	worldFlag(cmd, &o.worlds)
	f.Float64Var(&o.margin, "margin", 0.05, "the fall that a guard tolerates")
	f.Float64Var(&o.alpha, "alpha", 0.05, "how often a difference may be seen where there is none")
	f.BoolVar(&o.strict, "strict", false, "exit with 2 if a guard is inconclusive")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) compare(args []string, o comparing) error {
	reader, err := c.arms()
	if err != nil {
		return err
	}
	reader.worlds = o.worlds
	base, candidate, err := reader.pair(args)
	if err != nil {
		return err
	}
	options := results.CompareOptions{Alpha: o.alpha, Guards: o.guards, Margin: o.margin}
	if options.Noise, err = reader.replicates(o.noise, base.Model); err != nil {
		return err
	}
	found, err := results.Compare(base, candidate, options)
	if err != nil {
		hint := ""
		if len(o.noise) > 0 {
			hint = "--noise names two or more runs of one model, in which nothing was changed"
		}
		return misnamed(err, hint)
	}
	n := comparison{Comparison: found, noise: len(o.noise) > 0}
	n.Fall = n.leastFall()
	n.Regressions = n.regressions()
	n.Status = n.status(o.strict)
	n.Result, n.Next = n.conclude()
	if o.asJSON {
		err = printJSON(c.Stdout, n)
	} else {
		err = n.print(c.Stdout, c.Colour)
	}
	if err != nil {
		return err
	}
	return ended(n.Status)
}

// pair reads the two arms of a comparison: as they are named, or the two models of a
// single run.
func (a *arms) pair(args []string) (base, candidate results.Arm, err error) {
	if len(args) == 2 {
		if base, err = a.arm(args[0]); err == nil {
			candidate, err = a.arm(args[1])
		}
		return base, candidate, err
	}
	word := ""
	if len(args) == 1 {
		word = args[0]
	}
	run, err := a.run(word)
	if err != nil {
		return base, candidate, err
	}
	if word == "" {
		word = run.ID
	}
	models := run.Models()
	if len(models) != 2 {
		what := fmt.Sprintf("%s has %s, and by itself a run is compared only if it has two", word, count(len(models), "model", "models"))
		if len(models) > 2 {
			return base, candidate, misuse(what, fmt.Sprintf("name two of %s: deeds compare %s %s", some(models), overview.Quote(word+"@"+models[0]), overview.Quote(word+"@"+models[1])))
		}
		return base, candidate, misuse(what, "name both arms: deeds compare BASE "+overview.Quote(word))
	}
	if base, err = a.arm(word + "@" + models[0]); err == nil {
		candidate, err = a.arm(word + "@" + models[1])
	}
	return base, candidate, err
}
