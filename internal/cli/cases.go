package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
)

func casesCommand(c *Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cases [packages]",
		Short: "List the suite, after rehearsing it",
		Long: `List the suite, after rehearsing it offline: each case with its signals, worlds and
scripts, and how many of its expectations were shown to fail when they should. That
takes as long as the suite's rehearsal does, and a terminal shows how it goes.

The packages are ./evals/... if none are named. The exit status is 1 if a case is
broken.`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.cases(cmd, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// A suiteCase is one case as its rehearsal reports it.
type suiteCase struct {
	ID           string   `json:"id"`
	Claim        string   `json:"claim"`
	Signals      []string `json:"signals"`
	Worlds       []string `json:"worlds"`
	Variants     []string `json:"variants"`
	Scripts      int      `json:"scripts"`
	Expectations int      `json:"expectations"`
	Killed       int      `json:"killed"` // expectations that were shown to bite
	KillRate     float64  `json:"kill_rate"`
	Broken       string   `json:"broken,omitempty"`
	// Units are the worlds and variants with their prompts, as they were reported.
	Units json.RawMessage `json:"units,omitempty"`
}

// scrubbed are the variables of Deeds that a rehearsal of the whole suite keeps.
var scrubbed = []string{"DEEDS_CONTAINMENT=", "DEEDS_RESULTS="}

func (c *Config) cases(cmd *cobra.Command, packages []string, asJSON bool) error {
	if len(packages) == 0 {
		pattern, err := c.packages()
		if err != nil {
			return err
		}
		packages = []string{pattern}
	}
	dir, err := os.MkdirTemp("", "cases-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Whatever narrows a run in this environment would narrow the suite.
	environ := slices.DeleteFunc(slices.Clone(c.Environ), func(e string) bool {
		return strings.HasPrefix(e, "DEEDS_") && !slices.ContainsFunc(scrubbed, func(kept string) bool { return strings.HasPrefix(e, kept) })
	})
	var output bytes.Buffer
	args := append([]string{"test", "-count=1"}, packages...)
	// A whole suite takes minutes on a small machine: how it goes is drawn on the terminal.
	code, err := c.goTest(cmd.Context(), args, with(environ, vouch("DEEDS_CASES="+dir)...), &output, &output)
	if err != nil {
		return err
	}
	all, err := readCases(dir)
	if err != nil {
		return err
	}
	broken := slices.ContainsFunc(all, func(s suiteCase) bool { return s.Broken != "" })
	if code != 0 && !explained(output.String(), all) {
		// Something else failed, its cases may be missing, and its words are all
		// there is to go by.
		fmt.Fprint(c.Stderr, inert.Text(output.String()))
		return &fault{what: "the suite could not be rehearsed: go test failed", hint: "what it said stands above: mend that first", code: 1}
	}
	if len(all) == 0 {
		return misuse("there is no case in "+strings.Join(packages, " "), "a case is a Test function that calls behavior.Run")
	}
	if asJSON {
		err = printJSON(c.Stdout, map[string]any{"cases": all, "kill_rate": killRate(all)})
	} else {
		err = c.printCases(all, packages)
	}
	if err == nil && broken {
		err = exitStatus(1)
	}
	return err
}

// explained reports whether every package that failed did so for a broken case,
// and in good order.
func explained(output string, all []suiteCase) bool {
	failed := 0
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "signal: ") {
			return false
		}
		// A package's last line; a single FAIL sums up.
		rest, ok := strings.CutPrefix(line, "FAIL\t")
		if !ok {
			continue
		}
		failed++
		pkg, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		pkg, _, _ = strings.Cut(pkg, "\t")
		if !slices.ContainsFunc(all, func(s suiteCase) bool { return s.Broken != "" && path.Dir(s.ID) == path.Base(pkg) }) {
			return false
		}
	}
	return failed > 0
}

func readCases(dir string) ([]suiteCase, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []suiteCase
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var some []suiteCase
		if err := json.Unmarshal(data, &some); err != nil {
			return nil, fmt.Errorf("a package reported its cases in a way that cannot be read: %w", err)
		}
		all = append(all, some...)
	}
	for i := range all {
		s := &all[i]
		s.KillRate = killRate(all[i : i+1])
		for _, list := range []*[]string{&s.Signals, &s.Worlds, &s.Variants} {
			if *list == nil {
				*list = []string{}
			}
		}
	}
	slices.SortFunc(all, func(a, b suiteCase) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// killRate is the share of the expectations that were shown to bite, from 0 to 1.
func killRate(all []suiteCase) float64 {
	killed, expectations := 0, 0
	for _, s := range all {
		killed += s.Killed
		expectations += s.Expectations
	}
	if expectations == 0 {
		return 0
	}
	return float64(killed) / float64(expectations)
}

func (c *Config) printCases(all []suiteCase, packages []string) error {
	rows := [][]string{{"CASE", "SIGNALS", "WORLDS", "VARIANTS", "SCRIPTS", "KILLED"}}
	broken := 0
	for _, s := range all {
		rows = append(rows, []string{
			s.ID, strings.Join(s.Signals, ", "), dash(len(s.Worlds)), dash(len(s.Variants)), fmt.Sprint(s.Scripts),
			fmt.Sprintf("%d/%d", s.Killed, s.Expectations),
		})
	}
	if err := table(c.Stdout, rows); err != nil {
		return err
	}
	for _, s := range all {
		if s.Broken != "" {
			broken++
			fmt.Fprintf(c.Stdout, "\n%s %s\n    claim  %s\n    %s\n", red.paint(c.Colour, "broken"), inert.Line(s.ID), inert.Line(s.Claim),
				strings.ReplaceAll(inert.Text(strings.TrimSpace(s.Broken)), "\n", "\n    "))
		}
	}
	if broken > 0 {
		fmt.Fprintf(c.Stdout, "\nwhy        go test %s\n", inert.Line(strings.Join(packages, " ")))
	}
	_, err := fmt.Fprintf(c.Stdout, "\n%s, %d broken, kill rate %.4g %%\n", count(len(all), "case", "cases"), broken, 100*killRate(all))
	return err
}
