package behavior

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/sandbox"
)

// A talk is the user's side of one attempt: what is said when, and what changes in
// the workspace without the agent's doing. It records what it does.
type talk struct {
	unit  unit
	box   *sandbox.Box
	log   *timeline
	guest *guest // the simulated user; nil: there is none
	// within ends when nobody waits for the agent any more, whatever context it asks
	// with. Nil: never.
	within context.Context
	// ledger is told of what changes here by other hands than the agent's; nil: the
	// agent keeps none.
	ledger *ledger

	mu     sync.Mutex
	next   int // of the unit's turns
	asked  bool
	spoken int            // words of the user, the first included
	calls  map[string]int // successful calls so far, by tool
	due    []Meanwhile    // came about, and waits to be heard
	came   map[int]bool   // which of the unit's meanwhiles have come about
	marks  []UserTurn     // snapshots
	err    error          // what broke on our side
	over   bool           // the agent has had its say
}

func newTalk(u unit, box *sandbox.Box, log *timeline) *talk {
	return &talk{unit: u, box: box, log: log, calls: make(map[string]int), came: make(map[int]bool)}
}

// open records the user's first words and the mode in which the agent begins.
func (t *talk) open(before Files) {
	t.spoken = 1
	t.marks = []UserTurn{{Files: before}}
	t.log.begin(Event{Kind: KindUser, Text: t.unit.prompt}, Event{Kind: KindMode, Mode: t.unit.mode})
}

// turn counts the user's words.
func (t *talk) turn() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.spoken
}

// Next is [Task.Next].
func (t *talk) Next(ctx context.Context) (Word, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = true
	if t.within != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(t.within, cancel)()
	}
	if t.over || t.err != nil || ctx.Err() != nil {
		return Word{}, false
	}
	end := t.log.end()
	for t.next < len(t.unit.turns) {
		turn := t.unit.turns[t.next]
		t.next++
		if len(turn.Only) > 0 && !slices.Contains(turn.Only, end.Reason) {
			continue
		}
		return t.take(turn, end)
	}
	if t.guest == nil || !end.Orderly() {
		return Word{}, false
	}
	text, more, err := t.guest.answer(ctx, t.log.snapshot())
	if err != nil {
		t.err = err
	}
	if err != nil || !more {
		return Word{}, false
	}
	return t.take(Turn{Say: text}, end)
}

// take carries a turn of the user out.
func (t *talk) take(turn Turn, end End) (Word, bool) {
	w := Word{Text: expand(turn.Say, t.unit.facts), Fresh: turn.Fresh, Compact: turn.Compact}
	left, err := t.change(turn.Files, turn.Removed)
	if err != nil {
		t.err = err
		return Word{}, false
	}
	if turn.Fresh {
		// What a conversation left lying about is gone with it.
		if err := t.box.EmptyScratch(); err != nil {
			t.err = err
			return Word{}, false
		}
		t.log.add(Event{Kind: KindSession})
	}
	if turn.Plan != "" && end.Reason == EndPlan {
		w.Plan = turn.Plan
		switch {
		case turn.Plan == Approved && end.Detail == "asked":
			w.Mode = Plan
		case turn.Plan == Approved:
			w.Mode = Build
		}
		if w.Text == "" {
			w.Text = wordsOf(turn.Plan)
		}
	}
	t.mark(Event{Kind: KindUser, Text: w.Text}, left)
	if w.Plan != "" {
		t.log.add(Event{Kind: KindPlan, State: string(w.Plan)})
	}
	if w.Mode != "" {
		t.log.add(Event{Kind: KindMode, Mode: w.Mode})
	}
	return w, t.err == nil
}

// wordsOf is what a user says who only decides.
func wordsOf(d Decision) string {
	if d == Approved {
		return "Yes, go ahead."
	}
	return "No."
}

// Heard is [Task.Heard].
func (t *talk) Heard() []Word {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return nil
	}
	var words []Word
	for _, m := range t.due {
		ev := Event{Kind: KindUser, Text: expand(m.Say, t.unit.facts), State: "meanwhile"}
		if m.Stop {
			ev.State = "stop"
		}
		t.mark(ev, nil)
		words = append(words, Word{Text: ev.Text, Stop: m.Stop})
	}
	t.due = nil
	return words
}

// notice watches the agent's calls for what happens after one of them.
func (t *talk) notice(ev Event) {
	if ev.Kind != KindCall || ev.Agent != "" || ev.Call == nil || ev.Call.Status != OK {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return
	}
	t.calls[ev.Call.Tool]++
	t.calls[""]++
	for i, m := range t.unit.meanwhile {
		if t.came[i] || t.calls[m.After] < max(1, m.Nth) {
			continue
		}
		t.came[i] = true
		if _, err := t.change(m.Files, m.Removed); err != nil {
			t.err = err
			return
		}
		if m.Say != "" {
			t.due = append(t.due, m)
		}
	}
}

// change changes the workspace, and returns how the agent had left it.
func (t *talk) change(files fs.FS, removed []string) (left Files, err error) {
	if files == nil && len(removed) == 0 {
		return nil, nil
	}
	if left, err = t.snapshot(); err != nil {
		return nil, err
	}
	laid := make(linkedFS)
	if files != nil {
		if err := copyInto(laid, fixtures.Expand(files, t.unit.facts)); err != nil {
			return nil, err
		}
	}
	if err := t.ledger.pass(func() error { return t.box.Lay(laid, removed) }); err != nil {
		return nil, fmt.Errorf("the workspace could not be changed between two turns: %w", err)
	}
	t.log.add(Event{Kind: KindOutside, Text: changeWords(laid, removed), Changed: append(sortedKeys(laid), removed...)})
	return left, nil
}

func changeWords(laid linkedFS, removed []string) string {
	words := ""
	for _, p := range sortedKeys(laid) {
		words += ", " + p
	}
	for _, p := range removed {
		words += ", -" + p
	}
	return words[2:]
}

// mark records the user's words with the workspace as it is now.
func (t *talk) mark(ev Event, left Files) {
	files, err := t.snapshot()
	if err != nil {
		t.err = err
		return
	}
	t.spoken++
	t.marks = append(t.marks, UserTurn{Event: t.log.add(ev), Files: files, Left: left})
}

func (t *talk) snapshot() (Files, error) {
	tree, err := t.box.Snapshot()
	return fromSnapshot(tree), err
}

// hush ends the talk: what an agent that will not stop asks for later is not heard,
// and changes nothing.
func (t *talk) hush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
}

// close says what is known of the user's turns, and what kept the talk from being
// had: something of ours that broke, or an agent that does not take part.
func (t *talk) close(end End) (marks []UserTurn, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.marks) > 1 {
		marks = t.marks
	}
	switch {
	case t.err != nil:
		return marks, t.err
	case !end.Orderly():
		return marks, nil
	case !t.asked && (len(t.unit.turns) > 0 || t.guest != nil):
		return marks, errDeaf
	case len(t.due) > 0:
		return marks, errDeaf
	}
	return marks, nil
}

// reason says what an error of the talk makes of the attempt.
func (t *talk) reason(err error) (Reason, error) {
	var asking *guestError
	switch {
	case errors.Is(err, errDeaf):
		return ReasonUnsupported, err
	case errors.As(err, &asking):
		return ReasonProvider, err
	}
	return ReasonSandbox, err
}

// errDeaf is for an agent that takes one turn only, in a case of more.
var errDeaf = errors.New("this agent does not listen to its user: the case has several turns, or words while it works, and it never asked for the next")
