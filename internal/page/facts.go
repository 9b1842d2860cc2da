package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/results"
)

// A fact is one line of where the run comes from.
type fact struct{ Name, Text string }

func facts(o *overview.Overview, run *results.Run) []fact {
	s := o.Settings
	all := []fact{{"run", o.Run}, {"kind", o.Kind}}
	add := func(name, text string) {
		if text != "" {
			all = append(all, fact{name, text})
		}
	}
	if !o.Created.IsZero() {
		add("begun", o.Created.UTC().Format("2006-01-02 15:04:05")+" UTC")
	}
	if o.TookMS > 0 {
		add("took", overview.Duration(o.TookMS))
	}
	commit := cmp.Or(o.Commit, "not on record")
	if o.Dirty {
		commit += " (the tree was dirty)"
	}
	add("commit", commit)
	add("models", strings.Join(s.Models, ", "))
	add("agent", s.Agent)
	add("attempts of a unit", fmt.Sprint(s.Repeat))
	add("endpoint", s.BaseURL)
	if s.Temperature != nil {
		add("temperature", fmt.Sprintf("%g", *s.Temperature))
	}
	if s.Seed != nil {
		add("seed", fmt.Sprint(*s.Seed))
	}
	add("reasoning", s.Reasoning)
	add("simulated user", s.UserModel)
	add("only signals", strings.Join(s.Signals, ", "))
	add("only worlds", strings.Join(s.Worlds, ", "))
	add("only tests", s.Run)
	add("without tests", s.Skip)
	if s.Limit > 0 {
		add("limit of cases", fmt.Sprint(s.Limit))
	}
	add("containment", s.Containment)
	if s.Jobs > 0 {
		add("at the same time", fmt.Sprint(s.Jobs))
	}
	add("answers of run", s.Replay)
	if s.Budget > 0 {
		add("budget", dollars(&s.Budget))
	}
	for _, d := range digests(run) {
		add(d.Name, d.Text)
	}
	add("packages", packages(run))
	add("not played", strings.Join(o.Missing, ", "))
	return all
}

// digests list what answered and what judged, as far as it differs.
func digests(run *results.Run) []fact {
	kinds := []struct {
		name string
		of   func(*results.Attempt) string
	}{
		{"answered as", func(a *results.Attempt) string { return a.Served }},
		{"fingerprint", func(a *results.Attempt) string { return a.Fingerprint }},
		{"system prompt", func(a *results.Attempt) string { return a.Digests.Prompt }},
		{"tools", func(a *results.Attempt) string { return a.Digests.Tools }},
		{"grader", func(a *results.Attempt) string { return a.Digests.Grader }},
	}
	var all []fact
	for _, k := range kinds {
		seen := make(map[string]bool)
		for i := range run.Attempts {
			if text := k.of(&run.Attempts[i]); text != "" {
				seen[text] = true
			}
		}
		names := make([]string, 0, len(seen))
		for n := range seen {
			names = append(names, n)
		}
		slices.Sort(names)
		all = append(all, fact{k.name, few(names)})
	}
	return all
}

func packages(run *results.Run) string {
	var all []string
	for _, p := range run.Plans {
		name := cmp.Or(p.Dir, p.Package)
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return few(all)
}

// few names the first of many.
func few(names []string) string {
	const most = 6
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// day is when a run was made, for its head.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 January 2006, 15:04 UTC")
}

// short is a commit as people quote it.
func short(commit string) string { return commit[:min(len(commit), 10)] }
