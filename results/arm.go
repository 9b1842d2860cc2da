package results

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Arm is one side of a comparison: the attempts of one model in one agent, over one
// or more runs. NewArm makes one.
//
// Within a run the plays of a slot follow the rule of [Run.Slots], so that a reroll
// never counts; the attempts of different runs are different attempts.
type Arm struct {
	Name         string
	Runs         []*Run // as they were given
	Model, Agent string

	ids     []string // of the runs; a baseline may hold several
	units   []armUnit
	at      map[unitKey]int
	rows    map[rowKey]int // ids of the rows
	summary ArmSummary
	traits  traits
}

// NewArm pools what one model did in the runs. An empty model stands for the only one
// that there is.
func NewArm(name string, runs []*Run, model string) (Arm, error) {
	a := Arm{Name: name, Runs: runs, Model: model, at: make(map[unitKey]int), rows: make(map[rowKey]int)}
	if len(runs) == 0 {
		return Arm{}, fmt.Errorf("%s: there is no run in it", name)
	}
	if err := a.pick(); err != nil {
		return Arm{}, err
	}
	a.summary = ArmSummary{Name: name, Model: a.Model}
	var parts []*Run
	for _, r := range runs {
		for _, part := range apart(r) {
			id := part.ID
			if slices.Contains(a.ids, id) && id != "" || slices.Contains(parts, part) {
				return Arm{}, fmt.Errorf("%s: run %s is in it twice, and its attempts would count twice", name, id)
			}
			if len(parts) > 0 && part.Kind() != parts[0].Kind() {
				return Arm{}, fmt.Errorf("%s: run %s is %s and others are %s, and an arm is of one kind", name, id, orUnknown(part.Kind()), orUnknown(parts[0].Kind()))
			}
			a.ids = append(a.ids, id)
			parts = append(parts, part)
		}
	}
	for i, part := range parts {
		if err := a.add(i, part); err != nil {
			return Arm{}, err
		}
	}
	if len(a.units) == 0 {
		return Arm{}, fmt.Errorf("%s: nothing was planned or played for %s", name, a.Model)
	}
	slices.SortFunc(a.units, func(x, y armUnit) int { return x.key.compare(y.key) })
	for i := range a.units {
		a.at[a.units[i].key] = i
	}
	a.sum()
	return a, nil
}

// pick settles the model.
func (a *Arm) pick() error {
	var models []string
	for _, r := range a.Runs {
		for _, m := range r.Models() {
			if !slices.Contains(models, m) {
				models = append(models, m)
			}
		}
	}
	switch {
	case len(models) == 0:
		return fmt.Errorf("%s: no model is on record", a.Name)
	case a.Model == "" && len(models) > 1:
		return fmt.Errorf("%s: it has several models, name one: %s", a.Name, strings.Join(models, ", "))
	case a.Model == "":
		a.Model = models[0]
	case !slices.Contains(models, a.Model):
		return fmt.Errorf("%s: it has no model %s, but %s", a.Name, a.Model, strings.Join(models, ", "))
	}
	for _, r := range a.Runs {
		if !slices.Contains(r.Models(), a.Model) {
			return fmt.Errorf("%s: run %s has nothing of %s, and would be counted as a run of it", a.Name, r.ID, a.Model)
		}
	}
	return nil
}

// orUnknown is the kind of a run, for people.
func orUnknown(kind string) string { return cmp.Or(kind, "of unknown kind") }

// apart returns the runs that a record holds, each by itself: one, but for a baseline
// that was saved of several.
func apart(r *Run) []*Run {
	var ids []string
	for _, p := range r.Plans {
		if p.Run != "" && !slices.Contains(ids, p.Run) {
			ids = append(ids, p.Run)
		}
	}
	if len(ids) == 0 {
		return []*Run{r}
	}
	if len(ids) == 1 {
		one := *r
		one.ID = ids[0]
		return []*Run{&one}
	}
	all := make([]*Run, len(ids))
	for i, id := range ids {
		all[i] = &Run{ID: id, Dir: r.Dir}
	}
	for _, p := range r.Plans {
		part := all[max(0, slices.Index(ids, p.Run))]
		part.Plans = append(part.Plans, p)
	}
	for i := range r.Attempts {
		part := all[max(0, slices.Index(ids, r.Attempts[i].Run))]
		part.Attempts = append(part.Attempts, r.Attempts[i])
	}
	return all
}

// replicates returns the arm's runs as arms of their own.
func (a Arm) replicates() ([]Arm, error) {
	var all []Arm
	for _, r := range a.Runs {
		for _, part := range apart(r) {
			one, err := NewArm(part.ID, []*Run{part}, a.Model)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// made tells an arm of NewArm from one that was written by hand.
func (a Arm) made() error {
	if len(a.units) == 0 {
		return errors.New("the arm holds nothing: make it with NewArm")
	}
	return nil
}

// Summary says what stands behind the arm.
func (a Arm) Summary() ArmSummary { return a.summary }

// sum fills in the summary.
func (a *Arm) sum() {
	s := &a.summary
	s.Agent, s.Runs, s.Units = a.Agent, a.ids, len(a.units)
	least, most := 0, 0
	for i := range a.units {
		n := a.units[i].all().decided()
		most = max(most, n)
		if n > 1 && (least == 0 || n < least) {
			least = n
		}
		s.Unequal = s.Unequal || n != a.units[0].all().decided()
	}
	s.K = least
	if least == 0 {
		s.K = most
	}
	for _, r := range a.Runs {
		s.Kind = lesser(s.Kind, r.Kind())
	}
}

// A unitKey is what pairs the units of two arms.
type unitKey struct{ id, world, variant string }

func (k unitKey) compare(o unitKey) int {
	return cmp.Or(strings.Compare(k.id, o.id), strings.Compare(k.world, o.world), strings.Compare(k.variant, o.variant))
}

// String returns case, world and variant, what is empty left out.
func (k unitKey) String() string {
	s := k.id
	for _, part := range []string{k.world, k.variant} {
		if part != "" {
			s += "/" + part
		}
	}
	return s
}
