package suite

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// ID makes the id of a case from the folder of its package and the name of
// its test: core and TestKnownPath become core/known-path.
func ID(folder, test string) string {
	parts := strings.Split(test, "/")
	parts[0] = strings.TrimPrefix(parts[0], "Test")
	for i, p := range parts {
		parts[i] = kebab(p)
	}
	return path.Join(append([]string{folder}, parts...)...)
}

// kebab turns CamelCase, with or without runs of capitals, into kebab case.
func kebab(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '_' || r == '-' || r == ' ':
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
			continue
		case unicode.IsUpper(r) && i > 0:
			before := runes[i-1]
			after := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if (unicode.IsLower(before) || unicode.IsDigit(before) || (unicode.IsUpper(before) && after)) && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// ScriptFile is the path of a case's script below its package's folder.
func ScriptFile(test string) string {
	return filepath.Join("testdata", kebab(strings.TrimPrefix(test, "Test"))+".txtar")
}
