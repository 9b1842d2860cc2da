package junit

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deeds-evals/deeds/results"
)

// A Source is what a report is made of.
type Source struct {
	Run *results.Run
	// Root is the folder of the module below that of the repository, with slashes, ""
	// for the same.
	Root string
	// Explain says why an attempt failed or is void, on several lines. It reads the
	// evidence to do so, and is asked of several attempts at the same time.
	Explain func(results.SlotResult) string
	// Evidence is the path of an attempt's evidence as it is to be shown.
	Evidence func(*results.Attempt) string
}

// Of makes a report of a run: a suite for each package and model, in it each planned
// attempt.
func Of(s Source) Report {
	r := Report{Name: "deeds"}
	type key struct{ pkg, model, agent string }
	at := make(map[key]int)
	files := s.Run.Files()
	slots := s.Run.Slots()
	texts := s.explanations(slots)
	for n, slot := range slots {
		k := key{path.Dir(slot.Case), slot.Model, slot.Agent}
		i, ok := at[k]
		if !ok {
			i = len(r.Suites)
			at[k] = i
			r.Suites = append(r.Suites, Suite{Name: k.pkg + " " + player(slot.Slot), Properties: []Property{
				{"run", s.Run.ID}, {"kind", cmp.Or(s.Run.Kind(), "unknown")}, {"model", slot.Model}, {"agent", slot.Agent},
			}})
		}
		suite := &r.Suites[i]
		suite.Cases = append(suite.Cases, s.attempt(slot, files[slot.Case], texts[n]))
		if a := slot.Decided; a != nil && !a.Started.IsZero() && (suite.Started.IsZero() || a.Started.Before(suite.Started)) {
			suite.Started = a.Started
		}
	}
	return r
}

// explanations are the texts of the attempts that make a test red, by their place.
func (s Source) explanations(slots []results.SlotResult) []string {
	var (
		texts = make([]string, len(slots))
		next  atomic.Int64
		all   sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(slots); n = int(next.Add(1)) - 1 {
				if slot := slots[n]; slot.Outcome == results.Void || slot.Outcome == results.Fail && s.red(slot.Decided) {
					texts[n] = s.Explain(slot)
				}
			}
		})
	}
	all.Wait()
	return texts
}

// player names a model, and its agent if it is not the built-in one.
func player(s results.Slot) string {
	if s.Agent == "" || s.Agent == "builtin" {
		return s.Model
	}
	return s.Model + " in " + s.Agent
}

// attempt is one planned attempt, of the case in that file of the module, with the text
// that explains it. Its names are the same in every run.
func (s Source) attempt(slot results.SlotResult, file, text string) Case {
	if file != "" {
		file = path.Join(s.Root, file)
	}
	class := slot.Case
	for _, part := range []string{slot.World, slot.Variant} {
		if part != "" {
			class += "/" + part
		}
	}
	c := Case{Class: class, Name: fmt.Sprintf("%s attempt %d", player(slot.Slot), slot.Attempt), File: file}
	add := func(name, value string) {
		if value != "" {
			c.Properties = append(c.Properties, Property{name, value})
		}
	}
	add("run", s.Run.ID)
	add("model", slot.Model)
	add("case", slot.Case)
	add("world", slot.World)
	add("variant", slot.Variant)
	add("attempt", fmt.Sprint(slot.Attempt))
	add("claim", s.Run.Claim(slot.Case))
	a := slot.Decided
	if a == nil {
		c.Result = Result{Outcome: Skipped, Message: s.notRun()}
		return c
	}
	c.Took = time.Duration(a.DurationMS * float64(time.Millisecond))
	for _, name := range slices.Sorted(maps.Keys(a.Signals)) {
		add("signal."+name, a.Signals[name])
	}
	for _, v := range a.Verdicts {
		if v.Outcome == results.Fail && v.Where != "" {
			add("where", path.Join(path.Dir(file), v.Where))
		}
	}
	if a.Evidence != "" {
		add("evidence", s.Evidence(a))
	}
	if slot.Rerolls > 0 {
		add("rerolls", fmt.Sprint(slot.Rerolls))
	}
	switch slot.Outcome {
	case results.Fail:
		if !s.red(a) {
			add("outcome", results.Fail)
			break
		}
		c.Result = Result{Outcome: Failed, Message: why(a), Type: results.Fail, Text: text}
	case results.Void:
		c.Result = Result{Outcome: Errored, Message: why(a), Type: cmp.Or(a.Reason, results.Void), Text: text}
	}
	return c
}

// red reports whether an attempt that failed makes its test fail: where signals were
// named, they alone decide, as in go test.
func (s Source) red(a *results.Attempt) bool {
	var named []string
	for _, p := range s.Run.Plans {
		named = p.Settings.Signals
	}
	return len(named) == 0 || a.Reason != "" || slices.ContainsFunc(named, func(name string) bool { return a.Signals[name] == results.Fail })
}

func (s Source) notRun() string {
	if s.Run.Stopped != nil && s.Run.Stopped.Reason != "" {
		return "not run: " + s.Run.Stopped.Reason
	}
	return "not run"
}

// why is the reason of an attempt, else the signals that it failed.
func why(a *results.Attempt) string {
	var failed []string
	for _, name := range slices.Sorted(maps.Keys(a.Signals)) {
		if a.Signals[name] == results.Fail {
			failed = append(failed, name)
		}
	}
	text := strings.Join(failed, ", ")
	switch {
	case a.Reason != "" && a.Detail != "":
		return a.Reason + ": " + a.Detail
	case a.Reason != "":
		return a.Reason
	case text == "":
		return a.Outcome
	}
	return text
}
