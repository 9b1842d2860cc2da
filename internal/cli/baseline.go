package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

func baselineCommand(c *Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Keep runs under a name, to compare with later",
		Long: `Keep the attempts of runs under a name, in a file below results/baselines that is
meant to be committed. The name stands for a run wherever an arm is asked for.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return misuse(fmt.Sprintf("`deeds baseline` does not know %q", args[0]), didYouMean(args[0], []string{"save", "list", "show"}, "it knows save, list and show"))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(baselineSaveCommand(c), baselineListCommand(c), baselineShowCommand(c))
	return cmd
}

func baselineSaveCommand(c *Config) *cobra.Command {
	var replace, asJSON bool
	cmd := &cobra.Command{
		Use:   "save NAME [RUN…]",
		Short: "Keep runs under a name (default: the last run)",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("`deeds baseline save` takes a name", "deeds baseline save main keeps the last run under the name main")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return c.saveBaseline(args[0], args[1:], replace, asJSON) },
	}
	cmd.Flags().BoolVar(&replace, "replace", false, "replace the baseline of that name")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) saveBaseline(name string, words []string, replace, asJSON bool) error {
	reader, err := c.arms()
	if err != nil {
		return err
	}
	if len(words) == 0 {
		words = []string{""}
	}
	runs, err := reader.runs(words)
	if err != nil {
		return err
	}
	save := results.SaveBaseline
	if replace {
		save = replaceBaseline
	}
	var of syscall.Errno
	switch err := save(reader.root, name, runs); {
	case errors.Is(err, results.ErrBaselineExists):
		return misuse(fmt.Sprintf("there is a baseline %q already", name), "--replace puts the new one in its place; `deeds baseline show "+name+"` says what it holds")
	case err != nil && !results.IsBaselineName(name):
		return misuse(err.Error(), "deeds baseline save "+fittingName(name))
	case errors.As(err, &of):
		return &fault{what: err.Error(), hint: clearTheWay(err), code: 1, is: err}
	case err != nil:
		return misuse(err.Error(), "name other runs: deeds baseline save "+overview.Quote(name)+" RUN; `deeds runs` lists them")
	}
	saved, err := findBaseline(reader.root, name)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.Stdout, saved)
	}
	fmt.Fprintf(c.Stdout, "saved      %s: %s, %s, %s of %s\n", inert.Line(name), count(len(saved.Runs), "run", "runs"),
		count(saved.Units, "unit", "units"), count(saved.Attempts, "attempt", "attempts"), inert.Line(strings.Join(saved.Models, ", ")))
	fmt.Fprintf(c.Stdout, "file       %s\n", inert.Line(c.shorten(saved.Path)))
	_, err = fmt.Fprintf(c.Stdout, "next       deeds compare %s RUN\n", overview.Quote(name))
	return err
}

// fittingName is a name that a baseline can have, as like what was given as may be.
func fittingName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if !results.IsBaselineName("a" + string(r) + "a") {
			r = '-'
		}
		b.WriteRune(r)
	}
	if fitting := strings.Trim(b.String(), "-."); results.IsBaselineName(fitting) {
		return fitting
	}
	return "main"
}

// unreadableBaseline says of a baseline that is there and cannot be read what to do.
// Nothing was measured against it.
func unreadableBaseline(name string, err error) error {
	return &fault{
		what: err.Error(), hint: "it is committed, and git has what it was; or save it anew: deeds baseline save " + overview.Quote(name) + " --replace RUN",
		code: 2, is: err,
	}
}

// replaceBaseline saves a baseline in the place of another, which stays if that fails.
func replaceBaseline(root, name string, runs []*results.Run) error {
	old, err := findBaseline(root, name)
	if err != nil {
		return results.SaveBaseline(root, name, runs) // there is nothing to replace
	}
	aside := old.Path + ".old"
	if err := os.Rename(old.Path, aside); err != nil {
		return fmt.Errorf("replace the baseline: %w", err)
	}
	if err := results.SaveBaseline(root, name, runs); err != nil {
		return errors.Join(err, os.Rename(aside, old.Path))
	}
	return os.Remove(aside)
}

func findBaseline(root, name string) (results.BaselineInfo, error) {
	all, err := results.Baselines(root)
	if err != nil {
		return results.BaselineInfo{}, err
	}
	names := make([]string, len(all))
	for i, b := range all {
		if b.Name == name {
			return b, nil
		}
		names[i] = b.Name
	}
	return results.BaselineInfo{}, misuse(fmt.Sprintf("there is no baseline %q", name), didYouMean(name, names, "`deeds baseline list` lists the baselines"))
}

func baselineListCommand(c *Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the baselines",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return c.listBaselines(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) listBaselines(asJSON bool) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	all, err := results.Baselines(root)
	if err != nil {
		return err
	}
	if asJSON {
		if all == nil {
			all = []results.BaselineInfo{}
		}
		return printJSON(c.Stdout, map[string]any{"baselines": all})
	}
	if len(all) == 0 {
		fmt.Fprintf(c.Stdout, "no baseline was saved under %s\n", inert.Line(root))
		return nil
	}
	cells := [][]string{{"BASELINE", "KIND", "MODELS", "UNITS", "ATTEMPTS", "RUNS", ""}}
	for _, b := range all {
		cells = append(cells, []string{b.Name, b.Kind, strings.Join(b.Models, ", "), fmt.Sprint(b.Units), fmt.Sprint(b.Attempts), strings.Join(b.Runs, ", "), b.Problem})
	}
	return table(c.Stdout, cells)
}

func baselineShowCommand(c *Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show what a baseline holds, and its rates",
		Long: `Show what a baseline holds, and its rates with 95 % intervals: PASS@1 is that of an
attempt, PASS@K that one of a unit's K attempts passes, PASS^K that all of them do.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return misuse(fmt.Sprintf("`deeds baseline show` takes the name of one baseline, and got %d", len(args)), "`deeds baseline list` lists the baselines")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return c.showBaseline(args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (c *Config) showBaseline(name string, asJSON bool) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	info, err := findBaseline(root, name)
	if err != nil {
		return err
	}
	run, err := results.LoadBaseline(root, name)
	if err != nil {
		return unreadableBaseline(name, err)
	}
	var rates []*results.RateReport
	for _, model := range run.Models() {
		arm, err := results.NewArm(name, []*results.Run{run}, model)
		if err != nil {
			return err
		}
		report, err := results.Rates(arm, 0)
		if err != nil {
			return err
		}
		rates = append(rates, report)
	}
	if asJSON {
		return printJSON(c.Stdout, struct {
			results.BaselineInfo
			Rates []*results.RateReport `json:"rates"`
		}{info, rates})
	}
	fmt.Fprintf(c.Stdout, "baseline   %s, %s\nfile       %s\nruns       %s\n", inert.Line(name), inert.Line(info.Kind), inert.Line(c.shorten(info.Path)), inert.Line(strings.Join(info.Runs, ", ")))
	for _, r := range rates {
		if err := printRates(c.Stdout, r); err != nil {
			return err
		}
	}
	return nil
}
