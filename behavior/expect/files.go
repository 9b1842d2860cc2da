package expect

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// Changed means that exactly these files changed, exactly so, and no others.
// [behavior.Absent] is a file that was removed, or a folder and all that was in
// it; [Text] and [LinkTo] are other contents than exact bytes. A file that was there before keeps its permission
// bits. Each of the files must have changed: one that had the content already
// fails. A directory that appears or vanishes along with what it holds is no
// change of its own. With an empty tree it is [NothingChanged].
func Changed(want behavior.Tree) behavior.Expectation {
	want = maps.Clone(want)
	names := sorted(want)
	spec := behavior.Spec{
		Name: "changed " + short(strings.Join(names, ", ")), Want: "these files changed, exactly so, and no others: " + list(plains(names), "and"),
		Where: here(), Negative: len(want) == 0,
	}
	if len(want) == 0 {
		spec.Name, spec.Want = "nothing changed", "no file changed"
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		problems, guilty, listed := t.wrong(want)
		for _, p := range t.changes() {
			if !listed[p] {
				problems = append(problems, t.change(p))
				guilty = append(guilty, t.changing(p)...)
			}
		}
		if len(problems) > 0 {
			return fail(lines(problems), guilty...)
		}
		return pass(t.changing(names...)...)
	}}
}

// ChangedAtLeast means that these files changed, exactly so, as for [Changed].
// It says nothing of other files.
func ChangedAtLeast(want behavior.Tree) behavior.Expectation {
	want = maps.Clone(want)
	names := sorted(want)
	return expectation{
		behavior.Spec{
			Name: "changed at least " + short(strings.Join(names, ", ")), Want: "these files changed, exactly so: " + list(plains(names), "and"),
			Where: here(), Negative: len(want) == 0,
		},
		func(t *trace) behavior.Finding {
			problems, guilty, _ := t.wrong(want)
			if len(problems) > 0 {
				return fail(lines(problems), guilty...)
			}
			return pass(t.changing(names...)...)
		},
	}
}

// NothingChanged means that every file is as it was before, except the ones
// that match a glob: "*" is any part of a name, "**" any number of folders. An
// agent that does nothing satisfies it.
func NothingChanged(except ...string) behavior.Expectation {
	except = slices.Clone(except)
	spec := behavior.Spec{Name: "nothing changed", Want: "no file changed", Where: here(), Negative: true}
	if len(except) > 0 {
		spec.Name += " except " + short(strings.Join(except, ", "))
		spec.Want += " except " + list(plains(except), "and")
	}
	return expectation{spec, func(t *trace) behavior.Finding {
		return t.untouched(func(p string) bool { return !t.globbed(except, p) })
	}}
}

// Unchanged means that these files, or the files that match these globs, are as
// they were before: the same content and permission bits, or still not there.
// An agent that does nothing satisfies it.
func Unchanged(paths ...string) behavior.Expectation {
	paths = slices.Clone(paths)
	return expectation{
		behavior.Spec{
			Name: "unchanged " + short(strings.Join(paths, ", ")), Want: list(plains(paths), "and") + " as before",
			Where: here(), Negative: len(paths) > 0,
		},
		func(t *trace) behavior.Finding {
			if len(paths) == 0 {
				return fail("no file was named")
			}
			return t.untouched(func(p string) bool { return t.globbed(paths, p) })
		},
	}
}

// FileMatches means that f has nothing to say against the content of the file
// after the agent had ended. The words say what is expected of it. A file that
// is not there, or is too large to have been kept, is a failure.
func FileMatches(file, words string, f func(content string) error) behavior.Expectation {
	return expectation{
		behavior.Spec{Name: short(file) + ": " + short(words), Want: plain(file) + ": " + words, Where: here()},
		func(t *trace) behavior.Finding {
			name := t.Path(t.expand(file))
			content, problem := t.content(name)
			if problem != "" {
				return fail(problem, t.changing(name)...)
			}
			if err := f(content); err != nil {
				return fail(plain(name)+": "+err.Error(), t.changing(name)...)
			}
			return pass(t.changing(name)...)
		},
	}
}

// FileEquals means that the content of the file after the agent had ended is what f
// works out from the evidence, blanks at both ends aside. The words say what it is.
func FileEquals(file, words string, f func(behavior.Evidence) string) behavior.Expectation {
	return expectation{
		behavior.Spec{Name: short(file) + " is " + short(words), Want: plain(file) + " with " + words + " and nothing else", Where: here()},
		func(t *trace) behavior.Finding {
			want := strings.TrimSpace(f(t.Evidence))
			if want == "" {
				return fail(nothingToFind)
			}
			name := t.Path(t.expand(file))
			content, problem := t.content(name)
			if problem != "" {
				return fail(problem, t.changing(name)...)
			}
			if got := strings.TrimSpace(content); got != want {
				return fail(fmt.Sprintf("%s has %s, and should have %s", plain(name), show(got), show(want)), t.changing(name)...)
			}
			return pass(t.changing(name)...)
		},
	}
}

// ScratchHas means that for each of the globs a file lay in the scratch folder in the
// end.
func ScratchHas(globs ...string) behavior.Expectation {
	return has("scratch", "in the scratch folder", globs, func(t *trace) behavior.Files { return t.Scratch })
}

// HomeHas means that for each of the globs a file lay in the home folder in the end.
func HomeHas(globs ...string) behavior.Expectation {
	return has("home", "in the home folder", globs, func(t *trace) behavior.Files { return t.Home })
}

func has(label, where string, globs []string, tree func(*trace) behavior.Files) behavior.Expectation {
	globs = slices.Clone(globs)
	return expectation{
		behavior.Spec{Name: label + " has " + short(strings.Join(globs, ", ")), Want: list(plains(globs), "and") + " " + where, Where: here()},
		func(t *trace) behavior.Finding {
			if len(globs) == 0 {
				return fail("no file was named")
			}
			names := sortedFiles(tree(t))
			var problems []string
			for _, g := range globs {
				if !slices.ContainsFunc(names, func(p string) bool { return t.globbed([]string{g}, p) }) {
					problems = append(problems, plain(g)+" is not there")
				}
			}
			switch {
			case len(problems) == 0:
				return pass()
			case len(names) == 0:
				problems = append(problems, "nothing is "+where)
			default:
				problems = append(problems, where+" there is "+clip(list(plains(names), "and"), maxSaid))
			}
			return fail(lines(problems))
		},
	}
}

// content is what a file has after the agent had ended, or why that cannot be told.
func (t *trace) content(name string) (content, problem string) {
	got, ok := t.After[name]
	switch {
	case !ok:
		return "", plain(name) + " is not there"
	case !got.Mode.IsRegular():
		return "", plain(name) + " is " + sortOf(got)
	case got.Data == nil && got.Digest != "":
		return "", fmt.Sprintf("%s has %d bytes, too many to have been kept", plain(name), got.Size)
	}
	return string(got.Data), ""
}

// wrong says what is wrong with the files of a tree, and which files of the
// workspace the tree speaks for.
func (t *trace) wrong(want behavior.Tree) (problems []string, guilty []int, listed map[string]bool) {
	listed = make(map[string]bool)
	for _, name := range sorted(want) {
		p := t.Path(t.expand(name))
		listed[p] = true
		before, was := t.Before[p]
		after, is := t.After[p]
		if want[name] == behavior.Absent {
			was, is = was || holds(t.Before, p), is || holds(t.After, p)
		}
		said := t.differs(want[name], after, is)
		switch {
		case said != "" && want[name] != behavior.Absent && was && is && before.Same(after):
			if rest, ok := strings.CutPrefix(said, wantGot); ok {
				said = "it did not change, and should be otherwise " + wantGot + rest
			} else {
				said = "it did not change; " + said
			}
		case said != "" && want[name] != behavior.Absent && was && !is:
			said = "it was removed"
		case said != "":
		case !was && !is:
			said = "it is not there, but it was not there before either"
		case was && is && before.Same(after):
			said = "it is as it should be, but it was so before"
		case was && is && before.Mode.IsRegular() && after.Mode.IsRegular() && before.Mode.Perm() != after.Mode.Perm():
			said = fmt.Sprintf("its mode is %04o, and was %04o", after.Mode.Perm(), before.Mode.Perm())
		}
		if said != "" {
			problems = append(problems, plain(p)+strings.Replace(": "+said, ": "+wantGot, " "+wantGot, 1))
			guilty = append(guilty, t.changing(p)...)
		}
	}
	return problems, guilty, listed
}

// lines puts problems under one another, not too many of them.
func lines(problems []string) string {
	const most = 20
	if n := len(problems); n > most {
		problems = append(slices.Clone(problems[:most]), fmt.Sprintf("… and %d more", n-most))
	}
	return strings.Join(problems, "\n")
}

// untouched fails if a file of that sort changed.
func (t *trace) untouched(which func(string) bool) behavior.Finding {
	var problems []string
	var guilty []int
	for _, p := range t.changes() {
		if which(p) {
			problems = append(problems, t.change(p))
			guilty = append(guilty, t.changing(p)...)
		}
	}
	if len(problems) > 0 {
		return fail(lines(problems), guilty...)
	}
	return pass()
}

// changes lists the files that changed. An empty directory is recorded only as
// long as nothing is in it: one that is on record on one side alone because it
// was filled, or emptied, is left out.
func (t *trace) changes() []string {
	var out []string
	for _, p := range t.Evidence.Changed() {
		before, was := t.Before[p]
		after, is := t.After[p]
		if was && !is && before.Mode.IsDir() && holds(t.After, p) || is && !was && after.Mode.IsDir() && holds(t.Before, p) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// holds reports whether the tree has something under that directory.
func holds(files behavior.Files, dir string) bool {
	for p := range files {
		if strings.HasPrefix(p, dir+"/") {
			return true
		}
	}
	return false
}

// change says what became of a file that changed.
func (t *trace) change(p string) string {
	before, was := t.Before[p]
	after, is := t.After[p]
	switch {
	case !was:
		return plain(p) + " was created"
	case !is:
		return plain(p) + " was removed"
	case before.Mode.Type() != after.Mode.Type():
		return fmt.Sprintf("%s became %s", plain(p), sortOf(after))
	case before.Link != after.Link:
		return fmt.Sprintf("%s became a link to %s", plain(p), plain(after.Link))
	}
	same := before
	same.Mode = after.Mode
	if same.Same(after) {
		return fmt.Sprintf("%s changed its mode from %s to %s", plain(p), bits(before.Mode), bits(after.Mode))
	}
	return plain(p) + " changed"
}

func bits(m fs.FileMode) string { return fmt.Sprintf("%04o", m.Perm()) }

// changing lists the calls during which any of the files changed.
func (t *trace) changing(files ...string) []int {
	if len(files) == 0 {
		return nil
	}
	var out []int
	for i, ev := range t.Timeline {
		if ev.Call == nil || slices.Contains(lookers, ev.Call.Tool) {
			continue
		}
		for _, f := range files {
			if slices.Contains(ev.Call.Changed, t.Path(t.expand(f))) {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// globbed reports whether one of the patterns matches the path.
func (t *trace) globbed(patterns []string, p string) bool {
	for _, g := range patterns {
		g = t.expand(g)
		if t.same(g, p) || glob(strings.Split(path.Clean(g), "/"), strings.Split(p, "/")) {
			return true
		}
	}
	return false
}

// glob matches a path part by part; "**" is any number of parts.
func glob(pattern, parts []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for n := 0; n <= len(parts); n++ {
				if glob(pattern[1:], parts[n:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], parts[0]); err != nil || !ok {
			return false
		}
		pattern, parts = pattern[1:], parts[1:]
	}
	return len(parts) == 0
}

func sorted(tree behavior.Tree) []string        { return slices.Sorted(maps.Keys(tree)) }
func sortedFiles(files behavior.Files) []string { return slices.Sorted(maps.Keys(files)) }
func sortedNames(members map[string]any) []string {
	return slices.Sorted(maps.Keys(members))
}
