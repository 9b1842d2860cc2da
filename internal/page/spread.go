package page

import (
	"fmt"
	"math"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// A spread shows how a figure is distributed over the attempts that passed or failed,
// for every model on the same axis. The axis is one of ratios: attempts of a second and
// of a minute are both to be seen.
type spread struct {
	Name  string
	Ticks []tick
	Rows  []spreadRow
}

type tick struct {
	At   int // per mille
	Text string
}

// X is the place in percent, for an element without a scale of its own.
func (t tick) X() string { return fmt.Sprintf("%.1f%%", float64(t.At)/10) }

// Anchor keeps the labels at the ends of the axis inside of it.
func (t tick) Anchor() string {
	switch {
	case t.At < 30:
		return "start"
	case t.At > 970:
		return "end"
	}
	return "middle"
}

type spreadRow struct {
	Model         string
	N             int
	P50, P90, P99 string
	At50, At90    int
	Bars          []column
}

// A column is one of the histogram: its place in per mille, its height in percent.
type column struct{ X, Y, Wide, High, N int }

// columns is how many a histogram has.
const columns = 50

func spreads(o *overview.Overview, units []results.UnitResult, name namer) []spread {
	figures := []struct {
		name string
		of   func(*results.Attempt) float64
		text func(float64) string
		sum  func(overview.Arm) results.Percentiles
	}{
		{"time", func(a *results.Attempt) float64 { return a.DurationMS }, overview.Duration, func(a overview.Arm) results.Percentiles { return a.TimeMS }},
		{"tokens", func(a *results.Attempt) float64 { return float64(a.Usage.Prompt + a.Usage.Completion) }, whole, func(a overview.Arm) results.Percentiles { return a.Tokens }},
		{"turns", func(a *results.Attempt) float64 { return float64(a.Turns) }, whole, func(a overview.Arm) results.Percentiles { return a.Turns }},
	}
	var all []spread
	for _, f := range figures {
		values := make(map[[2]string][]float64)
		lo, hi := math.Inf(1), 0.0
		for _, u := range units {
			for _, s := range u.Slots {
				if s.Outcome != results.Pass && s.Outcome != results.Fail {
					continue
				}
				if v := f.of(s.Decided); v > 0 {
					k := [2]string{u.Model, u.Agent}
					values[k] = append(values[k], v)
					lo, hi = min(lo, v), max(hi, v)
				}
			}
		}
		if hi == 0 {
			continue
		}
		x := newAxis(lo, hi)
		d := spread{Name: f.name, Ticks: x.ticks(f.text)}
		for _, a := range o.Arms {
			p := f.sum(a)
			r := spreadRow{Model: name(a.Model, a.Agent), N: p.N, P50: absent, P90: absent, P99: absent}
			if p.N > 0 {
				r.P50, r.P90, r.P99 = f.text(float64(p.P50)), f.text(float64(p.P90)), f.text(float64(p.P99))
				r.At50, r.At90 = x.at(float64(p.P50)), x.at(float64(p.P90))
			}
			r.Bars = x.histogram(values[[2]string{a.Model, a.Agent}])
			d.Rows = append(d.Rows, r)
		}
		all = append(all, d)
	}
	return all
}

// An axis goes from lo to hi by ratios.
type axis struct{ lo, hi float64 }

func newAxis(lo, hi float64) axis {
	if hi < lo*2 { // a line of one value is no distribution
		lo, hi = lo/1.5, hi*1.5
	}
	return axis{lo, hi}
}

func (x axis) share(v float64) float64 {
	return max(0, min(1, math.Log(v/x.lo)/math.Log(x.hi/x.lo)))
}

func (x axis) at(v float64) int {
	if v <= 0 {
		return 0
	}
	return int(1000 * x.share(v))
}

// ticks are at 1, 2 and 5 times the powers of ten, where there is room for them, and at
// the ends of a short axis.
func (x axis) ticks(text func(float64) string) []tick {
	steps := []float64{1, 2, 5}
	if x.hi/x.lo > 50 {
		steps = []float64{1}
	}
	var all []tick
	for power := math.Pow(10, math.Floor(math.Log10(x.lo))); power <= x.hi; power *= 10 {
		for _, s := range steps {
			if v := s * power; v >= x.lo && v <= x.hi {
				all = append(all, tick{x.at(v), text(v)})
			}
		}
	}
	if len(all) < 2 { // which do not say how long the axis is
		return []tick{{0, text(x.lo)}, {1000, text(x.hi)}}
	}
	return all
}

func (x axis) histogram(values []float64) []column {
	n := make([]int, columns)
	most := 0
	for _, v := range values {
		i := min(columns-1, int(columns*x.share(v)))
		n[i]++
		most = max(most, n[i])
	}
	var bars []column
	for i, c := range n {
		if c > 0 {
			high := max(2, 100*c/most)
			bars = append(bars, column{X: i * 1000 / columns, Y: 100 - high, Wide: 1000/columns - 2, High: high, N: c})
		}
	}
	return bars
}
