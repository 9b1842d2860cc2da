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
	Start   time.Time          `json:"start"`
	At      time.Time          `json:"at"`
	Ended   bool               `json:"ended,omitempty"`
	Running map[string]attempt `json:"running,omitempty"`
}

// An attempt is one that is running.
type attempt struct {
	Text  string    `json:"text"`
	Since time.Time `json:"since"`
}

func (s status) clone() status {
	s.Running = maps.Clone(s.Running)
	return s
}

func (s status) done() int { return s.Pass + s.Fail + s.Void }

// sum adds up the processes of a run.
func sum(own status, others []status, runTotal int) status {
	all := own.clone()
	if all.Running == nil {
		all.Running = make(map[string]attempt)
	}
	for _, o := range others {
		all.Total += o.Total
		all.Pass += o.Pass
		all.Fail += o.Fail
		all.Void += o.Void
		all.Tokens += o.Tokens
		if o.Start.Before(all.Start) {
			all.Start = o.Start
		}
		maps.Copy(all.Running, o.Running)
	}
	all.Total = max(all.Total, runTotal)
	return all
}
