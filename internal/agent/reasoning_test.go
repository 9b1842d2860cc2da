package agent

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReasoningInTheText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, rest, reasoning string }{
		"none":                    {" hello ", " hello ", ""},
		"a pair":                  {"<think>\nhm\n</think>\n\nhello", "hello", "hm"},
		"another spelling":        {"<Thinking>hm</Thinking>hello", "hello", "hm"},
		"nothing inside":          {"<think>\n\n</think>\n\nhello", "hello", ""},
		"in the middle":           {"hello <think>hm</think> you", "hello  you", "hm"},
		"two":                     {"<think>a</think>hello<think>b</think> you", "hello you", "a\nb"},
		"one in the other":        {"<think>a <think> b</think>hello", "hello", "a <think> b"},
		"never closed":            {"<think>hm, and so on", "", "hm, and so on"},
		"never closed, later":     {"hello\n<think>hm", "hello", "hm"},
		"never opened":            {"hm, well\n</think>\nhello", "hello", "hm, well"},
		"nothing before":          {"</think>hello", "hello", ""},
		"never opened, and again": {"a</think>hello</think>you", "hello</think>you", "a"},
		"spoken of":               {"the <think> tag opens it", "the <think> tag opens it", ""},
		"in a span":               {"write `<think>` and `</think>`", "write `<think>` and `</think>`", ""},
		"in a block":              {"so:\n```\n<think>hm</think>\n```\n", "so:\n```\n<think>hm</think>\n```\n", ""},
		"only reasoning":          {"<think>hm</think>", "", "hm"},
		"another tag":             {"<thinker>hm</thinker>", "<thinker>hm</thinker>", ""},
		"invalid UTF-8":           {"<think>\xff</think>\xfe", "\xfe", "\xff"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rest, reasoning := splitReasoning(test.in)
			require.Equal(t, test.rest, rest)
			require.Equal(t, test.reasoning, reasoning)
		})
	}
}

func FuzzReasoning(f *testing.F) {
	f.Add("<think>a</think>b")
	f.Add("a</think>b<think>c")
	f.Add("`<think>`\n<think>")
	f.Fuzz(func(t *testing.T, text string) {
		rest, reasoning := splitReasoning(text)
		if len(rest)+len(reasoning) > len(text) {
			t.Errorf("%q + %q is more than %q", rest, reasoning, text)
		}
		if !strings.Contains(text, "<") && (rest != text || reasoning != "") {
			t.Errorf("%q was changed to %q", text, rest)
		}
	})
}
