//go:build unix

// Command crash kills a simulated run without warning, again and again, goes on with it,
// and counts what is left: every slot must have been decided by one play, as it was
// drawn, and nothing that was on record once may be gone.
//
//	go run ./internal/crash -slots 2000 -rounds 20
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/suite"
)

func main() {
	var (
		slots  = flag.Int("slots", 2000, "slots of the run: a multiple of 20")
		rounds = flag.Int("rounds", 20, "runs that are killed and gone on with")
		kills  = flag.Int("kills", 8, "how often a run is killed at most")
		within = flag.Duration("within", 3*time.Second, "the longest that a run lives before it is killed")
		seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the moments")
	)
	flag.Parse()
	if err := run(*slots, *rounds, *kills, *within, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

// cases is how many cases are played, each in one unit.
const cases = 20

func run(slots, rounds, kills int, within time.Duration, seed uint64) error {
	if slots < cases || slots%cases != 0 {
		return fmt.Errorf("-slots=%d is no multiple of %d", slots, cases)
	}
	scratch, err := os.MkdirTemp("", "crash")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	v, err := newVictim(scratch, slots)
	if err != nil {
		return err
	}
	fmt.Printf("%d slots, moments of -seed=%d\n", slots, seed)
	moments := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= rounds; n++ {
		began := time.Now()
		c, err := v.round(n, kills, func() time.Duration { return time.Duration(moments.Int64N(int64(within))) })
		if err != nil {
			return fmt.Errorf("round %d: %w", n, err)
		}
		fmt.Printf("round %2d: killed %2d times after %v lines, %d torn; %d slots, each decided by one play; %s\n",
			n, len(c.lines), c.lines, c.torn, slots, time.Since(began).Round(time.Second/10))
	}
	return nil
}

// newVictim builds what is killed: the tests of a package of the suite, as go test
// builds them, and finds cases of it that have one unit.
func newVictim(scratch string, slots int) (*victim, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/deeds-evals/deeds/evals/core").Output()
	if err != nil {
		return nil, fmt.Errorf("find the suite: %w", err)
	}
	v := &victim{dir: strings.TrimSpace(string(out)), scratch: scratch, slots: slots, binary: filepath.Join(scratch, "core.test")}
	if out, err := exec.Command("go", "test", "-c", "-o", v.binary, v.dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the suite: %w\n%s", err, out)
	}
	if v.tests, err = v.single(); err != nil {
		return nil, err
	}
	if len(v.tests) < cases {
		return nil, fmt.Errorf("the suite has %d cases of one unit, and %d are needed", len(v.tests), cases)
	}
	v.tests = v.tests[:cases]
	return v, nil
}

// single are the tests of the cases that have one unit, as the rehearsal lists them.
func (v *victim) single() (tests []string, err error) {
	notes := filepath.Join(v.scratch, "notes")
	if err := os.Mkdir(notes, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.Command(v.binary)
	cmd.Dir, cmd.Env = v.dir, append(clean(os.Environ()), "DEEDS_CASES="+notes, "CI=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("rehearse the suite: %w\n%s", err, tail(string(out)))
	}
	all, err := suite.Read(filepath.Dir(v.dir))
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		var note []struct{ Units []any }
		data, err := os.ReadFile(filepath.Join(notes, strings.ReplaceAll(c.ID, "/", "--")+".json"))
		if err == nil && json.Unmarshal(data, &note) == nil && len(note) == 1 && len(note[0].Units) == 1 {
			tests = append(tests, c.Test)
		}
	}
	return tests, nil
}
