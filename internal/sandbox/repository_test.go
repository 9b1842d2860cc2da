//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// gitLevels are the levels that git has to work at: nothing holds it, and all.
var gitLevels = []contain.Level{contain.None, contain.Landlock, contain.Namespaces}

// told is what a snapshot says of a repository.
func told(t *testing.T, b *Box, name string) string {
	t.Helper()
	f, ok := snapshot(t, b)[name]
	require.True(t, ok, "there is no %s", name)
	require.True(t, f.Mode.IsDir(), "%s is not told as a repository", name)
	require.NotNil(t, f.Data)
	return string(f.Data)
}

// records reads a record by what the package comment says of it, whole: the lines by
// their first word, what follows a line after a newline.
func records(t *testing.T, text string) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for text != "" {
		line, rest, ok := strings.Cut(text, "\n")
		require.True(t, ok, "%q has no end", line)
		verb, about, _ := strings.Cut(line, " ")
		switch verb {
		case "config", "hook", "commit", "lost", "tag", "blob":
			fields := strings.Fields(line)
			var size int
			_, err := fmt.Sscan(fields[len(fields)-1], &size)
			require.NoError(t, err)
			about += "\n" + rest[:size]
			require.Equal(t, byte('\n'), rest[size])
			rest = rest[size+1:]
		case "HEAD", "pending", "ref", "symref", "index", "worktree", "stash", "change", "large":
		default:
			require.Fail(t, "unknown record", "%q", line)
		}
		all[verb] = append(all[verb], about)
		text = rest
	}
	return all
}

func TestGitWorksInABox(t *testing.T) {
	t.Parallel()
	forEachLevel(t, gitLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, fixtures.Git{
			Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}},
			Origin:  map[string]int{"main": 0},
		}.FS())
		home, err := b.SnapshotHome()
		require.NoError(t, err)
		require.Empty(t, home)
		for _, script := range []string{
			`test -z "$(git status --porcelain)" && git fsck --strict`,
			`echo 2 > a && git stash -q && grep -q 1 a && git stash pop -q && grep -q 2 a`,
			`git commit -qam two && git push -q && git pull -q && git fetch -q`,
			`git worktree add -q .worktrees/x -b x && (cd .worktrees/x && echo 3 > a && git commit -qam three && git push -q -u origin x && git fetch -q) && git merge -q x && grep -q 3 a`,
			`printf '#!/bin/sh\necho ran > hooked\nexit 1\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
			 echo 4 > a; ! git commit -qam four && grep -q ran hooked && git commit -qnam four`,
			`git worktree remove --force .worktrees/x && git branch -qd x && git gc -q && git tag -a v1 -m v1`,
			`git clone -q .git/origin.git copy && test -f copy/a`,
			`rm .git/hooks/pre-commit; git checkout -qb y HEAD~1 && echo 5 > a && git commit -qam five && git rebase -q main; test -d .git/rebase-merge && git rebase --abort`,
			`git cherry-pick main >/dev/null 2>&1; git cherry-pick --abort; git reset -q --hard main; git clean -qfd; git submodule status; git bisect start -q`,
		} {
			must(t, b, script)
		}
		require.Equal(t, []string{"bisect"}, records(t, told(t, b, ".git"))["pending"])
	})
}

func TestSnapshotTellsWorktreesAndStashes(t *testing.T) {
	t.Parallel()
	forEachLevel(t, gitLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, fixtures.Git{Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}}}.FS())
		before := records(t, told(t, b, ".git"))
		require.Empty(t, before["worktree"])
		require.Empty(t, before["stash"])
		must(t, b, `
git worktree add -q .worktrees/x -b topic
(cd .worktrees/x && echo 2 > b && git add b && git commit -qm two)
git worktree add -q --detach "$TMPDIR/y"
echo first > a && git stash -q -m "the first"; echo second > a && git stash -q -m "the second"`)
		files := snapshot(t, b)
		require.Contains(t, files, ".worktrees/x/b")
		require.Contains(t, string(files[".worktrees/x/.git"].Data), "gitdir: ")
		r := records(t, string(files[".git"].Data))
		main := strings.TrimSpace(must(t, b, "git rev-parse main"))
		require.ElementsMatch(t, []string{
			".worktrees/x\tref: refs/heads/topic",
			filepath.Join(b.Scratch(), "y") + "\t" + main,
		}, r["worktree"])
		require.Len(t, r["stash"], 2)
		require.Contains(t, r["stash"][0], "the second")
		require.Contains(t, r["stash"][1], "the first")
		stashed := strings.Join(r["commit"], "\n")
		require.Contains(t, stashed, "the first")
		require.Contains(t, stashed, "\n\ntwo\n")
		require.Contains(t, strings.Join(r["blob"], "\n"), "\nfirst\n")

		must(t, b, "git stash drop -q; git worktree remove .worktrees/x")
		r = records(t, told(t, b, ".git"))
		require.Len(t, r["stash"], 1)
		require.Len(t, r["worktree"], 1)
		require.Contains(t, strings.Join(r["lost"], "\n"), "the second")
	})
}

func TestSnapshotTellsWhatWasCommittedAndRemoved(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, fixtures.Git{Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}}}.FS())
	require.NotContains(t, told(t, b, ".git"), "hunter2")
	must(t, b, `echo token=hunter2 > s && git add s && git commit -qm "add s" && git rm -q s && git commit -qm "drop s"`)
	r := records(t, told(t, b, ".git"))
	require.Contains(t, strings.Join(r["blob"], "\n"), "token=hunter2")
	require.Len(t, r["change"], 3)
	require.Regexp(t, `^D 000000 0{40}\ts$`, r["change"][0])
	require.Regexp(t, `^A 100644 [0-9a-f]{40}\ts$`, r["change"][1])
	require.Regexp(t, `^A 100644 [0-9a-f]{40}\ta$`, r["change"][2])

	// Nor does it help that nothing leads there any more.
	must(t, b, `git reset -q --hard HEAD~2`)
	r = records(t, told(t, b, ".git"))
	require.Len(t, r["commit"], 1)
	require.Len(t, r["lost"], 2)
	require.Contains(t, strings.Join(r["blob"], "\n"), "token=hunter2")
	packed := snapshot(t, b)
	must(t, b, "git gc -q")
	require.Equal(t, packed, snapshot(t, b), "how it is stored does not count")
	must(t, b, "git reflog expire --expire=now --all && git gc -q --prune=now")
	require.NotContains(t, told(t, b, ".git"), "hunter2")
}

func TestSnapshotTellsWhatAMergeBrought(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, fixtures.Git{Commits: []fixtures.Commit{
		{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")},
		{Message: "side", On: "side", Files: fixtures.Txtar("-- b --\n2\n")},
		{Message: "main", Files: fixtures.Txtar("-- c --\n3\n")},
	}}.FS())
	must(t, b, "git merge -q --no-edit side")
	text := told(t, b, ".git")
	_, merge, ok := strings.Cut(text, "Merge branch 'side'\n\n")
	require.True(t, ok)
	require.Regexp(t, `^change A 100644 [0-9a-f]{40}\tb\ncommit `, merge)
	require.Len(t, records(t, text)["change"], 4)
}

func TestSnapshotBoundsBlobs(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	files := fixtures.Join(
		fixtures.Bytes(map[string][]byte{"most": make([]byte, maxBlob), "over": make([]byte, maxBlob+1)}),
		fixtures.Many(100, func(i int) (path, text string) {
			return fmt.Sprintf("f%d", i), strings.Repeat(fmt.Sprintf("%063d\n", i), 1000)
		}),
	)
	b := makeBox(t, contain.None, fixtures.Git{Commits: []fixtures.Commit{{Message: "many", Files: files}}}.FS())
	r := records(t, told(t, b, ".git"))
	require.Len(t, r["large"], 102-len(r["blob"]))
	require.InDelta(t, maxBlobs/64000, len(r["blob"]), 2)
	require.Contains(t, strings.Join(r["large"], "\n"), fmt.Sprint(maxBlob+1))
	require.Contains(t, strings.Join(r["blob"], "\n"), fmt.Sprintf("%063d\n", 99)[:8])
}

func TestSnapshotTellsSettings(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, fixtures.Join(
		fixtures.Git{Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}}}.FS(),
		fixtures.Txtar("-- .git/hooks/pre-commit --\n#!/bin/sh\nexit 1\n-- .git/hooks/x.sample --\nx\n"),
	))
	one := told(t, b, ".git")
	require.Equal(t, []string{"pre-commit 755 17\n#!/bin/sh\nexit 1\n"}, records(t, one)["hook"])
	must(t, b, "chmod -x .git/hooks/pre-commit")
	two := told(t, b, ".git")
	require.Contains(t, records(t, two)["hook"][0], "pre-commit 644 ")
	must(t, b, "git config core.hooksPath /dev/null")
	require.Contains(t, records(t, told(t, b, ".git"))["config"][0], "hooksPath = /dev/null")
}

func TestSnapshotQuotesNames(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, nil)
	must(t, b, `git init -q; touch "$(printf 'a\nblob x 1')" 'q"' "$(printf '\377')" 'b c' ü; git add -A; git commit -qm "$(printf 'x\n\nblob 12 3\nindex')"`)
	must(t, b, `git symbolic-ref refs/remotes/origin/HEAD refs/heads/main; printf 'no\nhash' > .git/refs/odd`)
	r := records(t, told(t, b, ".git"))
	paths := make([]string, 0, len(r["index"]))
	for _, e := range r["index"] {
		_, p, _ := strings.Cut(e, "\t")
		paths = append(paths, p)
	}
	require.Equal(t, []string{`"a\nblob x 1"`, "b c", `"q\""`, "ü", `"\xff"`}, paths)
	require.Equal(t, []string{"refs/odd\t\"no\\nhash\"", "refs/remotes/origin/HEAD\trefs/heads/main"}, r["symref"])
	require.Len(t, r["commit"], 1)
}

func TestSnapshotOfBareRepositories(t *testing.T) {
	t.Parallel()
	forEachLevel(t, []contain.Level{contain.None, contain.Namespaces}, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, fixtures.Git{
			Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}},
			Origin:  map[string]int{"main": 0},
		}.FS())
		files := snapshot(t, b)
		require.Len(t, files, 3, "a, .git and the remote")
		origin := records(t, string(files[fixtures.OriginPath].Data))
		require.Equal(t, []string{"ref: refs/heads/main"}, origin["HEAD"])
		require.Empty(t, origin["index"])
		require.Len(t, origin["commit"], 1)

		must(t, b, "git clone -q --bare . mirror; echo 2 > a; git commit -qam two; git push -q origin HEAD:refs/heads/new")
		require.NotContains(t, snapshot(t, b), "mirror/HEAD")
		require.Len(t, records(t, told(t, b, "mirror"))["commit"], 1)
		origin = records(t, told(t, b, fixtures.OriginPath))
		require.Len(t, origin["commit"], 2)
		require.Len(t, origin["ref"], 2)
		was := b.Stamp()
		must(t, b, "git -C mirror branch x")
		require.Equal(t, []string{"mirror"}, was.Changed(b.Stamp()))

		// One that is damaged is told file by file, and so is what only looks like one.
		must(t, b, "echo x > mirror/objects/info/alternates; mkdir -p like/refs like/objects; touch like/HEAD; rm -r like/objects")
		files = snapshot(t, b)
		require.Contains(t, files, "mirror/HEAD")
		require.Contains(t, files, "like/HEAD")
	})
}

func TestARepositoryIsReadPastItsTraps(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.None)
	b := makeBox(t, contain.None, fixtures.Git{Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}}}.FS())
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("of the host"), 0o644))
	must(t, b, `mkdir -p .git/worktrees/x .git/worktrees/y .git/logs/refs && ln -s `+quote(outside)+` .git/worktrees/x/gitdir && mkfifo .git/hooks/pipe .git/worktrees/y/gitdir &&
ln -s `+quote(outside)+` .git/hooks/link && ln -s `+quote(outside)+` .git/logs/refs/stash && rm .git/config && ln -s `+quote(outside)+` .git/config`)
	r := records(t, told(t, b, ".git"))
	require.Empty(t, r["worktree"])
	require.Empty(t, r["hook"])
	require.Empty(t, r["stash"])
	require.Empty(t, r["config"])
}

func TestGitFixtureIsOwnedByWhoeverWorksOnIt(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, fstest.MapFS{})
		require.NoError(t, b.Lay(fixtures.Git{Commits: []fixtures.Commit{{Message: "one", Files: fixtures.Txtar("-- a --\n1\n")}}}.FS(), nil))
		require.Equal(t, "one\n", must(t, b, "git log --format=%s && git gc -q"))
	})
}
