package doctest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/arch"
	"github.com/deeds-evals/deeds/internal/doctest"
)

const root = "../.."

// pages are the Markdown pages of this repository that hold console blocks.
func pages(t *testing.T) map[string][]byte {
	files := []string{"README.md"}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	for _, doc := range docs {
		files = append(files, "docs/"+filepath.Base(doc))
	}
	all := make(map[string][]byte)
	for _, file := range files {
		page, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		all[file] = page
	}
	return all
}

// What the pages say that commands print, they print.
func TestPages(t *testing.T) {
	var blocks []doctest.Block
	for file, page := range pages(t) {
		parsed, err := doctest.Parse(file, page)
		require.NoError(t, err)
		for _, b := range parsed {
			require.True(t, b.Run != (b.Endpoint != ""), "%s:%d: nothing plays this block", b.File, b.Line)
			if b.Run {
				blocks = append(blocks, b)
			}
		}
		require.Empty(t, doctest.Links(root, file, page))
		require.Empty(t, doctest.Excerpts(root, file, page))
	}
	require.NotEmpty(t, blocks, "no console block is marked to be run")
	if testing.Short() || os.Getenv("DOCTEST") != "" {
		t.Skip("the blocks are run without -short, and not from within a block")
	}
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	files, err := arch.Tracked(abs)
	require.NoError(t, err)
	dir, remove, err := doctest.Copy(abs, files)
	require.NoError(t, err)
	t.Cleanup(remove)

	ctx := context.Background()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/20))
		defer cancel()
	}
	for _, b := range blocks {
		t.Run(fmt.Sprintf("%s:%d", b.File, b.Line), func(t *testing.T) {
			if err := b.Play(ctx, dir, environment()); err != nil {
				t.Error(err)
			}
		})
	}
}

// environment is this one without what would decide how a command behaves.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OPENAI_") && !strings.HasPrefix(v, "DEEDS_") && !strings.HasPrefix(v, "MAKE") {
			env = append(env, v)
		}
	}
	return append(env, "CI=true", "DOCTEST=1", "GOFLAGS="+os.Getenv("GOFLAGS")+" -buildvcs=false")
}
