package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// An Upstream answers requests. Its error is a [*Fault], or else counts as a
// defect of the harness. It is used by many sessions at once.
type Upstream interface {
	Complete(ctx context.Context, r *Request) (*Reply, error)
}

// An UpstreamFunc is a function that is an [Upstream].
type UpstreamFunc func(ctx context.Context, r *Request) (*Reply, error)

// Complete calls the function.
func (f UpstreamFunc) Complete(ctx context.Context, r *Request) (*Reply, error) { return f(ctx, r) }

// A Reply is a whole answer.
type Reply struct {
	ID          string
	Created     int64 // Unix seconds
	Model       string
	Fingerprint string
	Message     Message
	// Finish is why the message ended: "stop", "tool_calls", "length",
	// "content_filter", or whatever the endpoint said.
	Finish string
	Usage  Usage

	Status int           // of the HTTP answer
	Tries  int           // how often the endpoint was asked; 0 counts as 1
	First  time.Duration // from the request until the first token, waits and retries included
	Capped bool          // the answer was longer than is taken, and was cut there
}

// Usage is what one answer cost, as the endpoint reported it.
type Usage struct {
	Reported     bool // whether the endpoint reported tokens at all
	Prompt       int
	Completion   int
	Cached       int // of Prompt
	Reasoning    int // of Completion
	Cost         float64
	CostReported bool
	Raw          json.RawMessage // as reported
}

// What no single answer takes: tokens beyond any context, and dollars beyond any bill.
// A number above would only overflow the sums that a budget is held against.
const (
	mostTokens = 1 << 30
	mostCost   = 1e6
)

// ParseUsage reads a usage object. What cannot be true counts as not reported: less than
// nothing, more than there is, and no tokens at all for a request that was answered.
func ParseUsage(raw json.RawMessage) Usage {
	var in struct {
		Prompt        *int `json:"prompt_tokens"`
		Completion    *int `json:"completion_tokens"`
		CacheHit      int  `json:"prompt_cache_hit_tokens"`
		PromptDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
		Cost *float64 `json:"cost"`
	}
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &in) != nil {
		return Usage{}
	}
	u := Usage{Raw: raw}
	if in.Cost != nil && *in.Cost >= 0 && *in.Cost <= mostCost {
		u.Cost, u.CostReported = *in.Cost, true
	}
	if in.Prompt == nil && in.Completion == nil {
		return u
	}
	if in.Prompt != nil {
		u.Prompt = *in.Prompt
	}
	if in.Completion != nil {
		u.Completion = *in.Completion
	}
	u.Cached = max(in.PromptDetails.Cached, in.CacheHit)
	u.Reasoning = in.CompletionDetails.Reasoning
	u.Reported = true
	all := []int{u.Prompt, u.Completion, u.Cached, u.Reasoning}
	if slices.Min(all) < 0 || slices.Max(all) > mostTokens || u.Prompt+u.Completion == 0 {
		return Usage{Raw: raw, Cost: u.Cost, CostReported: u.CostReported}
	}
	return u
}

// JSON returns the usage as it was reported, or in the protocol's form.
func (u Usage) JSON() json.RawMessage {
	if len(u.Raw) > 0 || !u.Reported {
		return u.Raw
	}
	return json.RawMessage(fmt.Sprintf(
		`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d},"completion_tokens_details":{"reasoning_tokens":%d}}`,
		u.Prompt, u.Completion, u.Prompt+u.Completion, u.Cached, u.Reasoning))
}
