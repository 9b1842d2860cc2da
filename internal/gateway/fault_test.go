package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestFaultKinds pins what follows from each kind, so that none is added without
// a decision.
func TestFaultKinds(t *testing.T) {
	t.Parallel()
	want := map[FaultKind]string{
		Auth: "stops voids", Quota: "stops voids", NotFound: "stops voids", BadRequest: "stops-if-first voids",
		RateLimit: "retried voids", Server: "retried voids", Network: "retried voids", Stalled: "retried voids",
		CutStream: "retried voids", Garbage: "retried voids", Empty: "retried voids",
		ContextLength: "agent", Filtered: "agent",
		Budget: "stops voids", Diverged: "voids", Cancelled: "voids", Internal: "voids",
	}
	require.Len(t, FaultKinds(), len(want))
	require.Len(t, consequences, len(want))
	for _, k := range FaultKinds() {
		f := NewFault(k, "x")
		got := ""
		add := func(b bool, word string) {
			if b && got != "" {
				got += " "
			}
			if b {
				got += word
			}
		}
		first := *f
		first.First = true
		add(k.Retryable(), "retried")
		add(f.StopsRun(), "stops")
		add(!f.StopsRun() && first.StopsRun(), "stops-if-first")
		add(k.Voids(), "voids")
		add(!k.Voids(), "agent")
		require.Equal(t, want[k], got, k)
		if k != Cancelled {
			require.NotEmpty(t, f.Hint, k)
		}
	}
}

func TestFaultError(t *testing.T) {
	t.Parallel()
	f := NewFault(Server, "it\nis  %s", "down")
	require.Equal(t, "server: it is down", f.Error())
	f.Status, f.Retries = 503, 1
	require.Equal(t, "server (HTTP 503): it is down, also when asked again", f.Error())
	f.Retries = 4
	require.Equal(t, "server (HTTP 503): it is down, also when asked 4 times again", f.Error())
	require.False(t, errors.Is(f, ErrBudget))
	require.ErrorIs(t, fmt.Errorf("wrapped: %w", NewFault(Budget, "spent")), ErrBudget)
	require.Equal(t, Internal, asFault(errors.New("x")).Kind)
}

func TestClassify(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		status int
		body   string
		kind   FaultKind
		says   string
	}{
		{"wrong key", 401, `{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}`, Auth, "Incorrect API key"},
		{"not allowed", 403, `{"error":"forbidden"}`, Auth, "forbidden"},
		{"flagged", 403, `{"error":{"message":"Your input was flagged"}}`, Filtered, "flagged"},
		{"no money", 402, `{"error":{"message":"Insufficient credits"}}`, Quota, "Insufficient"},
		{"no such model", 404, `{"error":{"message":"The model x does not exist","code":"model_not_found"}}`, NotFound, "does not exist"},
		{"no such page", 404, `<html><title>404</title></html>`, NotFound, "a web page: 404"},
		{"moved", 301, ``, NotFound, "sends the request on to http://other"},
		{"bad field", 400, `{"error":{"message":"Unknown parameter: x"}}`, BadRequest, "Unknown parameter"},
		{"validation", 422, `{"detail":"tools not supported"}`, BadRequest, "tools not supported"},
		{"too long, by code", 400, `{"error":{"message":"m","code":"context_length_exceeded"}}`, ContextLength, "m"},
		{"too long, in words", 400, `{"error":{"message":"This model's maximum context length is 4096 tokens"}}`, ContextLength, "4096"},
		{"too long, local server", 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, ContextLength, "exceeds"},
		{"out of memory, with the word", 500, `{"error":"cannot allocate memory for context size 4096"}`, Server, "allocate"},
		{"too long, as a 500", 500, `{"error":"input is too long"}`, ContextLength, "too long"},
		{"too large", 413, ``, ContextLength, ""},
		{"filtered", 400, `{"error":{"code":"content_filter","message":"policy"}}`, Filtered, "policy"},
		{"wrong key, as a 400", 400, `{"error":{"message":"API key not valid. Please pass a valid API key."}}`, Auth, "not valid"},
		{"no such model, as a 400", 400, `{"error":{"message":"x/y is not a valid model ID"}}`, NotFound, "valid model"},
		{"no such model of that size", 404, `{"error":{"message":"no model of this context size"}}`, NotFound, "no model"},
		{"rate", 429, `{"error":{"message":"Rate limit reached, too many tokens per minute"}}`, RateLimit, "Rate limit"},
		{"quota", 429, `{"error":{"message":"m","code":"insufficient_quota"}}`, Quota, "m"},
		{"timeout", 408, ``, Server, ""},
		{"conflict", 409, ``, Server, ""},
		{"broken", 500, `oops`, Server, "oops"},
		{"gateway", 502, "<html><head><TITLE>502 Bad Gateway</TITLE></head></html>", Server, "502 Bad Gateway"},
		{"overloaded", 529, `{"type":"error","error":{"type":"overloaded_error"}}`, Server, "overloaded_error"},
		{"other success", 204, ``, Garbage, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := classify(tt.status, http.Header{"Location": {"http://other"}}, []byte(tt.body), time.Now())
			require.Equal(t, tt.kind, f.Kind)
			require.Equal(t, tt.status, f.Status)
			require.Contains(t, f.Message, tt.says)
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		name, header, value string
		want                time.Duration
	}{
		{"seconds", "Retry-After", "7", 7 * time.Second},
		{"parts of a second", "Retry-After", "0.5", 500 * time.Millisecond},
		{"milliseconds", "Retry-After-Ms", "250", 250 * time.Millisecond},
		{"date", "Retry-After", "Fri, 02 Jan 2026 03:05:05 GMT", time.Minute},
		{"past date", "Retry-After", "Fri, 02 Jan 2026 03:00:00 GMT", 0},
		{"negative", "Retry-After", "-3", 0},
		{"words", "Retry-After", "soon", 0},
		{"no number", "Retry-After", "NaN", 0},
		{"for ever", "Retry-After", "1e300", 24 * 365 * time.Hour},
		{"nothing", "X", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			h.Set(tt.header, tt.value)
			require.Equal(t, tt.want, retryAfter(h, now))
		})
	}
	both := http.Header{}
	both.Set("Retry-After", "1")
	both.Set("Retry-After-Ms", "1500")
	require.Equal(t, 1500*time.Millisecond, retryAfter(both, now), "the finer one wins")
}
