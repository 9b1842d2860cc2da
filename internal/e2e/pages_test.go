package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/doctest"
)

// models are the scripted models that the pages' blocks are played against.
var models = map[string]model{"honest": honest, "wrong": wrong}

// What the pages say of a run against a model, it prints.
func TestPages(t *testing.T) {
	t.Parallel()
	if os.Getenv("DOCTEST") != "" {
		t.Skip("the blocks are not run from within a block")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	cases, err := suite()
	require.NoError(t, err)
	played := 0
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		blocks, err := doctest.Parse(filepath.Base(file), page)
		require.NoError(t, err)
		for _, b := range blocks {
			if b.Endpoint == "" {
				continue
			}
			played++
			t.Run(fmt.Sprintf("%s:%d", b.File, b.Line), func(t *testing.T) {
				t.Parallel()
				m, known := models[b.Endpoint]
				require.True(t, known, "there is no scripted model %q", b.Endpoint)
				address, key := endpoint(t, cases, nil, m)
				env := append(cleanEnv(), "CI=1", "DOCTEST=1", "OPENAI_BASE_URL="+address, "OPENAI_API_KEY="+key, "DEEDS_RESULTS="+t.TempDir(), "DEEDS_CONTAINMENT=best")
				require.NoError(t, b.Play(t.Context(), root, env))
			})
		}
	}
	require.Positive(t, played, "no block needs a model")
}
