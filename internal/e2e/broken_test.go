package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/script"
)

// broken serves an endpoint whose warm-up is well and whose every later request
// goes wrong in one way.
func broken(t *testing.T, bad http.HandlerFunc) string {
	t.Helper()
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			fmt.Fprint(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"OK"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`)
			return
		}
		bad(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL + "/v1"
}

func TestBrokenEndpointVoidsEverySlot(t *testing.T) {
	t.Parallel()
	hijack := func(w http.ResponseWriter, before string) {
		conn, buf, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = buf.WriteString(before)
		_ = buf.Flush()
		_ = conn.Close()
	}
	const half = "data: {\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Let me\"}}]}\n\n"
	for name, test := range map[string]struct {
		bad    http.HandlerFunc
		detail string
	}{
		"500": {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "oh", 500) }, "server (HTTP 500)"},
		"429": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "slow", 429)
		}, "rate-limit (HTTP 429)"},
		"reset": {func(w http.ResponseWriter, r *http.Request) { hijack(w, "") }, "network"},
		"half a stream": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, half)
		}, "cut-stream"},
		"a stream that breaks": {func(w http.ResponseWriter, r *http.Request) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"+fmt.Sprintf("%x\r\n%s\r\n", len(half), half))
		}, "cut-stream"},
		"an error in mid-stream": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, half+"data: {\"error\":{\"message\":\"overloaded\"}}\n\n")
		}, "server"},
		"garbage without end": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for line := ": " + strings.Repeat("x", 1<<20) + "\n"; ; {
				if _, err := io.WriteString(w, "data: "+line[:len(line)-1]); err != nil {
					return
				}
			}
		}, "garbage"},
		"garbage": {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>Welcome</html>") }, "garbage"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := broken(t, test.bad)
			p := play(t, "core", t.TempDir(), nil, "-test.v", "-model=m", "-base-url="+url, "-limit=2", "-retries=1", "-containment=best")
			require.Equal(t, 1, p.exit, "%s", p.out)
			run := p.run(t)
			require.Len(t, run.Attempts, 6, "two slots, each played three times:\n%s", p.out)
			for _, a := range run.Attempts {
				require.Equal(t, "void", a.Outcome)
				require.Equal(t, "provider", a.Reason)
				require.Contains(t, a.Detail, test.detail)
				require.Contains(t, a.Detail, "also when asked again")
			}
			require.Contains(t, p.out, "hint")
		})
	}
}

// An endpoint that asks to come back in a year is not waited for.
func TestEndpointThatAsksToWaitForeverVoidsEverySlot(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	url := broken(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Retry-After", "31536000")
		http.Error(w, "slow", 429)
	})
	_, err := binaries()
	require.NoError(t, err)
	began := time.Now()
	p := play(t, "core", t.TempDir(), nil, "-model=m", "-base-url="+url, "-limit=3", "-j=1", "-containment=best")
	require.Equal(t, 1, p.exit, "%s", p.out)
	require.Less(t, time.Since(began), time.Minute)
	require.EqualValues(t, 1, requests.Load(), "it is left alone, as it asked")
	for _, s := range p.run(t).Slots() {
		require.Equal(t, "void", s.Outcome)
		require.Contains(t, s.Decided.Detail, "rate-limit")
	}
	require.Contains(t, p.out, "longer than it is waited for")
}

func TestHangingEndpointIsVoidWhenTheDeadlineIsNear(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	url := broken(t, func(w http.ResponseWriter, r *http.Request) { <-over })
	t.Cleanup(func() { close(over) })
	// What is built first does not count.
	_, err := binaries()
	require.NoError(t, err)
	began := time.Now()
	p := play(t, "core", t.TempDir(), nil, "-test.timeout=8s", "-model=m", "-base-url="+url, "-limit=2", "-containment=best")
	require.Equal(t, 1, p.exit, "%s", p.out)
	require.Less(t, time.Since(began), 8*time.Second, "the run ends in good order before go test's deadline")
	require.NotContains(t, p.out, "panic: test timed out")
	run := p.run(t)
	require.Len(t, run.Attempts, 2)
	for _, a := range run.Attempts {
		require.Equal(t, "void", a.Outcome)
		require.Equal(t, "stopped", a.Reason)
		require.Contains(t, a.Detail, "-timeout")
	}
}

func TestRefusedFirstRequestStopsTheRun(t *testing.T) {
	t.Parallel()
	for status, hint := range map[int]string{
		401: "check the key",
		404: "check the model's name and the base URL",
		400: "the endpoint does not accept the request",
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				w.WriteHeader(status)
				fmt.Fprint(w, `{"error":{"message":"no such luck"}}`)
			}))
			t.Cleanup(s.Close)
			root := t.TempDir()
			p := play(t, "core", root, nil, "-model=m", "-base-url="+s.URL+"/v1", "-containment=best")
			require.Equal(t, 1, p.exit, "%s", p.out)
			require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
			require.Contains(t, p.out, "no such luck")
			require.Contains(t, p.out, "hint: "+hint)
			require.LessOrEqual(t, requests.Load(), int64(2), "nothing was asked after it")
			run := p.run(t)
			require.Empty(t, run.Attempts)
			for _, s := range run.Slots() {
				require.Equal(t, "not run", string(s.Outcome), "every slot is accounted for as not run")
			}
		})
	}
}

// An endpoint that has trouble with the first request may have less with the next:
// every slot gets its chance, and is void if the trouble stays.
func TestTroubleWithTheFirstRequestDoesNotStopTheRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bad    http.HandlerFunc
		detail string
	}{
		"500": {func(w http.ResponseWriter, r *http.Request) { http.Error(w, "oh", 500) }, "server (HTTP 500)"},
		"a cut stream": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"O\"}}]}\n\n")
		}, "cut-stream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				test.bad(w, r)
			}))
			t.Cleanup(s.Close)
			p := play(t, "core", t.TempDir(), nil, "-model=m", "-base-url="+s.URL+"/v1", "-limit=2", "-retries=0", "-containment=best")
			require.Equal(t, 1, p.exit, "%s", p.out)
			require.NotContains(t, p.out, "deeds: ", "nothing stopped the run")
			run := p.run(t)
			require.EqualValues(t, 1+6, requests.Load(), "the first one, and then two slots, each played three times")
			require.Len(t, run.Attempts, 6, "%s", p.out)
			slots := run.Slots()
			require.Len(t, slots, 2)
			for _, s := range slots {
				require.Equal(t, "void", s.Outcome)
				require.Equal(t, "provider", s.Decided.Reason)
				require.Contains(t, s.Decided.Detail, test.detail)
			}
		})
	}
}

// A key that is withdrawn while the run goes on ends it: nothing else is asked.
func TestRefusalInMidRunStopsTheRun(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	url := broken(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"id\":\"1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Done.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
			return
		}
		w.WriteHeader(401)
		fmt.Fprint(w, `{"error":{"message":"no such luck"}}`)
	})
	p := play(t, "core", t.TempDir(), nil, "-test.v", "-model=m", "-base-url="+url, "-limit=4", "-j=1", "-containment=best")
	require.Equal(t, 1, p.exit, "%s", p.out)
	require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
	require.Contains(t, p.out, "deeds: auth (HTTP 401): no such luck")
	require.Contains(t, p.out, "hint: check the key")
	require.EqualValues(t, 2, requests.Load(), "nothing was asked after it")
	outcomes := make(map[string]int)
	for _, s := range p.run(t).Slots() {
		outcomes[string(s.Outcome)]++
	}
	require.Equal(t, map[string]int{"fail": 1, "void": 1, "not run": 2}, outcomes, "%s", p.out)
}

func TestNothingPassesByNotHappening(t *testing.T) {
	t.Parallel()
	url, key := serve(t, script.NewPlayer(script.Silence()))
	for name, test := range map[string]struct {
		args []string
		want string
		exit int
	}{
		"no case":             {[]string{"-test.run=TestNoSuchCase", "-model=m", "-base-url=" + url}, "deeds: -run and -skip select none of the suite's", 2},
		"no attempt":          {[]string{"-model=m", "-repeat=0", "-base-url=" + url}, "deeds: -repeat=0 is not a whole number of 1 or more", 1},
		"no key":              {[]string{"-model=m", "-base-url=https://models.invalid/v1"}, "deeds: there is no key for models.invalid: OPENAI_API_KEY is not set", 1},
		"no model":            {[]string{"-model=", "-base-url=" + url}, "deeds: -model= has an empty name in it", 1},
		"no world":            {[]string{"-model=m", "-worlds=nowhere", "-base-url=" + url}, "deeds: -worlds=nowhere: no case of the suite has a world of that name", 1},
		"no case with both":   {[]string{"-model=m", "-signal=mode-selection", "-worlds=tail", "-base-url=" + url}, "deeds: -signal=mode-selection -worlds=tail: none of the suite's", 1},
		"no such attempt":     {[]string{"-model=m", "-test.run=TestKnownPath/attempt=9", "-repeat=3", "-base-url=" + url}, "deeds: -run or -skip (TestKnownPath/attempt=9) leaves no attempt in this package", 1},
		"all skipped":         {[]string{"-model=m", "-test.skip=.", "-base-url=" + url}, "deeds: -run and -skip select none of the suite's", 2},
		"no signal":           {[]string{"-model=m", "-signal=tool-chian", "-base-url=" + url}, "did you mean tool-chain?", 1},
		"no address":          {[]string{"-model=m", "-base-url=localhost:1"}, "is no http or https address", 1},
		"nobody listens":      {[]string{"-model=m", "-base-url=http://127.0.0.1:1/v1", "-retries=0"}, "deeds: network: ", 1},
		"a leftover argument": {[]string{"-model=m", "here", "-repeat=3"}, `deeds: the argument "here" stands where no argument belongs`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := play(t, "core", t.TempDir(), []string{"OPENAI_API_KEY=" + map[bool]string{true: "", false: key}[name == "no key"]}, append([]string{"-containment=best"}, test.args...)...)
			require.Equal(t, test.exit, p.exit, "%s", p.out)
			require.Contains(t, p.out, test.want)
			require.Equal(t, 1, strings.Count(p.out, "deeds: "), "one clear error:\n%s", p.out)
		})
	}
}
