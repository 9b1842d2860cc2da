package viewer

import (
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/trace"
)

// judged adds the verdicts. Those of two attempts are paired by signal and name.
func (d *document) judged() {
	if len(d.of[0].Verdicts) == 0 && (d.of[1] == nil || len(d.of[1].Verdicts) == 0) {
		return
	}
	d.verdicts = d.section("verdicts")
	type key struct {
		signal, name string
		nth          int
	}
	var keys []key
	found := make(map[key][2]*trace.Verdict)
	for i, t := range d.of {
		if t == nil {
			continue
		}
		seen := make(map[key]int)
		for j := range t.Verdicts {
			v := &t.Verdicts[j]
			k := key{signal: v.Signal, name: v.Name}
			seen[k]++
			k.nth = seen[k]
			both, known := found[k]
			if !known {
				keys = append(keys, k)
			}
			both[i] = v
			found[k] = both
		}
	}
	for _, k := range keys {
		d.verdict(found[k])
	}
}

func (d *document) verdict(of [2]*trace.Verdict) {
	n := node{kind: verdict, up: -1, folds: true}
	var want, got, see, at node
	for i, v := range of {
		if v == nil {
			continue
		}
		words := v.Signal + ": " + v.Name
		if v.Conditional {
			words += " (conditional)"
		}
		n.sides[i] = &side{label: v.Outcome, accent: ofOutcome(v.Outcome), text: newText(words), see: v.Events}
		n.open = n.open || v.Outcome == "fail"
		if v.Want != "" {
			want.sides[i] = &side{label: "want", accent: faint, text: newText(v.Want)}
		}
		if v.Got != "" {
			got.sides[i] = &side{label: "got", accent: faint, text: newText(v.Got), diff: isDiff(v.Got)}
		}
		if len(v.Events) > 0 {
			see.sides[i] = &side{label: "see", accent: faint, text: newText(eventList(v.Events)), see: v.Events}
		}
		if v.Where != "" {
			at.sides[i] = &side{label: "at", accent: faint, text: newText(v.Where), style: faint}
		}
	}
	up := d.add(n)
	for _, more := range []node{want, got, see, at} {
		if more.sides != [2]*side{} {
			more.kind, more.up = field, up
			d.add(more)
		}
	}
	d.nodes[up].folds = len(d.nodes) > up+1
}

func eventList(events []int) string {
	all := make([]string, len(events))
	for i, n := range events {
		all[i] = fmt.Sprint(n)
	}
	if len(all) == 1 {
		return "event " + all[0]
	}
	return "events " + strings.Join(all, ", ")
}
