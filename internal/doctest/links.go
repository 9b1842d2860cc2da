package doctest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links says which links of a page lead to no file. Those that leave the
// repository are not followed.
func Links(root, file string, page []byte) (violations []string) {
	for n, line := range bytes.Split(page, []byte("\n")) {
		for _, m := range link.FindAllSubmatch(line, -1) {
			target, _, _ := strings.Cut(string(m[1]), "#")
			if target == "" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(file), filepath.FromSlash(target))); err != nil {
				violations = append(violations, fmt.Sprintf("%s:%d links to %s, which does not exist", file, n+1, target))
			}
		}
	}
	return violations
}
