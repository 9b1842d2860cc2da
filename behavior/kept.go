package behavior

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/results"
)

// A keptRun is a run on record, as far as this package is concerned.
type keptRun struct {
	*results.Run
	plans  []results.Plan
	plays  map[string][]*results.Attempt // by case, rerolls and voids included
	counts map[results.Slot]*results.Attempt
}

// keptRun finds a run by its name and reads its record. What is called the last run is
// the last one that was played: a replay that has just begun is not meant.
func (p *process) keptRun(name string) (*keptRun, error) {
	root, err := journal.Root(p.dir, os.Getenv)
	if err != nil {
		return nil, err
	}
	// go test starts a package in its own folder, where nobody wrote the path.
	at := name
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) && p.module != "" {
		at = filepath.Join(p.module, name)
	}
	run, err := findKept(root, at)
	if err != nil {
		return nil, noRun(root, name, err)
	}
	k := &keptRun{
		Run: run, plays: make(map[string][]*results.Attempt),
		counts: make(map[results.Slot]*results.Attempt),
	}
	for _, plan := range run.Plans {
		if plan.Package == p.folder {
			k.plans = append(k.plans, plan)
		}
	}
	for i := range run.Attempts {
		a := &run.Attempts[i]
		if folder, _, _ := strings.Cut(a.Case, "/"); folder == p.folder {
			k.plays[a.Case] = append(k.plays[a.Case], a)
		}
	}
	for _, s := range run.Slots() {
		k.counts[s.Slot] = s.Decided
	}
	return k, nil
}

func findKept(root, name string) (*results.Run, error) {
	if name != "" && name != "last" {
		info, err := results.Find(root, name)
		if err != nil {
			return nil, err
		}
		return results.Load(info.Dir)
	}
	all, err := results.List(root)
	if err != nil {
		return nil, err
	}
	for _, info := range slices.Backward(all) {
		run, err := results.Load(info.Dir)
		if err != nil {
			return nil, err
		}
		if run.Kind() != results.Replayed {
			return run, nil
		}
	}
	return nil, fmt.Errorf("%w: nothing was played and recorded under %s", results.ErrNoRun, root)
}

// readEvidence reads what an attempt left behind.
func (k *keptRun) readEvidence(a *results.Attempt) (e Evidence, err error) {
	data, err := k.Evidence(*a)
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("the evidence %s is not what it should be: %w", a.Evidence, err)
	}
	return e, nil
}

// gone lists the cases of this package that the run has and the suite has not.
func (k *keptRun) gone(p *process) (ids []string) {
	there := make(map[string]bool)
	for _, c := range p.suite {
		there[c.ID] = true
	}
	for _, id := range sortedKeys(k.plays) {
		if !there[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// unitName names a unit, and the model where the run has several.
func (k *keptRun) unitName(s results.Slot) string {
	words := []string{s.Case}
	for _, w := range []string{s.World, s.Variant} {
		if w != "" {
			words = append(words, w)
		}
	}
	if len(k.Models()) > 1 {
		words = append(words, s.Model)
	}
	return strings.Join(words, "/")
}

// slotName names an attempt.
func (k *keptRun) slotName(s results.Slot) string {
	return fmt.Sprintf("%s/%d", k.unitName(s), s.Attempt)
}
