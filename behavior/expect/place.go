package expect

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// maxFrames is how deep this package calls itself before a case comes in sight.
const maxFrames = 16

// here is the place of the nearest caller outside of this package, "file.go:12".
func here() string {
	pcs := make([]uintptr, maxFrames)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	self, more := frames.Next()
	own := strings.TrimSuffix(self.Function, "here")
	for more {
		var f runtime.Frame
		if f, more = frames.Next(); !strings.HasPrefix(f.Function, own) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return ""
}
