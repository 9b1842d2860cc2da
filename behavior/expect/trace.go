package expect

import (
	"sort"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// trace is evidence with what one check works out of it on the way.
type trace struct {
	behavior.Evidence
	facts    *strings.Replacer
	lists    []int // index of the todo list that stood before each event, -1 for none
	contents map[string][][]string
	scripts  map[string]parsed
	roles    map[string]string
	words    []int  // of the user
	whole    *trace // that this is a part of, nil: of none
	base     int    // what was left out before the first event
}

func newTrace(e behavior.Evidence) *trace {
	t := &trace{Evidence: e}
	names := make([]string, 0, len(e.Facts))
	for n := range e.Facts {
		if n != "" {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return t
	}
	sort.Strings(names)
	pairs := make([]string, 0, 2*len(names))
	for _, n := range names {
		pairs = append(pairs, "{"+n+"}", e.Facts[n])
	}
	t.facts = strings.NewReplacer(pairs...)
	return t
}

// expand puts facts in the place of their names in braces; braces around
// anything else stay.
func (t *trace) expand(s string) string {
	if t.facts == nil || !strings.Contains(s, "{") {
		return s
	}
	return t.facts.Replace(s)
}

// Path is [behavior.Evidence.Path], but for evidence that names no workspace
// paths are relative to it all the same.
func (t *trace) Path(p string) string {
	p = t.Evidence.Path(p)
	if t.Workspace == "" && len(p) > 1 {
		p = strings.TrimPrefix(p, "/")
	}
	return p
}

// same reports whether two spellings name one place.
func (t *trace) same(a, b string) bool {
	return a != "" && b != "" && t.Path(a) == t.Path(b)
}

// listBefore is the todo list of the same agent that stood before event i.
func (t *trace) listBefore(i int) []behavior.Todo {
	if t.lists == nil {
		t.lists = make([]int, len(t.Timeline))
		last := make(map[string]int)
		for k, e := range t.Timeline {
			t.lists[k] = -1
			if n, ok := last[e.Agent]; ok {
				t.lists[k] = n
			}
			if e.Kind == behavior.KindTodo {
				last[e.Agent] = k
			}
		}
	}
	if n := t.lists[i]; n >= 0 {
		return t.Timeline[n].Todos
	}
	return nil
}

// linesOf are the non-blank lines of a file, once for each content it had.
func (t *trace) linesOf(file string) [][]string {
	p := t.Path(file)
	if all, ok := t.contents[p]; ok {
		return all
	}
	var all [][]string
	for _, tree := range []behavior.Files{t.Before, t.After} {
		f, ok := tree[p]
		if !ok || len(f.Data) == 0 {
			continue
		}
		if lines := solidLines(string(f.Data)); len(lines) > 0 {
			all = append(all, lines)
		}
	}
	if t.contents == nil {
		t.contents = make(map[string][][]string)
	}
	t.contents[p] = all
	return all
}

// earlier reports whether event a came before event b. For events of one agent
// that is a matter of turns: what shares a message has no order. The turns of
// two agents cannot be compared, so their places in the timeline decide. What does
// not come of a message has its place after all that stands before it, and before
// the next message alone: calls that were under way did not know of it.
func (t *trace) earlier(a, b int) bool {
	x, y := &t.Timeline[a], &t.Timeline[b]
	if x.Agent != y.Agent || comesByItself(y) {
		return a < b
	}
	return x.Turn < y.Turn
}

// comesByItself reports whether an event comes of no message of the agent: what the
// user says and decides, what the harness says, what ends in the background.
func comesByItself(ev *behavior.Event) bool {
	switch ev.Kind {
	case behavior.KindUser, behavior.KindMode, behavior.KindNotice, behavior.KindCompaction, behavior.KindSession, behavior.KindOutside:
		return true
	case behavior.KindPlan:
		return ev.State == "approved" || ev.State == "declined"
	case behavior.KindBackground:
		return ev.State == "ended" || ev.State == "timed-out" || ev.State == "withdrawn"
	}
	return false
}
