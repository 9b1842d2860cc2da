package mcp

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/tools"
)

func host(t *testing.T) *Host {
	t.Helper()
	h, err := NewHost()
	require.NoError(t, err)
	t.Cleanup(h.Close)
	return h
}

// billing answers by its tools themselves, and keeps what it was asked.
func billing() (Stub, func() []fixtures.Served) {
	server := fixtures.Server{
		Name: "billing",
		Tools: []fixtures.Tool{
			{Name: "find", About: "Finds an invoice.", Args: []fixtures.Arg{{Name: "number", Type: "integer"}}, Text: "invoice {number} of {customer}"},
			{Name: "refund", About: "Refunds an invoice.", Writes: true, Args: []fixtures.Arg{
				{Name: "number", Type: "integer"}, {Name: "reason", Of: []string{"late", "broken"}, Optional: true}},
				Answer: func(c fixtures.Call) fixtures.Answer {
					switch n, _ := c.Number("number"); n {
					case 1:
						return fixtures.Error("invoice 1 is settled")
					case 2:
						return fixtures.Lost("upstream timed out")
					case 3:
						panic("a mistake in the stub")
					}
					return fixtures.OK("refunded, %s", c.String("reason"))
				}},
		},
		Resources: []fixtures.Resource{
			{URI: "policy://refunds", Name: "Refunds", About: "When to refund.", MIME: "text/markdown", Text: "# For {customer}"},
			{URI: "logo://small", Name: "Logo", MIME: "image/png", Data: []byte("png")},
		},
		Templates: []fixtures.Template{{
			URI: "invoice://{number}", Name: "Invoice",
			Read: func(v map[string]string) (string, bool) {
				return "number " + v["number"] + " of {customer}", v["number"] != "9"
			},
		}},
	}
	var mu sync.Mutex
	var served []fixtures.Served
	facts := map[string]string{"customer": "Ada"}
	s := Stub{Server: server, Facts: facts}
	s.Call = func(_ context.Context, tool string, args map[string]any) fixtures.Answer {
		mu.Lock()
		defer mu.Unlock()
		for _, t := range server.Tools {
			if t.Name == tool {
				a := t.Do(fixtures.Call{Server: "billing", Tool: tool, Args: args, Facts: facts})
				served = append(served, fixtures.Served{Server: "billing", Tool: tool, Args: args, Answer: a})
				return a
			}
		}
		return fixtures.Error("no such tool")
	}
	return s, func() []fixtures.Served {
		mu.Lock()
		defer mu.Unlock()
		return served
	}
}

func TestStubOverHTTP(t *testing.T) {
	t.Parallel()
	s, served := billing()
	url, done := host(t).Open(s)
	defer done()
	all := extras(t, dial(t, "billing", url))

	require.Equal(t, []string{"mcp_billing_find", "mcp_billing_refund"}, toolNames(all))
	require.Equal(t, "Finds an invoice.", all[0].Description)
	require.JSONEq(t, string(s.Server.Tools[0].Schema()), string(all[0].Parameters))
	require.False(t, all[0].Mutates)
	require.True(t, all[1].Mutates)

	for _, tt := range []struct {
		tool   string
		args   map[string]any
		status tools.Status
		text   string
	}{
		{"find", map[string]any{"number": 7.0}, tools.OK, "invoice 7 of Ada"},
		{"refund", map[string]any{"number": 7.0, "reason": "late"}, tools.OK, "refunded, late"},
		{"refund", map[string]any{"number": 1.0}, tools.Failed, "invoice 1 is settled"},
		{"refund", map[string]any{"number": 2.0}, tools.Failed, "upstream timed out"},
		{"refund", map[string]any{"number": 3.0}, tools.Failed, "internal error"},
	} {
		require.Equal(t, tools.Outcome{Status: tt.status, Text: tt.text}, call(t, all, "mcp_billing_"+tt.tool, tt.args))
	}
	require.Len(t, served(), 4)
	require.Equal(t, map[string]any{"number": 7.0}, served()[0].Args)

	for name, args := range map[string]map[string]any{
		"missing":     nil,
		"wrong type":  {"number": "seven"},
		"not of them": {"number": 7.0, "reason": "why not"},
		"unknown":     {"number": 7.0, "force": true},
	} {
		out := call(t, all, "mcp_billing_refund", args)
		require.Equal(t, tools.Malformed, out.Status, name)
		require.Contains(t, out.Text, "arguments", name)
	}
	require.Len(t, served(), 4, "what does not fit the schema does not reach the stub")
}

// A tool that appears is there at the next list, one that went is unknown.
func TestToolsChange(t *testing.T) {
	t.Parallel()
	s, _ := billing()
	var now atomic.Pointer[[]fixtures.Tool]
	set := func(tools ...fixtures.Tool) { now.Store(&tools) }
	s.Tools = func() []fixtures.Tool { return *now.Load() }
	url, done := host(t).Open(s)
	defer done()

	set()
	c := dial(t, "billing", url)
	require.Empty(t, extras(t, c))
	set(s.Server.Tools...)
	before := extras(t, c)
	require.Len(t, before, 2)
	set(s.Server.Tools[0])
	require.Len(t, extras(t, c), 1)
	require.Equal(t, tools.Outcome{Status: tools.Unknown, Text: `the server billing has no tool "refund" now; it has find`},
		call(t, before, "mcp_billing_refund", map[string]any{"number": 1.0}))
}

func TestStubResources(t *testing.T) {
	t.Parallel()
	s, _ := billing()
	type read struct {
		uri, text string
		found     bool
	}
	var reads []read
	s.Read = func(uri, text string, found bool) { reads = append(reads, read{uri, text, found}) }
	url, done := host(t).Open(s)
	defer done()
	r, ok := Resources([]*Client{dial(t, "billing", url)})
	require.True(t, ok)
	require.False(t, r.Mutates)
	get := func(uri string) tools.Outcome { return r.Run(t.Context(), map[string]any{"uri": uri}) }

	require.Equal(t, tools.Outcome{Status: tools.OK, Text: strings.TrimSpace(`
billing:
  logo://small Logo (image/png)
  policy://refunds Refunds (text/markdown): When to refund.
  invoice://{number} Invoice (text/plain) [template]`)}, r.Run(t.Context(), nil))
	require.Equal(t, tools.Outcome{Status: tools.OK, Text: "# For Ada"}, get("policy://refunds"))
	require.Equal(t, tools.Outcome{Status: tools.OK, Text: "(images: 1)", Images: []tools.Image{{MIME: "image/png", Data: []byte("png")}}}, get("logo://small"))
	require.Equal(t, "number a b of Ada", get("invoice://a%20b").Text)
	for _, uri := range []string{"invoice://9", "policy://none"} {
		out := get(uri)
		require.Equal(t, tools.Failed, out.Status)
		require.Contains(t, out.Text, "the server billing has no resource \""+uri+"\"; it has:\nlogo://small")
	}
	require.Equal(t, []read{
		{"policy://refunds", "# For Ada", true},
		{"logo://small", "(3 bytes of image/png)", true},
		{"invoice://a%20b", "number a b of Ada", true},
		{"invoice://9", "", false},
		{"policy://none", "", false},
	}, reads)
}

// A server without tools is one all the same.
func TestResourcesOnly(t *testing.T) {
	t.Parallel()
	url, done := host(t).Open(Stub{Server: fixtures.Server{Name: "docs", Resources: []fixtures.Resource{{URI: "doc://a", Text: "a"}}}})
	defer done()
	c := dial(t, "docs", url)
	require.Empty(t, extras(t, c))
	all := Tools(t.Context(), []*Client{c})
	require.Equal(t, []string{"mcp_resources"}, toolNames(all))
	require.Equal(t, "a", call(t, all, "mcp_resources", map[string]any{"uri": "doc://a"}).Text)
}

// What a stub is served by gives nothing away, and other stubs least of all.
func TestNeutral(t *testing.T) {
	t.Parallel()
	h := host(t)
	s, _ := billing()
	a, done := h.Open(s)
	defer done()
	b, doneB := h.Open(s)
	defer doneB()
	require.NotEqual(t, a, b)
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/[A-Z2-7]{26}/mcp$`, a)

	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		answer, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Contains(t, string(answer), `"result"`)
		for name, values := range res.Header {
			answer = append(answer, name+strings.Join(values, "")...)
		}
		require.NotRegexp(t, regexp.MustCompile(`(?i)deeds|stub|fixture|fake|mock|eval|test`), string(answer))
	}
	res, err := http.Get(strings.TrimSuffix(a, "/mcp"))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusNotFound, res.StatusCode)
}

// The client with whom sessions and streams are the rule finds its way, too.
func TestOlderProtocol(t *testing.T) {
	t.Parallel()
	s, _ := billing()
	url, done := host(t).Open(s)
	defer done()
	c := sdk.NewClient(&sdk.Implementation{Name: "x", Version: "1"}, nil)
	session, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	require.NoError(t, err)
	require.Equal(t, "billing", session.InitializeResult().ServerInfo.Name)
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 2)
	res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "find", Arguments: map[string]any{"number": 1}})
	require.NoError(t, err)
	require.Equal(t, "invoice 1 of Ada", res.Content[0].(*sdk.TextContent).Text)
	require.NoError(t, session.Close())
}

// After close nothing reaches the stub, and what is under way is cut.
func TestClose(t *testing.T) {
	t.Parallel()
	s, _ := billing()
	started := make(chan struct{})
	var ended atomic.Bool
	s.Call = func(ctx context.Context, _ string, _ map[string]any) fixtures.Answer {
		close(started)
		<-ctx.Done()
		ended.Store(true)
		return fixtures.OK("late")
	}
	url, done := host(t).Open(s)
	c := dial(t, "billing", url)
	all := extras(t, c)
	outcome := make(chan tools.Outcome)
	go func() { outcome <- all[0].Run(context.Background(), map[string]any{"number": 1.0}) }()
	<-started
	done()
	require.True(t, ended.Load())
	<-outcome
	out := call(t, all, "mcp_billing_find", map[string]any{"number": 1.0})
	require.Equal(t, tools.Failed, out.Status)
	require.Contains(t, out.Text, "the server billing does not answer: ")
	done() // again is nothing
}

// It is not run beside others: it counts.
func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	h, err := NewHost()
	require.NoError(t, err)
	s, _ := billing()
	for range 20 {
		url, done := h.Open(s)
		c, err := Dial(t.Context(), "billing", url)
		require.NoError(t, err)
		_, err = c.Extras(t.Context())
		require.NoError(t, err)
		c.Close()
		done()
	}
	soon(t, func() bool { return runtime.NumGoroutine() <= before+1 }) // the one that listens
	h.Close()
	soon(t, func() bool { return runtime.NumGoroutine() <= before })
}

func TestAtOnce(t *testing.T) {
	t.Parallel()
	h := host(t)
	s, served := billing()
	url, done := h.Open(s)
	defer done()
	c := dial(t, "billing", url)
	all := extras(t, c)
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			out := all[0].Run(context.Background(), map[string]any{"number": float64(i)})
			if out.Status != tools.OK {
				t.Errorf("%d: %s", i, out.Text)
			}
			if i%10 == 0 {
				_, _ = c.Extras(context.Background())
			}
		})
	}
	calls.Wait()
	require.Len(t, served(), 50)
}

// Each attempt connects: it must not be felt.
func TestQuick(t *testing.T) {
	t.Parallel()
	h := host(t)
	s, _ := billing()
	best := time.Hour
	for range 20 {
		begun := time.Now()
		url, done := h.Open(s)
		c := dial(t, "billing", url)
		require.Len(t, extras(t, c), 2)
		best = min(best, time.Since(begun))
		done()
	}
	t.Logf("connect and list: %v", best)
	require.Less(t, best, 50*time.Millisecond) // 3 ms on an idle machine
}
