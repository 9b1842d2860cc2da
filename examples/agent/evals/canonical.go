package evals

import (
	"time"

	"github.com/deeds-evals/deeds/behavior"

	"example.org/errand/errand"
)

// canonical says what the runner's tools are called in cases, and what their
// arguments are.
var canonical = map[string]struct {
	tool string
	args map[string]string
}{
	"list_folder": {"ls", map[string]string{"folder": "path"}},
	"open_file":   {"read", map[string]string{"file": "path", "first": "offset"}},
	"store_file":  {"write", map[string]string{"file": "path", "text": "content"}},
	"swap_text":   {"edit", map[string]string{"file": "path", "find": "old", "put": "new"}},
	"run_line":    {"bash", map[string]string{"line": "command"}},
}

var statuses = map[errand.Fault]behavior.Status{
	"":                  behavior.OK,
	errand.Failed:       behavior.Failed,
	errand.BadArguments: behavior.Malformed,
	errand.NoSuchTool:   behavior.Unknown,
}

// event is a step in canonical form. Changed are the files that changed meanwhile.
func event(s errand.Step, changed []string) behavior.Event {
	if s.Call == nil {
		return behavior.Event{Kind: behavior.KindMessage, Turn: s.Message, Text: s.Said, Reasoning: s.Thought, Stop: s.Finished}
	}
	call := &behavior.Call{
		ID: s.Call.ID, Tool: s.Call.Tool, Args: s.Call.Args,
		Status: statuses[s.Call.Fault], Result: s.Call.Text, Exit: s.Call.Status,
		Took: time.Since(s.Began), Changed: changed,
	}
	if known, ok := canonical[s.Call.Tool]; ok {
		call.Tool, call.RawTool, call.Raw = known.tool, s.Call.Tool, s.Call.Arguments
		call.Args = renamed(s.Call.Args, known.args)
	}
	return behavior.Event{Kind: behavior.KindCall, Turn: s.Message, Call: call}
}

// renamed are the arguments by their canonical names; one that has none keeps its own.
func renamed(args map[string]any, names map[string]string) map[string]any {
	if args == nil {
		return nil
	}
	out := make(map[string]any)
	for name, value := range args {
		if to, ok := names[name]; ok {
			name = to
		}
		out[name] = value
	}
	// A last line is a canonical limit, counted from the first.
	if last, ok := out["last"].(float64); ok {
		first, given := out["offset"].(float64)
		if !given {
			first = 1
		}
		delete(out, "last")
		out["limit"] = last - first + 1
	}
	return out
}
