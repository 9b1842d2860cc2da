package arch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/script"
)

var placeholder = regexp.MustCompile(`\{([a-z][a-z_-]*)\}`)

// turns says what is wrong with where a script's case lies: in core the first way to
// pass takes one message with calls, in chain some way takes several. Not every one:
// a longer road may be as honest, and the other world of a chain case may be settled
// at once.
func turns(folder, name string, text []byte) (violations []string) {
	// A fact by its name in braces is a word like any other here.
	scripts, err := script.Parse(placeholder.ReplaceAll(text, []byte("$1")))
	if err != nil {
		return []string{fmt.Sprintf("%s/%s: %v", folder, name, err)}
	}
	most, first := 0, true
	for _, s := range scripts.Sections {
		if s.Kind != script.Pass {
			continue
		}
		acting := 0
		for _, m := range script.Of(s.Messages, 0) {
			if len(m.Calls) > 0 {
				acting++
			}
		}
		most = max(most, acting)
		if folder == "core" && first && acting != 1 {
			violations = append(violations, fmt.Sprintf("%s/%s:%d: %d messages with calls", folder, name, s.Line, acting))
		}
		first = false
	}
	if folder == "chain" && most < 2 {
		violations = append(violations, fmt.Sprintf("%s/%s: no way to pass takes a second message with calls", folder, name))
	}
	return violations
}

func TestFoldersHoldTheCasesThatBelongThere(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"core", "chain"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "evals", folder, "testdata", "*.txtar"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Empty(t, turns(folder, filepath.Base(file), text))
		}
	}
	const once, twice = "-- pass --\nls\n\nsay x\n", "-- pass --\nls\n\nls\n\nsay x\n"
	require.Empty(t, turns("core", "x", []byte(once)))
	require.Empty(t, turns("chain", "x", []byte(twice)))
	require.Equal(t, []string{"core/x:1: 2 messages with calls"}, turns("core", "x", []byte(twice)))
	require.Equal(t, []string{"chain/x: no way to pass takes a second message with calls"}, turns("chain", "x", []byte(once)))
}
