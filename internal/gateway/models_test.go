package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// What is said of a model that the endpoint does not know.
func TestWhichModel(t *testing.T) {
	t.Parallel()
	var many []string
	for n := range 12 {
		many = append(many, fmt.Sprintf(`{"id":"vendor-%c/m"}`, 'a'+n))
	}
	unknown := says(404, `{"error":{"message":"The model does not exist"}}`)
	var text strings.Builder
	for _, tt := range []struct {
		name, model string
		list        func(*http.Request) (*http.Response, error)
	}{
		{"misspelt", "gpt-4o-mnii", says(200, `{"data":[{"id":"gpt-4o"},{"id":"gpt-4o-mini"}]}`)},
		{"without its vendor", "llama-3", says(200, `{"data":[{"id":"meta/llama-3-8b"},{"id":"meta/llama-3-70b"}]}`)},
		{"like none", "m", says(200, `{"data":[{"id":"big/one"},{"id":"big/two"},{"id":"big/two"}]}`)},
		{"one of many", "zz", says(200, `{"data":[`+strings.Join(many, ",")+`]}`)},
		{"there by that name", "m", says(200, `{"data":[{"id":"m"}]}`)},
		{"no list", "m", says(404, "")},
		{"no JSON", "m", says(200, "<html>")},
		{"no endpoint any more", "m", breaks},
		{"a hostile list", "m", says(200, `{"data":[{"id":"\u001b[31mred\n`+realKey+`"}]}`)},
	} {
		w := &wire{answers: []func(*http.Request) (*http.Response, error){unknown, tt.list}}
		var f *Fault
		require.ErrorAs(t, liveOver(t, w, LiveConfig{}).WarmUp(t.Context(), tt.model), &f)
		require.Len(t, w.bodies, 2)
		require.Contains(t, w.keys[1], realKey, "the list is for who has the key")
		fmt.Fprintf(&text, "--- %s: %s\n%v\nhint: %s\n", tt.name, tt.model, f, f.Hint)
	}
	require.NotContains(t, text.String(), realKey)
	golden.Assert(t, text.String(), "which-model.golden")
}

// A fault of another kind is no reason to ask which models there are.
func TestWhichModelIsNotAskedOfAWrongKey(t *testing.T) {
	t.Parallel()
	w := &wire{answers: []func(*http.Request) (*http.Response, error){says(401, `{"error":{"message":"no"}}`)}}
	require.Error(t, liveOver(t, w, LiveConfig{}).WarmUp(t.Context(), "m"))
	require.Len(t, w.bodies, 1)
}
