package behavior

import (
	"reflect"
	"slices"
)

// claim gives the stub calls that a call of the agent's has made to whoever made it:
// to a child, and to its turn. A stub does not know who calls it, and its record
// stands in the timeline before that of the call, which is told of when it has ended.
//
// Without it all that a child does with stubs would share the turn of the main agent's
// message that sent it.
func (t *timeline) claim(call Event) {
	if call.Call == nil {
		return
	}
	for i := len(t.events) - 1; i >= 0; i-- {
		ev := &t.events[i]
		if ev.Kind != KindServed || t.owned[i] || !made(*call.Call, *ev) {
			continue
		}
		if t.owned == nil {
			t.owned = make(map[int]bool)
		}
		t.owned[i] = true
		ev.Agent, ev.Turn = call.Agent, call.Turn
		return
	}
}

// made reports whether a call is the one by which a stub was called.
func made(c Call, served Event) bool {
	name, args := served.Call.Tool, plainArgs(c.Args)
	switch {
	case served.ID == "":
	case name == resourceTool:
		return c.Tool == "mcp_resources" && reflect.DeepEqual(args["uri"], served.Call.Args["uri"])
	default:
		name = "mcp_" + served.ID + "_" + name
	}
	return c.Tool == name && reflect.DeepEqual(args, served.Call.Args)
}

// unaccounted are the files that changed while a background command ran, less those
// that a call of the same agent accounts for which ended meanwhile, and those that
// somebody outside changed: an agent that edits a file while its server runs has
// edited it itself.
func (t *timeline) unaccounted(end Event) []string {
	if len(end.Changed) == 0 {
		return nil
	}
	changed := slices.Clone(end.Changed)
	for _, ev := range slices.Backward(t.events) {
		if ev.Kind == KindOutside {
			changed = slices.DeleteFunc(changed, func(p string) bool { return slices.Contains(ev.Changed, p) })
		}
		if ev.Agent != end.Agent {
			continue
		}
		if ev.Kind == KindBackground && ev.ID == end.ID && (ev.State == "started" || ev.State == "promoted") {
			break
		}
		if ev.Kind == KindCall && ev.Call != nil {
			changed = slices.DeleteFunc(changed, func(p string) bool { return slices.Contains(ev.Call.Changed, p) })
		}
	}
	return changed
}
