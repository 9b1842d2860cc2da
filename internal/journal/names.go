package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/results"
)

// longest is how long a name in a path may be. With the longest ending it stays
// under the 143 bytes that encrypted home directories allow.
const longest = 120

// safe turns any text into one component of a path: no separator, no "." or "..",
// no control character, never empty, and different for different text.
func safe(name string) string {
	if name == "" {
		return "_"
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_' && len(name) > 1:
			b.WriteByte(c)
		case c == '.' && i > 0 && i < len(name)-1:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if len(s) <= longest {
		return s
	}
	sum := sha256.Sum256([]byte(name))
	return s[:longest-17] + "-" + hex.EncodeToString(sum[:8])
}

// evidencePath returns the slash path of the evidence of a play below the folder of the
// run. n counts the plays that would have the same one.
func evidencePath(a *results.Attempt, n int) string {
	var parts []string
	for _, p := range strings.Split(a.Case, "/") {
		parts = append(parts, safe(p))
	}
	world := safe(a.World)
	if a.Variant != "" {
		world += "+" + safe(a.Variant)
	}
	file := fmt.Sprint(a.Attempt)
	if a.Play > 1 || n > 1 {
		file += fmt.Sprintf(".%d", max(a.Play, 1))
	}
	if n > 1 {
		file += fmt.Sprintf(".%d", n)
	}
	parts = append(parts, world, safe(a.Model), file+".json.zst")
	return "evidence/" + strings.Join(parts, "/")
}

// numbered returns prefix-name.ext for the first file of the name and
// prefix-name.n.ext for the ones after it.
func numbered(prefix, name, ext string, n int) string {
	if n == 1 {
		return fmt.Sprintf("%s-%s.%s", prefix, safe(name), ext)
	}
	return fmt.Sprintf("%s-%s.%d.%s", prefix, safe(name), n, ext)
}
