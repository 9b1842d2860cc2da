package behavior

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/internal/sim"
	"github.com/deeds-evals/deeds/results"
)

// A simulation is a source: the scripts of the cases stand in for models that pass at
// a rate which is known. An attempt that is to pass plays the first pass script of its
// world, and any other one of the fail scripts. Both are played through the real loop,
// and judged like anything else: what is known is the truth, not the verdict.
type simulation struct {
	process *process
	seed    int64
	models  map[string]sim.Model
}

// newSimulation is the source of a run whose models are called sim:RATE. It refuses the
// run if any of the cases that are known by now cannot be simulated.
func newSimulation(p *process) (source, error) {
	if p.settings.seed == nil {
		seed := sim.SeedOf(p.run.id)
		p.settings.seed = &seed
		// What is shown again is to come out as it did.
		p.again = append(slices.Clone(p.again), fmt.Sprintf("-seed=%d", seed))
	}
	s := &simulation{process: p, seed: *p.settings.seed, models: make(map[string]sim.Model)}
	p.mu.Lock()
	entries := slices.Clone(p.entries)
	p.mu.Unlock()
	units, others := p.unitsOf(entries)
	for _, name := range p.settings.models {
		m, err := sim.Parse(name)
		if err != nil {
			return nil, &usageError{"-model=" + err.Error(), simHint}
		}
		if idle := m.Idle(units, others); len(idle) > 0 {
			return nil, &usageError{
				fmt.Sprintf("-model=%s: no case, world or variant is called %s", name, strings.Join(idle, " or ")),
				"a pattern is folder/case/world/variant, as far as the rate is for all below",
			}
		}
		s.models[name] = m
	}
	checked := make(map[results.Unit]bool)
	for _, e := range entries {
		for _, slot := range e.slots {
			of := slot.Unit()
			of.Model = ""
			if checked[of] {
				continue
			}
			checked[of] = true
			if _, err := s.scripts(slot.unit); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

const simHint = "it looks like sim:0.8, sim:0.1..0.9 for a rate of its own for every unit, or sim:0.8+core/*=0.5 for other rates of some"

// unitsOf are the units of the entries, and the other cases of the suite.
func (p *process) unitsOf(entries []*entry) (units []results.Unit, others []string) {
	own := make(map[string]bool)
	for _, e := range entries {
		own[e.id] = true
		for _, u := range e.c.units(e.id) {
			units = append(units, results.Unit{Case: e.id, World: u.world, Variant: u.variant})
		}
	}
	for _, c := range p.suite {
		if !own[c.ID] {
			others = append(others, c.ID)
		}
	}
	return units, others
}

// warm has nothing to do: nobody is far away.
func (s *simulation) warm(context.Context, string) error { return nil }

func (s *simulation) set(st *stage, sl *slot) (gateway.Upstream, error) {
	x, err := s.cast(sl)
	if err != nil {
		return nil, err
	}
	st.guest, st.userModel = script.NewUser(x.User), "script"
	player := script.NewPlayer(x.Messages)
	player.Summary = x.Summary
	return gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		reply, err := player.Complete(ctx, r)
		if err == nil {
			// The tokens are made up, but a limit on them must hold.
			s.process.run.limiter.Spent(reply.Usage.Prompt+reply.Usage.Completion, 0)
		}
		return reply, err
	}), nil
}

// cast decides how the attempt goes, and returns the script of that.
func (s *simulation) cast(sl *slot) (script.Section, error) {
	sections, err := s.scripts(sl.unit)
	if err != nil {
		return script.Section{}, err
	}
	m := s.models[sl.Model]
	if m.Passes(s.seed, sl.Slot) {
		return *sections.pass, nil
	}
	if n := len(sections.fails); n > 0 {
		return sections.fails[m.Choose(s.seed, sl.Slot, n)], nil
	}
	return script.Section{Kind: script.Fail, Messages: script.Silence()}, nil
}

func (s *simulation) scripts(u unit) (unitScripts, error) {
	sections, err := s.process.scripts(u)
	where := s.process.scriptPath(u.id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sections, &usageError{fmt.Sprintf("%s cannot be simulated: it has no script %s", u.id, where), "a simulation plays the scripts of a rehearsal; leave the case out with -run, or write it one"}
	case err != nil:
		return sections, &usageError{fmt.Sprintf("%s cannot be simulated: %s: %s", u.id, where, firstLine(err.Error())), "rehearse it: go test without -model says more"}
	case sections.pass == nil:
		return sections, &usageError{fmt.Sprintf("%s cannot be simulated: %s has no pass script for %s", u.id, where, described(u)), "rehearse it: go test without -model says more"}
	}
	return sections, nil
}

func described(u unit) string {
	if u.name() == "" {
		return "it"
	}
	return u.name()
}

// unitScripts are the scripts that are for one unit.
type unitScripts struct {
	pass  *script.Section // the first one; nil: there is none
	fails []script.Section
}

// scripts reads the scripts of a unit, with the facts that the unit has.
func (p *process) scripts(u unit) (unitScripts, error) {
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(p.scriptPath(u.id))))
	if err != nil {
		return unitScripts{}, err
	}
	all, err := script.Parse([]byte(expand(string(data), u.facts)))
	if err != nil {
		return unitScripts{}, err
	}
	var own unitScripts
	for _, s := range all.Sections {
		switch {
		case s.World != "" && s.World != u.world:
		case s.Kind == script.Fail:
			own.fails = append(own.fails, s)
		case own.pass == nil:
			own.pass = &s
		}
	}
	return own, nil
}

// simulation checks what a run was asked for whose models are scripts: that the names of
// the models can be read, and that nothing was asked of them which only an endpoint does.
func (r *reader) simulation(s settings) {
	if !s.simulated() {
		return
	}
	for _, name := range s.models {
		if _, err := sim.Parse(name); err != nil {
			r.fail("-model="+err.Error(), simHint)
		}
	}
	for _, name := range []string{"base-url", "temperature", "reasoning", "user-model", "retries", "rpm", "budget"} {
		if _, where, ok := r.given(name); ok {
			r.fail(fmt.Sprintf("%s means nothing with -model=%s: scripts stand in for the model", where, s.models[0]), "leave it out")
		}
	}
}
