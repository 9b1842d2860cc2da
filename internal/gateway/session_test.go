package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// says returns an upstream that always answers the same.
func says(text string) gateway.Upstream {
	return gateway.UpstreamFunc(func(context.Context, *gateway.Request) (*gateway.Reply, error) {
		return &gateway.Reply{Message: gateway.Message{Role: "assistant", Text: text}, Finish: "stop", Model: "big", Fingerprint: "fp",
			Usage: gateway.Usage{Reported: true, Prompt: 10, Completion: 2, Cached: 3, Reasoning: 1, Cost: 0.5, CostReported: true}}, nil
	})
}

func TestOnlyTheSessionsOwnKeyOpensIt(t *testing.T) {
	t.Parallel()
	g := gatewayFor(t, gateway.Config{})
	open := func() *gateway.Session {
		s, err := g.Open(gateway.SessionConfig{Upstream: says("x"), Model: "m"})
		require.NoError(t, err)
		return s
	}
	a, b := open(), open()
	require.NotEqual(t, a.BaseURL(), b.BaseURL())
	require.NotEqual(t, a.Key(), b.Key())
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/[a-z2-7]{26}/v1$`, a.BaseURL())
	require.Regexp(t, `^sk-local-[a-z2-7]{26}$`, a.Key())

	chat := "/chat/completions"
	origin := strings.Join(strings.Split(a.BaseURL(), "/")[:3], "/")
	tests := []struct {
		name, method, url, key string
		want                   int
	}{
		{"right", "POST", a.BaseURL() + chat, a.Key(), 200},
		{"no key", "POST", a.BaseURL() + chat, "", 401},
		{"key of another session", "POST", a.BaseURL() + chat, b.Key(), 401},
		{"token of nobody", "POST", origin + "/" + strings.Repeat("a", 26) + "/v1" + chat, a.Key(), 404},
		{"no token", "POST", origin + "/v1" + chat, a.Key(), 404},
		{"other method", "GET", a.BaseURL() + chat, a.Key(), 404},
		{"other path", "POST", a.BaseURL() + "/embeddings", a.Key(), 404},
		{"models", "GET", a.BaseURL() + "/models", a.Key(), 200},
		{"one model", "GET", a.BaseURL() + "/models/m", a.Key(), 200},
		{"models without key", "GET", a.BaseURL() + "/models", "x", 401},
		{"no JSON", "POST", a.BaseURL() + chat, a.Key(), 400},
		{"no messages", "POST", a.BaseURL() + chat, a.Key(), 400},
	}
	for _, tt := range tests {
		body := ask
		switch tt.name {
		case "no JSON":
			body = "{"
		case "no messages":
			body = "{}"
		}
		status, answer := send(t, tt.method, tt.url, tt.key, body)
		require.Equal(t, tt.want, status, tt.name)
		for _, word := range []string{"deeds", "eval", "test", "script"} {
			require.NotContains(t, strings.ToLower(answer), word, tt.name)
		}
		if tt.want >= 400 {
			var e struct {
				Error struct{ Message, Type string }
			}
			require.NoError(t, json.Unmarshal([]byte(answer), &e), tt.name)
			require.NotEmpty(t, e.Error.Message, tt.name)
		}
	}
	require.Len(t, a.Exchanges(), 1)
	require.Empty(t, b.Exchanges())
	b.Close()
	status, _ := post(t, b, ask)
	require.Equal(t, 404, status, "a closed session is gone")
}

func TestModels(t *testing.T) {
	t.Parallel()
	s := openSession(t, says("x"))
	_, body := send(t, http.MethodGet, s.BaseURL()+"/models", s.Key(), "")
	require.JSONEq(t, `{"object":"list","data":[{"id":"m","object":"model","created":0,"owned_by":"local"}]}`, body)
}

func TestRequestTooLarge(t *testing.T) {
	t.Parallel()
	s, err := gatewayFor(t, gateway.Config{MaxRequest: 100}).Open(gateway.SessionConfig{Upstream: says("x")})
	require.NoError(t, err)
	status, _ := post(t, s, ask)
	require.Equal(t, 413, status)
}

// TestFaults sees each kind of fault end the session or not, and what the agent
// is told.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, kind := range gateway.FaultKinds() {
		if kind == gateway.Cancelled {
			continue // see TestCloseEndsRequests
		}
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := openSession(t, &gateway.Faulty{Upstream: says("x"), Next: gateway.InTurn("", kind)})
			status, _ := post(t, s, ask)
			require.Equal(t, 200, status)

			status, body := post(t, s, ask)
			var e struct {
				Error struct{ Message, Code string }
			}
			require.NoError(t, json.Unmarshal([]byte(body), &e))
			require.NotNil(t, s.Fault())
			require.Equal(t, kind, s.Fault().Kind)
			require.False(t, s.Fault().First)
			require.Equal(t, kind, s.Exchanges()[1].Fault.Kind)
			require.Nil(t, s.Exchanges()[1].Response)

			if !kind.Voids() {
				require.Equal(t, 400, status)
				require.NotEqual(t, "upstream_error", e.Error.Code)
				status, _ = post(t, s, ask)
				require.Equal(t, 200, status, "the agent may go on")
				require.Nil(t, s.Fault())
				require.Len(t, s.Exchanges(), 3)
				return
			}
			require.Equal(t, 502, status)
			require.Equal(t, "upstream_error", e.Error.Code)
			select {
			case <-s.Failed():
			default:
				t.Fatal("the session has not failed")
			}
			status, _ = post(t, s, ask)
			require.Equal(t, 502, status, "nothing is asked any more")
			require.Len(t, s.Exchanges(), 2)
		})
	}
}

func TestFirstRequestIsKnown(t *testing.T) {
	t.Parallel()
	s := openSession(t, &gateway.Faulty{Upstream: says("x"), Next: gateway.InTurn(gateway.BadRequest)})
	post(t, s, ask)
	require.True(t, s.Fault().First)
	require.True(t, s.Fault().StopsRun())
}

func TestRetryingIsInvisible(t *testing.T) {
	t.Parallel()
	faulty := &gateway.Faulty{Upstream: says("x"), Next: gateway.InTurn(gateway.CutStream, gateway.Server)}
	s := openSession(t, gateway.Retrying(faulty, gateway.Retry{First: time.Millisecond}))
	status, _ := post(t, s, ask)
	require.Equal(t, 200, status)
	require.Equal(t, 3, s.Exchanges()[0].Tries)
	require.Equal(t, 2, s.Usage().Retries)
	require.Nil(t, s.Fault())
}

func TestDefectsOfAnUpstream(t *testing.T) {
	t.Parallel()
	for name, u := range map[string]gateway.UpstreamFunc{
		"panic":   func(context.Context, *gateway.Request) (*gateway.Reply, error) { panic("oh") },
		"nothing": func(context.Context, *gateway.Request) (*gateway.Reply, error) { return nil, nil },
		"error":   func(context.Context, *gateway.Request) (*gateway.Reply, error) { return nil, errors.New("x") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openSession(t, u)
			status, _ := post(t, s, ask)
			require.Equal(t, 502, status)
			require.Equal(t, gateway.Internal, s.Fault().Kind)
		})
	}
}

func TestKeepAlive(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]gateway.FaultKind{"answer": "", "fault": gateway.Server} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slow := gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
				time.Sleep(100 * time.Millisecond)
				return (&gateway.Faulty{Upstream: says("hi"), Next: gateway.InTurn(fault)}).Complete(ctx, r)
			})
			s, err := gatewayFor(t, gateway.Config{KeepAlive: 10 * time.Millisecond}).Open(gateway.SessionConfig{Upstream: slow})
			require.NoError(t, err)
			status, body := post(t, s, ask)
			require.Equal(t, 200, status)
			require.True(t, strings.HasPrefix(body, ": waiting\n\n"), body)
			body = strings.ReplaceAll(body, ": waiting\n\n", "")
			if fault == "" {
				require.NotEmpty(t, events(t, body))
				return
			}
			require.True(t, strings.HasPrefix(body, `data: {"error":`), body)
			require.NotContains(t, body, "[DONE]")
			require.Equal(t, fault, s.Fault().Kind)
		})
	}
}

func TestCloseEndsRequests(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	s := openSession(t, gateway.UpstreamFunc(func(ctx context.Context, _ *gateway.Request) (*gateway.Reply, error) {
		close(asked)
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	var wg sync.WaitGroup
	wg.Go(func() { post(t, s, ask) })
	<-asked
	require.Len(t, s.Exchanges(), 1)
	require.Nil(t, s.Exchanges()[0].Fault)
	s.Close()
	wg.Wait()
	require.Equal(t, gateway.Cancelled, s.Exchanges()[0].Fault.Kind)
	require.Nil(t, s.Fault(), "the endpoint did nothing wrong")
	s.Close()
}

// An agent that does not send its request to the end, or does not read its answer,
// keeps nobody from closing the session.
func TestCloseDoesNotWaitForAnAgentThatHangs(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]string{
		"half a request": "POST %s/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 1000\r\n\r\n{",
		"unread answer":  "POST %s/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: " + strconv.Itoa(len(ask)) + "\r\n\r\n" + ask,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openSession(t, says(strings.Repeat("x", 16<<20))) // more than the kernel takes for the agent
			at, err := url.Parse(s.BaseURL())
			require.NoError(t, err)
			conn, err := net.Dial("tcp", at.Host)
			require.NoError(t, err)
			defer conn.Close()
			_, err = fmt.Fprintf(conn, request, at.Path, s.Key())
			require.NoError(t, err)
			time.Sleep(200 * time.Millisecond) // for the request to be under way
			closed := make(chan struct{})
			go func() { s.Close(); close(closed) }()
			select {
			case <-closed:
			case <-time.After(10 * time.Second):
				require.Fail(t, "the session waits for the agent")
			}
		})
	}
}

func TestRequestBeyondAllMeasureIsTheAgentsLimit(t *testing.T) {
	t.Parallel()
	g := gatewayFor(t, gateway.Config{MaxRequest: 1000})
	s, err := g.Open(gateway.SessionConfig{Upstream: says("x"), Model: "m"})
	require.NoError(t, err)
	status, body := post(t, s, `{"messages":[{"role":"user","content":"`+strings.Repeat("x", 2000)+`"}]}`)
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Contains(t, body, "context_length_exceeded")
	require.Equal(t, gateway.ContextLength, s.Fault().Kind)
	status, _ = post(t, s, ask)
	require.Equal(t, http.StatusOK, status)
	require.Nil(t, s.Fault(), "the agent made it shorter")
}

func TestAgentGoesAway(t *testing.T) {
	t.Parallel()
	asked, gone := make(chan struct{}), make(chan struct{})
	s := openSession(t, gateway.UpstreamFunc(func(ctx context.Context, _ *gateway.Request) (*gateway.Reply, error) {
		close(asked)
		<-ctx.Done()
		close(gone)
		return nil, ctx.Err()
	}))
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.BaseURL()+"/chat/completions", strings.NewReader(ask))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+s.Key())
	go func() {
		<-asked
		cancel()
	}()
	_, err = http.DefaultClient.Do(r)
	require.Error(t, err)
	<-gone
	s.Close()
	require.Equal(t, gateway.Cancelled, s.Exchanges()[0].Fault.Kind)
	require.Nil(t, s.Fault())
}

func TestGatewayClose(t *testing.T) {
	t.Parallel()
	g, err := gateway.Start(gateway.Config{})
	require.NoError(t, err)
	_, err = g.Open(gateway.SessionConfig{})
	require.Error(t, err)
	s, err := g.Open(gateway.SessionConfig{Upstream: says("x")})
	require.NoError(t, err)
	g.Close()
	g.Close()
	_, err = http.Get(s.BaseURL()) //nolint:noctx // nothing answers
	require.Error(t, err)
	_, err = g.Open(gateway.SessionConfig{Upstream: says("x")})
	require.Error(t, err)
}

// TestWaitedCountsOverlapOnce has two requests wait at the same time.
func TestWaitedCountsOverlapOnce(t *testing.T) {
	t.Parallel()
	const wait = 150 * time.Millisecond
	s := openSession(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		time.Sleep(wait)
		return says("x").Complete(ctx, r)
	}))
	begun := time.Now()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { post(t, s, ask) })
	}
	for s.Waited() == 0 {
		time.Sleep(time.Millisecond)
	}
	require.Less(t, s.Waited(), wait, "it grows while requests wait")
	wg.Wait()
	require.GreaterOrEqual(t, s.Waited(), wait)
	require.LessOrEqual(t, s.Waited(), time.Since(begun))
	at := s.Waited()
	time.Sleep(5 * time.Millisecond)
	require.Equal(t, at, s.Waited(), "and stands still while none does")
}

func TestUsage(t *testing.T) {
	t.Parallel()
	n := 0
	s := openSession(t, gateway.UpstreamFunc(func(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
		reply, err := says("x").Complete(ctx, r)
		if n++; n == 3 {
			reply.Usage = gateway.Usage{}
		}
		return reply, err
	}))
	require.False(t, s.Usage().CostReported, "nothing is not free")
	post(t, s, ask)
	post(t, s, ask)
	u := s.Usage()
	require.Positive(t, u.FirstToken)
	u.FirstToken = 0
	require.Equal(t, gateway.Totals{Requests: 2, Prompt: 20, Completion: 4, Cached: 6, Reasoning: 2, Cost: 1, CostReported: true, Model: "big", Fingerprint: "fp"}, u)
	post(t, s, ask)
	require.False(t, s.Usage().CostReported, "a part of the cost is not the cost")
	require.Equal(t, 1, s.Usage().Unreported)
}

func TestProblems(t *testing.T) {
	t.Parallel()
	call := func(id string) string {
		return `{"role":"assistant","tool_calls":[{"id":"` + id + `","function":{"name":"read","arguments":"{}"}}]}`
	}
	result := func(id string) string { return `{"role":"tool","tool_call_id":"` + id + `","content":"x"}` }
	tests := []struct{ name, messages, want string }{
		{"sound", call("a") + "," + result("a") + `,{"role":"user","content":"x"}`, ""},
		{"no result", call("a") + `,{"role":"user","content":"x"}`, "call a of read has no result"},
		{"no result at the end", call("a"), "call a of read has no result"},
		{"no call", result("a"), `message 1 is the result of call "a", which nobody made`},
		{"result twice", call("a") + "," + result("a") + "," + result("a"), `message 3 is the result of call "a", which nobody made`},
		{"late result", call("a") + `,{"role":"user","content":"x"},` + result("a"), "call a of read has no result; message 3 is the result of call \"a\", which nobody made"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := gateway.ParseRequest([]byte(`{"messages":[` + tt.messages + `]}`))
			require.NoError(t, err)
			require.Equal(t, tt.want, strings.Join(r.Problems(), "; "))
		})
	}
	twice, err := gateway.ParseRequest([]byte(`{"messages":[{"role":"assistant","tool_calls":[{"id":"a"},{"id":"a"}]},` + result("a") + `]}`))
	require.NoError(t, err)
	require.Equal(t, []string{`message 1 has two calls of id "a"`}, twice.Problems())
}
