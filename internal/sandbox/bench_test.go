//go:build linux

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// manyFiles are n files of 4 kB, a hundred a directory.
func manyFiles(n int) fs.FS {
	files := make(fstest.MapFS)
	data := bytes.Repeat([]byte("0123456789abcde\n"), 256)
	for i := range n {
		files[fmt.Sprintf("d%d/f%d", i/100, i)] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	return files
}

var sizes = []int{1, 100, 10_000}

func BenchmarkNewAndClose(b *testing.B) {
	for _, n := range sizes {
		files := manyFiles(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, _ = Available(Best) // once in a process
			for b.Loop() {
				box, err := New(Config{Files: files})
				require.NoError(b, err)
				require.NoError(b, box.Close())
			}
		})
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, n := range sizes {
		box := makeBox(b, contain.None, manyFiles(n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				_, err := box.Snapshot()
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkStamp(b *testing.B) {
	for _, n := range sizes {
		box := makeBox(b, contain.None, manyFiles(n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				_ = box.Stamp()
			}
		})
	}
}

const small = "echo hi > f; cat f"

// BenchmarkCommand runs a small command in a box that has run one before, by
// containment, beside bash on its own.
func BenchmarkCommand(b *testing.B) {
	b.Run("bash", func(b *testing.B) {
		dir := b.TempDir()
		for b.Loop() {
			cmd := exec.Command(bash(), "--noprofile", "--norc", "-c", small)
			cmd.Dir = dir
			out, err := cmd.Output()
			require.NoError(b, err)
			require.Equal(b, "hi\n", string(out))
		}
	})
	for _, l := range []contain.Level{contain.None, contain.Landlock, contain.Mounts, contain.Namespaces} {
		b.Run(string(l), func(b *testing.B) {
			box := makeBox(b, l, nil)
			must(b, box, small)
			for b.Loop() {
				p, err := box.Start(context.Background(), small, io.Discard)
				require.NoError(b, err)
				_, err = p.Wait(context.Background())
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkFirstCommand makes a box, runs one command and closes it.
func BenchmarkFirstCommand(b *testing.B) {
	for _, l := range []contain.Level{contain.None, contain.Landlock, contain.Mounts, contain.Namespaces} {
		b.Run(string(l), func(b *testing.B) {
			for b.Loop() {
				box, err := newBox(Config{}, l)
				require.NoError(b, err)
				must(b, box, small)
				require.NoError(b, box.Close())
			}
		})
	}
}

// BenchmarkCopy is what filling a workspace is compared with.
func BenchmarkCopy(b *testing.B) {
	for _, n := range sizes {
		files := manyFiles(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			parent := place()
			for i := 0; b.Loop(); i++ {
				dir := filepath.Join(parent, fmt.Sprintf("c-%d-%d", os.Getpid(), i))
				require.NoError(b, os.CopyFS(dir, files))
				require.NoError(b, os.RemoveAll(dir))
			}
		})
	}
}
