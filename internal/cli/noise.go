package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

func noiseCommand(c *Config) *cobra.Command {
	var (
		worlds []string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "noise RUN RUN…",
		Short: "Say what runs of one model differ by",
		Long: `Say what runs of one model differ by, signal by signal: the floor under every
comparison. Nothing was changed between the runs, so that every difference is noise.

RUN is a run or a baseline, with @MODEL behind it where it has several models.

SD is the spread of a run's mean, in percentage points. A change between one run a
side must reach BAND to be more than noise; with few runs (DF) it is wide. EXPLAINED
is the share of the spread that the attempts of a unit account for by themselves, RUN
TO RUN what is left. FLIPPED counts the units whose consistent verdict differs
between runs.`,
		RunE: func(_ *cobra.Command, args []string) error { return c.noise(args, worlds, asJSON) },
	}
	worldFlag(cmd, &worlds)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) noise(args, worlds []string, asJSON bool) error {
	reader, err := c.arms()
	if err != nil {
		return err
	}
	reader.worlds = worlds
	replicates, err := reader.replicates(args, "")
	if err != nil {
		return err
	}
	found, err := results.Noise(replicates)
	if err != nil {
		return misuse(err.Error(), "play one model twice, changing nothing, and name both runs: deeds noise RUN RUN")
	}
	n := noise{NoiseReport: found}
	n.Result, n.Next = n.conclude()
	if asJSON {
		return printJSON(c.Stdout, n)
	}
	return n.print(c.Stdout)
}

// noise is what there is to say of replicates.
type noise struct {
	*results.NoiseReport
	Result string `json:"result"`
	Next   string `json:"next"`
}

func (n noise) conclude() (result, next string) {
	next = "deeds compare BASE CANDIDATE --noise " + overview.Quote(strings.Join(n.Runs, ","))
	o := n.Overall
	switch {
	case !o.Band.Known():
		return results.NoFloor + ": " + o.Why, next
	case o.Band == 0:
		return "the runs agree to the last attempt", next
	}
	result = fmt.Sprintf("between one run a side, a change of the pass rate below %s is noise", rate(o.Band))
	if few := 3; len(o.Means) < few {
		result += fmt.Sprintf("; two runs are a single difference, and %d or more give a floor worth using", few)
	}
	return result, next
}

func (n noise) print(w io.Writer) error {
	fmt.Fprintf(w, "A/A        %s of %s in %s, %s: nothing was changed, every difference is noise\n",
		count(len(n.Overall.Means), "run", "runs"), inert.Line(n.Model), inert.Line(n.Agent), inert.Line(n.Kind))
	fmt.Fprintf(w, "runs       %s\n", inert.Line(strings.Join(n.Runs, ", ")))
	fmt.Fprintf(w, "units      %d in every run, of %d\n", n.Units, n.Planned)
	for _, t := range []struct {
		head string
		rows []results.NoiseRow
	}{{"OVERALL", []results.NoiseRow{n.Overall}}, {"SIGNAL", n.Signals}, {"MARKER", n.Markers}} {
		if len(t.rows) == 0 {
			continue
		}
		cells := [][]string{{t.head, "UNITS", "MEANS", "SD", "DF", "BAND", "EXPLAINED", "RUN TO RUN", "FLIPPED"}}
		for _, r := range t.rows {
			name := r.Name
			if t.head == "OVERALL" {
				name = "pass rate of attempts"
			}
			cells = append(cells, []string{
				name, fmt.Sprint(r.Units), means(r.Means), points(r.SD), number(r.DF), band(r), percent(byAttempts(r)), points(spread(r.Tau2)),
				fmt.Sprintf("%d of %d", r.Flipped, r.Compared),
			})
		}
		fmt.Fprintln(w)
		if err := table(w, cells); err != nil {
			return err
		}
	}
	if notes := n.notes(); len(notes) > 0 {
		fmt.Fprintln(w)
		if err := bullets(w, "notes", notes); err != nil {
			return err
		}
	}
	if err := leftOut(w, fmt.Sprintf("changed    %s, and not comparable", count(len(n.Changed), "unit", "units")), n.Changed); err != nil {
		return err
	}
	if err := remarks(w, n.Remarks); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\nnext       %s\n", inert.Line(n.Result), inert.Line(n.Next))
	return err
}

func (n noise) notes() (notes []string) {
	for _, r := range slices.Concat([]results.NoiseRow{n.Overall}, n.Signals, n.Markers) {
		if r.Why != "" {
			notes = append(notes, r.Name+": "+r.Why)
		}
		if r.Conditional {
			notes = append(notes, r.Name+": conditional, over the attempts that could be judged")
		}
		if r.Degenerate {
			notes = append(notes, r.Name+": degenerate, the same in every attempt: a floor of nothing, and no promise")
		}
	}
	return notes
}

// means lists the means of the runs.
func means(all []float64) string {
	var words []string
	for _, m := range all {
		words = append(words, rate(results.Number(m)))
	}
	if len(words) == 0 {
		return absent
	}
	return strings.Join(words, " ")
}

// band is the floor of a row, or that it has none.
func band(r results.NoiseRow) string {
	if !r.Band.Known() && r.Word != "" {
		return r.Word
	}
	return rate(r.Band)
}

// byAttempts is the share of the runs' variance that the attempts explain, at most all
// of it, None where the runs do not differ.
func byAttempts(r results.NoiseRow) results.Number {
	variance := r.SD * r.SD
	if !variance.Known() || !r.Within.Known() || variance == 0 {
		return results.None()
	}
	return min(1, r.Within/variance)
}

// spread is the standard deviation of a variance.
func spread(variance results.Number) results.Number {
	return results.Number(math.Sqrt(float64(variance)))
}
