//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

func TestNamesThatAreNotUTF8StayApart(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, nil)
	if err := os.WriteFile(filepath.Join(b.Dir(), "a\xff"), nil, 0o644); err != nil {
		t.Skipf("the file system has no such names: %v", err)
	}
	was := b.Stamp()
	require.NoError(t, os.WriteFile(filepath.Join(b.Dir(), "a\xfe"), nil, 0o644))
	require.NoError(t, os.Symlink("t\xff", filepath.Join(b.Dir(), "l")))
	require.NoError(t, os.Mkdir(filepath.Join(b.Dir(), "d\xfe"), 0o755))
	tree := snapshot(t, b)
	for _, name := range []string{`a\xff`, `a\xfe`, `d\xfe`, "l"} {
		require.Contains(t, tree, name)
	}
	require.Equal(t, `t\xff`, tree["l"].Link)
	for name := range tree {
		require.True(t, utf8.ValidString(name), "%q", name)
	}
	require.Equal(t, []string{`a\xfe`, `d\xfe`, "l"}, was.Changed(b.Stamp()))
}

// TestKeptContentIsBounded makes many files that are each small enough to be kept.
func TestKeptContentIsBounded(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, fstest.MapFS{"z": {Data: []byte("first"), Mode: 0o644}})
	require.Equal(t, []byte("first"), snapshot(t, b)["z"].Data)
	block := []byte(strings.Repeat("x", maxData))
	const n = maxKept/maxData + 4
	for i := range n {
		require.NoError(t, os.WriteFile(filepath.Join(b.Dir(), fmt.Sprintf("f%03d", i)), block, 0o644))
	}
	one := snapshot(t, b)
	kept := 0
	for _, f := range one {
		kept += len(f.Data)
		require.True(t, f.Data != nil || f.Digest != "")
	}
	require.LessOrEqual(t, kept, maxKept+maxData)
	require.Equal(t, []byte("first"), one["z"].Data, "a file that did not change must look the same")
	require.NoError(t, os.Remove(filepath.Join(b.Dir(), "f000")))
	two := snapshot(t, b)
	delete(one, "f000")
	require.Equal(t, one, two)
}

// TestLargeFilesTogetherAreReadOnlySoFar stands in for a thousand sparse gigabytes.
func TestLargeFilesTogetherAreReadOnlySoFar(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, nil)
	path := filepath.Join(b.Dir(), "f")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	require.NoError(t, os.Truncate(path, 2*maxData))
	read := func(unread int64) File {
		r := &recorder{files: map[string]File{}, kept: map[string]bool{}, unread: unread}
		f, err := r.read("f", b.fs.root, "f")
		require.NoError(t, err)
		require.Nil(t, f.Data)
		require.Equal(t, int64(2*maxData), f.Size)
		return f
	}
	whole, byEnds := read(maxHashed), read(maxData)
	require.NotEqual(t, whole.Digest, byEnds.Digest)
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte("x"), maxData)
	require.NoError(t, err)
	require.NotEqual(t, whole.Digest, read(maxHashed).Digest)
	require.Equal(t, byEnds.Digest, read(maxData).Digest, "the middle was read")
	_, err = file.WriteAt([]byte("x"), 2*maxData-1)
	require.NoError(t, err)
	require.NotEqual(t, byEnds.Digest, read(maxData).Digest)
}

// TestARepositoryThatGitWouldHangAt has a pipe where an object should be.
func TestARepositoryThatGitWouldHangAt(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, nil)
	must(t, b, `git init -q . && echo x > a && git add a && git commit -qm m && h=$(git rev-parse HEAD)
f=.git/objects/${h:0:2}/${h:2}; rm -f $f; mkfifo $f; for i in 1 2 3; do mkdir d$i; cp -r .git d$i/; done`)
	began := time.Now()
	tree := snapshot(t, b)
	require.Less(t, time.Since(began), gitTime/3)
	require.Contains(t, tree, ".git/HEAD", "it is told file by file")
}

func TestARepositoryThatBorrows(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, nil)
	must(t, b, "git init -q . && echo x > a && git add a && git commit -qm m")
	require.Contains(t, snapshot(t, b), ".git")
	must(t, b, "mv .git/objects o; ln -s ../o .git/objects")
	require.NotContains(t, snapshot(t, b), ".git")
	must(t, b, "rm .git/objects; mv o .git/objects; mkdir -p .git/objects/info; echo /elsewhere > .git/objects/info/alternates")
	require.NotContains(t, snapshot(t, b), ".git")
}

// TestAStampOutlivesItsFiles is what makes a change right after it show where the
// clock for files ticks slowly.
func TestAStampOutlivesItsFiles(t *testing.T) {
	t.Parallel()
	b := makeBox(t, contain.None, nil)
	for i := range 20 {
		must := os.WriteFile(filepath.Join(b.Dir(), "f"), []byte{byte(i)}, 0o644)
		require.NoError(t, must)
		s := b.Stamp()
		require.True(t, fileClock().After(s.files["f"].changed))
	}
}
