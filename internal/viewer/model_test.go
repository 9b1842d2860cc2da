package viewer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/trace"
)

var painted = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// hostileTrace has the worst of texts wherever a trace has one.
func hostileTrace(random *rand.Rand) trace.Trace {
	text := func() string { return hostile[random.IntN(len(hostile))] }
	t := trace.Trace{
		Head: trace.Head{Run: text(), Case: text(), Claim: text(), World: text(), Variant: text(), Model: text(), Agent: text(), Kind: text(),
			Attempt: 1, Outcome: text(), Reason: text(), Detail: text(), Facts: map[string]string{text(): text()},
			Siblings: []trace.Sibling{{Attempt: 1, Outcome: text()}, {Attempt: 2, Outcome: "void", Reason: text()}}},
		Ending: trace.Ending{Reason: text(), Detail: text(), Containment: text()},
	}
	for i := range 6 + random.IntN(10) {
		e := trace.Event{N: i + 1, Turn: i / 3, Kind: text(), Agent: []string{"", text()}[i%2], Depth: random.IntN(30), Title: text(), Lead: text(), Status: text(), Bad: i%2 == 0}
		if i%3 == 0 {
			e.Blames = []int{0, 1, 99}
		}
		for range random.IntN(4) {
			e.Parts = append(e.Parts, trace.Part{Name: text(), Text: text(), Folded: random.IntN(2) == 0})
		}
		t.Events = append(t.Events, e)
	}
	for range 3 {
		t.Verdicts = append(t.Verdicts, trace.Verdict{Signal: text(), Name: text(), Outcome: []string{"pass", "fail", "n/a", text()}[random.IntN(4)],
			Got: text(), Where: text(), Events: []int{random.IntN(20)}})
		t.Files = append(t.Files, trace.File{Path: text(), Change: text(), Diff: text(), Note: text()})
	}
	return t
}

// TestScreenHolds presses keys at random over hostile traces at all widths: every screen
// has its rows, none of them is too wide, and nothing on it moves the terminal.
func TestScreenHolds(t *testing.T) {
	t.Parallel()
	keys := strings.Fields("up down left right enter space e E g G J K n N v f d c tab [ ] } { pgup pgdown ctrl+d ctrl+u ? esc / x enter / \\ x 1 b enter 3 enter 漢 b")
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 7))
		c := Config{Trace: hostileTrace(random), Colour: seed%2 == 0, Full: seed%5 == 0, Event: int(seed % 4)}
		if seed%3 == 0 {
			other := hostileTrace(random)
			c.Against = &other
		}
		c.Load = func(trace.Head, int) (trace.Trace, error) {
			if random.IntN(3) == 0 {
				return trace.Trace{}, errors.New(hostile[random.IntN(len(hostile))])
			}
			return hostileTrace(random), nil
		}
		r := read(t, c, 80, 24)
		for range 40 {
			columns, lines := 40+random.IntN(261), 5+random.IntN(60)
			r.send(tea.WindowSizeMsg{Width: columns, Height: lines})
			if random.IntN(30) == 0 {
				r.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
			}
			for range 1 + random.IntN(3) {
				r.send(keyOf(keys[random.IntN(len(keys))]))
			}
			rows := strings.Split(r.m.View().Content, "\n")
			require.Len(t, rows, lines)
			for _, row := range rows {
				bare := painted.ReplaceAllString(row, "")
				require.LessOrEqual(t, width(r.m.how, bare), columns, "%.300q", bare)
				for _, c := range bare {
					require.True(t, unicode.IsGraphic(c) && c != '\u2028', "%q in %q", c, bare)
				}
				if !c.Colour {
					require.NotRegexp(t, `\x1b\[[0-9;]*[34]`, row, "a colour")
				}
			}
			require.Contains(t, strings.Join(rows, "\n"), map[bool]string{true: "", false: "▌"}[r.m.help], "the cursor is on the screen")
		}
	}
}

// TestEveryRowIsReached goes through a trace row by row, down and up again.
func TestEveryRowIsReached(t *testing.T) {
	other := passed()
	for _, against := range []*trace.Trace{nil, &other} {
		m := newModel(Config{Trace: failed(), Against: against, Full: true})
		var down []place
		for p, ok := (place{}), true; ok; p, ok = m.next(p) {
			down = append(down, p)
		}
		require.Equal(t, m.last(), down[len(down)-1])
		for i, p := len(down)-1, m.last(); i >= 0; i-- {
			require.Equal(t, down[i], p)
			if i > 0 {
				require.True(t, down[i-1].before(p))
			}
			p, _ = m.prev(p)
		}
		seen := make(map[int]bool)
		for _, p := range down {
			seen[p.node] = true
		}
		require.Len(t, seen, len(m.doc.nodes))
	}
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ keys, here string }{
		{"", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"down", "fails     tool-chain: read settings.txt before edit"},
		{"down j up k", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"n", `> 6 ▾ call      bash                                   ok, exit status 1, 20 ms`},
		{"n n", `> 6 ▾ call      bash                                   ok, exit status 1, 20 ms`},
		{"n N", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"left", `> 3 ▸ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"down down down left", `> 3 ▸ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"down down down down down space", "▸ result    edited settings.txt                                   4 lines"},
		{"space space", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"K", "2 ▸ says      I will edit it."},
		{"K right down", "▸ thinking  The file is small.                                    3 lines"},
		{"K right down enter down", "│ The file is small."},
		{"J", "4 ▸ child     worker-1 started: look again"},
		{"}", "turn 2, at 1.4 s"},
		{"} {", "turn 1, at 12 ms"},
		{"g", "claim     A bounded edit is grounded in the file and changes only what was"},
		{"G", "│ binary, 0 → 12 bytes"},
		{"5 enter", `5 ▾   call      read path="settings.txt"                          error, 1 ms`},
		{"v", "verdicts"},
		{"v v", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"v down down enter", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
		{"v down down left", "▸ fail      tool-chain: read settings.txt before edit"},
		{"f", "files"},
		{"v f f", "verdicts"},
		{"/ F A L S E enter", "│   false"},
		{"/ f a l s e enter esc N", "> 6 ▾ call      bash                                   ok, exit status 1, 20 ms"},
		{"/ e r r o r enter", `5 ▾   call      read path="settings.txt"                          error, 1 ms`},
		{"/ k e e p enter n", "│  keep=this"},
		{"/ k e e p enter n n", "│ keep=this"},
		{"/ k e e p enter N", "│  keep=this"},
		{"/ x backspace esc down", "fails     tool-chain: read settings.txt before edit"},
		{"? j j x", `> 3 ▾ call      edit new="Published" old="draft" path="settings.txt"   ok, 3 ms`},
	} {
		require.Equal(t, c.here, strings.TrimSpace(painted.ReplaceAllString(read(t, Config{Trace: failed()}, 80, 24).press(c.keys).here(), "")), "%q", c.keys)
	}
}

func TestLeaving(t *testing.T) {
	for _, key := range []string{"q", "esc", "ctrl+c"} {
		require.True(t, read(t, Config{Trace: failed()}, 80, 24).quits(key), key)
	}
	r := read(t, Config{Trace: failed()}, 80, 24).press("/ k e e p enter")
	require.False(t, r.quits("esc"), "it ends the search first")
	require.True(t, r.quits("esc"))
	require.False(t, read(t, Config{Trace: failed()}, 80, 24).press("/").quits("q"), "it is being searched for")
	require.False(t, read(t, Config{Trace: failed()}, 80, 24).press("?").quits("q"), "it leaves the help")
}

func TestSuspends(t *testing.T) {
	_, cmd := newModel(Config{Trace: failed()}).Update(tea.KeyPressMsg{Code: 'z', Mod: tea.ModCtrl})
	require.NotNil(t, cmd)
	require.Equal(t, tea.SuspendMsg{}, cmd())
}

// TestMarginsAreNotTooWide has an event of a number that fills a narrow column by itself.
func TestMarginsAreNotTooWide(t *testing.T) {
	late, other := failed(), passed()
	late.Events[2].N, late.Events[2].Depth = 1234567, 9
	for _, row := range strings.Split(read(t, Config{Trace: late, Against: &other, Full: true}, 40, 30).screen(), "\n") {
		require.LessOrEqual(t, width(ansi.WcWidth, row), 40, row)
	}
}

func TestWhatIsSaid(t *testing.T) {
	for _, c := range []struct{ keys, said string }{
		{"/ z z z enter", `"zzz" is nowhere in it`},
		{"n n", "there is no guilty event further down"},
		{"N", "there is no guilty event further up"},
		{"9 9 enter", "there is no event 99"},
		{"1 2", "event 12, then enter"},
		{"]", "there is no other attempt"},
		{"d", "there is one attempt; c shows another beside it"},
		{"/ k e e p enter", "/keep  1 of 2"},
	} {
		require.Contains(t, read(t, Config{Trace: failed()}, 80, 24).press(c.keys).screen(), "\n "+c.said, "%q", c.keys)
	}
	require.Contains(t, read(t, Config{Trace: passed()}, 80, 24).press("n").screen(), "\n no failed verdict points to an event")
	void := passed()
	void.Verdicts, void.Files = nil, nil
	require.Contains(t, read(t, Config{Trace: void}, 80, 24).press("v").screen(), "\n there are no verdicts")
}

func TestOpensAt(t *testing.T) {
	require.Contains(t, read(t, Config{Trace: failed(), Event: 5}, 80, 24).here(), "5 ▾   call      read")
	r := read(t, Config{Trace: failed(), Find: "small"}, 80, 24)
	require.Equal(t, "│ The file is [7msmall[0m.", strings.ReplaceAll(r.here(), "\x1b", ""), "in what was folded")
	other := passed()
	require.Contains(t, read(t, Config{Trace: failed(), Against: &other}, 80, 24).here(), "first difference: event 3, on the right alone")
	require.Contains(t, read(t, Config{Trace: failed(), Full: true}, 80, 24).press("g / N o space n e e d enter").here(), "need")
}

func TestAttempts(t *testing.T) {
	asked := ""
	load := func(of trace.Head, attempt int) (trace.Trace, error) {
		asked += fmt.Sprintf("%d→%d ", of.Attempt, attempt)
		next := passed()
		next.Head.Attempt = attempt
		if attempt == 3 {
			return next, errors.New("it was not run")
		}
		return next, nil
	}
	r := read(t, Config{Trace: failed(), Load: load}, 80, 24).press("[")
	require.Contains(t, r.screen(), " pass  chain/read-before-edit/drafts  attempt 1 of 3")
	require.Contains(t, r.press("[").screen(), "\n this is the first attempt")
	require.Contains(t, r.press("] ]").screen(), "\n it was not run")
	require.Contains(t, r.screen(), "attempt 2 of 3", "what was there stays")
	require.Equal(t, "2→1 1→2 2→3 ", asked)

	r = read(t, Config{Trace: failed(), Load: load}, 80, 24).press("[ c")
	require.Contains(t, r.screen(), " pass attempt 1 of 3 (simulated)        │ pass attempt 2 of 3 (simulated)\n")
	require.Contains(t, r.press("d").screen(), "\n they did the same")
	require.NotContains(t, r.press("tab").screen(), "attempt 2 of 3 (simulated)")
	require.NotContains(t, r.press("tab").screen(), "attempt 1 of 3 (simulated)")
	require.Contains(t, r.press("tab [").screen(), "│ pass attempt 1 of 3 (simulated)\n", "the right one is exchanged")
	require.NotContains(t, r.press("c").screen(), "│")

	late := read(t, Config{Trace: failed(), Load: load}, 80, 24)
	late.m.loading = 1
	late.send(loaded{attempt: 2, trace: passed()})
	require.Contains(t, late.screen(), " fail  ", "it is not asked for any more")
}

// What was drawn for each of two attempts is no difference, and they are told so.
func TestDrawnFactsAreNoDifference(t *testing.T) {
	one, other := failed(), failed()
	one.Head.Facts, other.Head.Facts = map[string]string{"channel": "draft"}, map[string]string{"channel": "beta"}
	other.Events[2].Title = strings.ReplaceAll(other.Events[2].Title, "draft", "beta")
	other.Events[2].Lead = other.Events[2].Title
	other.Events[2].Parts = []trace.Part{one.Events[2].Parts[0], {Name: "result", Text: strings.ReplaceAll(one.Events[2].Parts[1].Text, "draft", "beta")}}
	r := read(t, Config{Trace: one, Against: &other}, 80, 24)
	require.Equal(t, 2, strings.Count(r.press("g").screen(), "drawn     channel: taken for equal"), r.screen())
	require.Contains(t, r.press("d").screen(), "they did the same")
	other.Head.Facts = one.Head.Facts
	r = read(t, Config{Trace: one, Against: &other}, 80, 24)
	require.Contains(t, r.here(), "first difference: event 3")
	require.NotContains(t, r.press("g").screen(), "taken for equal")
}

// Beside an attempt that failed there is most to see in one that passed, and the other way
// round.
func TestWhichAttemptIsShownBeside(t *testing.T) {
	for _, c := range []struct {
		outcomes string // of the attempts from 1
		of       int
		want     int
	}{
		{"fail fail pass pass", 1, 3},
		{"pass fail fail", 3, 1},
		{"pass pass fail fail", 1, 3},
		{"fail pass pass", 3, 1},
		{"fail fail fail", 1, 2},
		{"fail fail fail", 3, 2},
		{"pass void pass", 1, 2},
		{"void fail pass", 1, 2},
	} {
		head := trace.Head{Attempt: c.of}
		for i, outcome := range strings.Fields(c.outcomes) {
			head.Siblings = append(head.Siblings, trace.Sibling{Attempt: i + 1, Outcome: outcome})
		}
		head.Outcome = head.Siblings[c.of-1].Outcome
		asked := 0
		read(t, Config{Trace: trace.Trace{Head: head}, Load: func(_ trace.Head, attempt int) (trace.Trace, error) {
			asked = attempt
			return trace.Trace{Head: head}, nil
		}}, 80, 24).press("c")
		require.Equal(t, c.want, asked, "beside %d of %s", c.of, c.outcomes)
	}
	require.Contains(t, read(t, Config{Trace: trace.Trace{}, Load: func(trace.Head, int) (trace.Trace, error) { return trace.Trace{}, nil }}, 80, 24).press("c").screen(),
		"there is no other attempt")
}

func TestSearchAsShown(t *testing.T) {
	odd := failed()
	odd.Events[6].Parts = []trace.Part{{Name: "result", Text: "red \x1b[31m text\nand 日本語 words", Folded: true}}
	require.Contains(t, read(t, Config{Trace: odd, Find: `\x1B[31m`}, 80, 24).here(), "│ red")
	require.Contains(t, read(t, Config{Trace: odd, Find: "\x1b[31m"}, 80, 24).here(), "│ red", "asked for as it was recorded")
	require.Contains(t, read(t, Config{Trace: odd, Find: "本"}, 80, 24).here(), "│ and 日")
}

func TestSearchAcrossPieces(t *testing.T) {
	long := failed()
	long.Events[6].Parts = []trace.Part{{Name: "result", Text: strings.Repeat("x", pieceBytes-3) + "needle" + strings.Repeat("y", 2*pieceBytes), Folded: true}}
	r := read(t, Config{Trace: long, Find: "NEEDLE"}, 80, 24)
	require.Len(t, r.m.hits, 1)
	require.Contains(t, painted.ReplaceAllString(r.here(), ""), "nee")
	var shown []string
	for _, row := range strings.Split(r.screen(), "\n") {
		shown = append(shown, regexp.MustCompile(`\x1b\[7m([^\x1b]*)`).FindStringSubmatch(row)...)
	}
	require.Equal(t, []string{"\x1b[7mnee", "nee", "\x1b[7mdle", "dle"}, shown, "both ends stand out")
}

// TestOnlyTheScreenIsLaidOut opens a trace of ten megabytes that are folded.
func TestOnlyTheScreenIsLaidOut(t *testing.T) {
	big := failed()
	big.Events[2].Parts = []trace.Part{{Name: "result", Text: strings.Repeat("a line of ten megabytes\n", 1<<19), Folded: true}}
	r := read(t, Config{Trace: big}, 80, 24)
	require.Contains(t, r.screen(), "524288 lines, 12.6 MB")
	untouched := 0
	for _, n := range r.m.doc.nodes {
		if n.kind == body && n.sides[0].text.s != "" && n.sides[0].text.starts == nil {
			untouched++
		}
	}
	require.Positive(t, untouched)
	r.press("G")
	for i, n := range r.m.doc.nodes {
		if n.kind == body && len(n.sides[0].text.s) > 1<<20 {
			require.True(t, n.sides[0].text.starts == nil)
			r.m.open(i)
			r.m.reveal()
			r.m.goTo(place{node: i, line: 400_000})
		}
	}
	require.Contains(t, r.screen(), "line 400001 of 524288")
}

func BenchmarkOpen10MB(b *testing.B) {
	big := failed()
	big.Events[2].Parts = []trace.Part{{Name: "result", Text: strings.Repeat("a line of ten megabytes\n", 10<<20/24)}}
	for b.Loop() {
		m := newModel(Config{Trace: big, Colour: true})
		_ = m.View()
	}
}

func BenchmarkSearch10MB(b *testing.B) {
	big := failed()
	big.Events[2].Parts = []trace.Part{{Name: "result", Text: strings.Repeat("eine Zeile größerer Länge\n", 10<<20/28), Folded: true}}
	m := newModel(Config{Trace: big})
	for b.Loop() {
		m.search("nowhere")
	}
}

func BenchmarkPage(b *testing.B) {
	big := failed()
	big.Events[2].Parts = []trace.Part{{Name: "result", Text: strings.Repeat("漢字 and words ", 10<<20/19)}}
	m := newModel(Config{Trace: big, Colour: true, Full: true})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	for b.Loop() {
		m.Update(keyOf("pgdown"))
		_ = m.View()
	}
}
