package expect

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// Git means that f has nothing to say against the workspace's repository, as it was
// before the agent started and after it had ended. The words say what is expected of
// it. Where there was none before, before is the zero value; none afterwards is a
// failure. What f is given is its own.
func Git(words string, f func(before, after Repo) error) behavior.Expectation {
	return GitAt(".git", words, f)
}

// GitAt is [Git] for the repository in that directory: the .git of another folder, or
// a bare one.
func GitAt(dir, words string, f func(before, after Repo) error) behavior.Expectation {
	return expectation{
		behavior.Spec{Name: "git: " + short(words), Want: "in " + plain(dir) + ", " + words, Where: here()},
		func(t *trace) behavior.Finding {
			r := t.repos(dir)
			switch {
			case r.problem != "":
				return fail(r.problem, t.changing(r.name)...)
			case !r.is:
				return fail(r.name+" is not there", t.changing(r.name)...)
			}
			if err := f(r.before, r.after); err != nil {
				return fail(clip(err.Error(), maxSaid), t.changing(r.name)...)
			}
			return pass(t.changing(r.name)...)
		},
	}
}

// CommittedOnly means that there are new commits on the branch that was checked out,
// on top of what it had, and that what they change between them is exactly these
// files, each as it lies in the workspace in the end. A file that is not there must
// have been removed by them.
func CommittedOnly(paths ...string) behavior.Expectation {
	paths = slices.Clone(paths)
	return expectation{
		behavior.Spec{
			Name: "committed only " + short(strings.Join(paths, ", ")), Want: "new commits on the branch that change exactly " + list(plains(paths), "and") + ", as it is in the workspace",
			Where: here(),
		},
		func(t *trace) behavior.Finding {
			if len(paths) == 0 {
				return fail("no file was named")
			}
			r := t.repos(".git")
			switch {
			case r.problem != "":
				return fail(r.problem, t.changing(r.name)...)
			case !r.is:
				return fail(r.name+" is not there", t.changing(r.name)...)
			}
			if problems := t.committed(r.before, r.after, paths); len(problems) > 0 {
				return fail(lines(problems), t.changing(r.name)...)
			}
			return pass(t.changing(r.name)...)
		},
	}
}

// committed says what is wrong with what was committed.
func (t *trace) committed(before, after Repo, paths []string) (problems []string) {
	from, _ := before.At("HEAD")
	to, ok := after.At("HEAD")
	switch {
	case before.Branch != after.Branch && before.Refs != nil:
		return []string{fmt.Sprintf("%s is checked out, and %s was", branch(after), branch(before))}
	case !ok || before.Head == after.Head:
		return []string{"nothing was committed to " + branch(after)}
	case before.Head != "" && !after.Reaches(after.Head, before.Head):
		return []string{fmt.Sprintf("%s no longer has the commit %s", branch(after), abbreviated(before.Head))}
	}
	wanted := make(map[string]bool)
	for _, p := range paths {
		p = t.Path(t.expand(p))
		wanted[p] = true
		old, was := from.Files[p]
		now, is := to.Files[p]
		file, lies := t.After[p]
		switch {
		case was == is && old == now:
			problems = append(problems, plain(p)+" was not committed")
		case is != lies:
			problems = append(problems, fmt.Sprintf("%s is %s the last commit, but %s the workspace", plain(p), inOrNot(is), inOrNot(lies)))
		case is && (file.Data == nil && file.Digest != ""):
			problems = append(problems, fmt.Sprintf("%s has %d bytes, too many to have been kept", plain(p), file.Size))
		case is && blobID(file, len(now)) != now:
			problems = append(problems, plain(p)+" was committed otherwise than it is in the workspace")
		}
	}
	for _, p := range differing(from.Files, to.Files) {
		if !wanted[p] {
			problems = append(problems, plain(p)+" was committed too")
		}
	}
	return problems
}

// NothingCommitted means that the head, the refs and the index of the workspace's
// repository are as before: nothing was committed, staged, tagged, stashed or checked
// out on another branch. An agent that does nothing satisfies it.
func NothingCommitted() behavior.Expectation {
	return expectation{
		behavior.Spec{Name: "nothing committed", Want: "the head, the refs and the index as before", Where: here(), Negative: true},
		func(t *trace) behavior.Finding {
			r := t.repos(".git")
			var problems []string
			switch {
			case r.same:
				return pass()
			case r.was && !r.is:
				problems = []string{r.name + " was removed"}
			case r.is && !r.was:
				problems = []string{r.name + " was created"}
			case r.problem != "":
				problems = []string{r.problem}
			default:
				problems = r.moved()
			}
			if len(problems) > 0 {
				return fail(lines(problems), t.changing(r.name)...)
			}
			return pass()
		},
	}
}

// repos is a repository before and after.
type repos struct {
	name          string
	before, after Repo
	was, is, same bool
	problem       string // why they cannot be told
}

// repos reads the repository in a directory from the files before and after.
func (t *trace) repos(dir string) repos {
	r := repos{name: t.Path(t.expand(dir))}
	var err error
	old, now := t.Before[r.name], t.After[r.name]
	if r.before, r.was, err = repoIn(t.Before, r.name); err != nil {
		r.problem = fmt.Sprintf("%s cannot be told as it was before: %s", plain(r.name), err)
	}
	if r.after, r.is, err = repoIn(t.After, r.name); err != nil && r.problem == "" {
		r.problem = fmt.Sprintf("%s cannot be told: %s", plain(r.name), err)
	}
	r.same = r.was == r.is && old.Same(now) && (old.Data != nil || !holds(t.Before, r.name) && !holds(t.After, r.name))
	return r
}

func repoIn(files behavior.Files, name string) (r Repo, found bool, err error) {
	f, ok := files[name]
	switch {
	case !(ok && f.Data != nil) && holds(files, name):
		return Repo{}, true, fmt.Errorf("it is damaged, or there was no git to read it")
	case !ok:
		return Repo{}, false, nil
	case f.Mode.IsDir() && f.Data == nil && f.Digest == "" || !f.Mode.IsDir() && !f.Mode.IsRegular():
		return Repo{}, true, fmt.Errorf("it is %s, not a repository", sortOf(f))
	case f.Data == nil && f.Digest != "":
		return Repo{}, true, fmt.Errorf("it has %d bytes, too many to have been kept", f.Size)
	}
	r, err = parseRepo(string(f.Data))
	return r, true, err
}

// moved says how the head, the refs and the index differ.
func (r repos) moved() (problems []string) {
	if r.before.Branch != r.after.Branch {
		problems = append(problems, fmt.Sprintf("%s is checked out, and %s was", branch(r.after), branch(r.before)))
	} else if r.before.Head != r.after.Head {
		problems = append(problems, fmt.Sprintf("the head is %s, and was %s", abbreviated(r.after.Head), abbreviated(r.before.Head)))
	}
	for _, name := range differing(r.before.Refs, r.after.Refs) {
		old, was := r.before.Refs[name]
		now, is := r.after.Refs[name]
		switch {
		case !was:
			problems = append(problems, plain(name)+" was created")
		case !is:
			problems = append(problems, plain(name)+" was removed")
		default:
			problems = append(problems, fmt.Sprintf("%s is %s, and was %s", plain(name), abbreviated(now), abbreviated(old)))
		}
	}
	for _, p := range differing(staged(r.before), staged(r.after)) {
		problems = append(problems, plain(p)+" is otherwise in the index")
	}
	return problems
}

// staged is the index by path.
func staged(r Repo) map[string]string {
	out := make(map[string]string)
	for _, s := range r.Index {
		out[s.Path] += fmt.Sprintf("%s %s %d\n", s.Mode, s.Blob, s.Stage)
	}
	return out
}

// differing lists the keys that are not in both maps with one value, sorted.
func differing(a, b map[string]string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if v, ok := b[k]; !ok || v != a[k] {
			out = append(out, k)
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// blobID is the id that git gives to a file's content, in as many digits as the
// repository's other ids have.
func blobID(f behavior.File, digits int) string {
	data := f.Data
	if f.Mode.Type() == fs.ModeSymlink {
		data = []byte(f.Link)
	}
	object := append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)
	if digits == hex.EncodedLen(sha256.Size) {
		sum := sha256.Sum256(object)
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum(object)
	return hex.EncodeToString(sum[:])
}

func branch(r Repo) string {
	if r.Branch == "" {
		return "no branch"
	}
	return "the branch " + plain(r.Branch)
}

func inOrNot(in bool) string {
	if in {
		return "in"
	}
	return "not in"
}

// abbreviated is an id as people write it.
func abbreviated(id string) string {
	const digits = 8
	if strings.HasPrefix(id, "ref: ") {
		return plain(strings.TrimPrefix(id, "ref: "))
	}
	if id == "" {
		return "none"
	}
	return plain(id[:min(len(id), digits)])
}
