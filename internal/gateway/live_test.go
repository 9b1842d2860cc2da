package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// wire is a transport that answers from a list, and notes what was sent. Its last
// answer is repeated.
type wire struct {
	mu      sync.Mutex
	answers []func(*http.Request) (*http.Response, error)
	bodies  []string
	keys    []string
	at      []time.Time
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	w.bodies = append(w.bodies, string(body))
	w.keys = append(w.keys, r.Header.Get("Authorization"))
	w.at = append(w.at, time.Now())
	next := w.answers[0]
	if len(w.answers) > 1 {
		w.answers = w.answers[1:]
	}
	w.mu.Unlock()
	return next(r)
}

// says answers with a status, a body and headers in turn.
func says(status int, body string, headers ...string) func(*http.Request) (*http.Response, error) {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
}

func breaks(r *http.Request) (*http.Response, error) {
	return nil, errors.New("dial tcp: connection refused")
}

// hangs sends what it is given, and then nothing until it is given up.
func hangs(sent string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		out, in := io.Pipe()
		go func() {
			_, _ = io.WriteString(in, sent)
			<-r.Context().Done()
			_ = in.CloseWithError(r.Context().Err())
		}()
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: out, Request: r}, nil
	}
}

const realKey = "sk-real+key/9f8e7d=="

func liveOver(t *testing.T, w *wire, c LiveConfig) *Live {
	t.Helper()
	c.Key, c.Transport = realKey, w
	if c.BaseURL == "" {
		c.BaseURL = "https://models.example/v1"
	}
	if c.Retry.Jitter == 0 {
		c.Retry.Jitter = -1
	}
	l, err := NewLive(c)
	require.NoError(t, err)
	return l
}

func chat(body string) *Request {
	r, err := ParseRequest([]byte(body))
	if err != nil {
		panic(err)
	}
	return r
}

var greeting = chat(`{"model":"m","temperature":1,"messages":[{"role":"user","content":"hi"}],"stream":false}`)

var good = says(200, sse(hello, lo, stop, usage, done))

// TestLiveRetries lets every fault that may pass meet the first tries, and looks
// at how often and when it was asked.
func TestLiveRetries(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		wire  []func(*http.Request) (*http.Response, error)
		waits []time.Duration
	}{
		{"at once", []func(*http.Request) (*http.Response, error){good}, nil},
		{"backoff doubles", []func(*http.Request) (*http.Response, error){says(500, ""), says(503, ""), breaks, good}, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		{"seconds asked for", []func(*http.Request) (*http.Response, error){says(429, "", "Retry-After", "60"), good}, []time.Duration{time.Minute}},
		{"milliseconds asked for", []func(*http.Request) (*http.Response, error){says(429, "", "Retry-After-Ms", "1500"), good}, []time.Duration{1500 * time.Millisecond}},
		{"asked for with a 503", []func(*http.Request) (*http.Response, error){says(503, "", "Retry-After", "3"), good}, []time.Duration{3 * time.Second}},
		{"cut stream", []func(*http.Request) (*http.Response, error){says(200, sse(hello)), good}, []time.Duration{time.Second}},
		{"error in the stream", []func(*http.Request) (*http.Response, error){says(200, sse(hello, `{"error":{"message":"x"}}`)), good}, []time.Duration{time.Second}},
		{"web page", []func(*http.Request) (*http.Response, error){says(200, "<html></html>"), good}, []time.Duration{time.Second}},
		{"empty", []func(*http.Request) (*http.Response, error){says(200, sse(stop, done)), good}, []time.Duration{time.Second}},
		{"stalled after the first token", []func(*http.Request) (*http.Response, error){hangs(sse(hello)), good}, []time.Duration{121 * time.Second}},
		{"stalled before it", []func(*http.Request) (*http.Response, error){hangs(""), good}, []time.Duration{121 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &wire{answers: tt.wire}
				reply, err := liveOver(t, w, LiveConfig{}).Complete(t.Context(), greeting)
				require.NoError(t, err)
				require.Equal(t, "Hello", reply.Message.Text)
				require.Equal(t, len(tt.waits)+1, reply.Tries)
				require.Len(t, w.at, reply.Tries)
				for i, wait := range tt.waits {
					require.Equal(t, wait, w.at[i+1].Sub(w.at[i]), "wait %d", i+1)
				}
			})
		})
	}
}

func TestLiveRetryAfterDate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		at := time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)
		w := &wire{answers: []func(*http.Request) (*http.Response, error){says(429, "", "Retry-After", at), good}}
		_, err := liveOver(t, w, LiveConfig{}).Complete(t.Context(), greeting)
		require.NoError(t, err)
		require.Equal(t, 90*time.Second, w.at[1].Sub(w.at[0]))
	})
}

// TestLiveGivesUp looks at the faults that are left when nothing helps.
func TestLiveGivesUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		wire  func(*http.Request) (*http.Response, error)
		kind  FaultKind
		asked int
	}{
		{"server", says(500, `{"error":{"message":"down"}}`), Server, 5},
		{"rate limit", says(429, ""), RateLimit, 5},
		{"network", breaks, Network, 5},
		{"cut", says(200, sse(hello)), CutStream, 5},
		{"stalled", hangs(""), Stalled, 5},
		{"garbage", says(200, "<html><title>Login</title>"), Garbage, 5},
		{"empty", says(200, sse(stop)), Empty, 5},
		{"auth", says(401, ""), Auth, 1},
		{"not found", says(404, ""), NotFound, 1},
		{"redirect", says(302, "", "Location", "https://other.example/"), NotFound, 1},
		{"bad request", says(400, ""), BadRequest, 1},
		{"quota", says(402, ""), Quota, 1},
		{"context", says(400, `{"error":{"code":"context_length_exceeded"}}`), ContextLength, 1},
		{"filtered", says(400, `{"error":{"code":"content_filter"}}`), Filtered, 1},
		{"asked to wait too long", says(429, "", "Retry-After", "7200"), RateLimit, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &wire{answers: []func(*http.Request) (*http.Response, error){tt.wire}}
				begun := time.Now()
				_, err := liveOver(t, w, LiveConfig{}).Complete(t.Context(), greeting)
				var f *Fault
				require.ErrorAs(t, err, &f)
				require.Equal(t, tt.kind, f.Kind)
				require.Equal(t, tt.asked-1, f.Retries)
				require.Len(t, w.at, tt.asked)
				require.NotEmpty(t, f.Hint)
				require.LessOrEqual(t, time.Since(begun), 11*time.Minute)
			})
		})
	}
}

func TestLiveTotalTimeIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{answers: []func(*http.Request) (*http.Response, error){says(429, "", "Retry-After", "40")}}
		begun := time.Now()
		_, err := liveOver(t, w, LiveConfig{Retry: Retry{Tries: 100, Total: 100 * time.Second}}).Complete(t.Context(), greeting)
		var f *Fault
		require.ErrorAs(t, err, &f)
		require.Equal(t, 2, f.Retries)
		require.Equal(t, 80*time.Second, time.Since(begun))
		require.Contains(t, f.Hint, "wait for 40s")
	})
}

func TestLiveKeepAlivesForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{answers: []func(*http.Request) (*http.Response, error){func(r *http.Request) (*http.Response, error) {
			out, in := io.Pipe()
			go func() {
				for {
					if _, err := io.WriteString(in, ": ping\n\n"); err != nil || sleep(r.Context(), time.Second) != nil {
						_ = in.CloseWithError(io.ErrUnexpectedEOF)
						return
					}
				}
			}()
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: out, Request: r}, nil
		}}}
		begun := time.Now()
		_, err := liveOver(t, w, LiveConfig{Retry: Retry{Tries: 1}, Longest: 5 * time.Minute}).Complete(t.Context(), greeting)
		var f *Fault
		require.ErrorAs(t, err, &f)
		require.Equal(t, Stalled, f.Kind)
		require.Equal(t, 5*time.Minute, time.Since(begun))
	})
}

func TestLiveCancelled(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"while it answers": hangs(sse(hello)), "between tries": says(500, ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
				defer cancel()
				begun := time.Now()
				w := &wire{answers: []func(*http.Request) (*http.Response, error){answer}}
				_, err := liveOver(t, w, LiveConfig{}).Complete(ctx, greeting)
				var f *Fault
				require.ErrorAs(t, err, &f)
				require.Equal(t, Cancelled, f.Kind)
				require.Equal(t, 500*time.Millisecond, time.Since(begun))
				require.Len(t, w.at, 1)
			})
		})
	}
}

func TestLiveFirstToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(r *http.Request) (*http.Response, error) {
			out, in := io.Pipe()
			go func() {
				time.Sleep(2 * time.Second)
				_, _ = io.WriteString(in, ": ping\n\n"+sse(`{"choices":[{"delta":{"role":"assistant","content":""}}]}`))
				time.Sleep(3 * time.Second)
				_, _ = io.WriteString(in, sse(hello))
				time.Sleep(4 * time.Second)
				_, _ = io.WriteString(in, sse(stop, done))
				_ = in.Close()
			}()
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: out, Request: r}, nil
		}
		w := &wire{answers: []func(*http.Request) (*http.Response, error){says(500, ""), slow}}
		begun := time.Now()
		reply, err := liveOver(t, w, LiveConfig{}).Complete(t.Context(), greeting)
		require.NoError(t, err)
		require.Equal(t, 6*time.Second, reply.First, "one second of backoff, five until a token with something in it")
		require.Equal(t, 10*time.Second, time.Since(begun))
	})
}

func TestLiveSettings(t *testing.T) {
	t.Parallel()
	temperature, seed := 0.0, int64(7)
	w := &wire{answers: []func(*http.Request) (*http.Response, error){good}}
	l := liveOver(t, w, LiveConfig{Settings: Settings{
		Model: "big", Temperature: &temperature, Seed: &seed, Reasoning: "high",
		Extra: map[string]json.RawMessage{"top_k": json.RawMessage("5"), "user": nil, "n": json.RawMessage("null")},
	}})
	_, err := l.Complete(t.Context(), chat(`{"model":"small","temperature":0.7,"seed":1,"user":"u","n":2,"max_tokens":9,"messages":[{"role":"user","content":"<hi>"}]}`))
	require.NoError(t, err)
	require.JSONEq(t, `{"model":"big","temperature":0,"seed":7,"reasoning_effort":"high","top_k":5,"max_tokens":9,
		"messages":[{"role":"user","content":"<hi>"}],"stream":true,"stream_options":{"include_usage":true}}`, w.bodies[0])
	require.Contains(t, w.bodies[0], "<hi>", "what the agent wrote is not spelled anew")
	require.Equal(t, "Bearer "+realKey, w.keys[0])
}

func TestLiveWithoutStreamOptions(t *testing.T) {
	t.Parallel()
	w := &wire{answers: []func(*http.Request) (*http.Response, error){says(400, `{"error":{"message":"Unsupported parameter: 'stream_options'"}}`), good}}
	l := liveOver(t, w, LiveConfig{})
	for range 2 {
		reply, err := l.Complete(t.Context(), greeting)
		require.NoError(t, err)
		require.Equal(t, 1, reply.Tries)
	}
	require.Len(t, w.bodies, 3, "it is remembered")
	require.Contains(t, w.bodies[0], "stream_options")
	require.NotContains(t, w.bodies[1], "stream_options")
	require.NotContains(t, w.bodies[2], "stream_options")
}

// A model that never stops is not waited for before the run has begun.
func TestWarmUpDoesNotWaitForARamblingModel(t *testing.T) {
	t.Parallel()
	var chunks atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			chunks.Add(1)
			fmt.Fprint(w, `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"and so on "}}]}`+"\n\n")
			if http.NewResponseController(w).Flush() != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}))
	defer s.Close()
	l, err := NewLive(LiveConfig{BaseURL: s.URL + "/v1"})
	require.NoError(t, err)
	require.NoError(t, l.WarmUp(t.Context(), "m"))
	require.Less(t, chunks.Load(), int64(2000))
}

func TestLiveWarmUp(t *testing.T) {
	t.Parallel()
	for status, kind := range map[int]FaultKind{401: Auth, 403: Auth, 404: NotFound, 400: BadRequest} {
		w := &wire{answers: []func(*http.Request) (*http.Response, error){says(status, `{"error":{"message":"no"}}`)}}
		var f *Fault
		require.ErrorAs(t, liveOver(t, w, LiveConfig{}).WarmUp(t.Context(), "m"), &f)
		require.Equal(t, kind, f.Kind)
		require.True(t, f.StopsRun())
		require.NotEmpty(t, f.Hint)
	}
	w := &wire{answers: []func(*http.Request) (*http.Response, error){good}}
	require.NoError(t, liveOver(t, w, LiveConfig{}).WarmUp(t.Context(), "m"))
	require.Contains(t, w.bodies[0], `"model":"m"`)
}

// TestLiveNeverSaysTheKey lets an endpoint echo the key everywhere it can, in
// every spelling.
func TestLiveNeverSaysTheKey(t *testing.T) {
	t.Parallel()
	spellings := []string{
		realKey, url.QueryEscape(realKey), url.PathEscape(realKey),
		base64.StdEncoding.EncodeToString([]byte(realKey)), base64.URLEncoding.EncodeToString([]byte("Bearer " + realKey)),
	}
	hidden := func(t *testing.T, text string) {
		t.Helper()
		require.NotContains(t, text, realKey)
		require.NotContains(t, text, "9f8e7d")
		require.NotContains(t, text, string(base64Core([]byte(realKey), 0)))
		require.NotContains(t, text, string(base64Core([]byte(realKey), 1)))
	}
	for _, s := range spellings {
		quoted := string(mustJSON("got " + s + " here"))
		w := &wire{answers: []func(*http.Request) (*http.Response, error){
			says(401, `{"error":{"message":`+quoted+`}}`),
			says(400, s),
			says(200, sse(`{"error":`+quoted+`}`)),
			says(200, "<html><title>"+s+"</title>"),
			func(*http.Request) (*http.Response, error) { return nil, errors.New("proxy said " + s) },
			says(200, sse(
				`{"id":`+quoted+`,"model":`+quoted+`,"system_fingerprint":`+quoted+`,"choices":[{"delta":{"content":"`+s[:5]+`"}}]}`,
				`{"choices":[{"delta":{"content":"`+s[5:]+`","reasoning":`+quoted+`,"note":{"x":`+quoted+`},"tool_calls":[{"index":0,"id":`+quoted+`,"function":{"name":`+quoted+`,"arguments":`+quoted+`}}]}}]}`,
				`{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"note":`+quoted+`}}`)),
		}}
		l := liveOver(t, w, LiveConfig{Retry: Retry{Tries: 1}})
		for range 5 {
			_, err := l.Complete(t.Context(), greeting)
			require.Error(t, err)
			hidden(t, fmt.Sprintf("%v %+v", err, err))
		}
		reply, err := l.Complete(t.Context(), greeting)
		require.NoError(t, err)
		hidden(t, fmt.Sprintf("%+v %s", reply, reply.Completion()))
		require.Contains(t, reply.Message.Text, redacted)
		require.True(t, json.Valid(reply.Completion()))
		hidden(t, fmt.Sprintf("%v %+v %#v", l, l, l))
		hidden(t, fmt.Sprintf("%+v %#v", *l.Redactor(), l.config))
	}
}

// A message is cut where it is long, and a key that lies across the cut is taken out
// before.
func TestLiveCutsNoKeyInTwo(t *testing.T) {
	t.Parallel()
	for _, before := range []int{40, 70, 79, 374, 390, 399} {
		text := strings.Repeat("b", before) + realKey
		w := &wire{answers: []func(*http.Request) (*http.Response, error){
			says(401, `{"error":{"message":"`+text+`"}}`), says(500, text), says(200, text), says(200, "data: "+text+"\n\n"),
			says(200, sse(`{"choices":[{"delta":"`+text+`"}]}`)), says(200, sse(`{"choices":"`+text+`"}`)),
		}}
		l := liveOver(t, w, LiveConfig{Retry: Retry{Tries: 1}})
		for range w.answers {
			_, err := l.Complete(t.Context(), greeting)
			require.Error(t, err)
			require.NotContains(t, err.Error(), realKey[:8], "%d bytes before it", before)
			require.Less(t, len(err.Error()), 600)
		}
	}
}

// Some endpoints take their key in the URL, and say the URL when they err.
func TestLiveNeverSaysWhatIsInTheURL(t *testing.T) {
	t.Parallel()
	w := &wire{answers: []func(*http.Request) (*http.Response, error){
		func(r *http.Request) (*http.Response, error) {
			name, password, _ := r.BasicAuth()
			return says(404, "cannot POST "+r.URL.String()+" for "+name+":"+password)(r)
		},
	}}
	l := liveOver(t, w, LiveConfig{BaseURL: "https://user-4f2a9c:word-77d1e0@models.example/v1?api-key=query-5b8d31", Retry: Retry{Tries: 1}})
	_, err := l.Complete(t.Context(), greeting)
	require.ErrorContains(t, err, "cannot POST")
	for _, secret := range []string{"4f2a9c", "77d1e0", "5b8d31"} {
		require.NotContains(t, err.Error(), secret)
	}
}

func TestNewLiveRefusesBadURLs(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "models.example/v1", "ftp://x/v1", "https://", "http://user:hunter2-secret@%zz"} {
		_, err := NewLive(LiveConfig{BaseURL: bad})
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

func TestLiveCountsWhatIsSpentAndPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter, err := NewLimiter(LimiterConfig{MaxTokens: 13})
		require.NoError(t, err)
		defer limiter.Close()
		w := &wire{answers: []func(*http.Request) (*http.Response, error){says(429, "", "Retry-After", "30"), good}}
		l := liveOver(t, w, LiveConfig{Limiter: limiter})
		begun := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := l.Complete(t.Context(), greeting)
			require.NoError(t, err)
		})
		synctest.Wait()
		wg.Go(func() { // another request is held back too
			_, err := l.Complete(t.Context(), greeting)
			require.NoError(t, err)
		})
		wg.Wait()
		require.GreaterOrEqual(t, w.at[1].Sub(begun), 30*time.Second)
		require.GreaterOrEqual(t, w.at[2].Sub(begun), 30*time.Second)
		tokens, cost, err := limiter.Used(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(26), tokens)
		require.InDelta(t, 0.5, cost, 1e-9)
		_, err = limiter.Acquire(t.Context())
		require.ErrorIs(t, err, ErrBudget)
	})
}

func TestLiveCountsWhatIsNotReported(t *testing.T) {
	t.Parallel()
	limiter, err := NewLimiter(LimiterConfig{})
	require.NoError(t, err)
	w := &wire{answers: []func(*http.Request) (*http.Response, error){says(200, sse(hello, stop, done))}}
	reply, err := liveOver(t, w, LiveConfig{Limiter: limiter}).Complete(t.Context(), greeting)
	require.NoError(t, err)
	require.False(t, reply.Usage.Reported)
	tokens, _, err := limiter.Used(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64((len(greeting.Body)+3)/4+1), tokens)
}

// A budget of what the endpoint does not report cannot be kept: the first answer shows
// it, and ends the run. What is not counted needs not be reported.
func TestBudgetOfWhatIsNotReported(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limits  LimiterConfig
		answers []func(*http.Request) (*http.Response, error)
		want    string
	}{
		"no usage":           {LimiterConfig{MaxTokens: 1000}, []func(*http.Request) (*http.Response, error){says(200, sse(hello, stop, done))}, "does not report how many tokens"},
		"no usage, no limit": {LimiterConfig{Slots: 1}, []func(*http.Request) (*http.Response, error){says(200, sse(hello, stop, done))}, ""},
		"no cost":            {LimiterConfig{MaxCost: 1}, []func(*http.Request) (*http.Response, error){says(200, sse(hello, stop, `{"usage":{"prompt_tokens":1,"completion_tokens":1},"choices":[]}`, done))}, "does not report what an answer costs"},
		"cost":               {LimiterConfig{MaxCost: 1}, []func(*http.Request) (*http.Response, error){good}, ""},
		"it costs nothing":   {LimiterConfig{MaxCost: 1}, []func(*http.Request) (*http.Response, error){says(200, sse(hello, stop, `{"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":0},"choices":[]}`, done))}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limiter, err := NewLimiter(test.limits)
			require.NoError(t, err)
			defer limiter.Close()
			_, err = liveOver(t, &wire{answers: test.answers}, LiveConfig{Limiter: limiter}).Complete(t.Context(), greeting)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			var f *Fault
			require.ErrorAs(t, err, &f)
			require.Contains(t, f.Message, test.want)
			require.True(t, f.StopsRun())
			require.Zero(t, f.Retries, "it is not asked again")
		})
	}
}
