package behavior

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/deeds-evals/deeds/results"
)

// maxPlays bounds how often a slot is played: once, and twice more while it is
// void.
const maxPlays = 3

// An entry is one case that is to be played: its slots were counted before
// anything ran.
type entry struct {
	id    string
	test  string
	c     Case
	slots []*slot
	// unasked are planned, and left out this time: a run may be gone on with in part.
	unasked []results.Slot
}

// A slot is a planned attempt and what has become of it.
type slot struct {
	results.Slot
	unit unit
	name string // of its subtest, below the case's; "" if the case has one slot

	red bool // it failed in a run that is gone on with, and so its case is red

	mu    sync.Mutex
	plays int
	first *attempt // the first pass or fail
	last  *attempt
}

// settled is the attempt that counts: the first pass or fail, else the last
// void, else none.
func (s *slot) settled() *attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first != nil {
		return s.first
	}
	return s.last
}

// entry plans a case. Under -count a case comes again, and finds its slots as they
// are: what is played then is a reroll.
func (p *process) entry(id, test string, c Case) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.entries {
		if e.id == id {
			return e
		}
	}
	e := &entry{id: id, test: test, c: c}
	if e.slots = p.slots(e); p.settings.replay != "" {
		p.missed(e)
	}
	p.restore(p.run.past, []*entry{e})
	if len(e.slots) > 0 && !p.settings.dryRun {
		p.entries = append(p.entries, e)
	}
	return e
}

// leaveOut says why a case is not played, or nothing.
func (p *process) leaveOut(id string, c Case) string {
	if len(p.settings.signals) > 0 && len(p.deciding(c)) == 0 {
		return "none of its signals was asked for"
	}
	if why := p.resumed.leaveOut(id, p.suite); why != "" {
		return why
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	place := slices.Index(p.selected, id)
	if place < 0 {
		place = len(p.selected)
		p.selected = append(p.selected, id)
	}
	if p.settings.limit > 0 && p.resumed.beyond(id, place, p.settings.limit) {
		return fmt.Sprintf("beyond -limit=%d", p.settings.limit)
	}
	return ""
}

// deciding are the signals that make a case red or green: all of its own, or
// those that -signal names.
func (p *process) deciding(c Case) map[Signal]bool {
	set := make(map[Signal]bool)
	for _, s := range c.signals() {
		set[s] = len(p.settings.signals) == 0
	}
	for _, s := range p.settings.signals {
		if _, has := set[s]; has {
			set[s] = true
		}
	}
	for s, on := range set {
		if !on {
			delete(set, s)
		}
	}
	return set
}

// slots plans the attempts of a case, those that go test's own -run and -skip
// leave out excepted.
func (p *process) slots(e *entry) []*slot {
	units := e.c.units(e.id)
	if len(p.settings.worlds) > 0 {
		var kept []unit
		for _, u := range units {
			for _, w := range p.settings.worlds {
				if u.world == w {
					kept = append(kept, u)
				}
			}
		}
		units = kept
	}
	filter := currentTestFilter()
	var all []*slot
	for _, u := range units {
		for n := 1; n <= p.settings.repeat; n++ {
			// Models are played side by side, so that what happens to the endpoint
			// happens to all of them, and in turns, so that none is always the first.
			for i := range p.settings.models {
				model := p.settings.models[(i+n-1)%len(p.settings.models)]
				var levels []string
				if len(p.settings.models) > 1 {
					levels = append(levels, model)
				}
				if u.name() != "" {
					levels = append(levels, u.name())
				}
				if p.settings.repeat > 1 {
					levels = append(levels, fmt.Sprintf("attempt=%d", n))
				}
				s := &slot{
					Slot: results.Slot{Case: e.id, World: u.world, Variant: u.variant, Model: model, Agent: nameOf(e.c.Agent, p.settings.agent), Attempt: n},
					unit: u.drawn(n), name: strings.Join(levels, "/"),
				}
				test := path.Join(e.test, s.name)
				switch {
				case !p.takesUp(s.Slot) || !p.resumed.asks(test, s.Slot):
				case filter.selects(test):
					all = append(all, s)
				case p.resumed != nil:
					e.unasked = append(e.unasked, s.Slot)
				}
			}
		}
	}
	return all
}

// replayable reports whether a void may come out otherwise if played again.
func (a attempt) replayable() bool {
	switch a.reason {
	case ReasonProvider, ReasonSandbox, ReasonHarness, ReasonCompromised:
		return true
	}
	return false
}
