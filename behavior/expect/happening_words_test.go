package expect_test

import (
	"fmt"
	"slices"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

func sortedStrings(s []string) []string { return slices.Sorted(slices.Values(s)) }

func served(turn int, server, tool string, a args) part {
	return event(behavior.Event{Kind: behavior.KindServed, Turn: turn, ID: server, Call: &behavior.Call{Tool: tool, Args: a, Status: behavior.OK}})
}

func background(turn int, id, state string) part {
	return event(behavior.Event{Kind: behavior.KindBackground, Turn: turn, ID: id, State: state, Text: "make"})
}

func notice(turn int, id, text string) part {
	return event(behavior.Event{Kind: behavior.KindNotice, Turn: turn, ID: id, Text: text})
}

func kid(turn int, id, state, text string) part {
	return event(behavior.Event{Kind: behavior.KindChild, Turn: turn, ID: id, State: state, Text: text})
}

func named(kind behavior.Kind, id, state string) part {
	return event(behavior.Event{Kind: kind, Turn: 1, ID: id, State: state})
}

func happeningWords() []word {
	nothing := failing{"nothing happened", scene()}
	refund := expect.Served("billing/refund")
	return []word{
		{
			name: "served", x: refund.With("amount", 30),
			passes: []behavior.Evidence{
				scene(served(1, "billing", "refund", args{"amount": 30.0}), call(1, "mcp_billing_refund", args{"amount": 30.0})),
				scene(served(1, "billing", "refund", args{"amount": 30}), call(1, "mcp_billing_refund", nil), ended(behavior.Failed, "the connection broke")),
			},
			fails: []failing{
				nothing,
				{"another amount", scene(served(1, "billing", "refund", args{"amount": 300.0}))},
				{"another server", scene(served(1, "shop", "refund", args{"amount": 30.0}), served(2, "", "clock", nil), served(2, "", "clock", nil))},
				{"it said no", scene(served(1, "billing", "refund", args{"amount": 30.0}), ended(behavior.Failed, "no such order"))},
				{"it never got there", scene(call(1, "mcp_billing_refund", args{"amount": 30.0}))},
			},
		},
		{
			name: "served tool", x: expect.Served("refund").Failing(),
			passes: []behavior.Evidence{scene(served(1, "billing", "refund", nil), ended(behavior.Failed, "no")), scene(served(1, "", "refund", nil), ended(behavior.Failed, "no"))},
			fails:  []failing{{"it succeeded", scene(served(1, "billing", "refund", nil))}},
		},
		{
			name: "served times", x: refund.Times(1),
			passes: []behavior.Evidence{scene(served(1, "billing", "refund", nil), call(1, "mcp_billing_refund", nil))},
			fails:  []failing{{"twice", scene(served(1, "billing", "refund", nil), served(2, "billing", "refund", nil))}},
		},
		{
			name: "served order", x: expect.Served("lookup").Before(refund),
			passes: []behavior.Evidence{scene(served(1, "billing", "lookup", nil), served(2, "billing", "refund", nil))},
			fails:  []failing{{"the same turn", scene(served(1, "billing", "lookup", nil), served(1, "billing", "refund", nil))}},
		},
		{
			name: "served any", x: expect.No(expect.Served()),
			passes: []behavior.Evidence{scene(), scene(call(1, "refund", nil))},
			fails:  []failing{{"one", scene(served(1, "", "refund", nil), child("child-1"))}},
		},
		{
			name: "call of a stub", x: expect.Call("refund"),
			passes: []behavior.Evidence{scene(call(1, "refund", nil))},
			fails:  []failing{{"only the stub's own record", scene(served(1, "", "refund", nil))}},
		},
		{
			name: "shown notice", x: expect.Shown("42 passed"),
			passes: []behavior.Evidence{scene(notice(1, "bg-1", "<notice>\nbg-1 ended\noutput:\n42 passed\n</notice>"))},
			fails:  []failing{{"the user's word", scene(user(1, "42 passed"))}, {"another number", scene(notice(1, "bg-1", "142 passed"))}},
		},
		{
			name: "notice", x: expect.Notice("bg-1"),
			passes: []behavior.Evidence{scene(notice(1, "bg-1", "bg-1 ended"))},
			fails:  []failing{nothing, {"another", scene(notice(1, "bg-2", "bg-2 ended"))}},
		},
		{
			name: "notice saying", x: expect.Notice().Saying("exit status 2"),
			passes: []behavior.Evidence{scene(notice(1, "bg-1", "bg-1 ended with exit status 2\n"))},
			fails:  []failing{{"otherwise", scene(notice(1, "bg-1", "bg-1 ended with exit status 0\n"))}},
		},
		{
			name: "background", x: expect.Background("ended").ID("bg-1"),
			passes: []behavior.Evidence{scene(background(1, "bg-1", "started"), background(2, "bg-1", "ended"))},
			fails: []failing{
				nothing,
				{"killed", scene(background(1, "bg-1", "started"), background(2, "bg-1", "killed"))},
				{"another", scene(background(2, "bg-2", "ended"))},
			},
		},
		{
			name: "background order", x: expect.Call("edit").Before(expect.Background("ended")),
			passes: []behavior.Evidence{scene(background(1, "bg-1", "started"), edit(2, "a"), background(2, "bg-1", "ended"))},
			fails:  []failing{{"after", scene(background(1, "bg-1", "started"), background(1, "bg-1", "ended"), edit(2, "a"))}},
		},
		{
			name: "overlap", x: expect.Overlap(expect.Background("started"), expect.Background("started")),
			passes: []behavior.Evidence{
				scene(background(1, "bg-1", "started"), background(2, "bg-2", "started"), background(3, "bg-1", "ended")),
				scene(background(1, "bg-1", "started"), background(1, "bg-1", "killed"), background(2, "bg-2", "started"), background(3, "bg-3", "started"), background(3, "bg-2", "ended")),
			},
			fails: []failing{
				nothing,
				{"one", scene(background(1, "bg-1", "started"))},
				{"one after the other", scene(background(1, "bg-1", "started"), background(2, "bg-1", "timed-out"), background(3, "bg-2", "started"))},
			},
		},
		{
			name: "childstarted", x: expect.ChildStarted().Role("explore").Saying("tests"),
			passes: []behavior.Evidence{scene(kid(1, "child-1", "started", "explore: find the tests"))},
			fails: []failing{
				nothing,
				{"refused", scene(call(1, "task", nil), ended(behavior.Refused, "children have no children"))},
				{"another role", scene(kid(1, "child-1", "started", "worker: find the tests"))},
				{"another assignment", scene(kid(1, "child-1", "started", "explore: find the docs"))},
			},
		},
		{
			name: "childended", x: expect.ChildEnded().Role("explore").ID("child-2"),
			passes: []behavior.Evidence{scene(kid(1, "child-2", "started", "explore: look"), kid(1, "child-2", "ended", "worker: none"))},
			fails: []failing{
				{"failed", scene(kid(1, "child-2", "started", "explore: look"), kid(1, "child-2", "failed", "no"))},
				{"no start", scene(kid(1, "child-2", "ended", "explore: done"))},
			},
		},
		{
			name: "child", x: expect.InTurn(2, expect.Child("continued").Role("worker")),
			passes: []behavior.Evidence{scene(kid(1, "child-1", "started", "worker: do"), user(1, "More."), kid(2, "child-1", "continued", "do more"))},
			fails:  []failing{{"begun anew", scene(kid(1, "child-1", "started", "worker: do"), user(1, "More."), kid(2, "child-2", "started", "worker: do more"))}},
		},
		{
			name: "role", x: expect.Call("edit").Role("worker"),
			passes: []behavior.Evidence{scene(kid(1, "child-1", "started", "worker: do"), edit(1, "a"), child("child-1"))},
			fails: []failing{
				{"the main agent", scene(edit(1, "a"))},
				{"another", scene(kid(1, "child-1", "started", "review: look"), edit(1, "a"), child("child-1"))},
				{"unknown", scene(edit(1, "a"), child("child-9"))},
			},
		},
		{
			name: "skillloaded", x: expect.SkillLoaded("release"),
			passes: []behavior.Evidence{scene(named(behavior.KindSkill, "release", ""))},
			fails: []failing{
				{"another", scene(named(behavior.KindSkill, "deploy", ""))},
				{"no such", scene(call(1, "skill", nil), ended(behavior.Failed, "no skill release"))},
			},
		},
		{
			name: "ruleinforce", x: expect.RuleInForce("docs/AGENTS.md"),
			passes: []behavior.Evidence{scene(named(behavior.KindRule, "docs/AGENTS.md", "nested")), scene(named(behavior.KindRule, root+"docs/AGENTS.md", "always"))},
			fails: []failing{
				{"another", scene(named(behavior.KindRule, "AGENTS.md", "always"))},
				{"listed", scene(named(behavior.KindRule, "docs/AGENTS.md", "listed"))},
			},
		},
		{
			name: "compacted", x: expect.Compacted().Saying("{token}"),
			passes: []behavior.Evidence{scene(facts("token", "k-93"), event(behavior.Event{Kind: behavior.KindCompaction, Turn: 3, Text: "The token is k-93."}))},
			fails:  []failing{{"lost", scene(facts("token", "k-93"), event(behavior.Event{Kind: behavior.KindCompaction, Turn: 3, Text: "Much was done."}))}},
		},
		{
			name: "planapproved", x: expect.PlanApproved().Before(expect.Call("edit")),
			passes: []behavior.Evidence{scene(plan(1, "ready"), user(1, "Yes."), plan(1, "approved"), edit(2, "a"))},
			fails:  []failing{{"declined", scene(plan(1, "ready"), user(1, "No."), plan(1, "declined"), edit(2, "a"))}},
		},
		{
			name: "plandeclined", x: expect.PlanDeclined(),
			passes: []behavior.Evidence{scene(plan(1, "declined"))},
			fails:  []failing{{"approved", scene(plan(1, "approved"))}},
		},
		{
			name: "fault", x: expect.Call("read").After(expect.Fault("read")),
			passes: []behavior.Evidence{scene(named(behavior.KindFault, "read", ""), read(2, "a"))},
			fails: []failing{
				{"no fault", scene(read(2, "a"))},
				{"of another tool", scene(named(behavior.KindFault, "bash", ""), read(2, "a"))},
				{"not again", scene(named(behavior.KindFault, "read", ""), read(1, "a"))},
			},
		},
		{
			name: "outside", x: expect.Call("read").After(expect.Outside()),
			passes: []behavior.Evidence{scene(outside(1), read(2, "a"))},
			fails:  []failing{{"not again", scene(read(1, "a"), outside(1), edit(2, "a"))}},
		},
		{
			name: "sessionbegun", x: expect.Call("memory").Before(expect.SessionBegun()),
			passes: []behavior.Evidence{scene(call(1, "memory", nil), named(behavior.KindSession, "", ""), user(1, "And?"))},
			fails:  []failing{{"afterwards", scene(named(behavior.KindSession, "", ""), user(1, "And?"), call(2, "memory", nil))}},
		},
	}
}

func amountWords() []word {
	return []word{
		{
			name: "returnedatmost", x: expect.ReturnedAtMost(10, expect.Call("read").Attempted()),
			passes: []behavior.Evidence{scene(), scene(read(1, "a"), result("12345"), read(1, "b"), result("12345"), bash(1, "x"), result("123456"))},
			fails:  []failing{{"too much", scene(read(1, "a"), result("12345"), read(1, "b"), ended(behavior.Failed, "123456"))}},
		},
		{
			name: "fileequals", x: expect.FileEquals("count.txt", "the number of files there were", func(e behavior.Evidence) string { return fmt.Sprint(len(e.Before)) }),
			passes: []behavior.Evidence{scene(before(behavior.Files{"a": text("x")}), after(behavior.Files{"count.txt": text("\n1\n")}))},
			fails: []failing{
				{"no file", scene()},
				{"another number", scene(before(behavior.Files{"a": text("x")}), after(behavior.Files{"count.txt": text("10\n")}))},
				{"a folder", scene(after(behavior.Files{"count.txt": folder()}))},
				{"large", scene(after(behavior.Files{"count.txt": {Mode: 0o644, Size: 5 << 20, Digest: "00"}}))},
			},
		},
		{
			name: "scratchhas", x: expect.ScratchHas("*.log", "notes.txt"),
			passes: []behavior.Evidence{scene(func(e *behavior.Evidence) { e.Scratch = behavior.Files{"a.log": text(""), "notes.txt": text("")} })},
			fails: []failing{
				{"nothing", scene()},
				{"one", scene(func(e *behavior.Evidence) { e.Scratch = behavior.Files{"a.log": text("")} })},
			},
		},
		{
			name: "homehas", x: expect.HomeHas(".config/**"),
			passes: []behavior.Evidence{scene(func(e *behavior.Evidence) { e.Home = behavior.Files{".config/x/y": text("")} })},
			fails:  []failing{{"nothing", scene()}},
		},
	}
}
