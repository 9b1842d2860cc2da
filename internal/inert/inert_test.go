package inert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/inert"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"plain\ttext\n":           "plain\ttext\n",
		"é ü 漢字 🙂 \u00a0":         "é ü 漢字 🙂 \u00a0",
		"\x1b[31mred\x1b[0m":      `\x1b[31mred\x1b[0m`,
		"\x1b]0;title\x07":        `\x1b]0;title\x07`,
		"over\rwritten":           `over\rwritten`,
		"back\bspace\x7f\x00":     `back\x08space\x7f\x00`,
		"\u009b31m":               `\u009b31m`,
		"\xff\xfe":                `\xff\xfe`,
		"half \xc3":               `half \xc3`,
		"a\u202eb":                `a\u202eb`,
		"zero\u200bwidth \ufeff":  `zero\u200bwidth \ufeff`,
		"line\u2028sep\u0085":     `line\u2028sep\u0085`,
		"tag \U000e0041":          `tag \U000e0041`,
		"the character \ufffd is": "the character \ufffd is",
	} {
		require.Equal(t, want, inert.Text(text))
	}
}

func TestLine(t *testing.T) {
	require.Equal(t, `a\nb\tc`, inert.Line("a\nb\tc"))
}
