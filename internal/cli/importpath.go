package cli

import (
	"fmt"
	"strings"
)

// oddInPath reports whether a rune cannot stand in an import path.
func oddInPath(r rune) bool {
	return r > 0x7e || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+", r)
}

// devices are names that Windows keeps for itself, whatever stands behind a dot, so that
// no module with such a folder can be checked out there, and the go command has none.
var devices = words(`con prn aux nul
	com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`)

// unfit says why a folder of the module cannot be that of a package with tests: what go
// test passes over, what the go command takes for no import path, and what git never
// sees. It is "" if it can.
func unfit(folder string) string {
	if strings.HasPrefix(folder, "-") {
		return "begins with a hyphen, as a flag does"
	}
	parts := strings.Split(folder, "/")
	for _, p := range parts {
		short, _, _ := strings.Cut(strings.ToLower(p), ".")
		_, digits, tilde := lastCut(short, "~")
		switch {
		case p == "testdata" || p == "vendor" || strings.HasPrefix(p, "_") || strings.HasPrefix(p, "."):
			return fmt.Sprintf("has %q in it, which go test passes over", p)
		case strings.ContainsFunc(p, oddInPath):
			return fmt.Sprintf("has %q in it, which cannot be imported: letters, digits and -._~+ can", p)
		case strings.HasSuffix(p, "."):
			return fmt.Sprintf("has %q in it, which cannot be imported for the dot at its end", p)
		case devices[short]:
			return fmt.Sprintf("has %q in it, which cannot be imported: Windows keeps that name for a device", p)
		case tilde && digits != "" && strings.Trim(digits, "0123456789") == "":
			return fmt.Sprintf("has %q in it, which cannot be imported: Windows shortens names to such", p)
		}
	}
	if len(parts) > 1 && parts[0] == "results" && parts[1] == "runs" {
		return "is where runs leave their evidence, which git ignores"
	}
	return ""
}

// lastCut is [strings.Cut] at the last separator.
func lastCut(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
