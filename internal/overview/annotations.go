package overview

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

// shown is how many annotations of one kind GitHub shows of one step.
const shown = 10

// A finding is one expectation that was not met, over all attempts that it was judged in.
type finding struct {
	id, signal, name, where string
	file                    string // from the root of the repository
	line                    int
	want, got, reason       string
	failed, judged          int
	show                    string
}

// Annotations writes what did not pass as workflow commands of GitHub: an error at each
// expectation that was not met, the ones that most attempts failed first, a warning for
// what proves nothing. Root is the folder of the module below that of the repository.
// What goes beyond those that are shown is counted in a notice.
func (o *Overview) Annotations(w io.Writer, run *results.Run, root string) error {
	var b strings.Builder
	all := findings(o, run, root)
	// Where signals were named, they alone decide; what else was found is a notice.
	beside := slices.DeleteFunc(slices.Clone(all), o.decides)
	all = slices.DeleteFunc(all, func(f *finding) bool { return !o.decides(f) })
	errors, notices := min(shown, len(all)), min(shown-1, len(beside))
	for _, f := range all[:errors] {
		annotate(&b, "error", f.file, f.line, f.title(), f.message())
	}
	for _, f := range beside[:notices] {
		annotate(&b, "notice", f.file, f.line, f.title(), f.message())
	}
	if rest := append(all[errors:], beside[notices:]...); len(rest) > 0 {
		var ids []string
		for _, f := range rest {
			if !slices.Contains(ids, f.id) {
				ids = append(ids, f.id)
			}
		}
		annotate(&b, "notice", "", 0, count(len(rest), "more finding"), "of "+few(ids)+"\n"+o.list())
	}
	warnings := o.warnings(run)
	for _, text := range warnings[:min(shown, len(warnings))] {
		annotate(&b, "warning", "", 0, "not measured", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// decides reports whether a finding makes the run red.
func (o *Overview) decides(f *finding) bool {
	return len(o.Settings.Signals) == 0 || f.signal == "" || slices.Contains(o.Settings.Signals, f.signal)
}

func (o *Overview) list() string { return "deeds show " + o.Run }

func findings(o *Overview, run *results.Run, root string) []*finding {
	type key struct{ id, signal, name, where string }
	known := make(map[key]*finding)
	var all []*finding
	files := run.Files()
	several := len(run.Models()) > 1
	note := func(k key) *finding {
		f := known[k]
		if f == nil {
			f = &finding{id: k.id, signal: k.signal, name: k.name, where: k.where}
			known[k] = f
			all = append(all, f)
		}
		f.judged++
		return f
	}
	fail := func(f *finding, slot results.SlotResult) {
		if f.failed == 0 {
			f.show = ShowAttempt(o.Run, slot.Slot, several)
			f.file, f.line = at(files[f.id], f.where)
			if f.file != "" {
				f.file = path.Join(root, f.file)
			}
		}
		f.failed++
	}
	for _, slot := range run.Slots() {
		a := slot.Decided
		if a == nil || slot.Outcome == results.Void {
			continue
		}
		blamed := false
		for _, v := range a.Verdicts {
			if v.Outcome == results.NA {
				continue
			}
			f := note(key{slot.Case, v.Signal, v.Name, v.Where})
			if v.Outcome == results.Fail {
				fail(f, slot)
				f.want, f.got = cmp.Or(f.want, v.Want, v.Name), cmp.Or(f.got, v.Got)
				blamed = true
			}
		}
		if slot.Outcome == results.Fail && (a.Reason != "" || !blamed) {
			f := note(key{slot.Case, "", cmp.Or(a.Reason, "failed"), ""})
			fail(f, slot)
			f.reason = cmp.Or(f.reason, cmp.Or(a.Detail, a.Reason, a.End))
		}
	}
	all = slices.DeleteFunc(all, func(f *finding) bool { return f.failed == 0 })
	slices.SortStableFunc(all, func(a, b *finding) int { return cmp.Compare(b.failed, a.failed) })
	return all
}

func (f *finding) title() string { return f.id + ": " + cmp.Or(f.signal, f.name) }

func (f *finding) message() string {
	if f.signal == "" {
		return fmt.Sprintf("%s\n%s\n%s", f.reason, count(f.failed, "attempt"), f.show)
	}
	const most = 1000
	return fmt.Sprintf("want %s\ngot %s\nfailed in %d of %s\n%s", clip(f.want, most), clip(f.got, most), f.failed, count(f.judged, "attempt"), f.show)
}

// clip cuts a text that is longer than an annotation should be.
func clip(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + fmt.Sprintf("… (%s more)", count(len(runes)-most, "character"))
	}
	return text
}

// few lists the first of many names.
func few(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// warnings say what proves nothing: void attempts by reason, and holes.
func (o *Overview) warnings(run *results.Run) (all []string) {
	for i := range o.Arms {
		a := &o.Arms[i]
		if a.Void > 0 {
			all = append(all, fmt.Sprintf("%s: %s void (%s)\n%s", a.who(), count(a.Void, "attempt"), strings.Join(a.why(), ", "), o.Next))
		}
		if a.NotRun > 0 {
			text := fmt.Sprintf("%s: %s not run", a.who(), count(a.NotRun, "attempt"))
			if o.Stopped != "" {
				text += " (" + o.Stopped + ")"
			}
			all = append(all, text+"\n"+o.Next)
		}
	}
	if len(o.Arms) == 0 {
		all = append(all, "nothing was planned: no case matched")
	}
	if len(o.Missing) > 0 {
		all = append(all, "not played: "+strings.Join(o.Missing, ", "))
	}
	return append(all, o.Problems...)
}

// at is where an expectation stands that says of itself "file_test.go:35", or of a
// helper "../shared/shared.go:4": from the folder that the file of its case lies in.
func at(file, where string) (string, int) {
	name, number, _ := strings.Cut(where, ":")
	n, err := strconv.Atoi(number)
	if file == "" || name == "" || err != nil {
		return file, 0
	}
	return path.Join(path.Dir(file), name), n
}

// annotate writes one command. What is in it can neither end it nor begin another.
func annotate(b *strings.Builder, kind, file string, line int, title, message string) {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+property.Replace(inert.Line(file)))
	}
	if line > 0 {
		properties = append(properties, fmt.Sprintf("line=%d", line))
	}
	properties = append(properties, "title="+property.Replace(inert.Line(title)))
	fmt.Fprintf(b, "::%s %s::%s\n", kind, strings.Join(properties, ","), data.Replace(inert.Text(message)))
}

var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
