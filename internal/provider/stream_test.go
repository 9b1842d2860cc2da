package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/agent"
)

// calls writes calls as name(arguments)#id, which is easier to compare.
func calls(m agent.Message) []string {
	var all []string
	for _, c := range m.Calls {
		all = append(all, c.Name+"("+c.Arguments+")#"+c.ID)
	}
	return all
}

func TestText(t *testing.T) {
	t.Parallel()
	whole := sse(piece(`{"role":"assistant","content":""}`), piece(`{"content":"Hel"}`), piece(`{"content":"lo"}`), finish("stop"), done)
	tests := map[string]struct{ stream, text, thought, stop string }{
		"plain":                    {whole, "Hello", "", "stop"},
		"CRLF":                     {strings.ReplaceAll(whole, "\n", "\r\n"), "Hello", "", "stop"},
		"no blank lines":           {strings.ReplaceAll(whole, "\n\n", "\n"), "Hello", "", "stop"},
		"no blank after the colon": {strings.ReplaceAll(whole, "data: ", "data:"), "Hello", "", "stop"},
		"byte order mark":          {"\uFEFF" + whole, "Hello", "", "stop"},
		"comments":                 {strings.ReplaceAll(whole, "data:", strings.Repeat(": keep-alive\n\n", 1000)+"event: chunk\nid: 7\nretry: 10\ndata:"), "Hello", "", "stop"},
		"no end marker":            {strings.TrimSuffix(whole, sse(done)), "Hello", "", "stop"},
		"no last newline":          {strings.TrimRight(strings.TrimSuffix(whole, sse(done)), "\n"), "Hello", "", "stop"},
		"end marker, no reason":    {sse(piece(`{"content":"Hello"}`), done), "Hello", "", ""},
		"words behind the end":     {whole + sse(piece(`{"content":"!"}`)), "Hello", "", "stop"},
		"an event on many lines":   {"data: {\"choices\":\ndata: [{\"delta\":\ndata: {\"content\":\"Hello\"}}]}\n\n" + sse(finish("stop")), "Hello", "", "stop"},
		"empty data":               {"data:\n\n" + whole, "Hello", "", "stop"},
		"null everywhere":          {sse(`{"choices":null,"usage":null,"error":null}`, `{"choices":[{"delta":null,"finish_reason":null}]}`, `{"choices":[{"delta":{"content":null,"tool_calls":null,"reasoning":null}}]}`) + whole, "Hello", "", "stop"},
		"no content at all":        {sse(finish("stop"), done), "", "", "stop"},
		"list of parts":            {sse(piece(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hello"}]}`), finish("stop")), "Hello", "hm", "stop"},
		"refusal":                  {sse(piece(`{"refusal":"I won't"}`), finish("stop")), "I won't", "", "stop"},
		"other choices":            {sse(`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"},{"index":0,"delta":{"content":"yes"},"finish_reason":"stop"}]}`), "yes", "", "stop"},
		"invalid UTF-8":            {sse(piece("{\"content\":\"a\xff\xc3b\"}"), finish("stop")), "a\uFFFD\uFFFDb", "", "stop"},
		"length":                   {sse(piece(`{"content":"Hel"}`), finish("length"), done), "Hel", "", "length"},
		"filter":                   {sse(piece(`{"content":"Hel"}`), finish("content_filter"), done), "Hel", "", "content_filter"},
		"other words":              {sse(finish("MAX_TOKENS"), done), "", "", "length"},
		"unknown word":             {sse(finish("Bored"), done), "", "", "bored"},
		"reasoning_content":        {sse(piece(`{"reasoning_content":"a"}`), piece(`{"reasoning_content":"b","content":null}`), piece(`{"content":"c"}`), finish("stop")), "c", "ab", "stop"},
		"reasoning":                {sse(piece(`{"reasoning":"a","content":""}`), finish("stop")), "", "a", "stop"},
		"reasoning twice":          {sse(piece(`{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]}`), finish("stop")), "", "a", "stop"},
		"reasoning_details":        {sse(piece(`{"reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.summary","summary":"b"},{"type":"reasoning.encrypted","data":"x"}]}`), finish("stop")), "", "ab", "stop"},
		"thinking_blocks":          {sse(piece(`{"thinking_blocks":[{"type":"thinking","thinking":"a","signature":"s"}]}`), finish("stop")), "", "a", "stop"},
		"message in the stream":    {sse(`{"choices":[{"delta":{},"message":{"content":"Hello"},"finish_reason":"stop"}]}`), "Hello", "", "stop"},
		"message repeated":         {sse(piece(`{"content":"Hello"}`), `{"choices":[{"delta":{},"message":{"content":"Hello"},"finish_reason":"stop"}]}`), "Hello", "", "stop"},
		"not streamed":             {`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello","reasoning":"a"},"finish_reason":"stop"}]}`, "Hello", "a", "stop"},
		"not streamed, no reason":  {"\n" + `{"choices":[{"message":{"content":"Hello"}}]}` + "\n", "Hello", "", ""},
		"one JSON a line":          {piece(`{"content":"Hel"}`) + "\n" + piece(`{"content":"lo"}`) + "\n" + finish("stop"), "Hello", "", "stop"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := ask(t, test.stream)
			require.NoError(t, err)
			require.Equal(t, test.text, m.Text)
			require.Equal(t, test.thought, m.Reasoning)
			require.Equal(t, test.stop, m.Stop)
			require.Equal(t, agent.Assistant, m.Role)
			require.Empty(t, m.Calls)
		})
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		pieces []string
		want   []string
	}{
		"joined by index": {[]string{
			`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"{\"pa"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"th\":1}"}}]}`,
		}, []string{`read({"path":1})#a`}},
		"interleaved": {[]string{
			`{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":"{"}}]}`,
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\""}}]}`,
			`{"tool_calls":[{"index":1,"function":{"arguments":"}"}},{"index":0,"function":{"arguments":":1}"}}]}`,
		}, []string{`read({"p":1})#a`, `ls({})#b`}},
		"no index, by id": {[]string{
			`{"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"p\""}}]}`,
			`{"tool_calls":[{"id":"b","function":{"name":"ls","arguments":"{"}}]}`,
			`{"tool_calls":[{"id":"a","function":{"arguments":":1}"}},{"id":"b","function":{"arguments":"}"}}]}`,
		}, []string{`read({"p":1})#a`, `ls({})#b`}},
		"no index, no id": {[]string{
			`{"tool_calls":[{"function":{"name":"read","arguments":"{\"p\""}}]}`,
			`{"tool_calls":[{"function":{"arguments":":1}"}}]}`,
			`{"tool_calls":[{"function":{"name":"read","arguments":"{}"}},{"function":{"name":"ls","arguments":""}},{"function":{"name":"pwd"}}]}`,
		}, []string{`read({"p":1})#`, `read({})#`, `ls()#`, `pwd()#`}},
		"null index": {[]string{
			`{"tool_calls":[{"index":null,"id":"a","function":{"name":"read","arguments":"{}"}}]}`,
			`{"tool_calls":[{"index":null,"id":"b","function":{"name":"read","arguments":"{}"}}]}`,
		}, []string{`read({})#a`, `read({})#b`}},
		"the same index for all": {[]string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}]}`,
			`{"tool_calls":[{"index":0,"id":"b","function":{"name":"ls","arguments":"{"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`,
		}, []string{`read({})#a`, `ls({})#b`}},
		"the same index, no id": {[]string{
			`{"tool_calls":[{"index":0,"function":{"name":"read","arguments":"{}"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"name":"read","arguments":"{}"}}]}`,
		}, []string{`read({})#`, `read({})#`}},
		"name repeated": {[]string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{"}}]}`,
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"}"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"name":"read","arguments":""}}]}`,
		}, []string{`read({})#a`}},
		"name in pieces": {[]string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"re"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"name":"ad"}}]}`,
			`{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}`,
		}, []string{`read({})#a`}},
		"index in quotes, id a number": {[]string{
			`{"tool_calls":[{"index":"1","id":7,"function":{"name":"ls","arguments":"{}"}},{"index":"0","id":null,"function":{"name":"read","arguments":"{}"}}]}`,
		}, []string{`read({})#`, `ls({})#7`}},
		"arguments as an object": {[]string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":{"path": "x", "n": [1, 2]}}}]}`,
			`{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":null}}]}`,
		}, []string{`read({"path":"x","n":[1,2]})#a`, `ls()#b`}},
		"nothing in it": {[]string{
			`{"tool_calls":[]}`, `{"tool_calls":[{}]}`, `{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls"}},{"index":3}]}`,
		}, []string{`ls()#a`}},
		"broken arguments are kept": {[]string{
			`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\": \"x"}}]}`,
		}, []string{`read({"path": "x)#a`}},
		"function_call": {[]string{
			`{"function_call":{"name":"read","arguments":"{"}}`, `{"function_call":{"arguments":"}"}}`,
		}, []string{`read({})#`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var data []string
			for _, p := range test.pieces {
				data = append(data, piece(p))
			}
			m, err := ask(t, sse(append(data, finish("tool_calls"), done)...))
			require.NoError(t, err)
			require.Equal(t, test.want, calls(m))
			require.Equal(t, "tool_calls", m.Stop)
		})
	}
	t.Run("not streamed", func(t *testing.T) {
		t.Parallel()
		c := newClient(t, Config{}, answering("application/json", `{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[
			{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}},
			{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]}}]}`))
		m, err := c.Next(context.Background(), hello)
		require.NoError(t, err)
		require.Equal(t, []string{`read({})#a`, `ls({})#b`}, calls(m))
	})
}

func TestSeveralHundredCalls(t *testing.T) {
	t.Parallel()
	var data, want []string
	for i := range 700 {
		data = append(data, piece(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"read","arguments":"{}"}}]}`, i, i)))
		want = append(want, fmt.Sprintf("read({})#c%d", i))
	}
	m, err := ask(t, sse(append(data, finish("tool_calls"), done)...))
	require.NoError(t, err)
	require.Equal(t, want, calls(m))
}

func TestUsage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		usage string
		want  agent.Usage
	}{
		"whole": {
			`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"cost":0.25,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}`,
			agent.Usage{Prompt: 10, Completion: 5, Cached: 4, Reasoning: 3, Cost: 0.25, CostReported: true},
		},
		"free is reported":   {`{"prompt_tokens":1,"cost":0}`, agent.Usage{Prompt: 1, CostReported: true}},
		"unknown is not":     {`{"prompt_tokens":1,"cost":null,"prompt_tokens_details":null}`, agent.Usage{Prompt: 1}},
		"other names":        {`{"input_tokens":1,"output_tokens":2,"prompt_cache_hit_tokens":3,"reasoning_tokens":4,"total_cost":"0.5"}`, agent.Usage{Prompt: 1, Completion: 2, Cached: 3, Reasoning: 4, Cost: 0.5, CostReported: true}},
		"lies":               {`{"prompt_tokens":-5,"completion_tokens":1e300,"cost":-1}`, agent.Usage{Completion: 1 << 40}},
		"nonsense":           {`"lots"`, agent.Usage{}},
		"nonsense inside":    {`{"prompt_tokens":"12","completion_tokens":{},"prompt_tokens_details":[1]}`, agent.Usage{Prompt: 12}},
		"fractions and text": {`{"prompt_tokens":12.0,"completion_tokens":"many"}`, agent.Usage{Prompt: 12}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, stream := range []string{
				sse(finish("stop"), `{"model":"m-2025","system_fingerprint":"fp","choices":[],"usage":`+test.usage+`}`, done),
				sse(`{"model":"m-2025","system_fingerprint":"fp","choices":[{"delta":{},"finish_reason":"stop"}],"usage":` + test.usage + `}`),
				sse(finish("stop"), `{"model":"m-2025","system_fingerprint":"fp","choices":[],"x_groq":{"usage":`+test.usage+`}}`),
			} {
				m, err := ask(t, stream)
				require.NoError(t, err)
				require.Equal(t, test.want, m.Usage)
				require.Equal(t, "m-2025", m.Model)
				require.Equal(t, "fp", m.Fingerprint)
			}
		})
	}
	t.Run("the last one counts", func(t *testing.T) {
		t.Parallel()
		m, err := ask(t, sse(`{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, finish("stop"), `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":9}}`))
		require.NoError(t, err)
		require.Equal(t, agent.Usage{Prompt: 1, Completion: 9}, m.Usage)
	})
}

func TestWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	half := piece(`{"content":"Hel"}`)
	tests := map[string]struct {
		stream string
		want   error
	}{
		"nothing":                 {"", ErrCut},
		"blanks":                  {"\n\n", ErrCut},
		"only the end marker":     {sse(done), ErrCut},
		"only a role":             {sse(piece(`{"role":"assistant"}`), done), ErrCut},
		"only reasoning":          {sse(piece(`{"reasoning":"hm"}`), done), ErrCut},
		"cut after a chunk":       {sse(half), ErrCut},
		"cut in a chunk":          {sse(half) + `data: {"choices":[{"del`, ErrCut},
		"cut in the end marker":   {sse(half) + "data: [DO", ErrCut},
		"cut in a call":           {sse(piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"pa"}}]}`)), ErrCut},
		"a half call, then done":  {sse(piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"pa"}}]}`), done), ErrCut},
		"cut plain JSON":          {`{"choices":[{"message":{"content":"Hel`, ErrCut},
		"cut lines of JSON":       {half + "\n", ErrCut},
		"no JSON":                 {"data: {oops}\n\n", ErrGarbled},
		"plain text":              {"data: hello\n\n", ErrGarbled},
		"other JSON":              {sse(`{"choices":"none"}`), ErrGarbled},
		"plain JSON with a flaw":  {`{"choices":[}]`, ErrGarbled},
		"a web page":              {"<html><body>Sign in", ErrGarbled},
		"a line of no use at all": {"hello\n\n", ErrCut},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := ask(t, test.stream)
			require.ErrorIs(t, err, test.want)
			require.Empty(t, m)
			if test.want != ErrCut {
				require.NotErrorIs(t, err, ErrCut)
			}
		})
	}
}

func TestErrorInTheStream(t *testing.T) {
	t.Parallel()
	half := sse(piece(`{"content":"Hel"}`))
	tests := map[string]struct {
		stream string
		want   Error
	}{
		"of its own":          {half + sse(`{"error":{"message":"overloaded","type":"server_error","code":"busy"}}`), Error{Type: "server_error", Code: "busy", Message: "overloaded"}},
		"first of all":        {sse(`{"error":{"message":"overloaded"}}`, done), Error{Message: "overloaded"}},
		"beside the choices":  {half + sse(`{"id":"x","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"gone"}}`, done), Error{Status: 502, Code: "502", Message: "gone"}},
		"in the choice":       {half + sse(`{"choices":[{"index":0,"error":{"code":429,"message":"slow down","metadata":{"raw":"quota of upstream"}}}]}`), Error{Status: 429, Code: "429", Message: "slow down: quota of upstream"}},
		"reason only":         {half + sse(finish("error"), done), Error{Message: "the server ended the message with an error"}},
		"aborted":             {half + sse(finish("abort"), done), Error{Message: "the server ended the message with an error"}},
		"a string":            {half + sse(`{"error":"boom"}`), Error{Message: "boom"}},
		"after comments":      {half + ": ping\n\n" + sse(`{"error":{"message":"overloaded"}}`), Error{Message: "overloaded"}},
		"no blank line":       {half + `data: {"error":{"message":"overloaded"}}`, Error{Message: "overloaded"}},
		"an event of its own": {half + "event: error\ndata: {\"type\":\"overloaded_error\",\"message\":\"overloaded\"}\n\n", Error{Type: "overloaded_error", Message: "overloaded"}},
		"event, error inside": {half + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"overloaded\"}}\n\n", Error{Type: "overloaded_error", Message: "overloaded"}},
		"plain JSON":          {`{"error":{"message":"no such model","type":"invalid_request_error","code":null}}`, Error{Type: "invalid_request_error", Message: "no such model"}},
		"nothing in it":       {half + sse(`{"error":{}}`), Error{Message: `{ "error":{}}`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ask(t, test.stream)
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, test.want, *e)
		})
	}
}

func TestAnswerWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, start := range []string{"data: ", "{\"a\": \"", sse(piece(`{"content":"Hel"}`))} {
		_, err := io.ReadAll(newEvents(strings.NewReader(start+strings.Repeat("x", 100_000)), 50_000))
		require.ErrorIs(t, err, ErrGarbled)
	}
}

func TestHugeLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 1<<18)
	m, err := ask(t, sse(piece(`{"content":"`+long+`"}`), finish("stop")))
	require.NoError(t, err)
	require.Equal(t, len(long), len(m.Text))
}

// A server that breaks the connection is no end of the stream.
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stream string
		whole  bool
	}{
		"before the reason": {sse(piece(`{"content":"Hel"}`)), false},
		"behind the reason": {sse(piece(`{"content":"Hel"}`), finish("stop")), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, Config{}, func(w http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(w, test.stream)
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			})
			m, err := c.Next(context.Background(), hello)
			if test.whole {
				require.NoError(t, err)
				require.Equal(t, "Hel", m.Text)
			} else {
				require.ErrorIs(t, err, ErrCut)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		_, err := New(Config{BaseURL: "http://127.0.0.1:1/v1"}).Next(context.Background(), hello)
		require.ErrorContains(t, err, "reach the model")
	})
}

// hanging is a server that says something and then nothing more.
func hanging(first string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, first)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

func TestStalledStream(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"", sse(piece(`{"content":"Hel"}`)), ": ping\n\n", `{"choices":[`} {
		c := newClient(t, Config{}, hanging(first))
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_, err := c.Next(ctx, hello)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, ErrCut)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := newClient(t, Config{}, hanging("")).Next(ctx, hello)
	require.ErrorIs(t, err, context.Canceled)
}

// A message that is complete is not held up by a server that forgets to hang up.
func TestForgottenStream(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", sse(done)} {
		c := newClient(t, Config{}, hanging(sse(piece(`{"content":"Hello"}`), finish("stop"))+end))
		c.linger = 50 * time.Millisecond
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		m, err := c.Next(ctx, hello)
		cancel()
		require.NoError(t, err)
		require.Equal(t, "Hello", m.Text)
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	t.Parallel()
	peers := make(map[string]bool)
	c := newClient(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
		peers[r.RemoteAddr] = true
		_, _ = io.WriteString(w, sse(piece(`{"content":"Hello"}`), finish("stop"), done))
	})
	for range 20 {
		_, err := c.Next(context.Background(), hello)
		require.NoError(t, err)
	}
	require.Len(t, peers, 1)
}

func FuzzStream(f *testing.F) {
	f.Add(sse(piece(`{"content":"Hel"}`), finish("stop"), done))
	f.Add(sse(piece(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":{"a":1}}}]}`), finish("tool_calls")))
	f.Add(`{"choices":[{"message":{"content":"Hello"}}]}`)
	f.Add("event: error\ndata: {\"a\":\ndata: 1}\n\n")
	f.Add(sse(`{"error":{"message":"m","code":429}}`))
	f.Fuzz(func(t *testing.T, stream string) {
		x := transport(func(*http.Request) *http.Response {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(stream))}
		})
		c := New(Config{BaseURL: "http://host/v1", HTTP: &http.Client{Transport: x}})
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		m, err := c.Next(ctx, hello)
		var e *Error
		switch {
		case err == nil:
			if m.Stop == "" && m.Text == "" && len(m.Calls) == 0 {
				t.Error("an empty message without a reason")
			}
		case errors.Is(err, ErrCut), errors.Is(err, ErrGarbled), errors.As(err, &e):
		default:
			t.Errorf("an error of no kind: %v", err)
		}
	})
}

// A transport answers requests without a network.
type transport func(*http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// BenchmarkDecode reads a stream of 1,000 chunks, without a network.
func BenchmarkDecode(b *testing.B) {
	var data []string
	for range 998 {
		data = append(data, `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":"word "},"logprobs":null,"finish_reason":null}]}`)
	}
	stream := sse(append(data, finish("stop"), `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":998}}`, done)...)
	c := New(Config{BaseURL: "http://host/v1", HTTP: &http.Client{Transport: transport(func(*http.Request) *http.Response {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(stream))}
	})}})
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Next(context.Background(), hello); err != nil {
			b.Fatal(err)
		}
	}
}
