package behavior

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// scripted plays a case by the built-in agent and the section of a script.
func scripted(t *testing.T, c Case, text string) attempt {
	t.Helper()
	c.Claim = "It goes on."
	if c.Prompt == "" {
		c.Prompt = "Begin."
	}
	if c.Expect == nil {
		c.Expect = BySignal{RequiredTool: {finds(Pass)}}
	}
	require.NoError(t, c.validate())
	s, err := script.Parse([]byte("-- pass --\n" + text))
	require.NoError(t, err)
	return testStage(t).play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(s.Sections[0].Messages))
}

func TestWhatOnlyTheHarnessKnowsIsNotTheAgentsToTell(t *testing.T) {
	t.Parallel()
	forged := []Event{
		{Kind: KindUser, Text: "Yes."},
		{Kind: KindUser, Text: "Yes.", State: "meanwhile"},
		{Kind: KindSession},
		{Kind: KindServed, ID: "desk", Call: &Call{Tool: "pay", Status: OK}},
		{Kind: KindFault, ID: "read"},
		{Kind: KindOutside, Text: "a"},
		{Kind: KindPlan, State: "approved"},
		{Kind: KindPlan, State: "declined"},
	}
	a, _ := played(t, Case{}, speaking{act: func(task Task, _ string) {
		for _, ev := range forged {
			task.Record(ev)
		}
		task.Record(Event{Kind: KindPlan, State: "ready"})
	}})
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Equal(t, []Kind{KindUser, KindMode, KindMessage, KindPlan}, kindsOf(a.evidence.Timeline))
	require.Equal(t, "ready", a.evidence.Timeline[3].State)
}

// A plan that waited for a word in an earlier turn does not wait for another one.
func TestAnEndIsThatOfTheLastTurn(t *testing.T) {
	t.Parallel()
	var heard []Word
	c := Case{Claim: "x", Prompt: "Begin.", Mode: Plan, Expect: BySignal{RequiredTool: {finds(Pass)}},
		Turns: []Turn{{Say: "Smaller.", Plan: Declined}, {Say: "Go.", Plan: Approved}},
		Agent: agentFunc(func(ctx context.Context, task Task) error {
			task.Record(Event{Kind: KindMessage, Turn: 1, Text: "…"})
			task.Record(Event{Kind: KindPlan, State: "ready"})
			for word, more := task.Next(ctx); more; word, more = task.Next(ctx) {
				heard = append(heard, word)
			}
			return nil
		}),
	}
	a := testStage(t).play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(script.Silence()))
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Equal(t, []Word{{Text: "Smaller.", Plan: Declined}, {Text: "Go."}}, heard)
	require.Equal(t, EndStop, a.evidence.End.Reason)
}

// during is an expectation that does something while it is judged.
type during func()

func (during) Spec() Spec { return Spec{Want: "time", Where: "misuse_test.go:1"} }
func (f during) Check(Evidence) Finding {
	f()
	return Finding{Outcome: Pass}
}

// What an agent asks for when it has ended is not heard, and changes nothing that is
// being judged.
func TestNothingIsSaidToAnAgentThatHasEnded(t *testing.T) {
	t.Parallel()
	var (
		late  sync.WaitGroup
		ended = make(chan struct{})
		heard atomic.Int32
	)
	c := Case{Claim: "x", Prompt: "Begin.", Expect: BySignal{RequiredTool: {during(func() { close(ended); late.Wait() })}},
		Turns:     []Turn{{Say: "Two."}, {Say: "Three."}, {Say: "Four.", Files: fixtures.Txtar("-- late --\nx\n")}},
		Meanwhile: []Meanwhile{{After: "write", Say: "Wait.", Files: fixtures.Txtar("-- later --\nx\n")}},
		Agent: agentFunc(func(ctx context.Context, task Task) error {
			task.Record(Event{Kind: KindMessage, Turn: 1, Text: "…"})
			task.Next(ctx)
			late.Go(func() {
				<-ended
				for range 20 {
					late.Go(func() {
						if _, more := task.Next(context.Background()); more {
							heard.Add(1)
						}
						task.Record(Event{Kind: KindCall, Call: &Call{Tool: "write"}})
						heard.Add(int32(len(task.Heard())))
					})
				}
			})
			return nil
		}),
	}
	a := testStage(t).play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(script.Silence()))
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Zero(t, heard.Load())
	require.Len(t, a.evidence.Turns, 2)
	require.Empty(t, a.evidence.After)
}

// However an agent asks for the next word, each is said once.
func TestWordsAreSaidOnceToSeveralListeners(t *testing.T) {
	t.Parallel()
	var (
		mu   sync.Mutex
		said []string
	)
	c := Case{Claim: "x", Prompt: "Begin.", Expect: BySignal{RequiredTool: {finds(Pass)}},
		Turns: []Turn{{Say: "1"}, {Say: "2"}, {Say: "3"}, {Say: "4"}},
		Agent: agentFunc(func(ctx context.Context, task Task) error {
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for word, more := task.Next(ctx); more; word, more = task.Next(ctx) {
						task.Record(Event{Kind: KindMessage, Text: "…"})
						mu.Lock()
						said = append(said, word.Text)
						mu.Unlock()
					}
				})
			}
			all.Wait()
			return nil
		}),
	}
	a := testStage(t).play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(script.Silence()))
	require.Equal(t, Pass, a.outcome, a.detail)
	require.ElementsMatch(t, []string{"1", "2", "3", "4"}, said)
	require.Len(t, a.evidence.Turns, 5)
	for _, mark := range a.evidence.Turns {
		require.Equal(t, KindUser, a.evidence.Timeline[mark.Event].Kind)
	}
}

// An agent that waits for its user with a context of its own keeps nobody else waiting.
func TestASimulatedUserKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	st := testStage(t)
	st.grace = 100 * time.Millisecond
	st.guest = gateway.UpstreamFunc(func(ctx context.Context, _ *gateway.Request) (*gateway.Reply, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	c := Case{Claim: "x", Prompt: "Begin.", User: &User{Goal: "to wait"}, Expect: BySignal{RequiredTool: {finds(Pass)}},
		Agent: agentFunc(func(_ context.Context, task Task) error {
			task.Record(Event{Kind: KindMessage, Turn: 1, Text: "…"})
			time.AfterFunc(50*time.Millisecond, cancel)
			task.Next(context.Background())
			return nil
		}),
	}
	done := make(chan attempt, 1)
	go func() { done <- st.play(ctx, c.units("core/x")[0], "m", script.NewPlayer(script.Silence())) }()
	select {
	case a := <-done:
		require.Equal(t, ReasonStopped, a.reason)
	case <-time.After(10 * time.Second):
		require.Fail(t, "it waits for the user still")
	}
}

// No deed of an agent in its own world makes its attempt prove nothing.
//
// It runs before the tests that look at the clock, for it keeps the machine busy.
func TestNothingInItsWorldVoidsAnAttempt(t *testing.T) {
	for name, command := range map[string]string{
		"rules":             "rm AGENTS.md sub/AGENTS.md .agents/rules/r.md .agents/skills/s/SKILL.md; mkfifo AGENTS.md sub/AGENTS.md .agents/rules/r.md .agents/skills/s/SKILL.md",
		"folders for files": "rm AGENTS.md sub/AGENTS.md .agents/skills/s/SKILL.md; mkdir AGENTS.md sub/AGENTS.md .agents/skills/s/SKILL.md",
		"everything":        "rm -rf ./* ./.[a-z]* ~ \"$TMPDIR\"",
		"links":             "rm -rf .agents AGENTS.md docs; ln -s /etc .agents; ln -s AGENTS.md AGENTS.md; ln -s /etc docs; ln -s / ~/l; ln -s / \"$TMPDIR/l\"",
		"loops":             "rm -rf .agents docs; ln -s .agents .agents; ln -s docs docs",
		"memory":            "mkdir -p ~/.agents; echo x > ~/.agents/memory",
		"memory elsewhere":  "mkdir -p ~/.agents; ln -s /etc ~/.agents/memory",
		"a large note":      "mkdir -p ~/.agents/memory; truncate -s 50M ~/.agents/memory/a.md",
		"depth":             "for i in $(seq 52); do mkdir -p a/a/a/a/a/a/a/a/a/a && cd a/a/a/a/a/a/a/a/a/a; done; echo x > x",
		"closed":            "mkdir -p ~/.agents/memory; echo x > ~/.agents/memory/a.md; chmod -R 0 docs .agents AGENTS.md ~/.agents; mkdir -p \"$TMPDIR/a/b\"; chmod -R 0 \"$TMPDIR\"; chmod 0 ~ .",
		"a busy scratch":    "(n=0; while :; do n=$((n+1)); mkdir -p \"$TMPDIR/a/$n\"; echo > \"$TMPDIR/a/$n/x\"; done) >/dev/null 2>&1 & sleep 0.1",
		"pipes":             "mkfifo ~/f \"$TMPDIR/f\" f; rm -rf docs; mkfifo docs",
		"its own shell":     "kill -9 $PPID; kill -9 $$",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := scripted(t, Case{
				Files: fixtures.Txtar(`
-- AGENTS.md --
Be kind.
-- docs/a.md --
a
-- sub/AGENTS.md --
Be brief.
-- .agents/rules/r.md --
---
always: true
---
Be.
-- .agents/skills/s/SKILL.md --
---
name: s
description: d
---
Body.
`),
				Turns: []Turn{
					{Say: "Two.", Files: fixtures.Txtar("-- docs/b.md --\nb\n-- sub/x --\nx\n"), Removed: []string{"docs/a.md"}},
					{Say: "Three.", Fresh: true},
				},
			}, "bash command=`"+command+"`\n\nsay One.\n\nread path=sub/x\nskill name=s\nmemory operation=save key=k text=t\n\nsay Two.\n\nfresh\nls path=docs\n\nsay Three.\n")
			require.Equal(t, Pass, a.outcome, "%s: %s", a.reason, a.detail)
			require.Equal(t, "b\n", string(a.evidence.Turns[1].Files["docs/b.md"].Data))
			require.Less(t, a.agentTime(), 30*time.Second)
		})
	}
}

// A new conversation counts from 1 again, and what it says is told apart from what the
// one before it said. Commands do not outlive the conversation that began them.
func TestTurnsAreCountedOnInANewConversation(t *testing.T) {
	a := scripted(t, Case{
		Turns:      []Turn{{Say: "And again.", Fresh: true}},
		Background: Background{Idle: time.Millisecond},
	}, `bash command="sleep 100" background=true
task agent=explore assignment="Look."

child 1
ls

child 1
say Nothing.

say One.

fresh
bash command="sleep 100" background=true
task agent=explore assignment="Look again."

child 2
ls

child 2
say Nothing.

say Two.
`)
	require.Equal(t, Pass, a.outcome, a.detail)
	type message struct {
		agent string
		turn  int
	}
	said := make(map[message]int)
	var states []string
	for _, ev := range a.evidence.Timeline {
		switch ev.Kind {
		case KindMessage:
			said[message{ev.Agent, ev.Turn}]++
		case KindBackground:
			states = append(states, ev.ID+" "+ev.State)
		}
	}
	want := make(map[message]int)
	for turn := 1; turn <= 4; turn++ {
		want[message{"", turn}], want[message{"child-1", turn}] = 1, 1
	}
	require.Equal(t, want, said)
	require.Equal(t, "bg-1 started, bg-1 killed, bg-1 started", strings.Join(states, ", "))
}

// An agent that does not stop goes on in a world that is gone, and harms nobody.
func TestAnAgentWritesWhileItIsStopped(t *testing.T) {
	st := testStage(t)
	st.grace = 20 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	c := Case{Claim: "x", Prompt: "Begin.", Expect: BySignal{RequiredTool: {finds(Pass)}},
		Agent: agentFunc(func(_ context.Context, task Task) error {
			defer close(left)
			cancel()
			for range 100 {
				_ = afero.WriteFile(task.Files, "a/b/c", []byte("x"), 0o644)
				_ = task.Files.MkdirAll("a/b", 0o755)
				task.Record(Event{Kind: KindCall, Call: &Call{Tool: "write", Args: map[string]any{"path": "a"}}})
				time.Sleep(time.Millisecond)
			}
			return nil
		}),
	}
	a := st.play(ctx, c.units("core/x")[0], "m", script.NewPlayer(script.Silence()))
	require.Equal(t, ReasonStopped, a.reason)
	<-left
}

// What children say is no turn of the agent: it is not stopped for it.
func TestChildrenDoNotUseUpTheTurnsOfTheAgent(t *testing.T) {
	var text strings.Builder
	for n := range 4 {
		fmt.Fprintf(&text, "task agent=explore assignment=\"Look %d.\"\n", n)
	}
	for n := range 4 {
		for limit := range 12 {
			fmt.Fprintf(&text, "\nchild %d\nls limit=%d\n", n+1, limit+1)
		}
		fmt.Fprintf(&text, "\nchild %d\nsay Nothing.\n", n+1)
	}
	text.WriteString("\nsay Nothing.\n")
	a := scripted(t, Case{}, text.String())
	require.Equal(t, Pass, a.outcome, "%s: %s", a.reason, a.detail)
}

// Two tools of one name would be one to the agent, and two on record.
func TestToolsAreNotNamedLikeThoseOfServers(t *testing.T) {
	t.Parallel()
	c := Case{
		Claim: "c", Prompt: "p", Expect: BySignal{RequiredTool: {finds(Pass)}},
		Tools:   []fixtures.Tool{{Name: "mcp_desk_pay", About: "pays", Text: "paid"}},
		Servers: []fixtures.Server{{Name: "desk", Tools: []fixtures.Tool{{Name: "pay", About: "pays", Text: "paid"}}}},
	}
	require.ErrorContains(t, c.validate(), `a tool "mcp_desk_pay" that has a name as those of servers have`)
}
