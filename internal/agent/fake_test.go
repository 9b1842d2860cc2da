package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A script is a model that says what it was told to, and then that it is done.
type script struct {
	messages []Message
	requests []Request
	err      error // instead of the message after the last
	before   func(turn int)
}

func (s *script) Next(ctx context.Context, r Request) (Message, error) {
	s.requests = append(s.requests, r)
	turn := len(s.requests)
	if s.before != nil {
		s.before(turn)
	}
	if err := ctx.Err(); err != nil {
		return Message{}, err
	}
	if turn <= len(s.messages) {
		return s.messages[turn-1], nil
	}
	if s.err != nil {
		return Message{}, s.err
	}
	return Message{Role: Assistant, Text: "done", Stop: "stop"}, nil
}

// calls is a message that makes calls, each "name arguments".
func calls(all ...string) Message {
	m := Message{Role: Assistant, Stop: "tool_calls"}
	for i, c := range all {
		name, arguments, _ := strings.Cut(c, " ")
		m.Calls = append(m.Calls, ToolCall{ID: fmt.Sprintf("id%d", i), Name: name, Arguments: arguments})
	}
	return m
}

// A bench is a set of tools that do what a test says: look does not mutate, all
// others do.
type bench struct {
	mu    sync.Mutex
	env   tools.Env
	extra []tools.Extra
	mode  tools.Mode
	todos []tools.Todo
	do    map[string]func(ctx context.Context, args map[string]any) tools.Outcome
	ran   []string // names in the order in which they began

	looks, changes int // how many run at this moment
	most           int // how many looks ran at the same time
	raced          bool

	jobs    int // commands in the background that were begun
	running []string
	notices []tools.Notice
	news    chan struct{}
}

func newBench() *bench {
	ok := func(context.Context, map[string]any) tools.Outcome {
		return tools.Outcome{Status: tools.OK, Text: "fine"}
	}
	signal := func(kind tools.SignalKind) func(context.Context, map[string]any) tools.Outcome {
		return func(context.Context, map[string]any) tools.Outcome {
			return tools.Outcome{Status: tools.OK, Text: "noted", Signal: tools.Signal{
				Kind: kind, Text: "because", Todos: []tools.Todo{{Content: "one", Status: "pending"}},
			}}
		}
	}
	b := &bench{mode: tools.Build, news: make(chan struct{}), do: map[string]func(context.Context, map[string]any) tools.Outcome{
		"look": ok, "change": ok,
		"ask": signal(tools.AskedUser), "plan": signal(tools.AskedToPlan), "ready": signal(tools.PlanReady), "list": signal(tools.TodosSet),
		"fail": func(context.Context, map[string]any) tools.Outcome {
			return tools.Outcome{Status: tools.Failed, Text: "no", Signal: tools.Signal{Kind: tools.AskedUser}}
		},
		"nothing": func(context.Context, map[string]any) tools.Outcome { return tools.Outcome{} },
		"panic":   func(context.Context, map[string]any) tools.Outcome { panic("oh no") },
		"hang": func(ctx context.Context, _ map[string]any) tools.Outcome {
			<-ctx.Done()
			return tools.Outcome{Status: tools.Failed, Text: "stopped half way", Changed: []string{"half"}}
		},
	}}
	b.do["job"] = func(_ context.Context, args map[string]any) tools.Outcome {
		seconds, _ := args["n"].(float64)
		return tools.Outcome{Status: tools.OK, Text: b.begin(time.Duration(seconds) * time.Second)}
	}
	b.do["task"] = func(ctx context.Context, args map[string]any) tools.Outcome {
		word := func(name string) string { s, _ := args[name].(string); return s }
		return b.env.Delegate(ctx, tools.Task{Assignment: word("assignment"), Agent: word("agent"), ID: word("id")})
	}
	return b
}

// begin starts a command in the background.
func (b *bench) begin(d time.Duration) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs++
	id := fmt.Sprintf("bg-%d", b.jobs)
	b.running = append(b.running, id)
	time.AfterFunc(d, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.running = slices.DeleteFunc(b.running, func(r string) bool { return r == id })
		b.notices = append(b.notices, tools.Notice{ID: id, Text: "<notice>" + id + " ended</notice>"})
		close(b.news)
		b.news = make(chan struct{})
	})
	return id
}

func (b *bench) SetExtra(all []tools.Extra) { b.extra = all }

func (b *bench) Running() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.running)
}

func (b *bench) Notices() []tools.Notice {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.notices
	b.notices = nil
	return all
}

func (b *bench) WaitEnd(ctx context.Context) bool {
	for {
		b.mu.Lock()
		due, running, news := len(b.notices) > 0, len(b.running) > 0, b.news
		b.mu.Unlock()
		if due || !running {
			return due
		}
		select {
		case <-news:
		case <-ctx.Done():
			return false
		}
	}
}

func (b *bench) Close() {}

func (b *bench) Specs() []tools.Spec {
	var all []tools.Spec
	for _, name := range []string{"bash", "write", "todo", "question", "plan_enter"} {
		all = append(all, tools.Spec{Name: name})
	}
	return all
}
func (b *bench) Mode() tools.Mode     { return b.mode }
func (b *bench) SetMode(m tools.Mode) { b.mode = m }
func (b *bench) Todos() []tools.Todo  { return b.todos }

func (b *bench) Prepare(name, arguments string) tools.Prepared {
	p := tools.Prepared{Tool: name, Mutates: name != "look" && name != "hang" && name != "read" && !strings.Contains(arguments, "explore") && !strings.Contains(arguments, "review")}
	if b.do[name] == nil {
		p.Early = &tools.Outcome{Status: tools.Unknown, Text: "there is no such tool"}
		return p
	}
	if name == "unprepared" {
		panic("oh no")
	}
	if arguments == "" {
		arguments = "{}"
	}
	if json.Unmarshal([]byte(arguments), &p.Args) != nil {
		p.Early = &tools.Outcome{Status: tools.Malformed, Text: "that is no JSON object"}
	}
	return p
}

func (b *bench) Run(ctx context.Context, p tools.Prepared) tools.Outcome {
	count := func(n int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if p.Mutates {
			b.changes += n
		} else {
			b.looks += n
		}
		if n > 0 {
			b.ran = append(b.ran, p.Tool)
			b.most = max(b.most, b.looks)
			b.raced = b.raced || b.changes > 1 || b.changes == 1 && b.looks > 0
		}
	}
	count(1)
	defer count(-1)
	return b.do[p.Tool](ctx, p.Args)
}

// A stage holds what a test needs to play a session.
type stage struct {
	*Session
	model    *script
	tools    *bench
	children []*bench

	mu     sync.Mutex
	events []Event
}

func newStage(t testing.TB, c Config, messages ...Message) *stage {
	t.Helper()
	s := &stage{model: &script{messages: messages}, tools: newBench()}
	if c.Model == nil {
		c.Model = s.model
	}
	c.Observe = func(ev Event) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.events = append(s.events, ev)
	}
	var err error
	s.Session, err = newSession(c, s.equip)
	require.NoError(t, err)
	return s
}

// equip gives the agent its tools, and each child other ones that do the same.
func (s *stage) equip(env tools.Env) toolset {
	if s.tools.env.Delegate == nil {
		s.tools.env = env
		return s.tools
	}
	b := newBench()
	b.env, b.mode = env, env.Mode
	for name, do := range s.tools.do {
		if name != "task" && name != "job" {
			b.do[name] = do
		}
	}
	s.children = append(s.children, b)
	return b
}

// play sends one request and checks what must hold however it ends.
func (s *stage) play(t testing.TB, ctx context.Context) (Stop, error) {
	t.Helper()
	stop, err := s.Send(ctx, "go")
	require.Equal(t, err == nil, stop != "", "either a reason or an error: %q, %v", stop, err)
	s.mu.Lock()
	events := slices.Clone(s.events)
	s.mu.Unlock()
	wellFormed(t, "", s.History(), events)
	var stuck *StuckError
	if errors.As(err, &stuck) {
		return stop, err // what was given up may be a child that still works
	}
	for _, c := range s.Session.children.all {
		require.False(t, c.busy, c.id)
		wellFormed(t, c.id, c.History(), events)
	}
	return stop, err
}

// wellFormed checks that every call of the agent, or of the child, has one answer in
// the history, in order, under an id of its own, and one event.
func wellFormed(t testing.TB, who string, history []Message, events []Event) {
	t.Helper()
	var made, told []string
	ids := make(map[string]bool)
	for i := 0; i < len(history); i++ {
		m := history[i]
		require.NotEqual(t, Tool, m.Role, "an answer to nothing")
		for n, c := range m.Calls {
			require.NotEmpty(t, c.ID)
			require.False(t, ids[c.ID], "id %q is used twice", c.ID)
			ids[c.ID] = true
			made = append(made, c.ID)
			require.Regexp(t, `^[A-Za-z0-9_-]{1,64}$`, c.Name)
			require.True(t, isObject(c.Arguments), c.Arguments)
			require.Less(t, i+1+n, len(history), "a call without an answer")
			answer := history[i+1+n]
			require.Equal(t, Tool, answer.Role)
			require.Equal(t, c.ID, answer.CallID)
			require.NotEmpty(t, answer.Text)
		}
		i += len(m.Calls)
	}
	turn := 0
	for _, ev := range events {
		if ev.Agent != who {
			continue
		}
		require.GreaterOrEqual(t, ev.Turn, turn, "turns go forward")
		require.False(t, ev.Begun.IsZero())
		if ev.Kind == Said {
			require.Equal(t, turn+1, ev.Turn)
		}
		turn = ev.Turn
		if ev.Kind == Called {
			told = append(told, ev.Call.ID)
			require.NotEmpty(t, ev.Outcome.Status)
			require.NotEmpty(t, ev.Outcome.Text)
		}
	}
	if slices.ContainsFunc(events, func(ev Event) bool { return ev.Kind == Compacted && ev.Agent == who }) {
		told = append([]string(nil), told[max(0, len(told)-len(made)):]...) // the others are in the summary
	}
	require.Equal(t, made, told, "every call is told of once, in order")
}

// statuses lists the calls that were told of as "name status".
func (s *stage) statuses() []string {
	var all []string
	for _, ev := range s.events {
		if ev.Kind == Called && ev.Agent == "" {
			all = append(all, ev.Tool+" "+string(ev.Outcome.Status))
		}
	}
	return all
}

func (s *stage) kinds() []EventKind {
	var all []EventKind
	for _, ev := range s.events {
		all = append(all, ev.Kind)
	}
	return all
}
