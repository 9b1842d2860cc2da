package viewer

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/deeds-evals/deeds/internal/trace"
)

// head says which attempt it is.
func (d *document) head() {
	of := func(get func(h trace.Head) string) func(t *trace.Trace) string {
		return func(t *trace.Trace) string { return get(t.Head) }
	}
	d.fact("claim", normal, of(func(h trace.Head) string { return h.Claim }))
	d.fact("outcome", normal, of(func(h trace.Head) string {
		return join(": ", h.Outcome, join("\n", h.Reason, h.Detail))
	}))
	d.fact("run", normal, of(func(h trace.Head) string {
		if h.Kind == "" || h.Kind == "live" {
			return h.Run
		}
		return h.Run + " (" + h.Kind + ")"
	}))
	d.fact("model", normal, of(func(h trace.Head) string { return join(" in ", h.Model, h.Agent) }))
	d.fact("world", normal, of(func(h trace.Head) string { return h.World }))
	d.fact("variant", normal, of(func(h trace.Head) string { return h.Variant }))
	d.fact("facts", normal, of(func(h trace.Head) string {
		var all []string
		for name, value := range h.Facts {
			all = append(all, name+"="+value)
		}
		sort.Strings(all)
		return strings.Join(all, "\n")
	}))
	if d.pairs() {
		apart := strings.Join(trace.DrawnApart(d.of[0].Head, d.of[1].Head), ", ")
		d.fact("drawn", faint, of(func(trace.Head) string {
			if apart == "" {
				return ""
			}
			return apart + ": taken for equal"
		}))
	}
	d.fact("attempt", normal, of(attempts))
}

// attempts says which attempt it is, and how the others of its unit ended.
func attempts(h trace.Head) string {
	words := fmt.Sprintf("%d of %d", h.Attempt, max(len(h.Siblings), 1))
	if h.Play > 1 || h.Reroll {
		words += fmt.Sprintf(", play %d", h.Play)
	}
	if h.Reroll {
		words += ", a reroll: it does not count"
	}
	if len(h.Siblings) < 2 {
		return words
	}
	var all []string
	for _, s := range h.Siblings {
		one := fmt.Sprintf("%d %s", s.Attempt, s.Outcome)
		if s.Outcome == "void" && s.Reason != "" {
			one += " (" + s.Reason + ")"
		}
		all = append(all, one)
	}
	return words + " (" + strings.Join(all, ", ") + ")"
}

func join(sep string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), sep)
}

// ending says why it ended, and what it took.
func (d *document) ending() {
	d.section("end")
	of := func(get func(e trace.Ending) string) func(t *trace.Trace) string {
		return func(t *trace.Trace) string { return get(t.Ending) }
	}
	d.fact("ended by", normal, of(func(e trace.Ending) string { return join(": ", e.Reason, e.Detail) }))
	d.fact("took", normal, of(func(e trace.Ending) string {
		return fmt.Sprintf("%s, of which %s the agent's own; %s, %s", took(e.DurationMS), took(e.AgentMS),
			count(e.Turns, "turn"), count(e.Calls, "call"))
	}))
	d.fact("tokens", normal, of(func(e trace.Ending) string {
		words := fmt.Sprintf("%d in, %d out", e.Prompt, e.Completion)
		if e.Unreported > 0 {
			words += fmt.Sprintf(", without those of %s that told none", count(e.Unreported, "answer"))
		}
		if e.Cost != nil {
			words += join(" ", fmt.Sprintf("; $%.4f", *e.Cost), e.CostSource)
		}
		return words
	}))
	d.fact("contained", normal, of(func(e trace.Ending) string { return e.Containment }))
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func took(ms float64) string {
	switch {
	case ms >= 60_000:
		return fmt.Sprintf("%dm%02ds", int(ms/60_000), int(ms/1000)%60)
	case ms >= 1000:
		return fmt.Sprintf("%.1f s", ms/1000)
	}
	return fmt.Sprintf("%.0f ms", ms)
}
