// Calibrate checks the statistics of Deeds against the truth: it lets models play
// whose pass rates are known, hands the record of that to the same functions that
// the deeds command prints, and counts how often they are wrong.
//
// It prints a page of Markdown, and ends with 1 if any bound is broken. The page of the
// default settings is docs/calibration.md.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	s := settings{filed: 2}
	flag.IntVar(&s.n, "n", 1500, "simulations a cell")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of all that is drawn")
	flag.Parse()
	if flag.NArg() > 0 || s.n < 1 {
		fmt.Fprintln(os.Stderr, "calibrate: it takes -n, of at least 1, and -seed, and nothing else")
		os.Exit(2)
	}
	broken, err := calibrate(os.Stdout, s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
	if broken > 0 {
		fmt.Fprintf(os.Stderr, "calibrate: %d bounds are broken\n", broken)
		os.Exit(1)
	}
}
