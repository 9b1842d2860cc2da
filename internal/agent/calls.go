package agent

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/deeds-evals/deeds/internal/tools"
)

const (
	// maxAtOnce bounds how many calls of one message run at the same time.
	maxAtOnce = 16
	// stopGrace is how long a call may go on after it was told to stop.
	stopGrace = 10 * time.Second
)

// A result is what became of a call.
type result struct {
	call    ToolCall
	tool    string
	args    map[string]any
	outcome tools.Outcome
	begun   time.Time
	took    time.Duration
	running bool
	ended   bool
}

// A batch runs the calls of one message. Calls that change nothing run at the
// same time as their neighbours; one that may change something runs alone, after
// those before it and before those behind it. Whatever happens, each call ends
// with an outcome, and is told of in the order in which the model made it.
type batch struct {
	tools toolset
	guard *repeatGuard
	now   func() time.Time
	// stopped reports whether the user has stopped the work: nothing more is begun.
	stopped func() bool
	// tell is called once for each call, in the order in which the model made them. It
	// may add to the answer.
	tell func(*result)

	results []result
	told    int // how many were told of
	running int
	line    <-chan struct{} // the last place in the line of those that start children
	ended   chan finished
	err     error // the harness broke: nothing more is started
	cancel  context.CancelFunc
}

// finished says that a running call has ended.
type finished struct {
	index   int
	outcome tools.Outcome
	err     error
}

// run runs the calls. truncated says that the message was cut at the model's
// output limit, which is then in the middle of its last call. The error is for a
// harness that broke; the end of ctx is none.
func (b *batch) run(ctx context.Context, calls []ToolCall, truncated bool) error {
	ctx, b.cancel = context.WithCancel(ctx)
	defer b.cancel()
	b.results = make([]result, len(calls))
	b.ended = make(chan finished, len(calls)) // so that a call that was given up never blocks
	for i, c := range calls {
		b.results[i] = result{call: c, tool: c.Name, begun: b.now()}
		if !b.over(ctx, i) {
			b.start(ctx, i, truncated && i == len(calls)-1)
		}
	}
	b.wait(ctx, 0)
	return b.err
}

// over ends a call that was not started yet, if nothing may be started any more.
func (b *batch) over(ctx context.Context, i int) bool {
	if ctx.Err() == nil && b.err == nil {
		if !b.stopped() {
			return false
		}
		b.end(i, tools.Outcome{Status: tools.Cut, Text: "Not run: the user stopped the work before it began."})
		return true
	}
	b.end(i, tools.Outcome{Status: tools.Cut, Text: "Not run: the work was stopped before it began."})
	return true
}

// start answers a call at once, or sets it running.
func (b *batch) start(ctx context.Context, i int, truncated bool) {
	r := &b.results[i]
	if o, refused := b.guard.refuse(r.call); refused {
		b.end(i, o)
		return
	}
	if truncated && !isObject(r.call.Arguments) {
		b.end(i, tools.Outcome{Status: tools.Malformed, Text: "Not run: your message was cut at the output limit, in the middle " +
			"of the arguments of this call. Say it again in smaller parts, such as a file in several edits."})
		return
	}
	p, err := prepare(b.tools, r.call)
	if err != nil {
		b.fail(i, err)
		return
	}
	if p.Tool != "" {
		r.tool = p.Tool
	}
	r.args = p.Args
	if p.Early != nil {
		b.end(i, *p.Early)
		return
	}
	room := maxAtOnce - 1
	if p.Mutates {
		room = 0
	}
	b.wait(ctx, room)
	if b.over(ctx, i) {
		return
	}
	r.begun, r.running = b.now(), true
	b.running++
	leave := func() {}
	if r.tool == taskTool {
		var at place
		ctx, at, b.line = queue(ctx, b.line)
		leave = at.leave
	}
	go func() {
		o, err := perform(ctx, b.tools, p, r.tool)
		leave()
		b.ended <- finished{i, o, err}
	}()
	if p.Mutates {
		b.wait(ctx, 0)
	}
}

// wait waits until no more than n calls are running. When ctx ends it waits for
// all of them, and gives up those that do not stop.
func (b *batch) wait(ctx context.Context, n int) {
	for b.running > n && ctx.Err() == nil {
		select {
		case f := <-b.ended:
			b.take(ctx, f)
		case <-ctx.Done():
		}
	}
	if b.running == 0 || ctx.Err() == nil {
		return
	}
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	for b.running > 0 {
		select {
		case f := <-b.ended:
			b.take(ctx, f)
		case <-grace.C:
			b.giveUp()
		}
	}
}

// take notes how a running call ended.
func (b *batch) take(ctx context.Context, f finished) {
	b.running--
	if f.err != nil {
		b.fail(f.index, f.err)
		return
	}
	if ctx.Err() != nil && f.outcome.Status != tools.OK {
		f.outcome.Status = tools.Cut // it failed because it was stopped
	}
	b.end(f.index, f.outcome)
}

// giveUp ends the calls that did not stop.
func (b *batch) giveUp() {
	b.running = 0
	for i := range b.results {
		r := &b.results[i]
		if !r.running {
			continue
		}
		if b.err == nil {
			b.err = &StuckError{Tool: r.tool, For: stopGrace}
		}
		b.end(i, tools.Outcome{Status: tools.Cut, Text: "The call was stopped before it ended."})
	}
}

// fail ends a call at which the harness broke, and all that is still to come.
func (b *batch) fail(i int, err error) {
	if b.err == nil {
		b.err = err
	}
	b.cancel()
	b.end(i, tools.Outcome{Status: tools.Failed, Text: "The tool broke; this is no fault of the call."})
}

// end sets the outcome of a call, and tells of every call whose turn it is.
func (b *batch) end(i int, o tools.Outcome) {
	r := &b.results[i]
	if o.Status == "" {
		o.Status = tools.Failed
	}
	if o.Text == "" {
		o.Text = "(no output)"
	}
	r.outcome, r.took, r.running, r.ended = o, max(0, b.now().Sub(r.begun)), false, true
	for b.told < len(b.results) && b.results[b.told].ended {
		b.tell(&b.results[b.told])
		b.told++
	}
}

// prepare asks the tools what a call means.
func prepare(ts toolset, c ToolCall) (p tools.Prepared, err error) {
	defer recovered(c.Name, &err)
	return ts.Prepare(c.Name, c.Arguments), nil
}

// perform runs a call.
func perform(ctx context.Context, ts toolset, p tools.Prepared, name string) (o tools.Outcome, err error) {
	defer recovered(name, &err)
	return ts.Run(ctx, p), nil
}

// recovered turns a panic into an error. It is deferred.
func recovered(where string, err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Where: where, Value: v, Stack: debug.Stack()}
	}
}
