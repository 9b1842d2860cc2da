package behavior

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A Fault goes wrong between the agent and one of its tools, on purpose. That it
// did is an event of its own.
type Fault struct {
	// Tool is the canonical name of the tool, and On, if it is set, a text that its
	// arguments must hold.
	Tool, On string
	// Calls says how many such calls it meets, from the first on (1). Rate, if it is
	// set, is the share of them instead, drawn by the attempt's seed.
	Calls int
	Rate  float64

	// Fail is the error in place of the call, which is not made.
	Fail string
	// Lose is the error in place of the answer to a call that is made.
	Lose string
	// Cut keeps only that many bytes of the answer, and tells the agent so.
	Cut int
	// Slow is how long the call takes longer.
	Slow time.Duration
}

// check says what is wrong with a fault.
func (f Fault) check() error {
	switch {
	case f.Tool == "":
		return fmt.Errorf("names no tool\nhint: set Tool, such as read")
	case f.Fail == "" && f.Lose == "" && f.Cut == 0 && f.Slow == 0:
		return fmt.Errorf("does nothing to %s\nhint: set Fail, Lose, Cut or Slow", f.Tool)
	case f.Fail != "" && f.Lose != "":
		return fmt.Errorf("both fails %s and loses its answer\nhint: a call that is not made has no answer: set Fail or Lose", f.Tool)
	case f.Rate < 0 || f.Rate > 1 || f.Calls < 0 || f.Cut < 0 || f.Slow < 0:
		return fmt.Errorf("has a number out of its range\nhint: Rate is from 0 to 1, and Calls, Cut and Slow are not negative")
	}
	return nil
}

// faults are those of one attempt, and what they have met.
type faults struct {
	all  []Fault
	rand []*rand.Rand
	log  *timeline

	mu  sync.Mutex
	met []int
}

func newFaults(u unit, log *timeline) *faults {
	f := &faults{all: u.faults, log: log, met: make([]int, len(u.faults))}
	for i := range u.faults {
		f.rand = append(f.rand, u.random(fmt.Sprintf("fault\x00%d", i)))
	}
	return f
}

// around runs a call, or what is left of it.
func (f *faults) around(ctx context.Context, tool string, args map[string]any, run func(context.Context) tools.Outcome) tools.Outcome {
	fault, meets := f.meets(tool, args)
	if !meets {
		return run(ctx)
	}
	f.log.add(Event{Kind: KindFault, ID: tool, Text: fault.words()})
	if fault.Slow > 0 {
		timer := time.NewTimer(fault.Slow)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return tools.Outcome{Status: tools.Cut, Text: "the call was cut before its end"}
		}
	}
	if fault.Fail != "" {
		return tools.Outcome{Status: tools.Failed, Text: fault.Fail}
	}
	out := run(ctx)
	switch {
	case fault.Lose != "":
		return tools.Outcome{Status: tools.Failed, Text: fault.Lose, Changed: out.Changed}
	case fault.Cut > 0 && len(out.Text) > fault.Cut:
		out.Text = fmt.Sprintf("%s\n[cut here: %d more bytes did not get through]", strings.ToValidUTF8(out.Text[:fault.Cut], ""), len(out.Text)-fault.Cut)
	}
	return out
}

// meets says which fault a call meets: the first that does.
func (f *faults) meets(tool string, args map[string]any) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.all {
		if fault.Tool != tool {
			continue
		}
		if fault.On != "" {
			text, _ := json.Marshal(args) // came from JSON
			if !strings.Contains(string(text), fault.On) {
				continue
			}
		}
		if fault.Rate > 0 {
			if f.rand[i].Float64() < fault.Rate {
				return fault, true
			}
			continue
		}
		if f.met[i] < max(1, fault.Calls) {
			f.met[i]++
			return fault, true
		}
	}
	return Fault{}, false
}

// words says what goes wrong.
func (f Fault) words() string {
	var words []string
	if f.Slow > 0 {
		words = append(words, fmt.Sprintf("takes %s longer", f.Slow))
	}
	switch {
	case f.Fail != "":
		words = append(words, "is not made: "+f.Fail)
	case f.Lose != "":
		words = append(words, "is made, and its answer lost: "+f.Lose)
	case f.Cut > 0:
		words = append(words, fmt.Sprintf("has its answer cut to %d bytes", f.Cut))
	}
	return strings.Join(words, ", ")
}
