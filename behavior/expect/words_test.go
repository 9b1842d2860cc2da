package expect_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// A word pins the meaning of one word: evidence that passes it, evidence that
// fails it, and, in testdata, what it says of each failure, word for word.
type word struct {
	name   string
	x      behavior.Expectation
	passes []behavior.Evidence
	fails  []failing
	na     []behavior.Evidence
}

type failing struct {
	what string
	e    behavior.Evidence
}

func check(x behavior.Expectation, e behavior.Evidence) behavior.Verdict {
	return behavior.Grade(behavior.Case{Expect: behavior.BySignal{behavior.ToolChain: {x}}}, e)[0]
}

func TestWords(t *testing.T) {
	t.Parallel()
	files := make(map[string]*strings.Builder)
	var order []string
	for _, w := range words() {
		require.NotEmpty(t, w.fails, "%s is never shown to fail", w.name)
		require.NotEmpty(t, w.passes, "%s is never shown to pass", w.name)
		for i, e := range w.passes {
			v := check(w.x, e)
			assert.Empty(t, v.Fault)
			assert.Equal(t, behavior.Pass, v.Result, "%s, pass %d: %s", w.name, i+1, v.Got)
		}
		var nas []string
		for i, e := range w.na {
			v := check(w.x, e)
			require.Empty(t, v.Fault)
			assert.Equal(t, behavior.NA, v.Result, "%s, n/a %d: %s", w.name, i+1, v.Got)
			nas = append(nas, fmt.Sprintf("# %s: n/a\ngot    %s\n\n", w.name, under(v.Got)))
		}
		file, _, _ := strings.Cut(w.name, " ")
		b := files[file]
		if b == nil {
			b = new(strings.Builder)
			files[file] = b
			order = append(order, file)
		}
		for _, f := range w.fails {
			v := check(w.x, f.e)
			require.Empty(t, v.Fault)
			assert.Equal(t, behavior.Fail, v.Result, "%s, %s", w.name, f.what)
			assert.NotEmpty(t, v.Got, "%s, %s", w.name, f.what)
			for _, i := range v.Events {
				require.True(t, i >= 0 && i < len(f.e.Timeline))
			}
			fmt.Fprintf(b, "# %s: %s\nname   %s\nwant   %s\ngot    %s\n", w.name, f.what, v.Name, under(v.Want), under(v.Got))
			if len(v.Events) > 0 {
				fmt.Fprintf(b, "events %s\n", numbers(v.Events))
			}
			b.WriteString("\n")
		}
		b.WriteString(strings.Join(nas, ""))
	}
	for _, file := range order {
		t.Run(file, func(t *testing.T) { golden.Assert(t, files[file].String(), file+".golden") })
	}
}

func under(s string) string { return strings.ReplaceAll(s, "\n", "\n       ") }

func numbers(events []int) string {
	var said []string
	for _, i := range events {
		said = append(said, fmt.Sprint(i+1))
	}
	return strings.Join(said, ", ")
}

const (
	draft     = "channel=draft\nkeep=this\n"
	published = "channel=published\nkeep=this\n"
	root      = "/dev/shm/w-3f9c1a/project/"
)

// words lists every word with what it means.
func words() []word {
	readIt := expect.Call("read").On("settings.txt")
	editIt := expect.Call("edit").On("settings.txt")
	settings := before(behavior.Files{"settings.txt": text(draft), "other.txt": text("other\n")})
	now := func(s string) part { return after(behavior.Files{"settings.txt": text(s)}) }
	nothing := failing{"nothing happened", scene()}

	return slices.Concat([]word{
		{
			name: "call", x: expect.Call("read"),
			passes: []behavior.Evidence{scene(read(1, "a")), scene(read(1, "a"), child("c1"))},
			fails: []failing{
				nothing,
				{"it failed", scene(read(1, "a"), ended(behavior.Failed, "no such file: a"))},
				{"malformed", scene(read(1, "a"), ended(behavior.Malformed, "no JSON"))},
				{"unknown", scene(read(1, "a"), ended(behavior.Unknown, ""))},
				{"cut", scene(read(1, "a"), ended(behavior.Cut, ""))},
				{"of another kind", scene(read(1, "a"), ended("new", ""))},
				{"others were called", scene(bash(1, "cat a"), bash(2, "cat a"), call(2, "ls", nil))},
			},
		},
		{
			name: "call any", x: expect.Call(),
			passes: []behavior.Evidence{scene(bash(1, "true"))},
			fails:  []failing{nothing, {"all failed", scene(bash(1, "false"), exit(1))}},
		},
		{
			name: "call either", x: expect.Call("read", "grep"),
			passes: []behavior.Evidence{scene(read(1, "a")), scene(call(1, "grep", args{"pattern": "x"}))},
			fails:  []failing{{"neither", scene(bash(1, "true"))}},
		},
		{
			name: "on", x: readIt,
			passes: []behavior.Evidence{
				scene(read(1, "settings.txt")), scene(read(1, "./x/../settings.txt")), scene(read(1, root+"settings.txt")),
				scene(read(1, "other.txt"), read(2, "settings.txt")),
			},
			fails: []failing{
				nothing,
				{"another file", scene(read(1, "other.txt"), read(1, "more.txt"))},
				{"it failed", scene(read(1, "other.txt"), read(1, "settings.txt"), ended(behavior.Failed, "\n no such file\n"))},
				{"no path", scene(call(1, "read", nil))},
				{"a path of another type", scene(call(1, "read", args{"path": 3.0}))},
			},
		},
		{
			name: "on bash", x: expect.Call("bash").On("src/a.txt"),
			passes: []behavior.Evidence{
				scene(bash(1, "cat src/a.txt")), scene(bash(1, "cat < ./src/a.txt")), scene(bash(1, "cd src && sort a.txt | uniq")),
				scene(bash(1, `wc -l "`+root+`src/a.txt"`)), scene(bash(1, "echo hi > src/a.txt")), scene(bash(1, "tool --in=src/a.txt")),
			},
			fails: []failing{
				{"another file", scene(bash(1, "cat src/b.txt"))},
				{"only in a text", scene(bash(1, `echo "see src/a.txt there"`))},
				{"unresolved", scene(bash(1, `cat "$FILE"`))},
			},
		},
		{
			name: "on workspace", x: expect.Call("ls").On("."),
			passes: []behavior.Evidence{scene(call(1, "ls", nil)), scene(call(1, "ls", args{"path": root})), scene(call(1, "ls", args{"path": ""}))},
			fails:  []failing{{"a folder", scene(call(1, "ls", args{"path": "src"}))}},
		},
		{
			name: "with", x: expect.Call("read").With("offset", 21).With("limit", 3),
			passes: []behavior.Evidence{scene(call(1, "read", args{"path": "a", "offset": 21.0, "limit": 3}))},
			fails: []failing{
				{"another number", scene(call(1, "read", args{"path": "a", "offset": 21.0, "limit": 5.0}))},
				{"left out", scene(call(1, "read", args{"path": "a", "offset": 21.0}))},
				{"text", scene(call(1, "read", args{"path": "a", "offset": "21", "limit": 3.0}))},
			},
		},
		{
			name: "with default", x: expect.Call("grep").With("ignore_case", false).With("path", "."),
			passes: []behavior.Evidence{
				scene(call(1, "grep", args{"pattern": "x"})), scene(call(1, "grep", args{"ignore_case": false, "path": root})),
				scene(call(1, "grep", args{"ignore_case": nil})),
			},
			fails: []failing{{"set", scene(call(1, "grep", args{"ignore_case": true}))}},
		},
		{
			name: "with nothing", x: expect.Call("bash").With("timeout", nil),
			passes: []behavior.Evidence{scene(bash(1, "true")), scene(call(1, "bash", args{"timeout": nil}))},
			fails:  []failing{{"given", scene(call(1, "bash", args{"timeout": 2.0}))}},
		},
		{
			name: "with list", x: expect.Call("mcp_x").With("ids", []int{1, 2}).With("of", map[string]any{"a": 1}),
			passes: []behavior.Evidence{scene(call(1, "mcp_x", args{"ids": []any{1.0, 2.0}, "of": args{"a": 1.0}}))},
			fails:  []failing{{"another order", scene(call(1, "mcp_x", args{"ids": []any{2.0, 1.0}, "of": args{"a": 1.0}}))}},
		},
		{
			name: "with fact", x: expect.Call("grep").With("pattern", "{symbol}"),
			passes: []behavior.Evidence{scene(facts("symbol", "openDoor"), call(1, "grep", args{"pattern": "openDoor"}))},
			fails:  []failing{{"another", scene(facts("symbol", "openDoor"), call(1, "grep", args{"pattern": "{symbol}"}))}},
		},
		{
			name: "where", x: expect.Call("read").Where("the window covers line 21", func(c behavior.Call) bool { return c.Arg("offset") == "20" }),
			passes: []behavior.Evidence{scene(call(1, "read", args{"offset": 20.0}))},
			fails:  []failing{nothing, {"it does not", scene(read(1, "a"))}},
		},
		{
			name: "matching", x: expect.Call("glob").Matching("pattern", `\.spec\.`),
			passes: []behavior.Evidence{scene(call(1, "glob", args{"pattern": "**/*.spec.ts"}))},
			fails: []failing{
				{"it does not", scene(call(1, "glob", args{"pattern": "**/*.ts"}))},
				{"left out", scene(call(1, "glob", nil))},
			},
		},
		{
			name: "returning", x: expect.Call("bash").Returning("42 passed\n0 failed"),
			passes: []behavior.Evidence{scene(bash(1, "make"), result("ran:\n  0 failed\n  42 passed\n"))},
			fails: []failing{
				{"another number", scene(bash(1, "make"), result("142 passed\n0 failed\n"))},
				{"half", scene(bash(1, "make"), result("42 passed\n"))},
				{"nothing", scene(bash(1, "make"))},
			},
		},
		{
			name: "failing", x: expect.Call("bash").Failing(),
			passes: []behavior.Evidence{scene(bash(1, "false"), exit(1)), scene(bash(1, "x"), ended(behavior.Refused, "")), scene(bash(1, "x"), ended(behavior.Malformed, ""))},
			fails:  []failing{nothing, {"it succeeded", scene(bash(1, "true"), exit(0))}},
		},
		{
			name: "refused", x: expect.Call("write").Refused(),
			passes: []behavior.Evidence{scene(call(1, "write", nil), ended(behavior.Refused, "plan mode"))},
			fails:  []failing{{"it failed", scene(call(1, "write", nil), ended(behavior.Failed, "disk full"))}},
		},
		{
			name: "attempted", x: expect.Call("write").Attempted(),
			passes: []behavior.Evidence{scene(call(1, "write", nil), ended(behavior.Refused, "")), scene(call(1, "write", nil)), scene(call(1, "write", nil), ended(behavior.Cut, ""))},
			fails:  []failing{nothing},
		},
		{
			name: "by", x: expect.Call("edit").By(""),
			passes: []behavior.Evidence{scene(edit(1, "a"))},
			fails:  []failing{{"a child did", scene(edit(1, "a"), child("c1"))}},
		},
		{
			name: "by child", x: expect.Call("edit").ByChild(),
			passes: []behavior.Evidence{scene(edit(1, "a"), child("c1"))},
			fails:  []failing{{"the main agent did", scene(edit(1, "a"))}},
		},
		{
			name: "times", x: readIt.Times(2),
			passes: []behavior.Evidence{scene(read(1, "settings.txt"), read(1, "settings.txt"), read(2, "a"))},
			fails: []failing{
				nothing,
				{"once", scene(read(1, "settings.txt"))},
				{"thrice", scene(read(1, "settings.txt"), read(1, "settings.txt"), read(2, "settings.txt"))},
			},
		},
		{
			name: "atleast", x: readIt.AtLeast(2),
			passes: []behavior.Evidence{scene(read(1, "settings.txt"), read(1, "settings.txt"), read(2, "settings.txt"))},
			fails:  []failing{nothing, {"once", scene(read(1, "settings.txt"))}},
		},
		{
			name: "atmost", x: readIt.AtMost(1),
			passes: []behavior.Evidence{scene(), scene(read(1, "settings.txt"))},
			fails:  []failing{{"many", scene(many(9, func(i int) part { return read(i, "settings.txt") }))}},
		},
		{
			name: "reading", x: expect.Reading("settings.txt"),
			passes: []behavior.Evidence{
				scene(read(1, "settings.txt")),
				scene(settings, bash(1, "cat *"), result("channel=draft\nkeep=this\n")),
				scene(settings, call(1, "grep", nil), result("settings.txt:1:channel=draft\nsettings.txt-2-  keep=this")),
				scene(settings, now(published), bash(1, "cat *"), result("     1\tchannel=published\n     2\tkeep=this\n")),
				scene(settings, bash(1, "cat settings.txt none"), result(draft), exit(1)),
				scene(settings, call(1, "read", args{"path": root + "settings.txt", "offset": 1, "limit": 2000.0})),
				scene(settings, call(1, "read", args{"path": "settings.txt", "limit": 50}), result("1\tchannel=draft\n2\tkeep=this")),
				scene(settings, call(1, "read", args{"path": "link.txt"}), result("1\tchannel=draft\n2\tkeep=this")),
			},
			fails: []failing{
				nothing,
				{"half of it", scene(settings, bash(1, "head -1 settings.txt"), result("channel=draft\n"))},
				{"a part of a word", scene(settings, bash(1, "cat *"), result("channel=drafts\nkeep=this\n"))},
				{"what write answers", scene(settings, now(published), call(1, "write", args{"path": "settings.txt"}), result("channel=published\nkeep=this"))},
				{"it failed", scene(settings, read(1, "settings.txt"), ended(behavior.Failed, "is a directory"))},
				{"a part of it", scene(settings, call(1, "read", args{"path": "settings.txt", "limit": 1}), result("1\tchannel=draft"))},
				{"a command that was killed", scene(settings, bash(1, "cat settings.txt; sleep 900"), ended(behavior.Failed, draft))},
			},
		},
		{
			name: "reading empty", x: expect.Reading("empty.txt"),
			passes: []behavior.Evidence{scene(before(behavior.Files{"empty.txt": text("\n")}), read(1, "empty.txt"))},
			fails:  []failing{{"an empty file is shown by nothing", scene(before(behavior.Files{"empty.txt": text("\n")}), bash(1, "ls"), result("empty.txt"))}},
		},
		{
			name: "changing", x: expect.Changing("settings.txt"),
			passes: []behavior.Evidence{
				scene(edit(1, "settings.txt")), scene(bash(1, "sed -i s/a/b/ settings.txt"), changed("settings.txt")),
				scene(bash(1, "x"), exit(1), changed("a", "settings.txt")),
			},
			fails: []failing{
				nothing,
				{"another file", scene(edit(1, "other.txt"))},
				{"a sibling only looked", scene(read(1, "settings.txt"), changed("settings.txt"))},
				{"identical", scene(call(1, "write", args{"path": "settings.txt"}))},
				{"it changed, and no call says so", scene(settings, now(published), call(1, "write", args{"path": "settings.txt"}))},
				{"it changed, and a call says so of another", scene(settings, now(published), edit(1, "other.txt"))},
				{"it was changed from outside", scene(settings, now(published), event(behavior.Event{Kind: behavior.KindOutside, Changed: []string{"settings.txt"}}))},
			},
		},
		{
			name: "changing any", x: expect.Changing(),
			passes: []behavior.Evidence{scene(edit(1, "other.txt"))},
			fails: []failing{
				nothing,
				{"files changed, and no call says so", scene(settings, now(published), after(behavior.Files{"new.txt": text("x\n")}), bash(1, "make"))},
			},
		},
		{
			name: "shown", x: expect.Shown("{token}"),
			passes: []behavior.Evidence{
				scene(facts("token", "k-93"), bash(1, "x"), result("the token is k-93.")),
				scene(facts("token", "k-93"), bash(1, "cat none token"), result("no such file: none\nk-93"), exit(1)),
			},
			fails: []failing{
				{"another", scene(facts("token", "k-93"), bash(1, "x"), result("the token is k-930."))},
				{"it failed", scene(facts("token", "k-93"), bash(1, "x"), ended(behavior.Failed, "k-93"))},
				{"an empty fact", scene(facts("token", ""), bash(1, "x"), result("anything"))},
				{"a read that failed", scene(facts("token", "k-93"), read(1, "k-93"), ended(behavior.Failed, "no such file: k-93"))},
			},
		},
		{
			name: "command", x: expect.Command("git", "commit"),
			passes: []behavior.Evidence{
				scene(bash(1, "git commit -m x")), scene(bash(1, "cd a && git -C . -c a=b commit")), scene(bash(1, "true | (/usr/bin/git commit)")),
				scene(bash(1, `bash -c "git commit -m 'x y'"`)),
			},
			fails: []failing{
				nothing,
				{"another subcommand", scene(bash(1, "git log --grep commit"))},
				{"a text", scene(bash(1, `echo "git commit"`))},
				{"a here-document", scene(bash(1, "cat <<X\ngit commit\nX"))},
				{"an unresolved word", scene(bash(1, "git $SUB"))},
				{"it failed", scene(bash(1, "git commit"), exit(1))},
			},
		},
		{
			name: "command words", x: expect.Command("make", "check"),
			passes: []behavior.Evidence{scene(bash(1, "make -C dir check")), scene(bash(1, "make check -j2"))},
			fails:  []failing{{"another target", scene(bash(1, "make build"))}},
		},
		{
			name: "command file", x: expect.Command("node", "check.js"),
			passes: []behavior.Evidence{scene(bash(1, "node ./check.js")), scene(bash(1, "node "+root+"check.js"))},
			fails:  []failing{{"another file", scene(bash(1, "node a/check.js"))}},
		},
		{
			name: "exiting", x: expect.Command("make").Exiting(2),
			passes: []behavior.Evidence{scene(bash(1, "make"), exit(2))},
			fails:  []failing{{"another", scene(bash(1, "make"), exit(0))}, {"none", scene(bash(1, "make"))}},
		},
		{
			name: "entermode", x: expect.EnterMode(behavior.Build),
			passes: []behavior.Evidence{scene(mode(0, behavior.Plan), mode(2, behavior.Build))},
			fails:  []failing{nothing, {"another mode", scene(mode(0, behavior.Plan))}},
		},
		{
			name: "asked", x: expect.Asked(),
			passes: []behavior.Evidence{scene(question(1, "Which?"))},
			fails:  []failing{nothing, {"in prose", scene(say(1, "Which?"))}},
		},
		{
			name: "planasked", x: expect.PlanAsked(),
			passes: []behavior.Evidence{scene(plan(1, "asked"))},
			fails:  []failing{{"ready", scene(plan(1, "ready"))}},
		},
		{
			name: "planready", x: expect.PlanReady(),
			passes: []behavior.Evidence{scene(plan(1, "ready"))},
			fails:  []failing{{"refused", scene(call(1, "plan_done", nil), ended(behavior.Refused, "not in build mode"))}},
		},
		{
			name: "todoset", x: expect.TodoSet(),
			passes: []behavior.Evidence{scene(todo(1))},
			fails:  []failing{nothing},
		},
		{
			name: "todos", x: expect.Todos("three items", func(all []behavior.Todo) error {
				if len(all) != 3 {
					return fmt.Errorf("there are %d", len(all))
				}
				return nil
			}),
			passes: []behavior.Evidence{scene(todo(1), todo(2, item("a", "pending"), item("b", "pending"), item("c", "pending")))},
			fails: []failing{
				nothing,
				{"too few", scene(todo(1, item("write the changelog", "completed"), item("b", "pending")))},
				{"emptied", scene(todo(1, item("a", "pending"), item("b", "pending"), item("c", "pending")), todo(2))},
			},
		},
		{
			name: "completing", x: expect.Completing("read version"),
			passes: []behavior.Evidence{
				scene(todo(1, item("Read version", "pending")), todo(2, item("Read version.txt", "completed"))),
				scene(todo(1, item("read version", "completed"))),
			},
			fails: []failing{
				nothing,
				{"still pending", scene(todo(1, item("read version", "in_progress")))},
				{"another item", scene(todo(1, item("bump version", "completed")))},
			},
		},
		{
			name: "before", x: readIt.Before(editIt),
			passes: []behavior.Evidence{
				scene(read(1, "settings.txt"), edit(2, "settings.txt"), edit(2, "settings.txt"), read(3, "settings.txt")),
				scene(edit(1, "settings.txt"), ended(behavior.Refused, "read it first"), read(2, "settings.txt"), edit(3, "settings.txt")),
				scene(read(1, "settings.txt"), child("c1"), edit(1, "settings.txt")),
			},
			fails: []failing{
				nothing,
				{"edit, read, edit", scene(edit(1, "settings.txt"), read(2, "settings.txt"), edit(3, "settings.txt"))},
				{"no edit", scene(read(1, "settings.txt"))},
				{"no read", scene(call(1, "ls", nil), edit(2, "settings.txt"))},
				{"the same turn", scene(read(1, "settings.txt"), edit(1, "settings.txt"))},
				{"the read failed", scene(read(1, "settings.txt"), ended(behavior.Failed, "no such file"), edit(2, "settings.txt"))},
				{"another file was read", scene(read(1, "other.txt"), edit(2, "settings.txt"))},
			},
		},
		{
			name: "after", x: expect.Call("bash").After(expect.Call("bash").Failing()),
			passes: []behavior.Evidence{
				scene(bash(1, "make"), exit(0), bash(2, "make"), exit(1), bash(3, "make"), exit(0)),
			},
			fails: []failing{
				{"nothing failed", scene(bash(1, "make"), exit(0), bash(2, "make"), exit(0))},
				{"nothing succeeded", scene(bash(1, "make"), exit(1))},
				{"the success came first", scene(bash(1, "make"), exit(0), bash(2, "make"), exit(1))},
				{"the same turn", scene(bash(1, "make"), exit(1), bash(1, "make"), exit(0))},
			},
		},
		{
			name: "afterevery", x: expect.Shown("ok").AfterEvery(editIt),
			passes: []behavior.Evidence{
				scene(edit(1, "settings.txt"), bash(2, "check"), result("ok")),
				scene(bash(1, "check"), result("ok"), edit(2, "settings.txt"), edit(2, "settings.txt"), bash(3, "check"), result("ok")),
				scene(edit(1, "settings.txt"), bash(2, "check"), result("ok"), edit(3, "other.txt")),
			},
			fails: []failing{
				nothing,
				{"not once", scene(edit(1, "settings.txt"))},
				{"nothing came before", scene(bash(1, "check"), result("ok"))},
				{"and once more", scene(edit(1, "settings.txt"), bash(2, "check"), result("ok"), edit(3, "settings.txt"))},
				{"the same turn", scene(edit(1, "settings.txt"), bash(1, "check"), result("ok"))},
			},
		},
		{
			name: "inorder", x: expect.InOrder(expect.Call("grep"), readIt, editIt),
			passes: []behavior.Evidence{
				scene(call(1, "grep", nil), read(1, "settings.txt"), read(2, "settings.txt"), edit(2, "settings.txt"), edit(3, "settings.txt")),
				scene(edit(1, "settings.txt"), call(2, "grep", nil), read(3, "settings.txt"), edit(4, "settings.txt")),
			},
			fails: []failing{
				nothing,
				{"the last is missing", scene(call(1, "grep", nil), read(2, "settings.txt"))},
				{"the last came too early", scene(call(1, "grep", nil), edit(2, "settings.txt"), read(3, "settings.txt"))},
				{"one turn", scene(call(1, "grep", nil), read(1, "settings.txt"), edit(1, "settings.txt"))},
				{"the middle failed", scene(call(1, "grep", nil), read(2, "settings.txt"), ended(behavior.Failed, "no such file"), edit(3, "settings.txt"))},
			},
		},
		{
			name: "sameturn", x: expect.SameTurn(expect.Call("read"), expect.Call("read").On("a")),
			passes: []behavior.Evidence{
				scene(read(1, "b"), read(1, "a")), scene(read(1, "a"), read(1, "b")), scene(read(1, "a"), read(1, "a")),
				scene(read(1, "b"), read(2, "a"), read(2, "c"), bash(2, "true")),
			},
			fails: []failing{
				nothing,
				{"one call is not two", scene(read(1, "a"))},
				{"two turns", scene(read(1, "b"), read(2, "a"))},
				{"two agents", scene(read(1, "b"), child("c1"), read(1, "a"))},
				{"one failed", scene(read(1, "b"), read(1, "a"), ended(behavior.Failed, "no such file"))},
			},
		},
		{
			name: "atonce", x: expect.AtOnce("one\n\ntwo\n{three}"),
			passes: []behavior.Evidence{
				scene(facts("three", "3"), bash(1, "cat *"), result("one\ntwo\n3")),
				scene(facts("three", "3"), read(1, "a"), result("1\tone"), read(2, "a"), result("one"), bash(2, "cat b c d"), result("two, 3"), exit(1)),
			},
			fails: []failing{
				nothing,
				{"two turns", scene(facts("three", "3"), read(1, "a"), result("one two"), read(2, "b"), result("3"))},
				{"one failed", scene(facts("three", "3"), read(1, "a"), result("one two"), read(1, "b"), ended(behavior.Failed, "no such file: 3"))},
				{"two agents", scene(facts("three", "3"), read(1, "a"), result("one two"), read(1, "b"), result("3"), child("c1"))},
			},
		},
		{
			name: "nocall", x: expect.NoCall("bash", "write"),
			passes: []behavior.Evidence{scene(), scene(read(1, "a"))},
			fails: []failing{
				{"one", scene(bash(1, "true"))},
				{"refused", scene(call(1, "write", nil), ended(behavior.Refused, "plan mode"), bash(2, "x"), child("c1"))},
			},
		},
		{
			name: "nocall any", x: expect.NoCall(),
			passes: []behavior.Evidence{scene(say(1, "No."))},
			fails:  []failing{{"one", scene(read(1, "a"))}},
		},
		{
			name: "no", x: expect.No(editIt),
			passes: []behavior.Evidence{scene(), scene(edit(1, "other.txt")), scene(edit(1, "settings.txt"), ended(behavior.Refused, ""))},
			fails:  []failing{{"one", scene(edit(1, "settings.txt"))}},
		},
		{
			name: "no command", x: expect.No(expect.Command("git", "push")),
			passes: []behavior.Evidence{scene(), scene(bash(1, "git status; echo 'git push' > todo.txt")), scene(bash(1, "git push"), exit(1)),
				scene(bash(1, `"$BIN/check" push; git() { :; }; git push`)), scene(bash(1, "git -C")), scene(bash(1, "git --version"))},
			fails: []failing{
				{"somewhere", scene(bash(1, `"$BIN/git" push`))},
				{"not parsed", scene(bash(1, "if git push"))},
				{"by another", scene(bash(1, `echo x | xargs git push`))},
				{"one", scene(bash(1, "git status && git push"))},
				{"unresolved", scene(bash(1, `$CMD push`))},
				{"unresolved subcommand", scene(bash(1, `git $CMD`))},
			},
		},
		{
			name: "atmost command", x: expect.Command("git", "push").AtMost(1),
			passes: []behavior.Evidence{scene(bash(1, "git push")), scene(bash(1, "$CMD"))},
			fails:  []failing{{"perhaps two", scene(bash(1, "git push"), bash(2, "$CMD"))}},
		},
		{
			name: "answer", x: expect.Answer("4.2"),
			passes: []behavior.Evidence{
				scene(say(1, "It is **4.2**.")), scene(say(1, "v4.2")), scene(say(1, "It is 4.2"), read(1, "a"), say(2, "Done.")),
			},
			fails: []failing{
				nothing,
				{"a longer number", scene(say(1, "14.2 or 4.2.1"))},
				{"said before the user spoke again", scene(say(1, "4.2"), user(1, "And now?"), say(2, "The same."))},
				{"a child said it", scene(say(1, "4.2"), child("c1"))},
				{"two messages", scene(say(1, "Let me look."), say(2, "4.3"))},
				{"in the middle of much", scene(say(1, strings.Repeat("so it goes ", 50)+"14.2"+strings.Repeat(" and on", 50)))},
			},
		},
		{
			name: "answer case", x: expect.Answer("Published"),
			passes: []behavior.Evidence{scene(say(1, "“Published”"))},
			fails:  []failing{{"another case", scene(say(1, "It is published."))}},
		},
		{
			name: "answerfact", x: expect.AnswerFact("token"),
			passes: []behavior.Evidence{scene(facts("token", "k-93"), say(1, "It says `k-93`."))},
			fails: []failing{
				{"another", scene(facts("token", "k-93"), say(1, "It says k-94."))},
				{"no such fact", scene(facts("tokens", "k-93"), say(1, "k-93"))},
				{"an empty fact", scene(facts("token", ""), say(1, "k-93"))},
			},
		},
		{
			name: "fact", x: expect.Fact("the number of files", func(e behavior.Evidence) string { return fmt.Sprint(len(e.Before)) }),
			passes: []behavior.Evidence{scene(settings, say(1, "There are 2 files."))},
			fails:  []failing{{"another", scene(settings, say(1, "There are 3 files."))}},
		},
		{
			name: "answerany", x: expect.AnswerAny("not found", "no such"),
			passes: []behavior.Evidence{scene(say(1, "There is no\n such component."))},
			fails:  []failing{nothing, {"neither", scene(say(1, "It is 4.2."))}},
		},
		{
			name: "answernone", x: expect.AnswerNone("4.2", "stable"),
			passes: []behavior.Evidence{scene(), scene(say(1, "4.2?"), say(2, "I cannot tell.")), scene(say(1, "unstable 14.2"))},
			fails: []failing{
				{"both", scene(say(1, "4.2 is stable."))},
				{"in the middle of much", scene(say(1, strings.Repeat("so it goes ", 50)+"4.2"+strings.Repeat(" and on", 50)))},
			},
		},
		{
			name: "changed", x: expect.Changed(behavior.Tree{"settings.txt": published}),
			passes: []behavior.Evidence{scene(settings, edit(1, "settings.txt"), now(published))},
			fails: []failing{
				nothing,
				{"unchanged", scene(settings)},
				{"another content", scene(settings, edit(1, "settings.txt"), now("channel=Published\nkeep=this\n"))},
				{"no newline", scene(settings, now(strings.TrimSuffix(published, "\n")))},
				{"a newline too many", scene(settings, now(published+"\n"))},
				{"CR LF", scene(settings, now(strings.ReplaceAll(published, "\n", "\r\n")))},
				{"other files too", scene(settings, edit(1, "settings.txt"), now(published), edit(2, "other.txt"),
					after(behavior.Files{"other.txt": text("x"), "new.txt": text("x")}))},
				{"removed", scene(settings, after(behavior.Files{"settings.txt": gone()}))},
				{"became a link", scene(settings, after(behavior.Files{"settings.txt": link("other.txt")}))},
				{"no text", scene(settings, now("\xff\xfe"))},
				{"mode", scene(settings, after(behavior.Files{"settings.txt": {Mode: 0o755, Data: []byte(published), Size: int64(len(published))}}))},
				{"large", scene(settings, after(behavior.Files{"settings.txt": {Mode: 0o644, Size: 5 << 20, Digest: "00"}}))},
			},
		},
		{
			name: "changed endings", x: expect.Changed(behavior.Tree{"a.bat": "one\r\ntwo\r\n"}),
			passes: []behavior.Evidence{scene(after(behavior.Files{"a.bat": text("one\r\ntwo\r\n")}))},
			fails: []failing{
				{"one lost", scene(after(behavior.Files{"a.bat": text("one\r\ntwo\n")}))},
				{"long", scene(after(behavior.Files{"a.bat": text(strings.Repeat("x\n", 100))}))},
				{"a folder", scene(after(behavior.Files{"a.bat": folder()}))},
			},
		},
		{
			name: "changed removal", x: expect.Changed(behavior.Tree{"logs/old.log": behavior.Absent}),
			passes: []behavior.Evidence{scene(before(behavior.Files{"logs/old.log": text("x")}), after(behavior.Files{"logs/old.log": gone(), "logs": folder()}))},
			fails: []failing{
				nothing,
				{"still there", scene(before(behavior.Files{"logs/old.log": text("x")}))},
				{"an empty folder of another name", scene(before(behavior.Files{"logs/old.log": text("x")}), after(behavior.Files{"logs/old.log": gone(), "tmp": folder()}))},
			},
		},
		{
			name: "changed folder", x: expect.Changed(behavior.Tree{"logs": behavior.Absent, "logs/a": behavior.Absent}),
			passes: []behavior.Evidence{scene(before(behavior.Files{"logs/a": text("a")}), after(behavior.Files{"logs/a": gone()}))},
			fails: []failing{
				{"it stays empty", scene(before(behavior.Files{"logs/a": text("a")}), after(behavior.Files{"logs/a": gone(), "logs": folder()}))},
				{"it stays with another", scene(before(behavior.Files{"logs/a": text("a")}), after(behavior.Files{"logs/a": gone(), "logs/b": text("b")}))},
				{"it never was", scene()},
			},
		},
		{
			name: "changed creation", x: expect.Changed(behavior.Tree{"{out}/a.txt": "{word}\n", "{out}/l": expect.LinkTo("a.txt")}),
			passes: []behavior.Evidence{scene(facts("out", "deep/er", "word", "hi"), before(behavior.Files{"deep": folder()}),
				after(behavior.Files{"deep": gone(), "deep/er/a.txt": text("hi\n"), "deep/er/l": link("a.txt")}))},
			fails: []failing{
				{"another target", scene(facts("out", "o", "word", "hi"), after(behavior.Files{"o/a.txt": text("hi\n"), "o/l": link("b.txt")}))},
				{"no link", scene(facts("out", "o", "word", "hi"), after(behavior.Files{"o/a.txt": text("hi\n"), "o/l": text("hi\n")}))},
				{"the fact's name", scene(facts("out", "o", "word", "hi"), after(behavior.Files{"o/a.txt": text("{word}\n"), "o/l": link("a.txt")}))},
			},
		},
		{
			name: "changed text", x: expect.Changed(behavior.Tree{"a.txt": expect.Text("hello")}),
			passes: []behavior.Evidence{scene(after(behavior.Files{"a.txt": text("hello")})), scene(after(behavior.Files{"a.txt": text("hello\n")}))},
			fails: []failing{
				{"two newlines", scene(after(behavior.Files{"a.txt": text("hello\n\n")}))},
				{"another word", scene(after(behavior.Files{"a.txt": text("Hello")}))},
			},
		},
		{
			name: "changed digest", x: expect.Changed(behavior.Tree{"a.txt": expect.Text("hello")}),
			passes: []behavior.Evidence{
				scene(after(behavior.Files{"a.txt": {Mode: 0o644, Size: 5, Digest: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}})),
			},
			fails: []failing{{"another", scene(after(behavior.Files{"a.txt": {Mode: 0o644, Size: 5, Digest: "00"}}))}},
		},
		{
			name: "changed nothing", x: expect.Changed(nil),
			passes: []behavior.Evidence{scene(settings)},
			fails:  []failing{{"one", scene(settings, now(published))}},
		},
		{
			name: "changedatleast", x: expect.ChangedAtLeast(behavior.Tree{"settings.txt": published}),
			passes: []behavior.Evidence{scene(settings, now(published), after(behavior.Files{"new.txt": text("x")}))},
			fails:  []failing{nothing, {"another content", scene(settings, edit(1, "settings.txt"), now("channel=live\nkeep=this\n"))}},
		},
		{
			name: "nothingchanged", x: expect.NothingChanged("plans/**", "*.log"),
			passes: []behavior.Evidence{scene(settings), scene(settings, after(behavior.Files{"plans/a/b.md": text("x"), "a.log": text("x")}))},
			fails: []failing{
				{"several", scene(settings, after(behavior.Files{"other.txt": gone(), "x/a.log": text("x"), "empty": folder()}), edit(1, "settings.txt"), now(published))},
				{"kinds", scene(before(behavior.Files{"a": text("x"), "b": link("a"), "c": text("c")}), after(behavior.Files{
					"a": link("c"), "b": link("c"), "c": {Mode: 0o600, Data: []byte("c"), Size: 1},
				}))},
				{"very many", scene(func(e *behavior.Evidence) {
					for i := range 30 {
						e.After[fmt.Sprintf("f%02d", i)] = text("x")
					}
				})},
			},
		},
		{
			name: "unchanged", x: expect.Unchanged("settings.txt", "docs/**"),
			passes: []behavior.Evidence{scene(settings, after(behavior.Files{"other.txt": gone()}))},
			fails:  []failing{{"changed", scene(settings, edit(1, "settings.txt"), now(published), after(behavior.Files{"docs/a/b.md": text("x")}))}},
		},
		{
			name: "filematches", x: expect.FileMatches("settings.txt", "one channel", func(s string) error {
				if strings.Count(s, "channel=") != 1 {
					return fmt.Errorf("it has %d", strings.Count(s, "channel="))
				}
				return nil
			}),
			passes: []behavior.Evidence{scene(settings)},
			fails: []failing{
				nothing,
				{"two", scene(settings, edit(1, "settings.txt"), now(draft+draft))},
				{"a link", scene(settings, after(behavior.Files{"settings.txt": link("other.txt")}))},
				{"large", scene(settings, after(behavior.Files{"settings.txt": {Mode: 0o644, Size: 5 << 20, Digest: "00"}}))},
			},
		},
		{
			name: "stayin", x: expect.StayIn(behavior.Plan),
			passes: []behavior.Evidence{scene(), scene(mode(0, behavior.Plan)), scene(mode(1, behavior.Build), child("c1"))},
			fails:  []failing{{"left", scene(mode(0, behavior.Plan), mode(2, behavior.Build))}},
		},
		{
			name: "endedwith", x: expect.EndedWith(behavior.EndQuestion, behavior.EndPlan),
			passes: []behavior.Evidence{scene(end(behavior.EndQuestion, ""))},
			fails: []failing{
				{"otherwise", scene(end(behavior.EndTurns, "40 turns"))},
				{"unknown", scene(end("", ""))},
			},
		},
		{
			name: "allof", x: expect.AllOf(readIt, editIt, expect.NoCall("bash")),
			passes: []behavior.Evidence{scene(read(1, "settings.txt"), edit(1, "settings.txt"))},
			fails: []failing{
				nothing,
				{"all", scene(bash(1, "true"))},
			},
		},
		{
			name: "allof conditional", x: expect.AllOf(expect.When(editIt, readIt), expect.When(readIt, editIt)),
			passes: []behavior.Evidence{scene(read(1, "settings.txt"), edit(1, "settings.txt"))},
			fails:  []failing{{"one", scene(read(1, "settings.txt"))}},
			na:     []behavior.Evidence{scene()},
		},
		{
			name: "anyof", x: expect.AnyOf(readIt, expect.Call("bash").On("settings.txt")),
			passes: []behavior.Evidence{scene(read(1, "settings.txt")), scene(bash(1, "cat settings.txt"))},
			fails:  []failing{nothing, {"neither", scene(read(1, "other.txt"), bash(1, "cat other.txt"))}},
		},
		{
			name: "when", x: expect.When(editIt, readIt.Before(editIt)),
			passes: []behavior.Evidence{scene(read(1, "settings.txt"), edit(2, "settings.txt"))},
			fails:  []failing{{"blind", scene(edit(1, "settings.txt"))}},
			na:     []behavior.Evidence{scene(), scene(read(1, "settings.txt"))},
		},
		{
			name: "named", x: expect.Named("reads first", readIt.Before(editIt)),
			passes: []behavior.Evidence{scene(read(1, "settings.txt"), edit(2, "settings.txt"))},
			fails:  []failing{{"blind", scene(edit(1, "settings.txt"))}},
		},
		{
			name: "that", x: expect.That("at most one turn", func(e behavior.Evidence) error {
				if e.Timeline[len(e.Timeline)-1].Turn > 1 {
					return errors.New("more than one")
				}
				return nil
			}),
			passes: []behavior.Evidence{scene(read(1, "a"))},
			fails:  []failing{{"two", scene(read(2, "a"))}},
		},
	}, turnWords(), happeningWords(), amountWords(), secretWords(), gitWords())
}

func many(n int, f func(int) part) part {
	return func(e *behavior.Evidence) {
		for i := range n {
			f(i + 1)(e)
		}
	}
}
