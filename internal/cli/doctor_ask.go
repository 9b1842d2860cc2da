package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/spelling"
	"github.com/deeds-evals/deeds/internal/trace"
)

const (
	// mostAsked is how often a model is asked for a call: one that answers in words now
	// and then is worth measuring.
	mostAsked = 3
	// mostTries is how many requests that may take in all, with those that met a fault
	// which may pass.
	mostTries = 6
)

// question is the one tiny thing that is asked: it calls for a call.
func question(model string, tools bool) []byte {
	body := map[string]any{
		"model":    model,
		"messages": []any{map[string]any{"role": "user", "content": "Read the file notes.txt with the tool read."}},
	}
	if tools {
		body["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{
			"name": "read", "description": "Read a file.",
			"parameters": map[string]any{
				"type": "object", "required": []string{"path"},
				"properties": map[string]any{"path": map[string]any{"type": "string", "description": "The file."}},
			},
		}}}
	}
	data, _ := json.Marshal(body) // of plain values
	return data
}

// ask asks a model, and notes what its answer shows.
func (d *doctor) ask(ctx context.Context, p *patient, model string, first bool) {
	begun := time.Now()
	reply, asked, err := d.call(ctx, p, model)
	if err != nil {
		d.unanswered(ctx, p, model, err)
		return
	}
	if first && p.key == "" {
		d.ok("key", "none is set, and none is asked for")
	} else if first {
		d.ok("key", "accepted")
	}
	seen := fmt.Sprintf("%s answered in %s", model, trace.Duration(time.Since(begun)))
	seen += again(reply.Tries - 1)
	if reply.Model != "" && reply.Model != model {
		seen += ", and calls itself " + reply.Model
	}
	if p.models != nil && !slices.Contains(p.models, model) {
		seen += "; it is not in the endpoint's own list"
	}
	d.ok("model", "%s", seen)
	d.tools(reply, asked)
	if p.streamed {
		d.ok("streaming", "the answer came as a stream, its first token after %s", trace.Duration(reply.First))
	} else {
		d.note("streaming", "warn", "the answer came whole: when the first token came is not known, and a long answer may look like a stall", "turn streaming on in the server, or in the proxy before it")
	}
	d.usage(reply.Usage)
}

// call asks a model for a call until it makes one, and after a fault as patiently as a
// run does. The answer is the call; else one that has a call as text, which says more
// than the rest; else the last. The error is that of the first question: after it there
// is an answer to go by.
func (d *doctor) call(ctx context.Context, p *patient, model string) (best *gateway.Reply, asked int, err error) {
	left, until := mostTries, time.Now().Add(d.patience)
	for asked < mostAsked && left > 0 && (asked == 0 || time.Now().Before(until)) {
		retry := gateway.Retry{Tries: left, Total: max(time.Until(until), 1)}
		reply, err := gateway.Retrying(p.live, retry).Complete(ctx, &gateway.Request{Model: model, Body: question(model, true)})
		if err != nil && asked == 0 {
			return nil, 0, err
		} else if err != nil {
			break
		}
		asked++
		left -= reply.Tries
		called := len(reply.Message.Calls) > 0
		if called || best == nil || !textCall.MatchString(spoken(best)) {
			best, p.streamed = reply, p.witness.streamed()
		}
		if called {
			break
		}
	}
	return best, asked, nil
}

// spoken is what a model said, aloud or to itself.
func spoken(r *gateway.Reply) string { return r.Message.Text + r.Message.Reasoning }

// again says how often something was asked again.
func again(n int) string {
	switch {
	case n <= 0:
		return ""
	case n == 1:
		return ", when asked again"
	}
	return fmt.Sprintf(", when asked %d times again", n)
}

// textCall looks like a call that a server has not understood as one.
var textCall = regexp.MustCompile(`(?i)<\|?tool_?call|<function[=_ ]|\[TOOL_CALLS\]|"arguments"\s*:|<\|python_tag\|>`)

func (d *doctor) tools(reply *gateway.Reply, asked int) {
	const parser = "turn tool calls on in the server (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja), or take a model that has them"
	const weak = "a run measures how often it calls; if it never does: "
	text, times := spoken(reply), "asked to call a tool"
	if asked > 1 {
		times = fmt.Sprintf("asked %d times to call a tool", asked)
	}
	switch calls := reply.Message.Calls; {
	case len(calls) == 0 && textCall.MatchString(text):
		d.note("tools", "fail", "the call came as text, which is no call: "+d.excerpt(text), parser)
	case len(calls) == 0 && strings.TrimSpace(text) == "":
		d.note("tools", "warn", times+", the model answered nothing", weak+parser)
	case len(calls) == 0:
		d.note("tools", "warn", times+", the model answered in words: "+d.excerpt(text), weak+parser)
	case calls[0].Name != "read":
		d.note("tools", "warn", fmt.Sprintf("asked to call read, the model called %s", calls[0].Name), "")
	case !json.Valid([]byte(calls[0].Arguments)):
		d.note("tools", "warn", "the arguments of its call are no JSON: "+d.excerpt(calls[0].Arguments), "every such call is an error result for the agent: look into the server's parser of calls")
	default:
		seen := "it called read " + d.excerpt(calls[0].Arguments)
		if asked > 1 {
			seen += fmt.Sprintf(", asked %d times", asked)
		}
		d.ok("tools", "%s", seen)
	}
}

func (d *doctor) usage(u gateway.Usage) {
	switch {
	case !u.Reported:
		d.note("usage", "warn", "no tokens are reported: a run with -budget or -max-tokens is stopped at once, and costs are not known", "turn usage on in the server (stream_options.include_usage)")
	case !u.CostReported:
		d.ok("usage", "%d prompt and %d completion tokens; no cost is reported: bound a run with -max-tokens, not with -budget", u.Prompt, u.Completion)
	default:
		d.ok("usage", "%d prompt and %d completion tokens, %.6f dollars", u.Prompt, u.Completion, u.Cost)
	}
}

// unanswered notes what a fault shows.
func (d *doctor) unanswered(ctx context.Context, p *patient, model string, err error) {
	var f *gateway.Fault
	if !errors.As(err, &f) {
		d.note("model", "fail", model+" did not answer: "+err.Error(), "")
		return
	}
	defer d.skip("answer", "tool calls, streaming and usage were not seen")
	name, seen, fix := "model", model+" did not answer: "+f.Error(), f.Hint
	switch f.Kind {
	case gateway.Auth:
		d.refused(p, f.Error())
		return
	case gateway.Quota:
		name, seen = "key", "accepted, and its credit is used up: "+f.Error()
	case gateway.RateLimit:
		name, seen = "rate limit", "one request is one too many now: "+f.Error()
		if f.RetryAfter > 0 {
			seen += fmt.Sprintf("; it asks to wait %s", trace.Duration(f.RetryAfter))
		}
		if f.RetryAfter >= d.patience {
			fix = fmt.Sprintf("wait, or let it be waited for: --timeout %s", (2 * f.RetryAfter).Round(time.Second))
		}
	case gateway.NotFound:
		seen = fmt.Sprintf("there is no %s: %s", model, f.Error())
		if near := spelling.Nearest(model, p.models); len(near) > 0 {
			fix = "did you mean " + strings.Join(near, " or ") + "?"
		} else if len(p.models) > 0 {
			fix = "there are " + firstOf(p.models, 8)
		}
	case gateway.BadRequest:
		if _, err := p.live.Complete(ctx, &gateway.Request{Model: model, Body: question(model, false)}); err == nil {
			name, seen = "tools", "the endpoint refuses a request with a tool, and takes one without: "+f.Error()
			fix = "turn tool calls on in the server (vLLM: --enable-auto-tool-choice --tool-call-parser NAME; llama.cpp: --jinja), or take a model that has them"
		}
	}
	d.note(name, "fail", seen, fix)
}

// excerpt is the beginning of a text, on one line. What is secret in it goes before it
// is cut: half of a key would not be found.
func (d *doctor) excerpt(text string) string {
	const most = 120
	if d.redact != nil {
		text = d.redact(text)
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return text
}
