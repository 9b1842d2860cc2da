package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDamagedEntryIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(string) string{
		"half of it":  func(s string) string { return s[:len(s)/2] },
		"later":       func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 2`, 1) },
		"later field": func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 1, "news": 1`, 1) },
		"twice":       func(s string) string { return s + s },
		"conflict":    func(s string) string { return "<<<<<<< HEAD\n" + s },
		"other key":   func(s string) string { return strings.Replace(s, `"key": "m`, `"key": "n`, 1) },
		"no schema":   func(s string) string { return strings.Replace(s, `"schema": 1`, `"schema": 0`, 1) },
		"empty":       func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			e := boardRun{id: "one"}.publish(t, root)
			path := filepath.Join(root, "scoreboard", e.Key+".json")
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			damaged := edit(string(data))
			require.NotEqual(t, string(data), damaged)
			require.NoError(t, os.WriteFile(path, []byte(damaged), 0o644))
			run := boardRun{id: "two", hour: 1}.write(t, root)
			_, err = Publish(root, Publication{Run: run, Package: "core", Suite: boardSuite(), Now: boardEpoch})
			require.ErrorContains(t, err, e.Key+".json")
			_, err = Refresh(root, nil)
			require.Error(t, err)
			_, err = Retire(root, e.Key, "x", boardEpoch)
			require.Error(t, err)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, damaged, string(after))
		})
	}
}

// A writer that was killed between its temporary file and the rename.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	e := boardRun{id: "one"}.publish(t, root)
	left := filepath.Join(root, "scoreboard", ".tmp-123")
	require.NoError(t, os.WriteFile(left, []byte(`{"schema": 1, "half`), 0o644))
	require.Equal(t, e, theEntry(t, root))
	boardRun{id: "two", hour: 1}.publish(t, root)
	require.NoFileExists(t, left)
}

func TestBoardKey(t *testing.T) {
	t.Parallel()
	zero, one := 0.0, 1.0
	keys := make(map[string]bool)
	for _, k := range []string{
		BoardKey("builtin", "m", BoardSettings{}), BoardKey("builtin", "M", BoardSettings{}), BoardKey("m", "builtin", BoardSettings{}),
		BoardKey("builtin", "m", BoardSettings{Temperature: &zero}), BoardKey("builtin", "m", BoardSettings{Temperature: &one}),
		BoardKey("builtin", "m", BoardSettings{BaseURL: "http://x"}), BoardKey("builtin", "m", BoardSettings{UserModel: "http://x"}),
		BoardKey("builtin", "../../etc/passwd", BoardSettings{}), BoardKey("builtin", strings.Repeat("é", 500), BoardSettings{}), BoardKey("", "", BoardSettings{}),
	} {
		require.Regexp(t, `^[a-z0-9.-]{1,80}$`, k)
		require.False(t, strings.HasPrefix(k, "."), k)
		require.False(t, keys[strings.ToLower(k)], k)
		keys[k] = true
	}
}
