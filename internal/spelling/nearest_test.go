package spelling

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	signals := []string{"filesystem-safety", "plan-safety", "tool-chain", "required-tool", "mcp-tool-chain"}
	for typed, want := range map[string][]string{
		"tool-chian":   {"tool-chain"},
		"Tool-Chain":   {"tool-chain"},
		"safety":       {"filesystem-safety", "plan-safety"},
		"file":         {"filesystem-safety"},
		"required":     {"required-tool"},
		"to":           nil,
		"zzz":          nil,
		"frobnication": nil,
		"":             nil,
	} {
		require.Equal(t, want, Nearest(typed, signals), typed)
	}
	require.Nil(t, Nearest("berth", []string{"berth-rate", "berth-swap", "no-berth", "berth-fee"}), "a guess among many is none")
	require.Equal(t, []string{"repeat"}, Nearest("repaet", []string{"replay", "repeat", "resume"}))
	require.Equal(t, []string{"openai/gpt-4o", "openai/gpt-4o-mini"}, Nearest("gpt-4o", []string{"openai/gpt-4o", "openai/gpt-4o-mini", "meta/llama"}))
	require.Nil(t, Nearest("ain", []string{"chain", "main-chain", "chains of pain"}), "within a word is nowhere")
	require.Nil(t, Nearest("x", nil))
}
