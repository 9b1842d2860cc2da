package gateway_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// What an endpoint says it took is believed as far as it can be true: a budget is held
// against the sum, which must neither overflow nor stand still.
func TestParseUsage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		tokens         int
		cost           float64
		tokensReported bool
		costReported   bool
	}{
		`{"prompt_tokens":10,"completion_tokens":5,"cost":0.25}`: {15, 0.25, true, true},
		`{"prompt_tokens":10}`:                                                                        {10, 0, true, false},
		`{"prompt_tokens":10,"completion_tokens":0,"cost":0}`:                                         {10, 0, true, true},
		`{"prompt_tokens":0,"completion_tokens":0,"cost":0.5}`:                                        {0, 0.5, false, true},
		`{"prompt_tokens":9223372036854775807,"completion_tokens":9223372036854775807,"cost":1e308}`:  {},
		`{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":1e18}}`:   {},
		`{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":9000000000000000000},"cost":1}`: {0, 1, false, true},
		`{"prompt_tokens":-5,"completion_tokens":15,"cost":-1}`:                                       {},
		`{"prompt_tokens":99999999999999999999}`:                                                      {},
		`null`:                                                                                        {},
		``:                                                                                            {},
	} {
		u := gateway.ParseUsage(json.RawMessage(text))
		require.Equal(t, want.tokensReported, u.Reported, text)
		require.Equal(t, want.tokens, u.Prompt+u.Completion, text)
		require.Equal(t, []any{want.cost, want.costReported}, []any{u.Cost, u.CostReported}, text)
	}
}
