package viewer

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// hostile are texts that an agent may have written.
var hostile = []string{
	"", " ", "\n\n\n", "\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "a\rb\bc\x00\x7f", "\u202eright to left\u2066", "\xff\xfe\x80 half \xc3",
	"日本語の文章はとても幅が広いのです。", "e" + strings.Repeat("\u0301", 500), "👩‍👩‍👧‍👦 ❤️ 🇩🇪", "tab\tand\u2028line", strings.Repeat("x", 9000),
	strings.Repeat("漢", 5000), "a very long word: " + strings.Repeat("0123456789", 60) + " and then some more words to wrap after it",
	"\u009b31m", "\u202e", "｛ｆｕｌｌ｝", strings.Repeat("\n", 300), "\x1bP1;2q\x1b\\", "zero\u200bwidth",
}

func TestTextLosesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := append([]string{strings.Repeat("a", pieceBytes), strings.Repeat("a", pieceBytes) + "\nb", strings.Repeat("é", pieceBytes)}, hostile...)
	for range 200 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(hostile[random.IntN(len(hostile))])
		}
		texts = append(texts, b.String())
	}
	for _, s := range texts {
		s = strings.TrimRight(s, "\n")
		x := newText(s)
		var b strings.Builder
		for i := range x.count() {
			if i > 0 && !x.goesOn(i) {
				b.WriteByte('\n')
			}
			piece := x.raw(i)
			require.LessOrEqual(t, len(piece), pieceBytes)
			if utf8.ValidString(s) {
				require.True(t, utf8.ValidString(piece), "a character was cut")
			}
			b.WriteString(piece)
		}
		require.Equal(t, s, b.String())
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]string{
		"": "1 line", "a\nb": "2 lines", strings.Repeat("a\n", 10_000): "10000 lines, 19 kB", strings.Repeat("a", 10<<20): "1 line, 10.5 MB",
	} {
		require.Equal(t, want, newText(text).size())
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                           "plain",
		"a\tb":                            "a    b",
		"a\nb":                            `a\nb`,
		"\x1b[31m":                        `\x1b[31m`,
		"é":                               "é",
		"e" + strings.Repeat("\u0301", 6): "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`,
	} {
		require.Equal(t, want, clean(text))
	}
}

func TestWrap(t *testing.T) {
	rows := func(line string, columns int) (all []string) {
		for _, s := range wrap(ansi.WcWidth, line, columns) {
			all = append(all, line[s.from:s.to])
		}
		return all
	}
	require.Equal(t, []string{""}, rows("", 10))
	require.Equal(t, []string{"0123456789"}, rows("0123456789", 10))
	require.Equal(t, []string{"0123456789", "a"}, rows("0123456789a", 10))
	require.Equal(t, []string{"some words ", "that wrap"}, rows("some words that wrap", 12))
	require.Equal(t, []string{"a 01234567", "89"}, rows("a 0123456789", 10), "no word is moved that leaves half a row empty")
	require.Equal(t, []string{"漢字漢字漢", "字"}, rows("漢字漢字漢字", 11))
	require.Equal(t, []string{"漢", "字"}, rows("漢字", 1), "what does not fit any row has one of its own")
	for _, text := range hostile {
		line := clean(text)
		for _, how := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
			for columns := 2; columns < 90; columns += 7 {
				at := 0
				for _, s := range wrap(how, line, columns) {
					require.Equal(t, at, s.from)
					require.LessOrEqual(t, width(how, line[s.from:s.to]), columns)
					at = s.to
				}
				require.Equal(t, len(line), at)
			}
		}
	}
}

func TestFit(t *testing.T) {
	require.Equal(t, "words", fit(ansi.WcWidth, "words", 5))
	require.Equal(t, "wor…", fit(ansi.WcWidth, "words", 4))
	require.Equal(t, "漢…", fit(ansi.WcWidth, "漢字", 3))
	require.Equal(t, "…", fit(ansi.WcWidth, "words", 1))
	require.Empty(t, fit(ansi.WcWidth, "words", 0))
}
