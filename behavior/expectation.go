package behavior

import (
	"fmt"
	"runtime/debug"
	"sort"
	"strings"
)

// An Outcome is what was found: for one expectation, one signal or one attempt.
type Outcome string

// The outcomes. An expectation or a signal can be NA, an attempt can be Void.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
	// NA says that a conditional expectation had nothing to judge, or that the
	// agent cannot show the evidence it needs.
	NA Outcome = "n/a"
	// Void says that the attempt proves nothing: something other than the agent
	// broke.
	Void Outcome = "void"
)

// An Expectation is one thing that a case expects of the evidence. It is a
// value: it can be listed, composed, and put to old evidence again. Package
// expect has the vocabulary.
type Expectation interface {
	// Spec says what is expected, before anything has run.
	Spec() Spec
	// Check judges the evidence. It depends on nothing else and changes nothing.
	Check(Evidence) Finding
}

// A Spec describes an expectation.
type Spec struct {
	// Name is the marker under which the expectation is compared and counted.
	// Unless one was given it is made of the words of Want.
	Name string
	// Marker says that the author gave the name: results are compared under it, over
	// all the cases that use it.
	Marker bool
	// Want says what is expected, in words, on one or more lines.
	Want string
	// Where is the place of the expectation, from the folder of the case:
	// "file_test.go:12", or "../shared/shared.go:4" in a helper.
	Where string
	// Negative says that an agent which does nothing at all satisfies it.
	Negative bool
	// Conditional says that it can only be judged if the agent did something.
	Conditional bool
	// Tools names the canonical tools without which it cannot be met, and Mentions those
	// that it speaks of, needed or not: a name that is no tool's is a slip of the pen.
	Tools, Mentions []string
	// Parts are the expectations that must all hold for it to hold. A rehearsal
	// asks of each of them that it bites.
	Parts []Expectation
}

// A Finding is what an expectation found in the evidence.
type Finding struct {
	Outcome Outcome // Pass, Fail or NA
	// Got says what was seen instead of what was wanted, on one or more lines.
	Got string
	// Events are the indexes in the timeline of the events that decided.
	Events []int
}

// A Verdict is the finding of one expectation in one attempt.
type Verdict struct {
	Signal Signal  `json:"signal"`
	Name   string  `json:"name"`
	Result Outcome `json:"outcome"`

	Want        string `json:"want,omitempty"`
	Got         string `json:"got,omitempty"`
	Events      []int  `json:"events,omitempty"`
	Where       string `json:"where,omitempty"`
	Conditional bool   `json:"conditional,omitempty"`
	// Marker says that the author gave the expectation its name.
	Marker bool `json:"marker,omitempty"`
	// Fault is set when the expectation itself broke. The attempt is void then.
	Fault string `json:"fault,omitempty"`
}

// Grade judges the evidence by every expectation of the case, in the order of
// the signals' list and of the expectations under each. It is pure and total: no
// evidence makes it panic, and the same evidence always has the same verdicts.
//
// The expectations are those of the case and of the world that the evidence
// names.
func Grade(c Case, e Evidence) []Verdict {
	var verdicts []Verdict
	names := make(map[string]int)
	for _, g := range c.expectations(e.World) {
		v := check(g.signal, g.expectation, e)
		if names[v.Name]++; names[v.Name] > 1 {
			v.Name = fmt.Sprintf("%s #%d", v.Name, names[v.Name])
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

func check(s Signal, x Expectation, e Evidence) (v Verdict) {
	v = Verdict{Signal: s, Result: NA}
	defer func() {
		if r := recover(); r != nil {
			v.Result = NA
			v.Fault = fmt.Sprintf("the expectation panicked: %v\n%s", r, firstFrames(debug.Stack()))
		}
	}()
	spec := x.Spec()
	v.Name, v.Want, v.Where, v.Conditional = spec.Name, spec.Want, spec.Where, spec.Conditional
	v.Marker = spec.Marker
	if v.Name == "" {
		v.Name = strings.Join(strings.Fields(spec.Want), " ")
	}
	for _, tool := range spec.Tools {
		for _, missing := range e.Missing {
			if tool == missing {
				v.Got = fmt.Sprintf("unsupported: this agent has no %s", tool)
				return v
			}
		}
	}
	f := x.Check(e)
	switch f.Outcome {
	case Pass, Fail, NA:
		v.Result, v.Got, v.Events = f.Outcome, f.Got, f.Events
	default:
		v.Fault = fmt.Sprintf("the expectation answered %q, which is no verdict", f.Outcome)
	}
	return v
}

// firstFrames keeps the part of a stack that names the expectation's own code.
func firstFrames(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	var kept []string
	for i := 0; i+1 < len(lines) && len(kept) < 4; i++ {
		if strings.HasPrefix(lines[i+1], "\t") && !strings.Contains(lines[i], "runtime") && !strings.Contains(lines[i], "behavior.check") && !strings.Contains(lines[i], "panic(") {
			kept = append(kept, lines[i], lines[i+1])
		}
	}
	return strings.Join(kept, "\n")
}

type signalled struct {
	signal      Signal
	expectation Expectation
}

// expectations lists those of the case and of the named world, in a fixed order.
func (c Case) expectations(world string) []signalled {
	sets := []BySignal{c.Expect}
	for _, w := range c.Worlds {
		if w.Name == world {
			sets = append(sets, w.Expect)
		}
	}
	var all []signalled
	for _, s := range orderedSignals(sets...) {
		for _, set := range sets {
			for _, x := range set[s] {
				all = append(all, signalled{s, x})
			}
		}
	}
	return all
}

// leaves lists the expectations of a world as [Case.expectations] does, each one
// that has parts replaced by them.
func (c Case) leaves(world string) []signalled {
	var all []signalled
	var add func(signalled)
	add = func(x signalled) {
		parts := x.expectation.Spec().Parts
		if len(parts) == 0 {
			all = append(all, x)
		}
		for _, p := range parts {
			add(signalled{x.signal, p})
		}
	}
	for _, x := range c.expectations(world) {
		add(x)
	}
	return all
}

// orderedSignals lists the signals of the sets: known ones in the order of
// [Signals], then unknown ones by name.
func orderedSignals(sets ...BySignal) []Signal {
	seen := make(map[Signal]bool)
	for _, set := range sets {
		for s := range set {
			seen[s] = true
		}
	}
	var all []Signal
	for _, s := range Signals() {
		if seen[s] {
			all = append(all, s)
			delete(seen, s)
		}
	}
	var rest []Signal
	for s := range seen {
		rest = append(rest, s)
	}
	sort.Slice(rest, func(i, j int) bool { return rest[i] < rest[j] })
	return append(all, rest...)
}

// BySignals folds verdicts into one outcome a signal: fail if any failed, else
// n/a if any was unsupported or none could be judged, else pass. A conditional
// expectation that had nothing to judge decides nothing.
func BySignals(verdicts []Verdict) map[Signal]Outcome {
	type count struct{ pass, fail, unsupported int }
	counts := make(map[Signal]count)
	for _, v := range verdicts {
		n := counts[v.Signal]
		switch {
		case v.Result == Fail:
			n.fail++
		case v.Result == Pass:
			n.pass++
		case !v.Conditional:
			n.unsupported++
		}
		counts[v.Signal] = n
	}
	out := make(map[Signal]Outcome)
	for s, n := range counts {
		switch {
		case n.fail > 0:
			out[s] = Fail
		case n.unsupported > 0 || n.pass == 0:
			out[s] = NA
		default:
			out[s] = Pass
		}
	}
	return out
}
