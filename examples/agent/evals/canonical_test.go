package evals

import (
	"maps"
	"testing"

	"github.com/deeds-evals/deeds/behavior"

	"example.org/errand/errand"
)

// An adapter is a part of the judge: what it tells wrongly is judged wrongly.
func TestEvent(t *testing.T) {
	args := map[string]any{"file": "a.txt", "first": 3.0, "last": 5.0}
	got := event(errand.Step{Message: 2, Call: &errand.Call{Tool: "open_file", Args: args, Arguments: "{…}", Result: errand.Result{Fault: errand.Failed}}}, nil)
	want := map[string]any{"path": "a.txt", "offset": 3.0, "limit": 3.0}
	if c := got.Call; got.Turn != 2 || c.Tool != "read" || c.RawTool != "open_file" || c.Raw != "{…}" || c.Status != behavior.Failed || !maps.Equal(c.Args, want) {
		t.Errorf("told as %+v", *c)
	}
	unknown := event(errand.Step{Call: &errand.Call{Tool: "fly", Result: errand.Result{Fault: errand.NoSuchTool}}}, nil)
	if c := unknown.Call; c.Tool != "fly" || c.RawTool != "" || c.Status != behavior.Unknown {
		t.Errorf("told as %+v", *c)
	}
}
