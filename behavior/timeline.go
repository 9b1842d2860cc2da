package behavior

import (
	"slices"
	"sync"
	"time"
)

// A timeline collects events, from any goroutine, until it is closed: those that
// the agent reports, and those that the harness knows by itself.
type timeline struct {
	start time.Time
	// watch is told of what the agent reports, after it is on record.
	watch func(Event)

	mu     sync.Mutex
	turn   int // of the main agent's last message
	events []Event
	owned  map[int]bool // served events whose caller is known
	closed bool

	children int // messages of children
}

// begin starts the clock, with what is there from the beginning.
func (t *timeline) begin(events ...Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.start, t.events = time.Now(), events
}

// ours reports whether only the harness can know of an event.
func (ev Event) ours() bool {
	switch ev.Kind {
	case KindUser, KindSession, KindServed, KindFault, KindOutside:
		return true
	case KindPlan:
		return ev.State == string(Approved) || ev.State == string(Declined)
	}
	return false
}

// record is [Task.Record].
func (t *timeline) record(ev Event) {
	if ev.ours() {
		return
	}
	if ev.Call != nil && ev.Call.Status == "" {
		call := *ev.Call
		call.Status = OK
		ev.Call = &call
	}
	t.mu.Lock()
	if ev.Kind == KindMessage && ev.Agent == "" {
		t.turn = ev.Turn
	}
	if ev.Kind == KindMessage && ev.Agent != "" {
		t.children++
	}
	closed := t.closed
	if !closed {
		switch ev.Kind {
		case KindCall:
			t.claim(ev)
		case KindBackground:
			ev.Changed = t.unaccounted(ev)
		}
		t.events = append(t.events, ev)
	}
	t.mu.Unlock()
	if !closed && t.watch != nil {
		t.watch(ev)
	}
}

// add records an event of the harness's own, at the agent's turn and now, and
// returns its place.
func (t *timeline) add(ev Event) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	ev.Turn, ev.At = t.turn, time.Since(t.start)
	if !t.closed {
		t.events = append(t.events, ev)
	}
	return len(t.events) - 1
}

// ofChildren counts the messages of children so far.
func (t *timeline) ofChildren() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.children
}

// snapshot is what has happened so far.
func (t *timeline) snapshot() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.events)
}

// close ends the timeline: what an agent that will not stop says later is no
// evidence.
func (t *timeline) close() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return t.events
}

// end says how the agent's turn ended, that ended by itself, from what it did last
// since the user gave it the turn.
func (t *timeline) end() End {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ev := range slices.Backward(t.events) {
		switch {
		case ev.Agent != "":
		case ev.Kind == KindUser && ev.State != "meanwhile":
			return End{Reason: EndStop}
		case ev.Kind == KindMessage:
			if ev.Stop == "length" {
				return End{EndLength, "the model was cut at its output limit"}
			}
			if ev.Stop == "content_filter" {
				return End{EndRefusal, "the model's content filter stopped it"}
			}
			return End{Reason: EndStop}
		case ev.Kind == KindQuestion:
			return End{EndQuestion, ev.Text}
		case ev.Kind == KindPlan && (ev.State == "ready" || ev.State == "asked"):
			return End{EndPlan, ev.State}
		}
	}
	return End{Reason: EndStop}
}
