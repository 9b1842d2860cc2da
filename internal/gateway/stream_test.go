package gateway

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// sse joins data lines into a stream.
func sse(objects ...string) string {
	var b strings.Builder
	for _, o := range objects {
		b.WriteString("data: " + o + "\n\n")
	}
	return b.String()
}

const (
	hello  = `{"id":"x1","created":7,"model":"big-1","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}`
	lo     = `{"choices":[{"index":0,"delta":{"content":"lo"}}]}`
	stop   = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	called = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	usage  = `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2},"cost":0.25}}`
	done   = `[DONE]`
)

// call builds a chunk with one delta of a call.
func call(fields string) string {
	return `{"choices":[{"index":0,"delta":{"tool_calls":[{` + fields + `}]}}]}`
}

func TestReadAnswer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		text     string
		calls    []Call
		check    func(*testing.T, *Reply)
	}{
		{name: "plain", in: sse(hello, lo, stop, usage, done), text: "Hello", check: func(t *testing.T, r *Reply) {
			require.Equal(t, "x1", r.ID)
			require.Equal(t, int64(7), r.Created)
			require.Equal(t, "big-1", r.Model)
			require.Equal(t, "fp", r.Fingerprint)
			require.Equal(t, "stop", r.Finish)
			u := r.Usage
			u.Raw = nil
			require.Equal(t, Usage{Reported: true, Prompt: 10, Completion: 3, Cached: 4, Reasoning: 2, Cost: 0.25, CostReported: true}, u)
		}},
		{name: "no [DONE]", in: sse(hello, lo, stop), text: "Hello"},
		{name: "usage missing", in: sse(hello, lo, stop, done), text: "Hello", check: func(t *testing.T, r *Reply) {
			require.Equal(t, Usage{}, r.Usage)
		}},
		{name: "impossible usage", in: sse(hello, stop, `{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":3}}`, done), text: "Hel", check: func(t *testing.T, r *Reply) {
			require.False(t, r.Usage.Reported)
		}},
		{name: "usage elsewhere", in: sse(hello, `{"choices":[{"delta":{},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":1,"completion_tokens":2}}}`, done), text: "Hel", check: func(t *testing.T, r *Reply) {
			require.Equal(t, 2, r.Usage.Completion)
		}},
		{name: "keep-alives", in: ": OPENROUTER PROCESSING\n\n\n\n" + sse(hello) + ": ping\n\nevent: message\nid: 4\nretry: 100\n" + sse(lo, stop, done), text: "Hello"},
		{name: "no blank lines", in: "data: " + hello + "\ndata: " + lo + "\ndata: " + stop + "\ndata: [DONE]\n", text: "Hello"},
		{name: "CRLF and no blank after data", in: strings.ReplaceAll(strings.ReplaceAll(sse(hello, lo, stop, done), "data: ", "data:"), "\n", "\r\n"), text: "Hello"},
		{name: "an object over two lines", in: "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n", text: "Hi"},
		{name: "empty data", in: "data:\n\n" + sse(hello, stop, done), text: "Hel"},
		{name: "no end of line", in: strings.TrimRight(sse(hello, stop), "\n"), text: "Hel"},
		{name: "second choice ignored", in: sse(hello, `{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"}]}`, stop, done), text: "Hel", check: func(t *testing.T, r *Reply) {
			require.Equal(t, "stop", r.Finish)
		}},
		{name: "reasoning", in: sse(`{"choices":[{"delta":{"reasoning_content":"a"}}]}`, `{"choices":[{"delta":{"reasoning_content":"b","content":null}}]}`, stop, done), check: func(t *testing.T, r *Reply) {
			require.Equal(t, "ab", r.Message.Reasoning)
		}},
		{name: "reasoning under another name, with details", in: sse(`{"choices":[{"delta":{"reasoning":"a","reasoning_details":[{"n":1}]}}]}`, `{"choices":[{"delta":{"reasoning":"b","reasoning_details":[{"n":2}]}}]}`, stop, done), check: func(t *testing.T, r *Reply) {
			require.Equal(t, "ab", r.Message.Reasoning)
			require.JSONEq(t, `[{"n":1},{"n":2}]`, string(r.Message.Extra["reasoning_details"]))
			require.Contains(t, string(r.Message.JSON()), `"reasoning_details":[{"n":1},{"n":2}]`)
		}},
		{name: "parts as content", in: sse(`{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},"finish_reason":"stop"}]}`), text: "ab"},
		{name: "refusal", in: sse(`{"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"}]}`), text: "No."},
		{name: "parallel calls, interleaved", in: sse(
			call(`"index":0,"id":"a","function":{"name":"read","arguments":""}`),
			call(`"index":1,"id":"b","function":{"name":"ls","arguments":"{\"p"}`),
			call(`"index":0,"function":{"arguments":"{\"path\":"}`),
			call(`"index":1,"function":{"arguments":"\":1}"}`),
			call(`"index":0,"function":{"arguments":"\"x\"}"}`), called, done),
			calls: []Call{{"a", "read", `{"path":"x"}`}, {"b", "ls", `{"p":1}`}}},
		{name: "no index", in: sse(
			call(`"id":"a","function":{"name":"read","arguments":"{\"x\":"}`),
			call(`"function":{"arguments":"1}"}`),
			call(`"id":"b","function":{"name":"ls","arguments":"{}"}`), called, done),
			calls: []Call{{"a", "read", `{"x":1}`}, {"b", "ls", `{}`}}},
		{name: "no index, id repeated", in: sse(
			call(`"id":"a","function":{"name":"read","arguments":"{\"x\":"}`),
			call(`"id":"a","function":{"name":"read","arguments":"1}"}`), called, done),
			calls: []Call{{"a", "read", `{"x":1}`}}},
		{name: "one index for all", in: sse(
			call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`),
			call(`"index":0,"id":"b","function":{"name":"ls","arguments":"{\"a\":"}`),
			call(`"index":0,"function":{"arguments":"2}"}`), called, done),
			calls: []Call{{"a", "read", `{}`}, {"b", "ls", `{"a":2}`}}},
		{name: "no ids", in: sse(
			call(`"index":0,"function":{"name":"read","arguments":"{}"}`),
			call(`"index":1,"function":{"name":"ls","arguments":"{}"}`), called, done),
			calls: []Call{{"call_1", "read", `{}`}, {"call_2", "ls", `{}`}}},
		{name: "one id for all", in: sse(
			call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`),
			call(`"index":1,"id":"a","function":{"name":"ls","arguments":"{}"}`), called, done),
			calls: []Call{{"a", "read", `{}`}, {"a_2", "ls", `{}`}}},
		{name: "arguments as an object", in: sse(
			call(`"index":0,"id":"a","function":{"name":"read","arguments":{"x":1}}`), called, done),
			calls: []Call{{"a", "read", `{"x":1}`}}},
		{name: "arguments null", in: sse(
			call(`"index":0,"id":"a","function":{"name":"read","arguments":null}`), called, done),
			calls: []Call{{"a", "read", ``}}},
		{name: "a whole answer", in: `{"id":"w","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
			text: "Hi", calls: []Call{{"a", "ls", "{}"}}, check: func(t *testing.T, r *Reply) {
				require.Equal(t, "w", r.ID)
				require.Equal(t, 2, r.Usage.Completion)
			}},
		{name: "a whole answer without a reason to end", in: `{"choices":[{"message":{"content":"Hi"}}]}`, text: "Hi", check: func(t *testing.T, r *Reply) {
			require.Equal(t, "stop", r.Finish)
		}},
		{name: "empty, but paid for", in: sse(stop, usage, done)},
		{name: "length", in: sse(hello, `{"choices":[{"delta":{},"finish_reason":"length"}]}`, done), text: "Hel"},
		{name: "empty for its content", in: sse(`{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`, done), check: func(t *testing.T, r *Reply) {
			require.Equal(t, "content_filter", r.Finish)
		}},
		{name: "byte order mark", in: "\xEF\xBB\xBF" + sse(hello, stop), text: "Hel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				r, _, f := readAnswer(in, 1<<20)
				require.Nil(t, f)
				require.Equal(t, "assistant", r.Message.Role)
				require.Equal(t, tt.text, r.Message.Text)
				require.Equal(t, tt.calls, r.Message.Calls)
				require.False(t, r.Capped)
				if tt.check != nil {
					tt.check(t, r)
				}
			}
		})
	}
}

func TestReadAnswerFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		kind     FaultKind
		message  string
	}{
		{"cut before the reason", sse(hello, lo), CutStream, "without a reason"},
		{"[DONE] without a reason", sse(hello, lo, done), CutStream, "without a reason"},
		{"cut in an object", sse(hello) + `data: {"choices":[{"del`, CutStream, "without a reason"},
		{"cut in a field name", sse(hello) + `da`, CutStream, "without a reason"},
		{"nothing", "", CutStream, "empty"},
		{"white space", "\n\n", CutStream, "empty"},
		{"cut whole answer", `{"choices":[{"message":{"content":"H`, CutStream, "broke off"},
		{"error as a chunk", sse(hello, `{"error":{"message":"overloaded","type":"server_error"}}`), Server, "overloaded"},
		{"error in a chunk with choices", sse(hello, `{"id":"x","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"upstream died"}}`), Server, "upstream died"},
		{"error in a choice", sse(hello, `{"choices":[{"index":0,"delta":{},"error":{"code":429,"message":"slow down"}}]}`), RateLimit, "slow down"},
		{"only the reason says error", sse(hello, `{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}`), Server, "does not say"},
		{"error as a string", sse(`{"error":"boom"}`), Server, "boom"},
		{"error as an event", "event: error\n" + sse(`{"message":"broke","code":500}`), Server, "broke"},
		{"rate limit by its type", sse(`{"error":{"message":"m","type":"rate_limit_exceeded"}}`), RateLimit, "m"},
		{"rate limit that counts tokens", sse(`{"error":{"message":"too many tokens","code":"rate_limit_exceeded"}}`), RateLimit, "too many"},
		{"context by its code", sse(`{"error":{"message":"m","code":"context_length_exceeded"}}`), ContextLength, "m"},
		{"error with status 200", `{"error":{"message":"no such key","code":401}}`, Auth, "no such key"},
		{"a web page", "<!DOCTYPE html><html><head><title>Sign in\n here</title></head></html>", Garbage, "a web page: Sign in here"},
		{"plain words", "Service OK\n", Garbage, "no event"},
		{"broken event", "data: {\"choices\":\n\n" + sse(stop), Garbage, "no JSON"},
		{"another JSON", `{"status":"ok"}`, Garbage, "no chat completion"},
		{"a list", "data: [1]\n\n", Garbage, "no chat completion"},
		{"empty at no token", sse(stop, done), Empty, "no token"},
		{"calls that never came", sse(called, done), Empty, "no token"},
		{"empty at zero tokens", sse(stop, `{"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":0}}`, done), Empty, "no token"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, _, f := readAnswer(strings.NewReader(tt.in), 1<<20)
			require.Nil(t, r)
			require.NotNil(t, f)
			require.Equal(t, tt.kind, f.Kind, f.Error())
			require.Contains(t, f.Message, tt.message)
			require.NotContains(t, f.Message, "\n")
		})
	}
}

func TestReadAnswerBrokenConnection(t *testing.T) {
	t.Parallel()
	reset := iotest.ErrReader(errors.New("connection reset"))
	_, first, f := readAnswer(io.MultiReader(strings.NewReader(sse(hello)), reset), 1<<20)
	require.Equal(t, CutStream, f.Kind)
	require.Contains(t, f.Message, "connection reset")
	require.False(t, first.IsZero())

	r, _, f := readAnswer(io.MultiReader(strings.NewReader(sse(hello, stop)), reset), 1<<20)
	require.Nil(t, f, "the message was whole")
	require.Equal(t, "Hel", r.Message.Text)
}

// endless repeats a text for ever, which no test may read to its end.
type endless struct {
	text string
	rest string
}

func (e *endless) Read(p []byte) (int, error) {
	if e.rest == "" {
		e.rest = e.text
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestReadAnswerThatNeverEnds(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]io.Reader{
		"words":     &endless{text: sse(lo)},
		"arguments": &endless{text: sse(call(`"index":0,"id":"a","function":{"name":"read","arguments":"xxxxxxxxxxxxxxxx"}`))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _, f := readAnswer(in, 10_000)
			require.Nil(t, f)
			require.True(t, r.Capped)
			require.Equal(t, "length", r.Finish)
			require.LessOrEqual(t, len(r.Message.Text), 11_000)
		})
	}
}

// Bytes that are no message are no fault of the model's.
func TestReadAnswerThatIsNoMessageAndNeverEnds(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]io.Reader{
		"one line":  io.MultiReader(strings.NewReader(`data: {"choices":[{"delta":{"content":"`), &endless{text: "x"}),
		"one value": io.MultiReader(strings.NewReader(`{"choices":[{"message":{"content":"`), &endless{text: "x"}),
		"comments":  io.MultiReader(strings.NewReader(sse(hello)), &endless{text: ": ping\n\n"}),
		"no event":  &endless{text: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _, f := readAnswer(in, 10_000)
			require.Nil(t, r)
			require.Equal(t, Garbage, f.Kind)
		})
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add(sse(hello, lo, stop, usage, done))
	f.Add(`{"choices":[{"message":{"content":"Hi"}}]}`)
	f.Add(sse(call(`"id":"a","function":{"name":"read","arguments":{}}`), called))
	f.Fuzz(func(t *testing.T, in string) {
		r, _, fault := readAnswer(strings.NewReader(in), 1<<16)
		require.True(t, (r == nil) != (fault == nil))
		if r != nil {
			require.NotEmpty(t, r.Finish)
			require.NotEqual(t, "null", string(r.Completion()))
			for _, c := range r.Chunks(true) {
				require.NotEqual(t, "null", string(c))
			}
			return
		}
		_, known := consequences[fault.Kind]
		require.True(t, known)
	})
}
