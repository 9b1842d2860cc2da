package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var excerpt = regexp.MustCompile("(?ms)^```[^\n`]*\\bfile=(\\S+)[^\n]*\n(.*?)^```")

// Excerpts says which code blocks do not stand in the file that they are said to
// come from: a block whose fence reads "```go file=evals/core/a_test.go".
func Excerpts(root, file string, page []byte) (violations []string) {
	for _, m := range excerpt.FindAllSubmatchIndex(page, -1) {
		line := 1 + strings.Count(string(page[:m[0]]), "\n")
		path, text := string(page[m[2]:m[3]]), string(page[m[4]:m[5]])
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		switch {
		case err != nil:
			violations = append(violations, fmt.Sprintf("%s:%d quotes %s, which cannot be read", file, line, path))
		case !strings.Contains(string(data), text):
			violations = append(violations, fmt.Sprintf("%s:%d is not what %s says", file, line, path))
		}
	}
	return violations
}
