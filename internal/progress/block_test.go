package progress

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// crowd is a run in the middle: much is going on, some of it slowly, and what agents
// write is hostile.
func crowd(n int) (status, time.Time) {
	begun := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	now := begun.Add(62 * time.Second)
	s := status{
		Total: 290, Pass: 9, Fail: 2, Void: 1, Tokens: 34_512, Cost: 1.234, Priced: 12, Start: begun,
		Took: 12 * 5 * time.Second, Running: make(map[string]running),
		Signals: map[string]tally{
			"tool-chain": {7, 9}, "filesystem-safety": {9, 10}, "policy-branch": {0, 1}, "required-tool": {5, 6},
			"argument-grounding": {8, 9}, "plan-safety": {4, 4}, "delegation": {2, 2}, "parallel-tools": {0, 0},
		},
	}
	texts := []string{"bash go test ./...", "asks the model", "write notes/\x1b[2J日本語.txt, and 2 more", "edit a\nb\tc\u202e"}
	for i := range n {
		a := running{
			Attempt: Attempt{Name: fmt.Sprintf("chain/case-%02d/big", i), Model: []string{"fast", "provider:large-model"}[i%2], Number: 1 + i%3},
			Since:   now.Add(-time.Duration(i*i) * time.Second / 8), Turn: i % 4, Text: texts[i%4],
		}
		if i%5 == 1 {
			a.Wait, a.Until = "429", now.Add(12*time.Second)
		}
		s.Running[fmt.Sprint(i)] = a
	}
	return s, now
}

func TestBlock(t *testing.T) {
	s, now := crowd(20)
	var b strings.Builder
	for _, size := range []struct{ columns, rows int }{{200, 50}, {80, 24}, {40, 12}, {20, 4}} {
		fmt.Fprintf(&b, "-- %d × %d --\n", size.columns, size.rows)
		for _, line := range block(s, look{columns: size.columns, rows: size.rows, now: now}) {
			b.WriteString(line + "\n")
		}
	}
	golden.Assert(t, b.String(), "block.golden")
}

func TestBlockInColour(t *testing.T) {
	s, now := crowd(12)
	l := look{columns: 90, rows: 24, now: now, colour: true}
	text := strings.Join(block(s, l), "\n") + "\n"
	golden.Assert(t, strings.ReplaceAll(text, "\x1b", "ESC"), "colour.golden")
	l.colour = false
	require.Equal(t, strings.Join(block(s, l), "\n")+"\n", sgr.ReplaceAllString(text, ""), "colour changes nothing else")
}

var sgr = regexp.MustCompile("\x1b\\[[0-9]*m")

// No line is ever as wide as the terminal, nor the block higher than half of it.
func TestBlockFits(t *testing.T) {
	for _, n := range []int{0, 1, 3, 20, 200} {
		s, now := crowd(n)
		for columns := range 130 {
			for _, rows := range []int{0, 1, 2, 3, 4, 5, 9, 24, 51} {
				all := block(s, look{columns, rows, true, false, now})
				require.LessOrEqual(t, len(all), rows/2+1)
				require.LessOrEqual(t, len(all), max(rows/2, 1))
				for _, line := range all {
					plain := sgr.ReplaceAllString(line, "")
					require.NotContains(t, plain, "\x1b")
					require.Less(t, wide(plain), columns, "%q", line)
				}
			}
		}
	}
}

// Columns stand below one another, also where a name was cut at its beginning.
func TestColumnsAreStraight(t *testing.T) {
	s := status{Total: 3, Running: map[string]running{}}
	for i, name := range []string{"chain/clear-order-is-carried-out-by-somebody", "chain/ab", "core/clear-order-is-carried-out-by-nobody"} {
		s.Running[fmt.Sprint(i)] = running{Attempt: Attempt{Name: name, Model: []string{"provider/a-model-of-a-long-name", "m", "n"}[i], Number: 1}, Turn: 1, Text: "asks the model"}
	}
	for _, columns := range []int{60, 80, 100} {
		where := make(map[int]bool)
		lines := block(s, look{columns: columns, rows: 24})
		require.Len(t, lines, 4)
		for _, line := range lines[1:] {
			before, _, found := strings.Cut(line, "turn 1")
			require.True(t, found, line)
			where[len([]rune(before))] = true
		}
		require.Len(t, where, 1, "%s", strings.Join(lines, "\n"))
		require.Contains(t, strings.Join(lines, "\n"), "…")
	}
}

func TestNothingToSay(t *testing.T) {
	require.Equal(t, []string{"0/0 done  0s"}, block(status{}, look{columns: 80, rows: 24}))
}

func TestTail(t *testing.T) {
	require.Equal(t, "core/a", tail("core/a", 6))
	require.Equal(t, "…e/a", tail("core/a", 5))
	require.Equal(t, "…", tail("core/a", 2))
	require.Empty(t, tail("core/a", 1))
	require.Equal(t, "…語", tail("日本語", 4))
	require.Equal(t, "…2J", tail("\x1b[2J", 4))
}

func TestShort(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.0k", 999_949: "999.9k", 999_950: "1.0M", 12_345_678: "12.3M"} {
		require.Equal(t, want, short(n))
	}
}

func TestDollars(t *testing.T) {
	require.Equal(t, "$0.004", dollars(0.0042, true))
	require.Equal(t, "$1.00", dollars(0.999, true))
	require.Equal(t, "$12.35 and more", dollars(12.345001, false))
}

// BenchmarkBlock draws 200 attempts that are running, which happens at most ten times
// a second.
func BenchmarkBlock(b *testing.B) {
	s, now := crowd(200)
	for _, rows := range []int{24, 100} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				draw(block(sum(s, []status{s}), look{200, rows, true, false, now}))
			}
		})
	}
}
