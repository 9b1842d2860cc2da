package provider

import (
	"encoding/json"

	"github.com/deeds-evals/deeds/internal/agent"
)

// readUsage reads what a server reports about tokens and cost, under the names
// that are in use. What is not understood is not reported.
func readUsage(raw json.RawMessage) (agent.Usage, bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || len(fields) == 0 {
		return agent.Usage{}, false
	}
	prompt, completion := inside(fields, "prompt_tokens_details"), inside(fields, "completion_tokens_details")
	u := agent.Usage{
		Prompt:     first(fields, "prompt_tokens", "input_tokens").count(),
		Completion: first(fields, "completion_tokens", "output_tokens").count(),
		Cached:     or(first(prompt, "cached_tokens"), first(fields, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")).count(),
		Reasoning:  or(first(completion, "reasoning_tokens"), first(fields, "reasoning_tokens")).count(),
	}
	if cost := first(fields, "cost", "total_cost"); cost.ok && cost.value >= 0 {
		u.Cost, u.CostReported = cost.value, true
	}
	return u, true
}

// first is the first of the named numbers that is there.
func first(fields map[string]json.RawMessage, names ...string) number {
	for _, name := range names {
		var n number
		if v, ok := fields[name]; ok && json.Unmarshal(v, &n) == nil && n.ok {
			return n
		}
	}
	return number{}
}

func or(a, b number) number {
	if a.ok {
		return a
	}
	return b
}

func inside(fields map[string]json.RawMessage, name string) map[string]json.RawMessage {
	var inner map[string]json.RawMessage
	if json.Unmarshal(fields[name], &inner) != nil {
		return nil
	}
	return inner
}
