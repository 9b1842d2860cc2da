package expect

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// maxFrames is how deep this package and the helpers of others call themselves before a
// case comes in sight.
const maxFrames = 32

// here is the place of the nearest caller outside of this package that lies in the
// module of the case, "file_test.go:12". What a helper of another package says is at
// "../shared/shared.go:4", from the folder of the case; of a helper of another module,
// which has no place in the repository, it is at the line that called it.
func here() string {
	pcs := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	self, more := frames.Next()
	own := strings.TrimSuffix(self.Function, "here")
	for more {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasPrefix(f.Function, own) {
			continue
		}
		if file := home().file(f.File); file != "" {
			return fmt.Sprintf("%s:%d", file, f.Line)
		}
	}
	return ""
}

// A homestead is where the cases of this process are at home. Its paths are as the
// compiler writes them: with slashes, and with -trimpath from the path of the module.
type homestead struct{ module, folder string }

// home is found out once: go test runs a package in its folder.
var home = sync.OnceValue(func() homestead {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-trimpath" && s.Value == "true" {
				return homestead{module: info.Main.Path, folder: strings.TrimSuffix(info.Path, ".test")}
			}
		}
	}
	return homesteadOf(startedIn)
})

// startedIn is the working directory before a test changes it.
var startedIn, _ = os.Getwd()

func homesteadOf(folder string) homestead {
	for dir := folder; dir != ""; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return homestead{module: filepath.ToSlash(dir), folder: filepath.ToSlash(folder)}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return homestead{}
}

// file is the path of a file from the folder of the case, "" outside of its module.
func (h homestead) file(name string) string {
	// Only the tests of the case's own package are in this process.
	if strings.HasSuffix(name, "_test.go") {
		return name[strings.LastIndexByte(name, '/')+1:]
	}
	if h.module == "" || !strings.HasPrefix(name, strings.TrimSuffix(h.module, "/")+"/") {
		return ""
	}
	rel, err := filepath.Rel(filepath.FromSlash(h.folder), filepath.FromSlash(name))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}
