package cli

import (
	"fmt"
	"io"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

// printRates prints the pass rates of one arm.
func printRates(w io.Writer, r *results.RateReport) error {
	fmt.Fprintf(w, "\n%s\n", inert.Line(describeArm(r.Arm)))
	for _, t := range []struct {
		head string
		rows []results.RateRow
	}{{"OVERALL", []results.RateRow{r.Overall}}, {"SIGNAL", r.Signals}, {"MARKER", r.Markers}} {
		if len(t.rows) == 0 {
			continue
		}
		cells := [][]string{{t.head, "UNITS", "ATTEMPTS", "LOST", "N/A", "PASS@1", "", fmt.Sprintf("PASS@%d", r.K), "", fmt.Sprintf("PASS^%d", r.K), "", ""}}
		for _, row := range t.rows {
			name := row.Name
			if t.head == "OVERALL" {
				name = "pass rate of attempts"
			}
			cells = append(cells, append(append([]string{name, fmt.Sprint(row.Units), fmt.Sprint(row.Attempts), dash(row.Lost), dash(row.NA)},
				estimates(row.PassAt1, row.PassAtK, row.PassPowK)...), row.Remark))
		}
		fmt.Fprintln(w)
		if err := table(w, cells); err != nil {
			return err
		}
	}
	return remarks(w, r.Remarks)
}

// estimates are the cells of estimates: the value, and the interval beside it.
func estimates(all ...results.Estimate) (cells []string) {
	for _, e := range all {
		cells = append(cells, rate(e.Value), interval(e.Lo, e.Hi, rate))
	}
	return cells
}
