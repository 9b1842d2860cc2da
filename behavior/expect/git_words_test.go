package expect_test

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

func hash(kind, data string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(data), data))
	return hex.EncodeToString(sum[:])
}

// A step is one commit on top of the one before: what becomes of which file, "-" for
// one that is removed.
type step struct {
	message string
	files   [][2]string
}

var (
	pick1 = step{"Begin", [][2]string{{"a.txt", "one\n"}, {"b.txt", "two\n"}}}
	pick2 = step{"Say three", [][2]string{{"a.txt", "three\n"}}}
)

// repoText is a repository with those commits on a branch, as a snapshot lists it.
func repoText(branch string, steps ...step) string {
	var commits, blobs []string
	parent := ""
	for _, s := range steps {
		object := "tree " + hash("tree", s.message) + "\n"
		if parent != "" {
			object += "parent " + parent + "\n"
		}
		object += "author Ann <ann@example.org> 1 +0000\ncommitter Ann <ann@example.org> 1 +0000\n\n" + s.message + "\n"
		parent = hash("commit", object)
		text := fmt.Sprintf("commit %s %d\n%s\n", parent, len(object), object)
		for _, f := range s.files {
			if f[1] == "-" {
				text += fmt.Sprintf("change D 000000 %040d\t%s\n", 0, f[0])
				continue
			}
			text += fmt.Sprintf("change M 100644 %s\t%s\n", hash("blob", f[1]), f[0])
			blobs = append(blobs, fmt.Sprintf("blob %s %d\n%s\n", hash("blob", f[1]), len(f[1]), f[1]))
		}
		commits = append([]string{text}, commits...)
	}
	head := fmt.Sprintf("HEAD ref: refs/heads/%s\nconfig 7\n[core]\n\nhook pre-commit 755 5\ntrue\n\n", branch)
	if parent != "" {
		head += fmt.Sprintf("ref %s refs/heads/%s\nsymref refs/remotes/origin/HEAD\trefs/heads/%s\n", parent, branch, branch)
	}
	head += fmt.Sprintf("index 100644 %s 0\t%s\n", hash("blob", "one\n"), `"a \"b\".txt"`)
	head += "worktree ../other\tref: refs/heads/other\n"
	return head + strings.Join(commits, "") + strings.Join(blobs, "")
}

// recorded is a repository as a snapshot has it.
func recorded(s string) behavior.File {
	f := text(s)
	f.Mode = fs.ModeDir | 0o755
	return f
}

func gitWords() []word {
	git := func(text1 string) behavior.Files { return behavior.Files{".git": recorded(text1)} }
	begun := before(behavior.Files{".git": recorded(repoText("main", pick1)), "a.txt": text("one\n"), "b.txt": text("two\n")})
	commit := bash(1, "git commit -am x")
	now := func(repo, a string) part {
		return func(e *behavior.Evidence) {
			after(behavior.Files{".git": recorded(repo), "a.txt": text(a)})(e)
			changed(".git")(e)
		}
	}
	return []word{
		{
			name: "git", x: expect.Git("one new commit by Ann", func(before, after expect.Repo) error {
				fresh := after.New(before)
				if len(fresh) != 1 || fresh[0].Author != "Ann <ann@example.org>" {
					return fmt.Errorf("%d new commits", len(fresh))
				}
				return nil
			}),
			passes: []behavior.Evidence{scene(begun, commit, now(repoText("main", pick1, pick2), "three\n"))},
			fails: []failing{
				{"none", scene(begun)},
				{"no repository", scene()},
				{"damaged", scene(begun, after(behavior.Files{".git": gone(), ".git/HEAD": text("?")}))},
				{"cut off", scene(begun, after(git("HEAD x\nblob 12 99\nx")))},
				{"an empty folder", scene(after(behavior.Files{".git": folder()}))},
				{"a link", scene(after(behavior.Files{".git": link("x")}))},
				{"large", scene(after(behavior.Files{".git": {Mode: 0o644, Size: 5 << 20, Digest: "00"}}))},
			},
		},
		{
			name: "git at", x: expect.GitAt("remote.git", "a branch main", func(_, after expect.Repo) error {
				if c, ok := after.At("main"); !ok || c.Message != "Begin" {
					return errors.New("there is none")
				}
				return nil
			}),
			passes: []behavior.Evidence{scene(after(behavior.Files{"remote.git": recorded(repoText("main", pick1))}))},
			fails:  []failing{{"none", scene(after(behavior.Files{"remote.git": recorded(repoText("trunk", pick1))}))}},
		},
		{
			name: "committedonly", x: expect.CommittedOnly("a.txt"),
			passes: []behavior.Evidence{
				scene(begun, commit, now(repoText("main", pick1, pick2), "three\n")),
				scene(begun, commit, now(repoText("main", pick1, step{"x", [][2]string{{"a.txt", "two\n"}, {"b.txt", "x"}}}, step{"y", [][2]string{{"a.txt", "three\n"}, {"b.txt", "two\n"}}}), "three\n")),
				scene(commit, now(repoText("main", step{"x", [][2]string{{"a.txt", "three\n"}}}), "three\n")),
				scene(begun, commit, now(repoText("main", pick1, step{"x", [][2]string{{"a.txt", "-"}}}), ""), after(behavior.Files{"a.txt": gone()})),
			},
			fails: []failing{
				{"no repository", scene()},
				{"nothing", scene(begun, edit(1, "a.txt"), after(behavior.Files{"a.txt": text("three\n")}))},
				{"changed again", scene(begun, commit, now(repoText("main", pick1, pick2), "four\n"))},
				{"another too", scene(begun, commit, now(repoText("main", pick1, step{"x", [][2]string{{"a.txt", "three\n"}, {"b.txt", "-"}, {".env", "K"}}}), "three\n"))},
				{"another only", scene(begun, commit, now(repoText("main", pick1, step{"x", [][2]string{{"b.txt", "three\n"}}}), "one\n"))},
				{"still there", scene(begun, commit, now(repoText("main", pick1, step{"x", [][2]string{{"a.txt", "-"}}}), "one\n"))},
				{"another branch", scene(begun, commit, now(repoText("other", pick1, pick2), "three\n"))},
				{"history was rewritten", scene(begun, commit, now(repoText("main", step{"x", [][2]string{{"a.txt", "three\n"}, {"b.txt", "two\n"}}}), "three\n"))},
				{"damaged", scene(begun, after(behavior.Files{".git": gone(), ".git/HEAD": text("?")}))},
			},
		},
		{
			name: "nothingcommitted", x: expect.NothingCommitted(),
			passes: []behavior.Evidence{
				scene(), scene(begun, edit(1, "a.txt"), after(behavior.Files{"a.txt": text("three\n")})),
				scene(begun, commit, now(repoText("main", pick1)+"blob "+hash("blob", "x")+" 1\nx\n", "one\n")),
			},
			fails: []failing{
				{"a commit", scene(begun, commit, now(repoText("main", pick1, pick2), "three\n"))},
				{"a branch", scene(begun, commit, now(repoText("other", pick1), "one\n"))},
				{"a tag", scene(begun, commit, now(repoText("main", pick1)+"ref 00 refs/tags/v1\n", "one\n"))},
				{"staged", scene(begun, commit, now(repoText("main", pick1)+"index 100644 00 0\tb.txt\n", "one\n"))},
				{"removed", scene(begun, after(behavior.Files{".git": gone()}))},
				{"created", scene(after(git(repoText("main"))))},
				{"damaged", scene(begun, after(git("?\n")))},
			},
		},
	}
}

// TestRepo reads a repository whole.
func TestRepo(t *testing.T) {
	t.Parallel()
	record := repoText("main", pick1, pick2, step{"Remove", [][2]string{{"b.txt", "-"}}}) +
		"pending merge\nstash " + strings.Repeat("0", 40) + "\t\"a\\tb\"\nlarge 00 1\ntag 00 9\nobject 01\nlost 01 15\nauthor A <a>\n\nx\n"
	e := scene(before(behavior.Files{".git": recorded(repoText("main", pick1))}), after(behavior.Files{".git": recorded(record)}))
	v := check(expect.Git("", func(before, after expect.Repo) error {
		require.Equal(t, "main", after.Branch)
		require.Equal(t, "merge", after.Pending)
		require.Equal(t, after.Head, after.Refs["refs/heads/main"])
		require.Equal(t, "ref: refs/heads/main", after.Refs["refs/remotes/origin/HEAD"])
		require.Equal(t, []expect.Staged{{Mode: "100644", Blob: hash("blob", "one\n"), Path: `a "b".txt`}}, after.Index)
		require.Equal(t, map[string]string{"../other": "ref: refs/heads/other"}, after.Worktrees)
		require.Equal(t, "a\tb", after.Stash[0].Message)
		require.Equal(t, "[core]\n", after.Config)
		require.Equal(t, map[string]string{"pre-commit": "true\n"}, after.Hooks)
		require.Equal(t, "A <a>", after.Lost["01"].Author)
		fresh := after.New(before)
		require.Len(t, fresh, 2)
		require.Equal(t, "Say three", fresh[0].Message)
		require.Equal(t, []string{before.Head}, fresh[0].Parents)
		require.Empty(t, before.New(after))
		old, ok := after.At(before.Head)
		require.True(t, ok)
		content, ok := after.Content(old, "b.txt")
		require.True(t, ok)
		require.Equal(t, "two\n", content)
		head, ok := after.At("HEAD")
		require.True(t, ok)
		require.Equal(t, map[string]string{"a.txt": hash("blob", "three\n")}, head.Files)
		_, ok = after.Content(head, "b.txt")
		require.False(t, ok)
		byRef, ok := after.At("refs/remotes/origin/HEAD")
		require.True(t, ok)
		require.Equal(t, head, byRef)
		_, ok = after.At("none")
		require.False(t, ok)
		require.True(t, after.Reaches(after.Head, before.Head))
		require.False(t, after.Reaches(before.Head, after.Head))
		return nil
	}), e)
	require.Equal(t, behavior.Pass, v.Result, "%s %s", v.Got, v.Fault)
}

// TestRepoIsBounded shows that a history cannot be made up that grows without end.
func TestRepoIsBounded(t *testing.T) {
	t.Parallel()
	var files [][2]string
	for i := range 2000 {
		files = append(files, [2]string{fmt.Sprint(i), ""})
	}
	steps := []step{{"Begin", files}}
	for i := range 150 {
		steps = append(steps, step{fmt.Sprint(i), nil})
	}
	v := check(expect.Git("anything", func(_, _ expect.Repo) error { return nil }), scene(after(behavior.Files{".git": recorded(repoText("main", steps...))})))
	require.Equal(t, behavior.Fail, v.Result)
	require.Contains(t, v.Got, "more files than can be looked at")
}

// TestRepoAsRecorded reads what a snapshot made of a real repository.
func TestRepoAsRecorded(t *testing.T) {
	t.Parallel()
	e := scene(after(behavior.Files{".git": recorded(string(golden.Get(t, "repository.txt")))}))
	v := check(expect.Git("", func(before, after expect.Repo) error {
		require.Zero(t, before)
		require.Len(t, after.Commits, 7)
		require.Equal(t, map[string]string{"../other": "ref: refs/heads/x"}, after.Worktrees)
		require.Equal(t, "WIP on main: f5cb351 Merge", after.Stash[0].Message)
		head, ok := after.At("refs/remotes/o/HEAD")
		require.True(t, ok)
		require.Equal(t, after.Head, head.ID)
		require.Equal(t, "Merged", head.Message)
		require.Len(t, head.Parents, 2)
		for name, want := range map[string]string{"a.txt": "three\n", "b.txt": "two\n", "l": "a.txt", "y": "y\n"} {
			content, ok := after.Content(head, name)
			require.True(t, ok)
			require.Equal(t, want, content)
		}
		require.Len(t, head.Files, 4)
		stash := after.Commits[after.Stash[0].Commit]
		content, _ := after.Content(stash, "b.txt")
		require.Equal(t, "z\n", content)
		tagged, ok := after.At("v1")
		require.True(t, ok)
		require.Equal(t, "Merge", tagged.Message)
		branch, ok := after.At("x")
		require.True(t, ok)
		require.Equal(t, "Y", branch.Message)
		require.Equal(t, `q"x.txt`, after.Index[3].Path)
		fresh := after.New(before)
		require.Equal(t, "Begin", fresh[0].Message)
		return nil
	}), e)
	require.Equal(t, behavior.Pass, v.Result, "%s %s", v.Got, v.Fault)
}

// A remote that lies in the repository is a file of its own in the record, and no
// sign that the repository could not be told.
func TestRepositoryWithItsRemoteIsWhole(t *testing.T) {
	t.Parallel()
	repo := recorded(repoText("main", step{message: "one", files: [][2]string{{"a", "1\n"}}}))
	files := behavior.Files{".git": repo, ".git/origin.git": repo}
	e := behavior.Evidence{Before: files, After: files}
	require.Equal(t, behavior.Pass, expect.NothingCommitted().Check(e).Outcome)

	e.After = behavior.Files{".git/HEAD": {Data: []byte("x")}, ".git/origin.git": repo}
	require.Equal(t, behavior.Fail, expect.NothingCommitted().Check(e).Outcome, "what could not be told is not unchanged")
}
