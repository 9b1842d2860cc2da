package behavior

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/script"
)

// speaking is an agent of one's own that notes what it hears.
type speaking struct {
	act   func(task Task, said string)
	heard *[]Word
	deaf  bool
}

func (s speaking) Run(ctx context.Context, task Task) error {
	word, more := Word{Text: task.Prompt}, true
	for turn := 1; more; turn++ {
		*s.heard = append(*s.heard, word)
		task.Record(Event{Kind: KindMessage, Turn: turn, Text: "…"})
		if s.act != nil {
			s.act(task, word.Text)
		}
		if s.deaf {
			return nil
		}
		word, more = task.Next(ctx)
	}
	return nil
}

// played plays a case by an agent of one's own and returns the attempt.
func played(t *testing.T, c Case, a speaking) (attempt, []Word) {
	t.Helper()
	var heard []Word
	a.heard = &heard
	c.Agent, c.Claim = a, "It listens."
	if c.Prompt == "" {
		c.Prompt = "Begin."
	}
	if c.Expect == nil {
		c.Expect = BySignal{RequiredTool: {finds(Pass)}}
	}
	require.NoError(t, c.validate())
	return testStage(t).play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(script.Silence())), heard
}

func TestTurnsAreSaidInOrder(t *testing.T) {
	t.Parallel()
	a, heard := played(t, Case{
		Facts: map[string]string{"who": "Ada"},
		Turns: []Turn{
			{Say: "Ask me.", Only: []EndReason{EndQuestion}},
			{Say: "Hello {who}."},
			{Say: "Last.", Fresh: true, Compact: true},
		},
	}, speaking{})
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Equal(t, []Word{{Text: "Begin."}, {Text: "Hello Ada."}, {Text: "Last.", Fresh: true, Compact: true}}, heard)
	require.Len(t, a.evidence.Turns, 3)
	for i, mark := range a.evidence.Turns {
		require.Equal(t, KindUser, a.evidence.Timeline[mark.Event].Kind, i)
	}
}

func TestQuestionIsAnsweredWhereOneWasAsked(t *testing.T) {
	t.Parallel()
	_, heard := played(t, Case{Turns: []Turn{{Say: "The blue one.", Only: []EndReason{EndQuestion}}, {Say: "Thanks."}}}, speaking{
		act: func(task Task, said string) {
			if said == "Begin." {
				task.Record(Event{Kind: KindQuestion, Turn: 1, Text: "Which?"})
			}
		},
	})
	require.Equal(t, []Word{{Text: "Begin."}, {Text: "The blue one."}, {Text: "Thanks."}}, heard)
}

func TestPlanIsDecided(t *testing.T) {
	t.Parallel()
	ready := func(task Task, said string) {
		task.Record(Event{Kind: KindPlan, State: "ready", Text: "the plan"})
	}
	a, heard := played(t, Case{Mode: Plan, Turns: []Turn{{Say: "Smaller.", Plan: Declined}, {Plan: Approved}}}, speaking{act: ready})
	require.Equal(t, []Word{{Text: "Begin."}, {Text: "Smaller.", Plan: Declined}, {Text: "Yes, go ahead.", Plan: Approved, Mode: Build}}, heard)
	var states []string
	for _, ev := range a.evidence.Timeline {
		switch ev.Kind {
		case KindPlan:
			states = append(states, ev.State)
		case KindMode:
			states = append(states, string(ev.Mode))
		}
	}
	require.Equal(t, []string{"plan", "ready", "declined", "ready", "approved", "build", "ready"}, states)
}

func TestNothingIsDecidedWhereNoPlanWaits(t *testing.T) {
	t.Parallel()
	_, heard := played(t, Case{Mode: Plan, Turns: []Turn{{Say: "Fine, go on.", Plan: Approved}}}, speaking{})
	require.Equal(t, []Word{{Text: "Begin."}, {Text: "Fine, go on."}}, heard)
}

func TestAgreeingToPlanFirstBeginsPlanMode(t *testing.T) {
	t.Parallel()
	_, heard := played(t, Case{Turns: []Turn{{Plan: Approved}}}, speaking{act: func(task Task, said string) {
		if said == "Begin." {
			task.Record(Event{Kind: KindPlan, State: "asked", Text: "it is large"})
		}
	}})
	require.Equal(t, Plan, heard[1].Mode)
}

func TestDeafAgentIsUnsupported(t *testing.T) {
	t.Parallel()
	a, _ := played(t, Case{Turns: []Turn{{Say: "More."}}}, speaking{deaf: true})
	require.Equal(t, Void, a.outcome)
	require.Equal(t, ReasonUnsupported, a.reason)

	a, _ = played(t, Case{}, speaking{deaf: true})
	require.Equal(t, Pass, a.outcome, "one turn needs no listening")
}

func TestOutsideChangeIsNobodysDoing(t *testing.T) {
	t.Parallel()
	a, _ := played(t, Case{
		Files: fixtures.Txtar("-- state --\nold\n-- gone --\nx\n"),
		Turns: []Turn{{Say: "And now?", Files: fixtures.Txtar("-- state --\nnew\n"), Removed: []string{"gone"}}},
	}, speaking{})
	require.Equal(t, Pass, a.outcome, a.detail)
	second := a.evidence.Turns[1]
	require.Equal(t, "old\n", string(second.Left["state"].Data))
	require.Contains(t, second.Left, "gone")
	require.Equal(t, "new\n", string(second.Files["state"].Data))
	require.NotContains(t, second.Files, "gone")
	require.Equal(t, "new\n", string(a.evidence.After["state"].Data))
	kinds := kindsOf(a.evidence.Timeline)
	require.Contains(t, kinds, KindOutside)
}

func TestMeanwhileComesAfterTheCall(t *testing.T) {
	t.Parallel()
	call := func(task Task, tool string, status Status) {
		task.Record(Event{Kind: KindCall, Turn: 1, Call: &Call{Tool: tool, Status: status}})
	}
	var between [][]Word
	a, _ := played(t, Case{
		Files: fixtures.Txtar("-- state --\nold\n"),
		Meanwhile: []Meanwhile{
			{After: "write", Nth: 2, Say: "Stop.", Stop: true},
			{After: "read", Files: fixtures.Txtar("-- state --\nnew\n")},
		},
	}, speaking{act: func(task Task, said string) {
		for _, step := range []struct {
			tool   string
			status Status
		}{{"write", OK}, {"write", Failed}, {"read", OK}, {"write", OK}, {"write", OK}} {
			call(task, step.tool, step.status)
			between = append(between, task.Heard())
		}
	}})
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Equal(t, [][]Word{nil, nil, nil, {{Text: "Stop.", Stop: true}}, nil}, between, "once, after the second that succeeded")
	require.Equal(t, "new\n", string(a.evidence.After["state"].Data))
}

func TestWordsThatNobodyAsksForAreUnsupported(t *testing.T) {
	t.Parallel()
	a, _ := played(t, Case{Meanwhile: []Meanwhile{{Say: "Wait."}}}, speaking{act: func(task Task, said string) {
		task.Record(Event{Kind: KindCall, Turn: 1, Call: &Call{Tool: "read"}})
	}})
	require.Equal(t, ReasonUnsupported, a.reason)
}

func kindsOf(events []Event) []Kind {
	var kinds []Kind
	for _, ev := range events {
		kinds = append(kinds, ev.Kind)
	}
	return kinds
}

func TestFreshConversationFindsNoScratch(t *testing.T) {
	t.Parallel()
	var found []string
	a, _ := played(t, Case{Turns: []Turn{{Say: "And again.", Fresh: true}}}, speaking{act: func(task Task, said string) {
		out, _, err := task.Shell(context.Background(), "ls $TMPDIR; echo x > $TMPDIR/note")
		require.NoError(t, err)
		found = append(found, out)
	}})
	require.Equal(t, Pass, a.outcome, a.detail)
	require.Equal(t, []string{"", ""}, found)
	require.Contains(t, a.evidence.Scratch, "note")
}
