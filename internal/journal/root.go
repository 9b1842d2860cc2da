package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNoModule says that there is no module to keep results in. Set DEEDS_RESULTS.
var ErrNoModule = errors.New("no go.mod in a writable folder here or above, and DEEDS_RESULTS is not set")

// Root returns the directory that results lie in, as an absolute path: the value
// of DEEDS_RESULTS, else results/ beside the nearest go.mod in a writable folder
// at or above dir. It need not exist.
//
// A relative DEEDS_RESULTS counts from the module's folder. It cannot count from
// the working directory, since go test starts every package in its own.
func Root(dir string, getenv func(string) string) (string, error) {
	set := getenv("DEEDS_RESULTS")
	if filepath.IsAbs(set) {
		return filepath.Clean(set), nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the results: %w", err)
	}
	module, ok := writableModule(dir)
	switch {
	case ok && set != "":
		return filepath.Join(module, set), nil
	case ok:
		return filepath.Join(module, "results"), nil
	case set != "":
		return filepath.Join(dir, set), nil
	}
	return "", fmt.Errorf("find the results from %s: %w\nhint: change to your module, or set DEEDS_RESULTS to the folder of the results", dir, ErrNoModule)
}

func writableModule(dir string) (string, bool) {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() && writable(dir) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// writable reports whether files can be made in the directory. The permission
// bits count for root as well: the module cache takes them away, and nobody
// should write there.
func writable(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o222 != 0 && !errors.Is(access(dir), fs.ErrPermission)
}
