package provider

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRefusedRequest(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status int
		header map[string]string
		body   string
		want   Error
		says   string
	}{
		"the usual shape": {
			429, map[string]string{"Retry-After": "7"}, `{"error":{"message":"slow down","type":"rate_limit","param":null,"code":"rate_limit_exceeded"}}`,
			Error{Status: 429, Type: "rate_limit", Code: "rate_limit_exceeded", Message: "slow down", RetryAfter: 7 * time.Second},
			"the server reported an error 429 (rate_limit, rate_limit_exceeded): slow down",
		},
		"code is a number":    {400, nil, `{"error":{"message":"bad","code":1210}}`, Error{Status: 400, Code: "1210", Message: "bad"}, "the server reported an error 400 (1210): bad"},
		"error is a string":   {500, nil, `{"error":"boom"}`, Error{Status: 500, Message: "boom"}, "the server reported an error 500: boom"},
		"messages are a list": {400, nil, `{"error":{"message":["a","b"]}}`, Error{Status: 400, Message: `["a","b"]`}, `the server reported an error 400: ["a","b"]`},
		"detail":              {422, nil, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, Error{Status: 422, Message: `[{"loc":["body"],"msg":"field required"}]`}, `the server reported an error 422: [{"loc":["body"],"msg":"field required"}]`},
		"flat":                {400, nil, `{"object":"error","message":"too long","type":"BadRequestError","code":400}`, Error{Status: 400, Type: "BadRequestError", Code: "400", Message: "too long"}, "the server reported an error 400 (BadRequestError, 400): too long"},
		"a list":              {429, nil, `[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}}]`, Error{Status: 429, Type: "RESOURCE_EXHAUSTED", Code: "429", Message: "quota"}, "the server reported an error 429 (RESOURCE_EXHAUSTED, 429): quota"},
		"a web page":          {502, nil, "<html>\n<h1>Bad   Gateway</h1>", Error{Status: 502, Message: "<html> <h1>Bad Gateway</h1>"}, "the server reported an error 502: <html> <h1>Bad Gateway</h1>"},
		"nothing":             {503, map[string]string{"Retry-After-Ms": "1500"}, "", Error{Status: 503, Message: "Service Unavailable", RetryAfter: 1500 * time.Millisecond}, "the server reported an error 503: Service Unavailable"},
		"a date": {
			503, map[string]string{"Retry-After": "Wed, 21 Oct 2015 07:28:10 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, "x",
			Error{Status: 503, Message: "x", RetryAfter: 10 * time.Second}, "the server reported an error 503: x",
		},
		"nonsense to wait": {429, map[string]string{"Retry-After": "-3"}, "x", Error{Status: 429, Message: "x"}, "the server reported an error 429: x"},
		"a year to wait":   {429, map[string]string{"Retry-After": "99999999999999"}, "x", Error{Status: 429, Message: "x", RetryAfter: 24 * time.Hour}, "the server reported an error 429: x"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, Config{Key: "sk-secret"}, func(w http.ResponseWriter, _ *http.Request) {
				for k, v := range test.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			_, err := c.Next(context.Background(), hello)
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, test.want, *e)
			require.EqualError(t, err, test.says)
			require.NotContains(t, err.Error(), "sk-secret")
		})
	}
}

func TestLongErrorIsCutShort(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{}, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		_, _ = io.WriteString(w, strings.Repeat("é\n", 5000))
	})
	_, err := c.Next(context.Background(), hello)
	require.Error(t, err)
	require.Less(t, len(err.Error()), 600)
	require.NotContains(t, err.Error(), "\n")
}

func TestWebPageIsNoStream(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{}, answering("text/html; charset=utf-8", "Please sign in"))
	_, err := c.Next(context.Background(), hello)
	require.ErrorIs(t, err, ErrGarbled)
	require.ErrorContains(t, err, "Please sign in")
}

func TestContextExceeded(t *testing.T) {
	t.Parallel()
	for _, e := range []Error{
		{Status: 400, Code: "context_length_exceeded", Message: "x"},
		{Status: 400, Message: "This model's maximum context length is 8192 tokens."},
		{Status: 413, Message: "prompt is too long: 210000 tokens > 200000 maximum"},
		{Message: "the request exceeds the available context size"},
	} {
		require.True(t, e.ContextExceeded(), e.Message)
	}
	for _, e := range []Error{
		{Status: 429, Message: "context length quota"},
		{Status: 400, Message: "unknown field"},
		{Status: 500, Code: "context_length_exceeded"},
	} {
		require.False(t, e.ContextExceeded(), e.Message)
	}
}
