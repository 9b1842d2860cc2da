package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

func runsCommand(c *Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs on record, the newest last",
		Long: `List the runs on record, the newest last.

UNITS are the cases, each world and variant on its own: how many passed, which takes
every attempt, of all that were planned. ATTEMPTS are those that were planned, and
what follows says how many of them failed, were void or were not run; the rest passed.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return c.runs(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// A runRow is one run in the list.
type runRow struct {
	ID       string           `json:"id"`
	Dir      string           `json:"dir"`
	Created  time.Time        `json:"created"`
	Kind     string           `json:"kind"`
	Models   []string         `json:"models"`
	Totals   []results.Totals `json:"totals"`
	Stopped  string           `json:"stopped,omitempty"`
	Torn     int              `json:"torn,omitempty"`
	Problems []string         `json:"problems,omitempty"`
}

func (c *Config) runs(asJSON bool) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	list, err := results.List(root)
	if err != nil {
		return err
	}
	rows := make([]runRow, 0, len(list))
	for _, info := range list {
		run, err := results.Load(info.Dir)
		if err != nil {
			return err
		}
		rows = append(rows, newRunRow(info, run))
	}
	if asJSON {
		return printJSON(c.Stdout, map[string]any{"runs": rows})
	}
	if len(rows) == 0 {
		fmt.Fprintf(c.Stdout, "no run was recorded under %s\n", inert.Line(root))
		return nil
	}
	cells := [][]string{{"RUN", "WHEN", "KIND", "MODELS", "UNITS", "ATTEMPTS", "FAILED", "VOID", "NOT RUN", ""}}
	for _, r := range rows {
		var passed, units, slots, fail, void, notRun int
		for _, t := range r.Totals {
			passed, units, slots = passed+t.Passed, units+t.Units, slots+t.Slots
			fail, void, notRun = fail+t.Fail, void+t.Void, notRun+t.NotRun
		}
		cells = append(cells, []string{
			r.ID, when(r.Created), r.Kind, strings.Join(r.Models, ", "), fmt.Sprintf("%d/%d passed", passed, units),
			fmt.Sprint(slots), dash(fail), dash(void), dash(notRun), r.remark(),
		})
	}
	return table(c.Stdout, cells)
}

func newRunRow(info results.RunInfo, run *results.Run) runRow {
	row := runRow{
		ID: info.ID, Dir: info.Dir, Created: info.Created, Kind: run.Kind(), Models: run.Models(),
		Totals: run.Totals(), Torn: run.Torn, Problems: run.Problems,
	}
	if row.Kind == "" {
		row.Kind = "unknown"
	}
	if row.Models == nil {
		row.Models = []string{}
	}
	if row.Totals == nil {
		row.Totals = []results.Totals{}
	}
	if run.Stopped != nil {
		row.Stopped = run.Stopped.Reason
	}
	return row
}

// remark says what else there is to know about a run.
func (r runRow) remark() string {
	var all []string
	if r.Stopped != "" {
		all = append(all, "stopped: "+r.Stopped)
	}
	if r.Torn > 0 {
		all = append(all, count(r.Torn, "torn line", "torn lines"))
	}
	if len(r.Problems) > 0 {
		all = append(all, count(len(r.Problems), "problem", "problems"))
	}
	return strings.Join(all, "; ")
}
