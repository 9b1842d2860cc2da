package mcp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/tools"
)

// The same server over both ways answers alike, with everything a server can
// answer with.
func TestContent(t *testing.T) {
	t.Parallel()
	stdio, err := Command(t.Context(), "far", command(t, "honest"))
	require.NoError(t, err)
	t.Cleanup(stdio.Close)
	for way, c := range map[string]*Client{"stdio": stdio, "http": dial(t, "far", overHTTP(t, foreign()).URL)} {
		all := extras(t, c)
		require.Len(t, all, 14, "all pages of the list")
		for name, want := range map[string]tools.Outcome{
			"two":            {Status: tools.OK, Text: "one\ntwo"},
			"nothing":        {Status: tools.OK, Text: "(no output)"},
			"picture":        {Status: tools.OK, Text: "(images: 1)", Images: []tools.Image{{MIME: "image/png", Data: []byte("png")}}},
			"sound":          {Status: tools.OK, Text: "(audio: 4 bytes of audio/wav, which cannot be shown)"},
			"link":           {Status: tools.OK, Text: "resource doc://a A (text/plain): the first"},
			"embedded":       {Status: tools.OK, Text: "inside\n(doc://c: 5 bytes of unknown type, which cannot be shown)", Images: []tools.Image{{MIME: "image/gif", Data: []byte("gif")}}},
			"shape":          {Status: tools.OK, Text: `{"sides":3}`},
			"failing":        {Status: tools.Failed, Text: "out of stock"},
			"python_invalid": {Status: tools.Malformed, Text: "Input validation error: 'n' is a required property"},
			"script_invalid": {Status: tools.Malformed, Text: "MCP error -32602: Input validation error: Invalid arguments for tool x"},
		} {
			require.Equal(t, want, call(t, all, "mcp_far_"+name, nil), "%s over %s", name, way)
		}
		for _, name := range []string{"python_unknown", "script_unknown"} {
			require.Equal(t, tools.Unknown, call(t, all, "mcp_far_"+name, nil).Status)
		}
		for _, e := range all {
			require.True(t, e.Mutates, "it does not say that it only reads")
			require.NotEmpty(t, e.Description)
			require.JSONEq(t, `{"type":"object"}`, string(e.Parameters))
		}
		r, ok := Resources([]*Client{c})
		require.True(t, ok)
		require.Equal(t, 6, strings.Count(r.Run(t.Context(), nil).Text, "\n")+1, "all pages of the list")
		require.Equal(t, "document 3", r.Run(t.Context(), map[string]any{"server": "far", "uri": "doc://3"}).Text)
	}
}

func TestBig(t *testing.T) {
	t.Parallel()
	s, _ := billing()
	answer := strings.Repeat("é", 200<<10)
	s.Call = func(context.Context, string, map[string]any) fixtures.Answer { return fixtures.OK("x%s", answer) }
	url, done := host(t).Open(s)
	defer done()
	out := call(t, extras(t, dial(t, "billing", url)), "mcp_billing_find", map[string]any{"number": 1.0})
	text, note, cut := strings.Cut(out.Text, "\n")
	require.True(t, cut)
	require.Equal(t, tools.OK, out.Status)
	require.Equal(t, "(the answer is 409601 bytes long: only its first 128 KiB are shown)", note)
	require.Len(t, text, 128<<10-1)
	require.True(t, utf8.ValidString(text))
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	c := dial(t, "far", overHTTP(t, foreign()).URL)
	all := extras(t, c)
	c.timeout = 50 * time.Millisecond
	require.Equal(t, tools.Outcome{Status: tools.Failed, Text: "the server far does not answer: no answer in time; " +
		"it may come back, or go on without it; whether the call took effect is not known"}, call(t, all, "mcp_far_slow", nil))
	c.timeout = time.Minute
	require.Equal(t, "one\ntwo", call(t, all, "mcp_far_two", nil).Text, "one late answer is not the end")

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	i := slices.IndexFunc(all, func(e tools.Extra) bool { return e.Name == "mcp_far_slow" })
	require.Equal(t, tools.Cut, all[i].Run(ctx, nil).Status)
}

// A dead server is there to be seen, and harms no other.
func TestDead(t *testing.T) {
	t.Parallel()
	h := host(t)
	s, _ := billing()
	alive, done := h.Open(s)
	defer done()
	dead, doneDead := h.Open(Stub{Server: fixtures.Server{Name: "ledger", Dead: true}})
	defer doneDead()
	nobody := unused(t)

	clients := DialAll(t.Context(), []Remote{{Name: "ledger", URL: dead}, {Name: "billing", URL: alive}, {Name: "archive", URL: nobody}})
	for _, c := range clients {
		t.Cleanup(c.Close)
	}
	all := Tools(t.Context(), clients)
	require.Equal(t, []string{"mcp_billing_find", "mcp_billing_refund", "mcp_resources"}, toolNames(all))
	require.Contains(t, all[2].Description, "Servers with resources: billing. Servers that did not answer when last asked: "+
		"ledger (Service Unavailable), archive (connection refused).")
	out := call(t, all, "mcp_resources", nil)
	require.Equal(t, tools.OK, out.Status)
	require.Contains(t, out.Text, "\nthe server ledger does not answer: Service Unavailable; it may come back, or go on without it")
	require.Contains(t, out.Text, "\nthe server archive does not answer: connection refused; it may come back, or go on without it")
	require.Equal(t, tools.Outcome{Status: tools.Failed, Text: "the server ledger does not answer: Service Unavailable; it may come back, or go on without it"},
		call(t, all, "mcp_resources", map[string]any{"server": "ledger"}))
	require.Equal(t, tools.Failed, call(t, all, "mcp_resources", map[string]any{"server": "ledger", "uri": "a://b"}).Status)
	require.Equal(t, tools.Malformed, call(t, all, "mcp_resources", map[string]any{"uri": "policy://refunds"}).Status)
	require.Equal(t, "# For Ada", call(t, all, "mcp_resources", map[string]any{"server": "billing", "uri": "policy://refunds"}).Text)
	require.Equal(t, `there is no server "x"; there are: ledger, billing, archive`, call(t, all, "mcp_resources", map[string]any{"server": "x"}).Text)
	require.Equal(t, tools.Malformed, call(t, all, "mcp_resources", map[string]any{"server": 1.0}).Status)

	_, err := Dial(t.Context(), "archive", nobody)
	require.EqualError(t, err, "the server archive does not answer: connection refused; it may come back, or go on without it")
}

// unused is an address at which nobody listens.
func unused(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return "http://" + l.Addr().String() + "/mcp"
}

// A server may go between two calls and come back: its tools stay in the list, say
// what is wrong, and work again, with or without a session that it remembers.
func TestGoesAndComesBack(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	serve := func(l net.Listener) *httptest.Server {
		s := foreign()
		srv := httptest.NewUnstartedServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
		require.NoError(t, srv.Listener.Close())
		srv.Listener = l
		srv.Start()
		return srv
	}
	srv := serve(l)
	c := dial(t, "far", "http://"+address)
	all := extras(t, c)
	require.Equal(t, tools.OK, call(t, all, "mcp_far_two", nil).Status)

	srv.CloseClientConnections()
	srv.Close()
	out := call(t, all, "mcp_far_two", nil)
	require.Equal(t, tools.Failed, out.Status)
	require.Regexp(t, "^the server far does not answer: connection (refused|reset|closed); it may come back, or go on without it", out.Text)
	stale, err := c.Extras(t.Context())
	require.Error(t, err)
	require.Equal(t, toolNames(all), toolNames(stale))

	l, err = net.Listen("tcp", address)
	if err != nil {
		t.Skip("somebody took the port: ", err)
	}
	defer serve(l).Close()
	require.Equal(t, tools.Outcome{Status: tools.OK, Text: "one\ntwo"}, call(t, all, "mcp_far_two", nil))
}

func TestCommandEnds(t *testing.T) {
	t.Parallel()
	c, err := Command(t.Context(), "far", command(t, "honest"))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	all := extras(t, c)
	out := call(t, all, "mcp_far_exit", nil)
	require.Equal(t, tools.Outcome{Status: tools.Failed, Text: "the server far does not answer: connection closed; " +
		"it does not come back, go on without it; whether the call took effect is not known"}, out)
	require.Equal(t, tools.Outcome{Status: tools.Failed, Text: "the server far does not answer: connection closed; " +
		"it does not come back, go on without it"}, call(t, all, "mcp_far_two", nil))
}

func TestCommandBroken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		cmd  *exec.Cmd
		want string
	}{
		{"junk", command(t, "junk"), "the server far does not answer: "},
		{"no such file", exec.Command("/does/not/exist"), "no such file or directory"},
	} {
		_, err := Command(t.Context(), "far", tt.cmd)
		require.ErrorContains(t, err, tt.want, tt.name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := Command(ctx, "far", command(t, "silent"))
	require.EqualError(t, err, "the server far does not answer: no answer in time; it may come back, or go on without it")
	require.Less(t, time.Since(begun), 10*time.Second)
}

// A URL may hold a key: nobody is shown it.
func TestNothingPrivate(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no "+r.URL.String(), http.StatusTeapot)
	}))
	t.Cleanup(srv.Close)
	for _, base := range []string{srv.URL, strings.TrimSuffix(unused(t), "/mcp"), "http://name:sesame@no-such-host.invalid", "ftp://no.invalid", "http://[broken"} {
		raw := base + "/hidden?key=sesame"
		c := DialAll(t.Context(), []Remote{{Name: "far", URL: raw}})
		t.Cleanup(c[0].Close)
		_, err := c[0].Extras(t.Context())
		require.Error(t, err)
		for _, secret := range []string{"sesame", "hidden", "127.0.0.1", "no-such-host", "no.invalid"} {
			require.NotContains(t, err.Error(), secret, raw)
			require.NotContains(t, Tools(t.Context(), c)[0].Description, secret)
		}
	}
}

func TestLongList(t *testing.T) {
	t.Parallel()
	var docs []fixtures.Resource
	for i := range 1200 {
		docs = append(docs, fixtures.Resource{URI: fmt.Sprintf("doc://%04d", i), Text: "x"})
	}
	url, done := host(t).Open(Stub{Server: fixtures.Server{Name: "docs", Resources: docs}})
	defer done()
	r, ok := Resources([]*Client{dial(t, "docs", url)})
	require.True(t, ok)
	text := r.Run(t.Context(), nil).Text
	require.Contains(t, text, "doc://0199")
	require.NotContains(t, text, "doc://0200")
	require.True(t, strings.HasSuffix(text, "\n(200 of 1200 resources are shown)"))
	require.Contains(t, r.Run(t.Context(), map[string]any{"uri": "doc://none"}).Text, "doc://0019 (text/plain)\n(and 1180 more)")
}

func TestNoResources(t *testing.T) {
	t.Parallel()
	url, done := host(t).Open(Stub{Server: fixtures.Server{Name: "a", Tools: []fixtures.Tool{{Name: "b", Text: "c"}}}})
	defer done()
	c := dial(t, "a", url)
	require.Equal(t, []string{"mcp_a_b"}, toolNames(Tools(t.Context(), []*Client{c})))
	_, ok := Resources(nil)
	require.False(t, ok)
}
