package progress

import (
	"maps"
	"time"
)

// A status is what one process knows, or several together.
type status struct {
	Total   int                `json:"total"`
	Pass    int                `json:"pass"`
	Fail    int                `json:"fail"`
	Void    int                `json:"void"`
	Tokens  int                `json:"tokens"`
	Cost    float64            `json:"cost,omitempty"`
	Priced  int                `json:"priced,omitempty"` // plays whose cost is known
	Free    int                `json:"free,omitempty"`   // plays whose cost is not
	Took    time.Duration      `json:"took,omitempty"`   // what is done, added up
	Signals map[string]tally   `json:"signals,omitempty"`
	Running map[string]running `json:"running,omitempty"`
	Start   time.Time          `json:"start"`
	At      time.Time          `json:"at"`
	Ended   bool               `json:"ended,omitempty"`
}

// A tally counts the attempts in which a signal was measured.
type tally struct {
	Passed   int `json:"passed"`
	Measured int `json:"measured"`
}

// A running is an attempt that has begun and not ended.
type running struct {
	Attempt
	Since time.Time `json:"since"`
	Turn  int       `json:"turn,omitempty"`
	Text  string    `json:"text,omitempty"`
	// Wait is why its request is held back, until Until.
	Wait  string    `json:"wait,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// waits reports whether a request of the attempt is held back, for longer than a moment.
func (r running) waits(now time.Time) bool {
	return r.Wait != "" && r.Until.Sub(now) > 500*time.Millisecond
}

func (s status) clone() status {
	s.Running, s.Signals = maps.Clone(s.Running), maps.Clone(s.Signals)
	return s
}

func (s status) done() int { return s.Pass + s.Fail + s.Void }

// spend adds what a play has used.
func (s *status) spend(r Result) {
	s.Tokens += max(r.Tokens, 0)
	if r.Cost == nil {
		s.Free++
		return
	}
	s.Cost += *r.Cost
	s.Priced++
}

// settle counts an attempt that has ended for good.
func (s *status) settle(r Result) {
	switch r.Outcome {
	case "pass":
		s.Pass++
	case "fail":
		s.Fail++
	default:
		s.Void++
		return // it proves nothing, of no signal
	}
	for name, passed := range r.Signals {
		n := s.Signals[name]
		n.Measured++
		if passed {
			n.Passed++
		}
		s.Signals[name] = n
	}
}

// sum adds up the processes of a run.
func sum(own status, others []status) status {
	all := own.clone()
	if all.Running == nil {
		all.Running = make(map[string]running)
	}
	if all.Signals == nil {
		all.Signals = make(map[string]tally)
	}
	for _, o := range others {
		all.Total += o.Total
		all.Pass += o.Pass
		all.Fail += o.Fail
		all.Void += o.Void
		all.Tokens += o.Tokens
		all.Cost += o.Cost
		all.Priced += o.Priced
		all.Free += o.Free
		all.Took += o.Took
		if o.Start.Before(all.Start) {
			all.Start = o.Start
		}
		for name, n := range o.Signals {
			sum := all.Signals[name]
			all.Signals[name] = tally{sum.Passed + n.Passed, sum.Measured + n.Measured}
		}
		maps.Copy(all.Running, o.Running)
	}
	return all
}
