package overview

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/results"
)

// A History holds a run against earlier ones of the same kind.
type History struct {
	Runs   []HistoryRun `json:"runs"` // the oldest first, the run itself last
	Trends []Trend      `json:"trends"`
}

// A HistoryRun is one run of a history.
type HistoryRun struct {
	Run     string    `json:"run"`
	Created time.Time `json:"created"`
}

// A Trend is one signal of one model over the runs, or, with the name WholeUnit, all of
// them together.
type Trend struct {
	Model  string  `json:"model"`
	Agent  string  `json:"agent"`
	Signal string  `json:"signal"`
	Points []Point `json:"points"` // one a run
}

// A Point is what one run measured. The runs may have played different cases: Units says
// how many there were.
type Point struct {
	Passed   int            `json:"passed"`
	Measured int            `json:"measured"` // units that passed or failed
	Units    int            `json:"units"`
	Share    results.Number `json:"share"` // of those measured
}

// WholeUnit stands for all signals of a unit together.
const WholeUnit = "(whole unit)"

// Trace follows the models of an overview through earlier ones, the oldest first. There
// is nothing to follow where no earlier run has one of the models.
func (o *Overview) Trace(earlier []*Overview) *History {
	all := append(slices.Clone(earlier), o)
	h := &History{Runs: []HistoryRun{}, Trends: []Trend{}}
	for _, run := range all {
		h.Runs = append(h.Runs, HistoryRun{run.Run, run.Created})
	}
	for i := range o.Arms {
		arm := &o.Arms[i]
		names := []string{}
		for _, s := range arm.Signals {
			names = append(names, s.Signal)
		}
		for _, name := range append(names, WholeUnit) {
			t := Trend{Model: arm.Model, Agent: arm.Agent, Signal: name}
			for _, run := range all {
				t.Points = append(t.Points, run.point(arm, name))
			}
			h.Trends = append(h.Trends, t)
		}
	}
	return h
}

// point is what the run measured of a signal of an arm.
func (o *Overview) point(arm *Arm, signal string) Point {
	none := Point{Share: results.None()}
	for _, a := range o.Arms {
		if a.Model != arm.Model || a.Agent != arm.Agent {
			continue
		}
		if signal == WholeUnit {
			return measured(a.Passed, a.Totals.Failed, a.Units)
		}
		for _, s := range a.Signals {
			if s.Signal == signal {
				return measured(s.Passed, s.Failed, s.Units)
			}
		}
	}
	return none
}

func measured(passed, failed, units int) Point {
	p := Point{Passed: passed, Measured: passed + failed, Units: units, Share: results.None()}
	if passed+failed > 0 {
		p.Share = results.Number(float64(passed) / float64(passed+failed))
	}
	return p
}

// legend says what a Point shows.
const legend = "Units that passed of those measured, and of how many planned where not all were"

// String is what was passed of how many that were measured: "12/20", "5/5 of 20" where
// that is not all of them, or a dash where the run did not have it.
func (p Point) String() string {
	switch {
	case p.Units == 0:
		return "-"
	case p.Measured < p.Units:
		return fmt.Sprintf("%d/%d of %d", p.Passed, p.Measured, p.Units)
	}
	return fmt.Sprintf("%d/%d", p.Passed, p.Measured)
}

// Spark draws the shares, each as the height of a bar, a point where there is none.
func (t Trend) Spark() string {
	bars := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, p := range t.Points {
		if !p.Share.Known() {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(bars[min(len(bars)-1, int(float64(p.Share)*float64(len(bars))))])
	}
	return b.String()
}

// date heads the column of a run.
func (r HistoryRun) date() string { return r.Created.UTC().Format("01-02 15:04") }

// Text shows the history, a row a signal.
func (h *History) Text(w io.Writer, s Style) error {
	var b strings.Builder
	if len(h.Runs) < 2 {
		b.WriteString("\nthere is no earlier run of that kind with one of these models\n")
	}
	for i := 0; i < len(h.Trends) && len(h.Runs) > 1; {
		first := h.Trends[i]
		head := []cell{{text: "HISTORY OF " + who(first.Model, first.Agent)}, {text: "TREND"}}
		for _, r := range h.Runs {
			head = append(head, cell{text: r.date()})
		}
		rows := [][]cell{head}
		for ; i < len(h.Trends) && h.Trends[i].Model == first.Model && h.Trends[i].Agent == first.Agent; i++ {
			row := []cell{{text: h.Trends[i].Signal}, {text: h.Trends[i].Spark()}}
			for _, p := range h.Trends[i].Points {
				row = append(row, cell{text: p.String()})
			}
			rows = append(rows, row)
		}
		b.WriteByte('\n')
		s.columns(&b, "", rows)
	}
	if len(h.Trends) > 0 && len(h.Runs) > 1 {
		b.WriteString("\n" + strings.ToLower(legend[:1]) + legend[1:] + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
