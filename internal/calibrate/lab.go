package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

type settings struct {
	n    int // simulations a cell
	seed uint64
	// filed is how many simulations of every cell have their runs written as files and
	// read again; those of the others take the same path from there on, without the disk.
	filed int
}

// A lab is where simulations are made.
type lab struct {
	settings
	root  string // of the records that are written
	made  atomic.Int64
	wrote atomic.Int64 // of them, as files
}

// calibrate answers every question, and says how many bounds were broken.
func calibrate(w io.Writer, s settings) (broken int, err error) {
	root, err := os.MkdirTemp("", "calibrate")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	// What is simulated is thrown away at once: to collect it later is less work.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	l := &lab{settings: s, root: root}
	var pages []section
	for _, ask := range questions {
		page, err := ask(l)
		if err != nil {
			return broken, err
		}
		pages = append(pages, page...)
	}
	fmt.Fprintf(w, intro, s.n, s.seed, s.n, l.made.Load(), l.wrote.Load(), 100*chance)
	for _, page := range pages {
		broken += len(page.broken)
		fmt.Fprintf(w, "\n%s", page)
	}
	return broken, nil
}

const intro = `# Calibration

What the statistics of Deeds claim, checked against models whose pass rates are known
(` + "`sim:RATE`" + `, see package internal/sim). This page is what

    go run ./internal/calibrate -n=%d -seed=%d

prints (` + "`make calibrate`" + `); it ends with 1 if a bound is broken. Each cell has %d simulations
unless its section says otherwise. Of %d runs that were drawn, %d were written as a record
and read back, as ` + "`go test`" + ` would leave it; the others were handed over in memory, and a test
shows that both give the same answers. A share is given with its Monte Carlo error. A bound counts
as broken where the share lies three of those beyond it: by the exact binomial, where a sound
statistic would show that with a chance of %.2f %% or less.
`

// each makes n simulations, all processors at work, and hands over what came of them in
// their order.
func each[T any](n int, simulate func(i int) (T, error), take func(T)) error {
	var (
		all    = make([]T, n)
		failed = make([]error, n)
		next   atomic.Int64
		wg     sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				all[i], failed[i] = simulate(i)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	for _, x := range all {
		take(x)
	}
	return nil
}

// run plays a suite once. The cell and the side name the stream, so that no cell moves
// another.
func (l *lab) run(s suite, m sim.Model, cell, side string, i int) (*results.Run, error) {
	r := s.play(fmt.Sprintf("%08x-%s-%d", seedOf(cell)>>32, side, i), m, int64(seedOf(fmt.Sprint(l.seed), cell, side, fmt.Sprint(i))>>16))
	l.made.Add(1)
	if i >= l.filed {
		return r, nil
	}
	l.wrote.Add(1)
	return recorded(l.root, r)
}

func seedOf(words ...string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		fmt.Fprintf(h, "%d:%s", len(w), w)
	}
	return h.Sum64()
}

// model is a model of that name, which is written in this program.
func model(name string) sim.Model {
	m, err := sim.Parse(name)
	if err != nil {
		panic(err)
	}
	return m
}
