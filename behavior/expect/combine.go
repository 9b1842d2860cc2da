package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// maxSaid is how much an author's own function may say, in runes.
const maxSaid = 4000

// AllOf means that all of the expectations hold. What does not apply is left
// out; if none applies, neither does this. It reports all that failed.
func AllOf(xs ...behavior.Expectation) behavior.Expectation {
	xs, specs := members(xs)
	spec := joined(specs, "and")
	spec.Where = here()
	spec.Parts = xs
	spec.Negative, spec.Conditional = len(xs) > 0, len(xs) > 0
	for _, s := range specs {
		spec.Negative = spec.Negative && (s.Negative || s.Conditional)
		spec.Conditional = spec.Conditional && s.Conditional
		spec.Tools, spec.Mentions = union(spec.Tools, s.Tools), union(spec.Mentions, s.Mentions)
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		if len(xs) == 0 {
			return fail("nothing was expected")
		}
		var failed []string
		var events, deciding []int
		applied := 0
		for i, x := range xs {
			f := judge(x, t)
			switch f.Outcome {
			case behavior.Fail:
				failed = append(failed, told(specs[i], f))
				events = append(events, f.Events...)
				applied++
			case behavior.Pass:
				deciding = append(deciding, f.Events...)
				applied++
			}
		}
		switch {
		case len(failed) > 0:
			return fail(strings.Join(failed, "\n"), events...)
		case applied == 0:
			return behavior.Finding{Outcome: behavior.NA, Got: "none of it applies"}
		}
		return pass(deciding...)
	}}
}

// AnyOf means that at least one of the expectations holds. If none of them
// applies, neither does this.
func AnyOf(xs ...behavior.Expectation) behavior.Expectation {
	xs, specs := members(xs)
	spec := joined(specs, "or")
	spec.Where = here()
	spec.Conditional = len(xs) > 0
	for i, s := range specs {
		spec.Negative = spec.Negative || s.Negative && !s.Conditional
		spec.Conditional = spec.Conditional && s.Conditional
		if i == 0 {
			spec.Tools = s.Tools
		}
		spec.Tools, spec.Mentions = intersection(spec.Tools, s.Tools), union(spec.Mentions, s.Mentions)
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		if len(xs) == 0 {
			return fail("nothing was expected")
		}
		var failed []string
		var events []int
		for i, x := range xs {
			f := judge(x, t)
			switch f.Outcome {
			case behavior.Pass:
				return pass(f.Events...)
			case behavior.Fail:
				failed = append(failed, told(specs[i], f))
				events = append(events, f.Events...)
			}
		}
		if len(failed) == 0 {
			return behavior.Finding{Outcome: behavior.NA, Got: "none of it applies"}
		}
		return fail(strings.Join(failed, "\n"), events...)
	}}
}

// When means that x holds if cond happened. If it did not, there is nothing to
// judge: what it finds is n/a, and its coverage is told beside it.
func When(cond Event, x behavior.Expectation) behavior.Expectation {
	spec := x.Spec()
	spec.Name = "when " + cond.name() + ": " + nameOf(spec)
	spec.Want = "if there is " + cond.words() + ",\n" + spec.Want
	spec.Conditional = true
	spec.Mentions = union(spec.Mentions, cond.mentions)
	if spec.Where == "" {
		spec.Where = here()
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		if len(cond.all(t, yes)) == 0 {
			return behavior.Finding{Outcome: behavior.NA, Got: "there was " + cond.none()}
		}
		return judge(x, t)
	}}
}

// Named is x under a marker of its own: the name under which it is compared
// and counted, which stays when its words change.
func Named(name string, x behavior.Expectation) behavior.Expectation {
	spec := x.Spec()
	spec.Name, spec.Marker = name, true
	if spec.Where == "" {
		spec.Where = here()
	}
	return expectation{spec, func(t *trace) behavior.Finding { return judge(x, t) }}
}

// That is the way out into plain Go: it means that f has nothing to say against
// the evidence. The words say what is expected, and f says what was seen
// instead, with [At] also in which events. It must depend on nothing but the evidence,
// and must not change it.
func That(words string, f func(behavior.Evidence) error) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{Name: short(words), Want: words, Where: here()},
		check: func(t *trace) behavior.Finding {
			if err := f(t.Evidence); err != nil {
				return fail(clip(err.Error(), maxSaid), t.pointed(err)...)
			}
			return pass()
		},
	}
}

func members(xs []behavior.Expectation) ([]behavior.Expectation, []behavior.Spec) {
	xs = slices.Clone(xs)
	specs := make([]behavior.Spec, len(xs))
	for i, x := range xs {
		specs[i] = x.Spec()
	}
	return xs, specs
}

// joined is the name and the words of several specs.
func joined(specs []behavior.Spec, by string) behavior.Spec {
	var names, wants []string
	for _, s := range specs {
		names = append(names, nameOf(s))
		wants = append(wants, s.Want)
	}
	if len(specs) == 0 {
		return behavior.Spec{Name: "nothing", Want: "something, but the case names no expectation"}
	}
	return behavior.Spec{Name: strings.Join(names, " "+by+" "), Want: strings.Join(wants, "\n"+by+" ")}
}

func nameOf(s behavior.Spec) string {
	if s.Name != "" {
		return s.Name
	}
	return strings.Join(strings.Fields(s.Want), " ")
}

// told is one of several failures.
func told(s behavior.Spec, f behavior.Finding) string {
	return fmt.Sprintf("%s: %s", nameOf(s), strings.ReplaceAll(f.Got, "\n", "\n  "))
}

func intersection(a, b []string) []string {
	var out []string
	for _, s := range a {
		if slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
