package expect

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words string
		in    []string
		notIn []string
	}{
		{"4.2", []string{"4.2", "4.2.", "(4.2)", "**4.2**", "_4.2_", "v4.2", "V4.2,", "$4.2", "is=4.2", "4.2%", "1-4.2", "4.2, 5", "x.4.2"},
			[]string{"", "14.2", "4.23", "4.2.1", "1.4.2", "-4.2", "(-4.2)", "\u22124.2", "rev4.2", "4.2k"}},
		{"42", []string{"42", "42, 43", "1,42", "it: 42", "42."}, []string{"42,000", "1.42", "42.5", "142", "b42"}},
		{"234", []string{"1, 234", "234"}, []string{"1,234", "234,000"}},
		{"src", []string{"src", "`src/`", "./src", "/src"}, []string{"srcs", "mysrc", "src2"}},
		{"_x", []string{"_x", "a_x"}, []string{"_xy"}},
		{"retry", []string{"_retry_", "retry", "__retry__", "x retry_"}, []string{"retry_after", "no_retry", "_retry_after_", "`no_retry`"}},
		{"1310", []string{"1,310", "**1,310** min", "1\u202f310.", "1\u00a0310", "1'310", "1\u2019310", "1_310", "`1,310`"},
			[]string{"1.310", "1 310", "11,310", "1,3100", "1,310,000", "2,1,310", "1,31", "x1,310"}},
		{"1234567", []string{"1,234,567", "1\u2009234\u2009567"}, []string{"1,234\u2009567", "1,234567"}},
		{"src/a.go:10", []string{"`src/a.go`:10", "**src/a.go**:10", "./src/a.go:10-12"}, []string{"src/a.go:101", "`src/a.go`:9"}},
		{"no such file", []string{"no  such\n\tfile", "There is no\u00a0such file."}, []string{"no such files", "nosuch file"}},
		{"it's a-b", []string{"it\u2019s a\u2011b"}, []string{"its a-b"}},
		{"a_b*c", []string{`a\_b\*c`, "a_b*c"}, []string{"a_b*cd"}},
		{`C:\tmp`, []string{`in C:\tmp now`}, []string{`C:\tmpx`}},
		{"é", []string{"« é »"}, []string{"été", "e\u0301"}},
		{"東京", []string{"東京は", "は東京"}, []string{"東"}},
		{"\xff", []string{"a \xff b"}, []string{"a"}},
		{"", nil, []string{"", "anything"}},
		{"  ", nil, []string{"  ", "a  b"}},
	} {
		for _, s := range tt.in {
			require.True(t, mentions(s, tt.words), "%q is in %q", tt.words, s)
		}
		for _, s := range tt.notIn {
			require.False(t, mentions(s, tt.words), "%q is not in %q", tt.words, s)
		}
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	tr := newTrace(scenery())
	for _, tt := range []struct {
		pattern string
		in      []string
		notIn   []string
	}{
		{"a.txt", []string{"a.txt"}, []string{"b/a.txt", "a.txtx"}},
		{"*.log", []string{"a.log"}, []string{"b/a.log"}},
		{"**/*.log", []string{"a.log", "b/a.log", "b/c/a.log"}, []string{"a.txt"}},
		{"plans/**", []string{"plans/a", "plans/a/b", "plans"}, []string{"plan/a"}},
		{"./docs/*", []string{"docs/a"}, []string{"docs/a/b"}},
		{"/w/project/a", []string{"a"}, []string{"b"}},
		{"[", nil, []string{"a"}},
	} {
		for _, p := range tt.in {
			require.True(t, tr.globbed([]string{tt.pattern}, p), "%s matches %s", tt.pattern, p)
		}
		for _, p := range tt.notIn {
			require.False(t, tr.globbed([]string{tt.pattern}, p), "%s does not match %s", tt.pattern, p)
		}
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b any
		want bool
	}{
		{3, 3.0, true}, {3, "3", false}, {true, true, true}, {nil, nil, true}, {nil, 0, false},
		{9007199254740993, 9007199254740992, false}, {1e30, 1e30, true}, {0.1, 0.1, true},
		{[]string{"a"}, []any{"a"}, true}, {[]any{}, []any{1}, false},
		{map[string]int{"a": 1}, map[string]any{"a": 1.0}, true}, {map[string]any{"a": 1}, map[string]any{"b": 1}, false},
		{func() {}, func() {}, false}, {"a", "a", true}, {"\xff", "\xff", true},
	} {
		require.Equal(t, tt.want, equal(tt.a, tt.b), "%v and %v", tt.a, tt.b)
	}
}

func TestPair(t *testing.T) {
	t.Parallel()
	// The second pattern takes only what a greedy first would have taken.
	require.Equal(t, []int{2, 1}, pair([][]int{{1, 2}, {1}}))
	require.Equal(t, []int{1, -1}, pair([][]int{{1}, {1}}))
	require.Equal(t, []int{3, 1, 2}, pair([][]int{{1, 2, 3}, {1}, {1, 2}}))
}
