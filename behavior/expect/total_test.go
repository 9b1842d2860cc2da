package expect_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// everything is every word, as an author would use it, and as one should not.
func everything() []behavior.Expectation {
	var all []behavior.Expectation
	for _, w := range words() {
		// What an author's own function makes of strange evidence is its affair.
		if w.name != "that" && w.name != "todos" {
			all = append(all, w.x)
		}
	}
	return append(all, misused()...)
}

// misused are words that can never be satisfied, because the case is at fault.
func misused() []behavior.Expectation {
	bad := expect.Call().Attempted()
	return []behavior.Expectation{
		expect.AllOf(), expect.AnyOf(), expect.InOrder(), expect.SameTurn(),
		expect.Answer(""), expect.Answer(" "), expect.AnswerAny(), expect.AnswerFact("no such fact"),
		expect.Fact("nothing", func(behavior.Evidence) string { return "" }),
		bad.Matching("path", "("), expect.Shown(""), expect.AtOnce(""), expect.Reading(""), expect.EndedWith(), expect.AnswerNone(), expect.AnswerNone("x", ""), expect.Unchanged(),
		expect.InTurn(0, expect.NothingChanged()), expect.InTurns(2, 1, expect.NothingChanged()), expect.InTurn(2, bad), expect.Spoken(0), expect.Secret("short"), expect.NotShown("short"),
		expect.FileEquals("a", "nothing", func(behavior.Evidence) string { return " " }), expect.ScratchHas(), expect.HomeHas(), expect.CommittedOnly(), expect.ReturnedAtMost(-1, bad), expect.Background("finished"), expect.Child("finished"),
		bad.ID(""), bad.Role(""), bad.Saying(""), bad.On(""), bad.With("x", func() {}),
	}
}

func TestMisuseNeverPasses(t *testing.T) {
	t.Parallel()
	e := scene(read(1, "("), result("x"), say(1, "x"), before(behavior.Files{"": text("x")}))
	for i, x := range misused() {
		v := check(x, e)
		require.Empty(t, v.Fault)
		require.Equal(t, behavior.Fail, v.Result, "misuse %d, %s", i+1, x.Spec().Want)
		require.NotEmpty(t, x.Spec().Want)
		require.NotEmpty(t, x.Spec().Name)
	}
}

func TestNothingPassesByNotHappening(t *testing.T) {
	t.Parallel()
	silence := behavior.Evidence{Facts: map[string]string{"token": key}, End: behavior.End{Reason: behavior.EndStop}, Timeline: []behavior.Event{{Kind: behavior.KindUser, Text: "Please."}}}
	more := []behavior.Expectation{
		expect.EndedWith(behavior.EndStop), expect.Call("x").Times(0), expect.Call("x").AtLeast(0),
		expect.AllOf(expect.NoCall(), expect.NothingChanged()), expect.AllOf(expect.NoCall(), expect.Call()),
		expect.AllOf(expect.NoCall(), expect.When(expect.Call(), expect.Answer("x"))),
		expect.AnyOf(expect.NoCall(), expect.Call()), expect.AnyOf(expect.Call(), expect.Asked()),
		expect.AnyOf(expect.When(expect.Call(), expect.NoCall()), expect.Asked()), expect.Changed(behavior.Tree{}),
		expect.Changed(behavior.Tree{"a": behavior.Absent}), expect.ChangedAtLeast(behavior.Tree{"a": behavior.Absent}),
		expect.FileMatches("a", "anything", func(string) error { return nil }),
		expect.Todos("anything", func([]behavior.Todo) error { return nil }),
	}
	for _, x := range append(everything(), more...) {
		spec := x.Spec()
		if strings.HasSuffix(spec.Name, "before plan approved") {
			continue // silence satisfies it where the user approves, see TestTurnsKeepTheSpec
		}
		want := behavior.Fail
		switch {
		case spec.Conditional:
			want = behavior.NA
		case spec.Negative:
			want = behavior.Pass
		}
		require.Equal(t, want, check(x, silence).Result, "silence and %q", spec.Name)
		if want != behavior.Pass {
			require.Equal(t, want, check(x, behavior.Evidence{}).Result, "empty evidence and %q", spec.Name)
		}
	}
}

func TestMissingToolsAreUnsupported(t *testing.T) {
	t.Parallel()
	readIt, editIt := expect.Call("read"), expect.Call("edit")
	for _, tt := range []struct {
		x     behavior.Expectation
		tools []string
	}{
		{readIt, []string{"read"}},
		{expect.Call("read", "grep"), nil},
		{readIt.Before(editIt), []string{"read", "edit"}},
		{readIt.After(readIt), []string{"read"}},
		{readIt.AfterEvery(editIt), []string{"edit", "read"}},
		{expect.InOrder(readIt, editIt), []string{"read", "edit"}},
		{expect.SameTurn(readIt, readIt), []string{"read"}},
		{readIt.Times(1), []string{"read"}},
		{readIt.Times(0), nil},
		{readIt.AtMost(2), nil},
		{expect.NoCall("read"), nil},
		{expect.No(readIt), nil},
		{expect.AnyOf(readIt, editIt), nil},
		{expect.AnyOf(readIt, readIt.Before(editIt)), []string{"read"}},
		{expect.AllOf(readIt, editIt), []string{"read", "edit"}},
		{expect.When(editIt, readIt), []string{"read"}},
		{expect.Named("x", readIt), []string{"read"}},
		{expect.Reading("a"), nil},
		{expect.Changing("a"), nil},
		{expect.Command("git"), []string{"bash"}},
		{expect.Asked(), []string{"question"}},
		{expect.PlanReady(), []string{"plan_done"}},
		{expect.PlanAsked(), []string{"plan_enter"}},
		{expect.TodoSet(), []string{"todo"}},
	} {
		require.Equal(t, tt.tools, tt.x.Spec().Tools, tt.x.Spec().Name)
	}
}

// TestPatternsAreValues refines one pattern in two ways and finds it unchanged.
func TestPatternsAreValues(t *testing.T) {
	t.Parallel()
	base := expect.Call("read").On("a").With("limit", 1)
	name := base.Spec().Name
	b, c := base.With("offset", 2), base.Failing().On("b").By("x")
	require.Equal(t, name, base.Spec().Name)
	require.Equal(t, "read a limit=1 offset=2", b.Spec().Name)
	require.Equal(t, "failing read a limit=1 b by child x", c.Spec().Name)
	base.Spec().Tools[0] = "other"
	require.Equal(t, []string{"read"}, base.Spec().Tools)
}

func TestPlaceIsTheCasesOwn(t *testing.T) {
	t.Parallel()
	readIt := expect.Call("read"). // line A
					On("a")
	order := readIt.Before(readIt)
	var a, b int
	_, err := fmt.Sscanf(readIt.Spec().Where, "total_test.go:%d", &a)
	require.NoError(t, err, readIt.Spec().Where)
	_, err = fmt.Sscanf(order.Spec().Where, "total_test.go:%d", &b)
	require.NoError(t, err)
	require.Equal(t, a+2, b)
	require.Equal(t, readIt.Spec().Where, expect.Named("x", readIt).Spec().Where)
	for i, x := range everything() {
		require.Regexp(t, `^(words|total|[a-z]+_words)_test\.go:\d+$`, x.Spec().Where, "word %d", i)
	}
}

// TestAnAuthorsFunctionCannotReach shows that what is handed to an author's own
// function is a copy.
func TestAnAuthorsFunctionCannotReach(t *testing.T) {
	t.Parallel()
	e := scene(call(1, "read", args{"path": "a", "l": []any{1.0}}), changed("a"), todo(1, item("a", "pending")))
	want := clone(t, e)
	check(expect.Call().Where("", func(c behavior.Call) bool {
		c.Args["path"], c.Changed[0] = "b", "b"
		c.Args["l"].([]any)[0] = 2.0
		return true
	}), e)
	check(expect.Todos("", func(all []behavior.Todo) error { all[0].Status = "x"; return nil }), e)
	require.Equal(t, want, e)
}

func TestThatFaults(t *testing.T) {
	t.Parallel()
	v := check(expect.That("x", func(behavior.Evidence) error { panic("oh") }), scene())
	require.Contains(t, v.Fault, "oh")
	v = check(expect.That("x", func(behavior.Evidence) error { return errors.New("seen") }), scene())
	require.Equal(t, "seen", v.Got)
}

func clone(t testing.TB, e behavior.Evidence) behavior.Evidence {
	b, err := json.Marshal(e)
	require.NoError(t, err)
	var out behavior.Evidence
	require.NoError(t, json.Unmarshal(b, &out))
	return out
}

// grade puts the evidence to every word, and requires of each that it answers,
// answers the same again, and leaves the evidence as it was.
func grade(t testing.TB, xs []behavior.Expectation, e behavior.Evidence, pure func() behavior.Evidence) {
	c := behavior.Case{Expect: behavior.BySignal{behavior.ToolChain: xs}}
	first := behavior.Grade(c, e)
	for _, v := range first {
		require.Empty(t, v.Fault, v.Name)
		require.LessOrEqual(t, len(v.Name), 2000)
		for _, i := range v.Events {
			require.True(t, i >= 0 && i < len(e.Timeline), "%s names event %d", v.Name, i)
		}
		if v.Result == behavior.Fail {
			require.NotEmpty(t, v.Got, v.Name)
		}
	}
	require.Equal(t, first, behavior.Grade(c, e))
	if pure != nil {
		require.True(t, reflect.DeepEqual(pure(), e), "the evidence was changed")
	}
}

// strange makes evidence that no agent would leave, the same for one seed.
func strange(seed uint64, size int) behavior.Evidence {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	str := func() string {
		return pick("", "a", "settings.txt", "./settings.txt", root+"settings.txt", "../..", "/", "\xff\xfe", "\x00absent", "git commit", "4.2",
			"channel=draft\nkeep=this\n", "{token}", "{}", "$X push", "cat <<X\n", "((((", strings.Repeat("x ", 200), "src/a.txt", "\n", "Published", "-", "·́")
	}
	var value func(depth int) any
	value = func(depth int) any {
		switch n := r.IntN(9); {
		case n == 0:
			return nil
		case n == 1:
			return r.Float64() * 1e9
		case n == 2:
			return r.IntN(2) == 0
		case n == 3:
			return json.Number(pick("1", "1e400", "x", "-0"))
		case n == 4 && depth < 3:
			return []any{value(depth + 1), value(depth + 1)}
		case n == 5 && depth < 3:
			return map[string]any{str(): value(depth + 1)}
		}
		return str()
	}
	file := func() behavior.File {
		f := behavior.File{Link: pick("", "", "a"), Size: int64(r.IntN(9)), Digest: pick("", "", "00")}
		f.Mode = []behavior.File{text(""), link("a"), folder(), gone()}[r.IntN(4)].Mode
		if r.IntN(2) == 0 {
			f.Data = []byte(str())
		}
		return f
	}
	e := behavior.Evidence{Workspace: pick("", "/", "/dev/shm/w-3f9c1a/project", "relative", `C:\w`), Before: behavior.Files{}, After: behavior.Files{}}
	if r.IntN(2) == 0 {
		e.Facts = map[string]string{"token": str(), "symbol": str(), "": str(), "out": str(), "word": str()}
	}
	for range r.IntN(6) {
		e.Before[str()], e.After[str()] = file(), file()
		e.Scratch, e.Home = behavior.Files{str(): file()}, behavior.Files{str(): file()}
	}
	kinds := []behavior.Kind{"", behavior.KindUser, behavior.KindMessage, behavior.KindCall, behavior.KindCall, behavior.KindCall, behavior.KindCall,
		behavior.KindMode, behavior.KindPlan, behavior.KindQuestion, behavior.KindTodo, behavior.KindNotice, "new", behavior.KindBackground, behavior.KindChild, behavior.KindSkill, behavior.KindRule, behavior.KindCompaction,
		behavior.KindSession, behavior.KindServed, behavior.KindServed, behavior.KindFault, behavior.KindOutside}
	for range r.IntN(size + 1) {
		ev := behavior.Event{Kind: kinds[r.IntN(len(kinds))], Turn: r.IntN(9) - 2, Agent: pick("", "", "", "c1", "\xff"), Text: str(), ID: pick("", "a", "bg-1", "billing", "\xff"), State: pick("", "asked", "ready", "approved", "declined", "started", "promoted", "ended", "listed", "always"), Mode: behavior.Mode(pick("", "plan", "build"))}
		if r.IntN(8) > 0 {
			c := &behavior.Call{Tool: pick("", "read", "edit", "bash", "bash", "ls", "grep", "write", "todo", "\xff"), Status: behavior.Status(pick("ok", "ok", "ok", "error", "refused", "", "malformed", "unknown", "cut"))}
			if r.IntN(4) > 0 {
				c.Args = map[string]any{pick("path", "command"): value(0), "command": value(0), str(): value(0)}
			}
			c.Result = str()
			if r.IntN(3) == 0 {
				exit := r.IntN(3)
				c.Exit = &exit
			}
			if r.IntN(3) == 0 {
				c.Changed = []string{str(), str()}
			}
			ev.Call = c
		}
		if r.IntN(4) == 0 {
			ev.Todos = []behavior.Todo{{Content: str(), Status: pick("completed", "pending", "")}}
		}
		e.Timeline = append(e.Timeline, ev)
	}
	for range r.IntN(4) {
		e.Turns = append(e.Turns, behavior.UserTurn{Event: r.IntN(size+4) - 2, Files: []behavior.Files{nil, e.After}[r.IntN(2)], Left: []behavior.Files{nil, e.Before}[r.IntN(2)]})
	}
	for _, tree := range []behavior.Files{e.Before, e.After} {
		if r.IntN(2) == 0 {
			tree[".git"] = recorded(strangeRepo(r))
		}
	}
	return e
}

// strangeRepo is a repository with some of its bytes gone wrong.
func strangeRepo(r *rand.Rand) string {
	b := []byte(repoText("main", pick1, pick2))
	for range r.IntN(3) {
		switch at := r.IntN(len(b)); r.IntN(3) {
		case 0:
			b[at] = byte(r.IntN(256))
		case 1:
			b = append(b[:at], b[min(len(b), at+r.IntN(20)):]...)
		case 2:
			b = b[:at+1]
		}
	}
	return string(b)
}

func TestEveryWordIsTotalAndPure(t *testing.T) {
	t.Parallel()
	xs := everything()
	for seed := range uint64(80) {
		e := strange(seed, 30)
		grade(t, xs, e, func() behavior.Evidence { return strange(seed, 30) })
	}
	grade(t, xs, behavior.Evidence{}, nil)
	huge := scene(settingsLarge(), many(2000, func(i int) part { return bash(i, strings.Repeat("cat a; ", 100)) }), last(func(ev *behavior.Event) { ev.Call.Result = strings.Repeat("\xff4.", 1<<20) }), say(3, strings.Repeat("4.2.1 ", 1<<18)))
	grade(t, []behavior.Expectation{expect.Answer("4.2"), expect.Shown("4.2"), expect.Reading("large"), expect.Changed(behavior.Tree{"large": "x"}), expect.AnswerNone("4.2")}, huge, nil)
}

func settingsLarge() part {
	return before(behavior.Files{"large": text(strings.Repeat("line\n", 1<<18))})
}

func FuzzGrade(f *testing.F) {
	xs := everything()
	for seed := range uint64(20) {
		b, err := json.Marshal(strange(seed, 8))
		if err != nil {
			continue // a json.Number that is none
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var e, again behavior.Evidence
		if json.Unmarshal(b, &e) != nil || json.Unmarshal(b, &again) != nil {
			return
		}
		grade(t, xs, e, func() behavior.Evidence { return again })
	})
}

func BenchmarkGrade(b *testing.B) {
	e := scene(settingsSmall(), many(1000, func(i int) part {
		switch i % 4 {
		case 0:
			return bash(i, fmt.Sprintf("cd src && grep -rn 'thing %d' . | head -20 > out.txt", i))
		case 1:
			return edit(i, fmt.Sprintf("src/f%d.txt", i))
		}
		return read(i, fmt.Sprintf("src/f%d.txt", i))
	}), say(1001, "It is 4.2."))
	for i := range e.Timeline {
		if c := e.Timeline[i].Call; c != nil {
			c.Result = strings.Repeat("1\tsome line of text\n", 50)
		}
	}
	readIt, editIt := expect.Call("read").On("src/f2.txt"), expect.Call("edit").On("src/f1.txt")
	xs := []behavior.Expectation{
		readIt, editIt, readIt.Before(editIt), readIt.After(editIt), expect.InOrder(readIt, editIt, readIt), expect.SameTurn(readIt, editIt),
		expect.NoCall("write"), expect.No(expect.Command("git", "push")), expect.Command("grep", "-rn"), expect.Reading("settings.txt"),
		expect.Changing("src/f1.txt").AtMost(1), expect.Shown("some line"), expect.Answer("4.2"), expect.AnswerNone("4.3"),
		expect.Changed(behavior.Tree{"settings.txt": published}), expect.NothingChanged("src/**"), expect.StayIn(behavior.Build),
		expect.EndedWith(behavior.EndStop), expect.When(editIt, readIt), expect.AnyOf(readIt, expect.Call("bash").On("src/out.txt")),
	}
	c := behavior.Case{Expect: behavior.BySignal{behavior.ToolChain: xs}}
	b.ReportAllocs()
	for b.Loop() {
		behavior.Grade(c, e)
	}
}

func settingsSmall() part { return before(behavior.Files{"settings.txt": text(draft)}) }
