package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExtraArguments(t *testing.T) {
	var got map[string]any
	w := newWorld(t, Build, nil, func(e *Env) {
		e.Extra = []Extra{{
			Spec: Spec{Name: "refund", Parameters: json.RawMessage(`{"type":"object","properties":{
				"note":{"type":"string"},"order":{"type":"string"},"amount":{"type":"number"},"count":{"type":["integer","null"]},"urgent":{"type":"boolean"},
				"level":{"type":"integer","enum":[1,2]},"way":{"type":"string","enum":["card","cash"]},
				"tags":{"type":"array","items":{"type":"string"}},"list":{"type":"array"},"any":{"description":"anything"},"union":{"type":["string","integer"]},
				"where":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}},
				"required":["order","amount"],"additionalProperties":false}`)},
			Run: func(_ context.Context, args map[string]any) Outcome {
				got = args
				return Outcome{Status: OK, Text: "done"}
			},
		}, {
			Spec: Spec{Name: "open", Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)},
			Run: func(_ context.Context, args map[string]any) Outcome {
				got = args
				return Outcome{Status: OK, Text: "done"}
			},
		}, {
			Spec: Spec{Name: "strange", Parameters: json.RawMessage(`{"type":"object","properties":{"a":true}}`)},
			Run:  func(context.Context, map[string]any) Outcome { return Outcome{Status: OK, Text: "done"} },
		}}
	})
	for _, tt := range []struct {
		args, want is
	}{
		{is{"order": "A-1", "amount": -1.5}, is{"order": "A-1", "amount": -1.5}},
		{is{"order": "A-1", "amount": "7", "count": 1700000000000, "urgent": "true", "level": 2}, is{"order": "A-1", "amount": 7.0, "count": 1700000000000.0, "urgent": true, "level": 2.0}},
		{is{"order": "", "amount": 0, "count": nil, "tags": `["x"]`, "list": []any{1, "a"}, "any": is{"x": 1}, "union": 4, "where": is{"city": "Rome"}, "way": "cash"},
			is{"order": "", "amount": 0.0, "tags": []any{"x"}, "list": []any{1.0, "a"}, "any": is{"x": 1.0}, "union": 4.0, "where": is{"city": "Rome"}, "way": "cash"}},
	} {
		require.Equal(t, Outcome{Status: OK, Text: "done"}, w.call("refund", tt.args))
		require.Equal(t, tt.want, got)
	}
	require.Equal(t, OK, w.call("open", is{"b": 1}).Status)
	require.Equal(t, is{"b": 1.0}, got, "what is not forbidden is passed on")
	require.Equal(t, OK, w.call("strange", is{"a": 1}).Status, "a schema that is beyond us allows anything")
	got = nil
	for _, tt := range []struct {
		args is
		want string
	}{
		{is{}, "refund was not run: order is missing; amount is missing\nrefund takes: order (required), amount (required), any, count, level, list, note, tags, union, urgent, way, where."},
		{is{"order": []any{7}, "amount": "x"}, `order must be a string, not a list; amount must be a number, not the string "x"`},
		{is{"order": "a", "amount": 1, "orderr": "b"}, `there is no argument "orderr": did you mean "order"?`},
		{is{"order": "a", "amount": 1, "count": 1.5}, "count must be an integer, not 1.5"},
		{is{"order": "a", "amount": 1, "level": 3}, "level must be one of 1, 2, not 3"},
		{is{"order": "a", "amount": 1, "way": "gold"}, `way must be one of card, cash, not "gold"`},
		{is{"order": "a", "amount": 1, "tags": []any{is{}}}, "tags[0] must be a string, not an object"},
		{is{"order": "a", "amount": 1, "list": 1}, "list must be a list, not 1"},
		{is{"order": "a", "amount": 1, "where": is{"town": "x"}}, `where.city is missing; there is no argument "where.town"`},
	} {
		out := w.call("refund", tt.args)
		require.Equal(t, Malformed, out.Status)
		require.Contains(t, out.Text, tt.want)
		require.Nil(t, got, "it was not run")
	}
	require.Equal(t, Malformed, w.call("open", is{"a": is{}}).Status)
}

func TestExtraInPlanMode(t *testing.T) {
	w := newWorld(t, Build, nil, withAll)
	charge := w.Prepare("charge", "{}")
	require.Nil(t, charge.Early)
	w.SetMode(Plan)
	refused := Outcome{Status: Refused, Text: "charge is not available in plan mode: it may change something, and nothing is changed while you plan."}
	require.Equal(t, refused, w.call("charge", is{}))
	require.Equal(t, refused, w.Run(t.Context(), charge), "prepared in another mode")
	require.Equal(t, Outcome{Status: OK, Text: "(no output)"}, w.call("look", is{}), "an answer says something")
	require.NotContains(t, w.Prepare("teleport", "{}").Early.Text, "charge")
}

func TestExtraAnswers(t *testing.T) {
	w := newWorld(t, Build, files{"a": "x\n"}, func(e *Env) {
		e.Extra = []Extra{
			{Spec: Spec{Name: "long"}, Run: func(context.Context, map[string]any) Outcome {
				return Outcome{Status: OK, Text: strings.Repeat("é", maxBytes)}
			}},
			{Spec: Spec{Name: "bad"}, Run: func(context.Context, map[string]any) Outcome {
				return Outcome{Status: Failed, Text: "caf\xe9"}
			}},
			{Spec: Spec{Name: "read"}, Run: func(context.Context, map[string]any) Outcome { panic("the built-in one wins") }},
			{Spec: Spec{Name: "bad"}, Run: func(context.Context, map[string]any) Outcome { panic("the first wins") }},
		}
	})
	out := w.call("long", is{})
	require.True(t, strings.HasSuffix(out.Text, "é\n(only the first 128 KiB of 262144 bytes are shown)"))
	require.Less(t, len(out.Text), maxBytes+100)
	require.Equal(t, Outcome{Status: Failed, Text: "caf\uFFFD"}, w.call("bad", is{}))
	require.Equal(t, "1\tx", w.call("read", is{"path": "a"}).Text)

	w.SetExtra([]Extra{{Spec: Spec{Name: "new"}, Run: func(context.Context, map[string]any) Outcome { return Outcome{Status: OK, Text: "n"} }}})
	require.Equal(t, "n", w.call("new", is{}).Text)
	require.Equal(t, Unknown, w.call("bad", is{}).Status)
	specs := w.Specs()
	require.Equal(t, "new", specs[len(specs)-1].Name)
}

func TestAround(t *testing.T) {
	type key struct{}
	var told []string
	w := newWorld(t, Build, files{"a": "x\n"}, withAll, func(e *Env) {
		e.Around = func(ctx context.Context, tool string, args map[string]any, run func(context.Context) Outcome) Outcome {
			told = append(told, tool)
			if args["path"] == "broken" {
				return Outcome{Status: Failed, Text: "the disk is gone"}
			}
			return run(context.WithValue(ctx, key{}, "through"))
		}
		e.Delegate = func(ctx context.Context, _ Task) Outcome { return ok("%v", ctx.Value(key{})) }
	})
	require.Equal(t, "1\tx", w.call("read", is{"path": "a"}).Text)
	require.Equal(t, Outcome{Status: Failed, Text: "the disk is gone"}, w.call("write", is{"path": "broken", "content": ""}))
	require.NoFileExists(t, w.dir+"/broken")
	require.Equal(t, "through", w.call("task", is{"assignment": "a"}).Text)
	require.Equal(t, OK, w.call("look", is{}).Status)
	require.Equal(t, Malformed, w.call("read", is{}).Status)
	require.Equal(t, Unknown, w.call("teleport", is{}).Status)
	require.Equal(t, Refused, w.call("plan_done", is{"summary": "s"}).Status)
	require.Equal(t, []string{"read", "write", "task", "look"}, told, "only what is carried out")
}

func TestTask(t *testing.T) {
	var got []Task
	w := newWorld(t, Build, nil, func(e *Env) {
		e.Delegate = func(_ context.Context, t Task) Outcome {
			got = append(got, t)
			return Outcome{Status: OK, Text: "child-1 (worker): completed\n\nDone."}
		}
	})
	require.Equal(t, Outcome{Status: OK, Text: "child-1 (worker): completed\n\nDone."}, w.call("task", is{"assignment": "a"}))
	w.call("task", is{"assignment": "b", "agent": "explore"})
	w.call("task", is{"assignment": "c", "id": "child-1"})
	want := []Task{{"a", "worker", ""}, {"b", "explore", ""}, {"c", "", "child-1"}}
	require.Equal(t, want, got)
	out := w.call("task", is{"assignment": "a", "agent": "boss"})
	require.Contains(t, out.Text, `agent must be one of worker, explore, review, not "boss"`)
	require.Contains(t, w.call("task", is{"assignment": " "}).Text, "assignment is empty")
	require.Contains(t, w.call("task", is{"prompt": "a", "subagent_type": "explore"}).Text, `here it is called "agent"`)

	w.SetMode(Plan)
	for _, a := range []is{{"assignment": "a"}, {"assignment": "a", "agent": "worker"}, {"assignment": "a", "id": "child-1"}} {
		require.Equal(t, Outcome{Status: Refused, Text: "no agent was started: in plan mode nothing is changed, so agent must be explore or review"}, w.call("task", a))
	}
	require.Equal(t, want, got)
	require.Equal(t, OK, w.call("task", is{"assignment": "d", "agent": "review"}).Status)
	require.Equal(t, Unknown, newWorld(t, Build, nil).call("task", is{"assignment": "a"}).Status, "there is nobody")
}
