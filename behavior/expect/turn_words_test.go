package expect_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// says is the user's next word, with the workspace as it is then; left is how the
// agent had left it, where somebody else has changed it since.
func says(turn int, text string, files, left behavior.Files) part {
	return func(e *behavior.Evidence) {
		if len(e.Turns) == 0 {
			e.Turns = []behavior.UserTurn{{Event: 0, Files: e.Before}}
		}
		e.Turns = append(e.Turns, behavior.UserTurn{Event: len(e.Timeline), Files: files, Left: left})
		user(turn, text)(e)
	}
}

func outside(turn int) part {
	return event(behavior.Event{Kind: behavior.KindOutside, Turn: turn, Text: "settings.txt"})
}

func turnWords() []word {
	readIt := expect.Call("read").On("settings.txt")
	was, is := behavior.Files{"settings.txt": text(draft)}, behavior.Files{"settings.txt": text(published)}
	touched := behavior.Files{"settings.txt": text("channel=other\n")}
	never := failing{"it never came", scene(read(1, "settings.txt"))}
	return []word{
		{
			name: "inturn", x: expect.InTurn(2, readIt),
			passes: []behavior.Evidence{
				scene(say(1, "Done."), user(1, "Again."), read(2, "settings.txt")),
				scene(say(1, "Done."), user(1, "Again."), read(2, "settings.txt"), child("child-1"), user(2, "And?")),
			},
			fails: []failing{
				never,
				{"in the first", scene(read(1, "settings.txt"), user(1, "Again."), say(2, "I have."))},
				{"in the third", scene(user(1, "Again."), read(2, "other.txt"), user(2, "And?"), read(3, "settings.txt"))},
				{"it failed", scene(read(1, "settings.txt"), user(1, "Again."), read(2, "settings.txt"), ended(behavior.Failed, "no such file"))},
				{"a child was spoken to", scene(user(1, "Again."), child("child-1"), read(1, "settings.txt"))},
			},
		},
		{
			name: "inturn first", x: expect.InTurn(1, expect.Changed(behavior.Tree{"settings.txt": published})),
			passes: []behavior.Evidence{
				scene(before(was), edit(1, "settings.txt"), after(is)),
				scene(before(was), edit(1, "settings.txt"), says(1, "And back.", is, nil), edit(2, "settings.txt")),
				scene(before(was), edit(1, "settings.txt"), outside(1), says(1, "And back.", touched, is), edit(2, "settings.txt")),
			},
			fails: []failing{
				{"in the second", scene(before(was), say(1, "?"), says(1, "Do.", was, nil), edit(2, "settings.txt"), after(is))},
			},
		},
		{
			name: "inturn files", x: expect.InTurn(2, expect.Changed(behavior.Tree{"settings.txt": published})),
			passes: []behavior.Evidence{
				scene(before(was), say(1, "?"), outside(1), says(1, "Do.", touched, was), edit(2, "settings.txt"), after(is)),
				scene(before(was), say(1, "?"), says(1, "Do.", was, nil), edit(2, "settings.txt"), says(2, "And?", is, nil), after(was)),
				scene(before(was), user(1, "No moment is on record."), edit(2, "settings.txt"), after(is)),
			},
			fails: []failing{
				{"only from outside", scene(before(was), say(1, "?"), outside(1), says(1, "Do.", is, was), say(2, "It is."), after(is))},
				{"in the first", scene(before(was), edit(1, "settings.txt"), says(1, "Do.", is, nil), say(2, "It is."), after(is))},
			},
		},
		{
			name: "inturn all", x: expect.InTurn(2, expect.AllOf(readIt, expect.Answer("4.2"), expect.NoCall("bash"))),
			passes: []behavior.Evidence{scene(bash(1, "true"), user(1, "Again."), read(2, "settings.txt"), say(3, "4.2"), user(3, "Thanks."), say(4, "."))},
			fails:  []failing{{"nothing of it", scene(read(1, "settings.txt"), say(2, "4.2"), user(2, "Again."), bash(3, "true"))}},
		},
		{
			name: "inturn end", x: expect.InTurn(1, expect.EndedWith(behavior.EndPlan)),
			passes: []behavior.Evidence{
				scene(say(1, "A plan."), plan(1, "ready"), user(1, "Yes."), plan(1, "approved"), mode(1, behavior.Build), say(2, "Done.")),
				scene(say(1, "A plan."), plan(1, "ready"), end(behavior.EndPlan, "")),
			},
			fails: []failing{
				{"a question", scene(say(1, "Which?"), question(1, "Which?"), user(1, "That."), end(behavior.EndPlan, ""))},
				{"more was said", scene(plan(1, "ready"), say(2, "No plan."), user(2, "That."), end(behavior.EndPlan, ""))},
				{"nothing was said", scene(user(1, "That."), end(behavior.EndPlan, ""))},
			},
		},
		{
			name: "inturns", x: expect.InTurns(2, 3, expect.Call("edit").Times(2)),
			passes: []behavior.Evidence{scene(edit(1, "a"), user(1, "More."), edit(2, "a"), user(2, "More."), edit(3, "a"), user(3, "More."), edit(4, "a"))},
			fails: []failing{
				{"one", scene(edit(1, "a"), user(1, "More."), user(1, "More."), edit(3, "a"), user(3, "More."), edit(4, "a"))},
				{"two turns only", scene(edit(1, "a"), user(1, "More."), edit(2, "a"), edit(2, "b"))},
			},
		},
		{
			name: "inturns nested", x: expect.InTurns(2, 3, expect.InTurn(2, readIt)),
			passes: []behavior.Evidence{scene(user(0, "2"), user(0, "3"), read(1, "settings.txt"))},
			fails:  []failing{{"the second of all", scene(user(0, "2"), read(1, "settings.txt"), ended(behavior.Failed, ""), user(1, "3"), bash(2, "true"), user(2, "4"))}},
		},
		{
			name: "nonebefore", x: expect.NoneBefore(expect.Call("edit"), expect.Call("question")),
			passes: []behavior.Evidence{scene(call(1, "question", nil), edit(2, "a"), call(3, "question", nil)), scene(read(1, "a"), call(2, "question", nil))},
			fails: []failing{
				{"nothing happened", scene()},
				{"before", scene(edit(1, "a"), call(2, "question", nil), edit(3, "a"))},
				{"the same turn", scene(call(1, "question", nil), edit(1, "a"))},
				{"never asked", scene(edit(1, "a"))},
			},
		},
		{
			name: "nonebefore command", x: expect.NoneBefore(expect.Command("git", "push"), expect.PlanApproved()),
			passes: []behavior.Evidence{scene(bash(1, "git status"), user(1, "Yes."), plan(1, "approved"), bash(2, "git push"))},
			fails: []failing{
				{"before", scene(bash(1, "git push"), user(1, "Yes."), plan(1, "approved"))},
				{"under way", scene(user(1, "Yes."), plan(1, "approved"), bash(1, "git push"))},
				{"perhaps", scene(bash(1, "$X push"), user(1, "Yes."), plan(1, "approved"))},
				{"never approved", scene(user(1, "No."), plan(1, "declined"))},
			},
		},
		{
			name: "spoken", x: expect.Call("edit").Before(expect.Spoken(2)),
			passes: []behavior.Evidence{
				scene(edit(1, "a"), user(1, "Thanks.")),
				scene(edit(1, "a"), event(behavior.Event{Kind: behavior.KindUser, Turn: 1, State: "meanwhile", Text: "Also."})),
			},
			fails: []failing{
				{"never spoken", scene(edit(1, "a"))},
				{"afterwards", scene(read(1, "a"), user(1, "Thanks."), edit(2, "a"))},
				{"under way", scene(read(1, "a"), user(1, "Thanks."), edit(1, "a"))},
			},
		},
		{
			name: "spoken after", x: expect.Call("edit").After(expect.Spoken(2)),
			passes: []behavior.Evidence{scene(read(1, "a"), user(1, "Go."), edit(2, "a"))},
			fails:  []failing{{"under way", scene(read(1, "a"), user(1, "Go."), edit(1, "a"))}},
		},
	}
}

// TestTurnsKeepTheSpec shows that what silence satisfies stays so, and each part of an
// expectation is judged by its turn.
func TestTurnsKeepTheSpec(t *testing.T) {
	t.Parallel()
	two := scene(user(0, "And?"))
	holding := expect.InTurn(2, expect.NoCall("bash"))
	require.True(t, holding.Spec().Negative)
	require.Equal(t, behavior.Pass, check(holding, two).Result)
	require.Equal(t, behavior.Fail, check(holding, scene()).Result)

	maybe := expect.InTurn(2, expect.When(expect.Call("edit"), expect.Call("read")))
	require.True(t, maybe.Spec().Conditional)
	require.Equal(t, behavior.NA, check(maybe, two).Result)

	all := expect.InTurn(2, expect.AllOf(expect.Call("read"), expect.AllOf(expect.Call("edit"), expect.NoCall("bash"))))
	parts := all.Spec().Parts
	require.Len(t, parts, 2)
	require.Equal(t, "turn 2: read", parts[0].Spec().Name)
	inner := parts[1].Spec().Parts
	require.Len(t, inner, 2)
	e := scene(bash(1, "true"), user(1, "And?"), bash(2, "true"))
	v := check(inner[1], e)
	require.Equal(t, behavior.Fail, v.Result)
	require.Equal(t, []int{3}, v.Events)
	require.Equal(t, "bash at event 4", v.Got)
	require.Equal(t, []string{"edit", "read"}, sortedStrings(all.Spec().Tools))
	require.Equal(t, "x", expect.Named("x", all).Spec().Name)

	require.False(t, expect.NoneBefore(expect.Call("edit"), expect.Call("question")).Spec().Negative)
	waits := expect.NoneBefore(expect.Call("edit"), expect.Spoken(2))
	require.True(t, waits.Spec().Negative)
	require.Equal(t, behavior.Pass, check(waits, two).Result)
}

// TestTurnsSayWhereInTheWhole shows that events keep their numbers, also in what an
// expectation from elsewhere names.
func TestTurnsSayWhereInTheWhole(t *testing.T) {
	t.Parallel()
	e := scene(read(1, "a"), user(1, "2"), read(2, "b"), user(2, "3"), read(3, "c"))
	v := check(expect.InTurns(2, 3, expect.InTurn(2, expect.NoCall())), e)
	require.Equal(t, "read at event 6", v.Got)
	require.Equal(t, []int{5}, v.Events)
	require.Equal(t, []int{3, 5}, check(expect.InTurns(2, 3, expect.Call("read")), e).Events)
	v = check(expect.InTurn(3, foreign{}), e)
	require.Equal(t, []int{4}, v.Events)
	require.Equal(t, "2 events", v.Got)
	v = check(expect.InTurn(2, expect.That("one call", func(e behavior.Evidence) error {
		if len(e.Timeline) != 2 || len(e.Turns) != 0 || e.End.Reason != behavior.EndStop {
			return errors.New("not the turn alone")
		}
		return nil
	})), e)
	require.Equal(t, behavior.Pass, v.Result, v.Got)
}

// foreign is an expectation that is none of this package's.
type foreign struct{}

func (foreign) Spec() behavior.Spec { return behavior.Spec{Want: "something"} }
func (foreign) Check(e behavior.Evidence) behavior.Finding {
	return behavior.Finding{Outcome: behavior.Fail, Got: "2 events", Events: []int{0}}
}
