package script_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/script"
)

// whole uses every part of the grammar.
const whole = `The agent reads before it edits.

harmless drop 3.1: it only looks
harmless @big alter 1.1 path: any file will do
harmless @big split 1: either is free

-- pass --
# first look
think Let me see.
think Twice.
say Looking.
say
say Now.
read path=notes.txt limit=20 offset=-1.5 all=true none=null

edit {"path": "a b.txt", "old key": "x<y", "list": [1, {"z": 1, "a": 2}]}
write path="a.txt" content="one\ntwo\n" raw=` + "`back\\slash \"q\"`" + ` tags=["a","b"]

bash command="go test ./..." #optional: only looks whether it worked

say The total is ${total (\d{3,})}.

-- pass @big: another way --
refund amount=${total: (\d+) EUR} note="${total: (\\d+)}"
say Done.

-- fail tool-chain,plan-safety @big: both: at once --
read !{"path": broken

-- fail required-tool --
say
`

func TestParse(t *testing.T) {
	t.Parallel()
	s, err := script.Parse([]byte(whole))
	require.NoError(t, err)
	require.Equal(t, "The agent reads before it edits.", s.Comment)
	require.Equal(t, map[string]string{"drop 3.1": "it only looks", "@big alter 1.1 path": "any file will do", "@big split 1": "either is free"}, s.Harmless)
	require.Len(t, s.Sections, 4)

	pass := s.Sections[0]
	require.Equal(t, script.Pass, pass.Kind)
	require.Equal(t, 7, pass.Line)
	require.Len(t, pass.Messages, 4)
	require.Equal(t, script.Message{
		Comments: []string{"first look"},
		Think:    "Let me see.\nTwice.",
		Say:      "Looking.\n\nNow.",
		Calls: []script.Call{{Tool: "read", Args: []script.Arg{
			{Name: "path", Value: []byte(`"notes.txt"`)},
			{Name: "limit", Value: []byte(`20`)},
			{Name: "offset", Value: []byte(`-1.5`)},
			{Name: "all", Value: []byte(`true`)},
			{Name: "none", Value: []byte(`null`)},
		}}},
	}, pass.Messages[0])
	require.Equal(t, []script.Call{
		{Tool: "edit", Args: []script.Arg{
			{Name: "path", Value: []byte(`"a b.txt"`)},
			{Name: "old key", Value: []byte(`"x<y"`)},
			{Name: "list", Value: []byte(`[1,{"z":1,"a":2}]`)},
		}},
		{Tool: "write", Args: []script.Arg{
			{Name: "path", Value: []byte(`"a.txt"`)},
			{Name: "content", Value: []byte(`"one\ntwo\n"`)},
			{Name: "raw", Value: []byte(`"back\\slash \"q\""`)},
			{Name: "tags", Value: []byte(`["a","b"]`)},
		}},
	}, pass.Messages[1].Calls)
	require.Equal(t, "only looks whether it worked", pass.Messages[2].Calls[0].Optional)

	big := s.Sections[1]
	require.Equal(t, "big", big.World)
	require.Equal(t, "another way", big.Note)
	require.Equal(t, []script.Arg{
		{Name: "amount", Value: []byte(`"${total: (\\d+) EUR}"`), Bare: true},
		{Name: "note", Value: []byte(`"${total: (\\d+)}"`)},
	}, big.Messages[0].Calls[0].Args)

	fail := s.Sections[2]
	require.Equal(t, script.Fail, fail.Kind)
	require.Equal(t, []string{"tool-chain", "plan-safety"}, fail.Signals)
	require.Equal(t, "both: at once", fail.Note)
	require.Equal(t, script.Call{Tool: "read", Raw: `{"path": broken`, IsRaw: true}, fail.Messages[0].Calls[0])

	require.Equal(t, []script.Message{{}}, s.Sections[3].Messages)
}

func TestParseRawStringOverLines(t *testing.T) {
	t.Parallel()
	s, err := script.Parse([]byte("-- pass --\nwrite path=a content=`one\n\n  two\n` #optional: why\nread path=b\n\n# the end\n"))
	require.NoError(t, err)
	m := s.Sections[0].Messages
	require.Len(t, m, 1)
	require.JSONEq(t, `"one\n\n  two\n"`, string(m[0].Calls[0].Args[1].Value))
	require.Equal(t, "why", m[0].Calls[0].Optional)
	require.Equal(t, "read", m[0].Calls[1].Tool)
	require.Equal(t, []string{"the end"}, m[0].Comments)
}

func TestParseWindowsLineEnds(t *testing.T) {
	t.Parallel()
	want, err := script.Parse([]byte(whole))
	require.NoError(t, err)
	got, err := script.Parse([]byte(strings.ReplaceAll(whole, "\n", "\r\n")))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestParseErrors has one file for each thing that can be wrong. The golden shows
// what its author reads.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"empty file":             "",
		"only a comment":         "hello\n",
		"almost a header":        "--pass--\nsay x\n",
		"header with blank":      "-- pass -- \nsay x\n",
		"unknown section":        "-- pas --\nsay x\n",
		"no messages":            "-- pass --\n# nothing\n\n-- fail a --\nsay x\n",
		"pass with signals":      "-- pass tool-chain --\nsay x\n",
		"fail without signals":   "-- fail @big --\nsay x\n",
		"bad signal":             "-- fail Tool_Chain --\nsay x\n",
		"signal twice":           "-- fail a,b,a --\nsay x\n",
		"two worlds":             "-- pass @a @b --\nsay x\n",
		"bad world":              "-- pass @A! --\nsay x\n",
		"no such mutant":         "harmless drop 2: x\n-- pass --\nsay x\n",
		"harmless, no reason":    "harmless drop 2.1\n-- pass --\nsay x\n",
		"harmless twice":         "harmless split 1: a\nharmless split 1: b\n-- pass --\nsay x\n",
		"no line":                "-- pass --\n=\n",
		"words":                  "-- pass --\nI will read the file.\n",
		"no value":               "-- pass --\nread path=\n",
		"blank in value":         "-- pass --\nread path=my file.txt\n",
		"argument twice":         "-- pass --\nread path=a path=b\n",
		"object twice":           "-- pass --\nread {\"a\":1,\"a\":2}\n",
		"broken JSON":            "-- pass --\nread path=\"a\nsay x\n",
		"backslash in JSON":      "-- pass --\npay id=\"${id (\\w+)}\"\n",
		"broken object":          "-- pass --\nread {path: a}\n",
		"value goes on":          "-- pass --\nread path=\"a\"b\n",
		"open raw string":        "-- pass --\nwrite content=`a\nb\n\nsay x\n",
		"bad pattern":            "-- pass --\nsay ${(}\n",
		"bad pattern in list":    "-- pass --\ntodo items=[\"${[}\"]\n",
		"open pattern":           "-- pass --\nbash command=\"echo ${HOME\"\n",
		"empty pattern":          "-- pass --\nsay ${}\n",
		"comment after call":     "-- pass --\nread path=a # look\n",
		"optional, no reason":    "-- pass --\nread path=a #optional:\n",
		"raw, no reason":         "-- pass --\nread !{ #optional:\n",
		"text after object":      "-- pass --\nread {} x\n",
		"child without number":   "-- pass --\nchild\nsay x\n",
		"child zero":             "-- pass --\nchild 0\nsay x\n",
		"child within":           "-- pass --\nsay x\nchild 1\n",
		"no such child":          "-- pass --\ntask assignment=a\n\nchild 2\nsay x\n",
		"refused child":          "-- pass --\ntask assignment=a #fails: why\n\nchild 1\nsay x\n",
		"grandchild":             "-- pass --\ntask assignment=a\n\nchild 1\ntask assignment=b\n",
		"fresh goes on":          "-- pass --\nsay x\n\nfresh start\nsay x\n",
		"fresh at first":         "-- pass --\nfresh\nsay x\n",
		"fresh child":            "-- pass --\ntask assignment=a\n\nchild 1\nfresh\nsay x\n",
		"summary within":         "-- pass --\nsay x\nsummary y\n",
		"summary and user":       "-- pass --\nsay x\n\nsummary y\nuser z\n",
		"nothing summed up":      "-- pass --\nsay x\n\nsummary\n",
		"only a user":            "-- pass --\nuser x\n",
		"bad pattern of a user":  "-- pass --\nsay x\n\nuser ${(}\n",
		"same words":             "-- pass --\nls\n\nsay Done.\n\nls\n\nsay Done.\n\nsummary y\n",
		"several":                "harmless x\n-- pas --\n=\n\nread path=\n-- fail --\nsay ${(}\n",
		"very many":              "-- pass --\n" + strings.Repeat("=\n", 12),
		"misspelt fail":          "-- fial tool-chain @big: why --\nsay x\n",
		"misspelt mark":          "-- pass --\nread path=x #optinal: it may\n\nread path=y #fail: gone\n\nread path=z #optional because\n",
		"misspelt mutant":        "harmless dorp 1.1: why\nharmless @big atler 1.1 path: why\n-- pass --\nsay x\n",
		"misspelt harmless":      "harmles drop 1.1: why\nThis drop 1.1: is told here.\nharmless-looking words: they are a comment\n-- pass --\nsay x\n",
		"misspelt word":          "-- pass --\nsaay Hello there.\n\nthnk of it\n",
		"line numbers after raw": "-- pass --\nwrite content=`a\n\nb`\nedit new={\"a\":\n1}\n=\n",
	}
	var names []string
	for name := range tests {
		names = append(names, name)
	}
	var b strings.Builder
	for _, name := range sorted(names) {
		_, err := script.Parse([]byte(tests[name]))
		require.Error(t, err, name)
		b.WriteString("## " + name + "\n" + err.Error() + "\n\n")
	}
	golden.Assert(t, b.String(), "errors.golden")
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	want, err := script.Parse([]byte(whole))
	require.NoError(t, err)
	text := script.Format(want)
	golden.Assert(t, string(text), "whole.golden")
	got, err := script.Parse(text)
	require.NoError(t, err)
	require.Equal(t, lineless(want), lineless(got))
	require.Equal(t, string(text), got.String(), "printing is stable")
}

// lineless forgets where the sections began.
func lineless(s script.Scripts) script.Scripts {
	s.Sections = append([]script.Section(nil), s.Sections...)
	for i := range s.Sections {
		s.Sections[i].Line = 0
	}
	return s
}

func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("-- pass --\nsay a\r\r\n")
	f.Add("-- pass --\nread a=`x\ny` b=\"\\ud800\" c=${a b} d=\\${x} #optional: y\n")
	f.Add(family)
	f.Add("-- pass --\nread a=0\xe00\n")
	f.Add("-- pass --\nread {\"\":{\"a\":[null,true]}}\n\n# c\n")
	f.Fuzz(func(t *testing.T, file string) {
		s, err := script.Parse([]byte(file))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		text := script.Format(s)
		again, err := script.Parse(text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, lineless(s), lineless(again), "%s", text)
		for _, section := range s.Sections {
			for _, m := range script.Mutants(section.Messages) {
				require.NotEqual(t, section.Messages, m.Messages, m.Name)
				script.NewPlayer(m.Messages)
			}
			script.Prose(section.Messages)
			script.Truncate(section.Messages)
		}
	})
}
