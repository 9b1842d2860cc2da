package trace

import (
	"errors"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/results"
)

// Of is the trace of an attempt with its evidence. Siblings are the slots of its unit.
func Of(run *results.Run, a *results.Attempt, siblings []results.SlotResult, e behavior.Evidence) Trace {
	return Trace{} // TODO(helper trace)
}

// Read reads the evidence of an attempt, and makes its trace.
func Read(run *results.Run, a *results.Attempt, siblings []results.SlotResult) (Trace, error) {
	return Trace{}, errors.New("not yet")
}
