package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// armHelp says how an arm is written.
const armHelp = `An arm is RUN[,RUN…][@MODEL]: the attempts of one model in one run or in several, or the
name of a baseline in the place of a run. @MODEL is needed where there are several.`

// arms reads the arms of one command. A run that is named twice is read once.
type arms struct {
	c      *Config
	root   string
	worlds []string // that alone count, if any are named
	read   map[string]*results.Run
}

// worldFlag is the flag that names them.
func worldFlag(cmd *cobra.Command, worlds *[]string) {
	cmd.Flags().StringSliceVar(worlds, "world", nil, "count these worlds (`a,b`) alone")
}

func (c *Config) arms() (*arms, error) {
	root, err := c.root()
	if err != nil {
		return nil, err
	}
	return &arms{c: c, root: root, read: make(map[string]*results.Run)}, nil
}

// run reads the run of a name. A baseline comes before a run that is named alike.
func (a *arms) run(name string) (*results.Run, error) {
	run, err := a.once("baseline "+name, func() (*results.Run, error) {
		run, err := results.LoadBaseline(a.root, name)
		if err != nil && !errors.Is(err, results.ErrNoBaseline) {
			err = unreadableBaseline(name, err)
		}
		return run, err
	})
	if err == nil || !errors.Is(err, results.ErrNoBaseline) {
		return run, err
	}
	info, err := a.c.find(name)
	if err != nil {
		return nil, a.suggest(name, err)
	}
	return a.once(info.Dir, func() (*results.Run, error) { return results.Load(info.Dir) })
}

func (a *arms) once(key string, read func() (*results.Run, error)) (*results.Run, error) {
	if run, ok := a.read[key]; ok {
		return run, nil
	}
	run, err := read()
	if err == nil {
		run, err = a.within(run)
	}
	if err == nil {
		a.read[key] = run
	}
	return run, err
}

// within leaves of a run what was played in the worlds that count.
func (a *arms) within(run *results.Run) (*results.Run, error) {
	if len(a.worlds) == 0 {
		return run, nil
	}
	there := run.Worlds()
	for _, w := range a.worlds {
		if !slices.Contains(there, w) {
			hint := "none of its cases has worlds"
			if len(there) > 0 {
				hint = didYouMean(w, there, "it has "+some(there))
			}
			return nil, misuse(fmt.Sprintf("the run %s has no world %q", run.ID, w), hint)
		}
	}
	return run.InWorlds(a.worlds...), nil
}

// suggest adds the baselines to what might have been meant by the name of a run.
func (a *arms) suggest(name string, err error) error {
	var f *fault
	if !errors.As(err, &f) || !strings.HasPrefix(f.what, "there is no run ") {
		return err
	}
	hint := f.hint
	if !strings.HasPrefix(hint, "did you mean") {
		hint = didYouMean(name, baselineNames(a.root), "`deeds runs` lists the runs, `deeds baseline list` the baselines")
	}
	return misuse(fmt.Sprintf("there is no run and no baseline %q", name), hint)
}

// baselineNames lists the baselines, for a hint.
func baselineNames(root string) []string {
	all, err := results.Baselines(root)
	if err != nil {
		return nil
	}
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.Name
	}
	return names
}

// runs reads the runs of names.
func (a *arms) runs(names []string) ([]*results.Run, error) {
	var all []*results.Run
	for _, name := range names {
		run, err := a.run(name)
		if err != nil {
			return nil, err
		}
		all = append(all, run)
	}
	return all, nil
}

// arm reads an arm as it is written. The one of an empty word is the last run.
func (a *arms) arm(word string) (results.Arm, error) {
	names, model, named := strings.Cut(word, "@")
	if named && model == "" {
		return results.Arm{}, misuse(fmt.Sprintf("%q names no model behind its @", word), "write RUN@MODEL, or RUN alone")
	}
	runs, err := a.runs(strings.Split(names, ","))
	if err != nil {
		return results.Arm{}, err
	}
	if word == "" {
		word = runs[0].ID
	}
	return newArm(word, runs, model)
}

// replicates reads arms that are replicates of one another: each run by itself. Where
// one holds several models, model is meant if none is named.
func (a *arms) replicates(words []string, model string) ([]results.Arm, error) {
	var all []results.Arm
	for _, word := range words {
		names, own, named := strings.Cut(word, "@")
		if named && own == "" {
			return nil, misuse(fmt.Sprintf("%q names no model behind its @", word), "write RUN@MODEL, or RUN alone")
		}
		for _, name := range strings.Split(names, ",") {
			run, err := a.run(name)
			if err != nil {
				return nil, err
			}
			of := own
			if !named && len(run.Models()) > 1 {
				of = model
			}
			arm, err := newArm(name, []*results.Run{run}, of)
			if err != nil {
				return nil, err
			}
			all = append(all, arm)
		}
	}
	return all, nil
}

// newArm makes an arm, and says what there is to choose from where the model is not
// settled.
func newArm(name string, runs []*results.Run, model string) (results.Arm, error) {
	var models []string
	for _, r := range runs {
		for _, m := range r.Models() {
			if !slices.Contains(models, m) {
				models = append(models, m)
			}
		}
	}
	names, _, _ := strings.Cut(name, "@")
	switch {
	case model == "" && len(models) > 1:
		return results.Arm{}, misuse(fmt.Sprintf("%s has %d models, and an arm is one of them", name, len(models)),
			fmt.Sprintf("write %s; it has %s", overview.Quote(names+"@"+models[0]), some(models)))
	case model != "" && len(models) > 0 && !slices.Contains(models, model):
		return results.Arm{}, misuse(fmt.Sprintf("%s has no model %q", names, model), didYouMean(model, models, "it has "+some(models)))
	}
	arm, err := results.NewArm(name, runs, model)
	if err != nil {
		return results.Arm{}, misuse(err.Error(), "an arm is RUN[,RUN…][@MODEL], of runs of one kind; `deeds runs` lists them")
	}
	return arm, nil
}

// misnamed is the misuse that an error of package results tells of. Where that names the
// nearest of what there is, the hint is made of them.
func misnamed(err error, hint string) error {
	what, near, ok := strings.Cut(err.Error(), "; the nearest are: ")
	if ok {
		_, name, _ := strings.Cut(what, ` "`)
		hint = didYouMean(strings.TrimSuffix(name, `"`), strings.Split(near, ", "), "the nearest are "+near)
	}
	return misuse(what, hint)
}

// describeArm says what stands behind an arm, on one line.
func describeArm(s results.ArmSummary) string {
	kind := s.Kind
	if kind == "" {
		kind = "of unknown kind"
	}
	text := fmt.Sprintf("%s in %s, %s: %s, %s, %d of %s", s.Model, s.Agent, kind, count(len(s.Runs), "run", "runs"),
		count(s.Units, "unit", "units"), s.Attempts, count(s.Slots, "attempt", "attempts"))
	for _, part := range []struct {
		n    int
		word string
	}{
		{s.Void, "void"}, {s.NotRun, "not run"}, {s.Attempts - s.Answered, "without an answer"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.word)
		}
	}
	if s.Rerolls > 0 {
		text += fmt.Sprintf("; %s, not counted", count(s.Rerolls, "reroll", "rerolls"))
	}
	return text
}
