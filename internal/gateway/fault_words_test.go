package gateway

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// What a user reads of each kind of fault, and what follows from it.
func TestFaultWords(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, kind := range FaultKinds() {
		f := NewFault(kind, "what was said")
		f.Retries = 2
		var follows []string
		for what, is := range map[string]bool{"asked again": kind.Retryable(), "stops the run": f.StopsRun(), "void": kind.Voids()} {
			if is {
				follows = append(follows, what)
			}
		}
		slices.Sort(follows)
		fmt.Fprintf(&text, "# %s: %s\n%v\nhint: %s\n\n", kind, strings.Join(follows, ", "), f, f.Hint)
	}
	golden.Assert(t, text.String(), "faults.golden")
}

// What endpoints say, and what is made of it.
func TestWhatEndpointsSay(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, tt := range []struct {
		status int
		body   string
		header string
	}{
		{401, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`, ""},
		{403, `{"error":{"message":"You may not use this model"}}`, ""},
		{402, `{"error":{"message":"Insufficient credits"}}`, ""},
		{429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, ""},
		{429, `{"error":{"message":"Slow down"}}`, ""},
		{404, `{"error":{"message":"The model m does not exist"}}`, ""},
		{404, `<html><title>404 Not Found</title></html>`, ""},
		{302, ``, "https://login.example/"},
		{400, `{"error":{"message":"openai/m is not a valid model ID"}}`, ""},
		{400, `{"error":{"message":"This model does not support tools"}}`, ""},
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens"}}`, ""},
		{400, `{"error":{"message":"The content was flagged","code":"content_filter"}}`, ""},
		{413, `too large`, ""},
		{500, `{"error":"boom"}`, ""},
		{503, `upstream connect error`, ""},
		{418, ``, ""},
	} {
		header := http.Header{}
		if tt.header != "" {
			header.Set("Location", tt.header)
		}
		f := classify(tt.status, header, []byte(tt.body), time.Time{})
		fmt.Fprintf(&text, "# %d %s\n%v\nhint: %s\n\n", tt.status, tt.body, f, f.Hint)
	}
	golden.Assert(t, text.String(), "endpoints.golden")
}

// What keeps an endpoint from being reached.
func TestNetworkWords(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for base, want := range map[string]string{
		closed.URL + "/v1": "network: nothing listens at " + strings.TrimPrefix(closed.URL, "http://") + ": connection refused",
	} {
		l, err := NewLive(LiveConfig{BaseURL: base, Retry: Retry{Tries: 1}})
		require.NoError(t, err)
		var f *Fault
		require.ErrorAs(t, l.WarmUp(t.Context(), "m"), &f)
		require.Contains(t, f.Error(), want)
	}
	missing := &url.Error{Op: "Post", URL: "http://x", Err: &net.OpError{Op: "dial", Err: &net.DNSError{Name: "api.exmaple.org", IsNotFound: true}}}
	require.Equal(t, "there is no host api.exmaple.org", networkError(missing))
	require.Equal(t, "EOF", networkError(&url.Error{Op: "Post", URL: "http://x", Err: io.EOF}))
}
