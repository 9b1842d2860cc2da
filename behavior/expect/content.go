package expect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/diff"
)

// The contents of a tree that are more than the bytes of a file begin with one
// of these.
const (
	textMark = "\x00text:"
	linkMark = "\x00link:"
)

const (
	wantGot = "(-want +got)" // heads a diff
	maxDiff = 40             // lines of a diff that are shown
)

// Text stands in a [behavior.Tree] for a file with this content, with or without
// one newline at its end. Use it where the request leaves that open; every other
// content is exact.
func Text(s string) string { return textMark + s }

// LinkTo stands in a [behavior.Tree] for a symbolic link with this target.
func LinkTo(target string) string { return linkMark + target }

// differs says how the file, if there is one, differs from the content that is
// wanted of it; "" means that it does not. Facts are expanded.
func (t *trace) differs(want string, f behavior.File, there bool) string {
	if want == behavior.Absent {
		if !there {
			return ""
		}
		return "it is there, and should not be"
	}
	if target, ok := strings.CutPrefix(want, linkMark); ok {
		target = t.expand(target)
		switch {
		case !there:
			return "it is not there"
		case f.Mode.Type() != fs.ModeSymlink:
			return "it is " + sortOf(f) + ", not a link to " + plain(target)
		case f.Link != target:
			return fmt.Sprintf("it is a link to %s, not to %s", plain(f.Link), plain(target))
		}
		return ""
	}
	want, lenient := strings.CutPrefix(want, textMark)
	want = t.expand(want)
	switch {
	case !there:
		return "it is not there"
	case !f.Mode.IsRegular():
		return "it is " + sortOf(f) + ", not a file"
	case f.Digest != "" && f.Data == nil:
		return digestDiffers(want, lenient, f)
	}
	got := string(f.Data)
	if got == want || lenient && chomp(got) == chomp(want) {
		return ""
	}
	if strings.TrimRight(got, "\n") == strings.TrimRight(want, "\n") {
		should := newlines(want)
		if lenient {
			should = "at most one"
		}
		return fmt.Sprintf("only the end differs: it ends in %s, and should end in %s", newlines(got), should)
	}
	if strings.ReplaceAll(got, "\r\n", "\n") == strings.ReplaceAll(want, "\r\n", "\n") {
		return fmt.Sprintf("only the ends of lines differ: %s CR LF, and %s should",
			haveLines(strings.Count(got, "\r\n")), linesWith(strings.Count(want, "\r\n")))
	}
	if !utf8.ValidString(got) {
		return fmt.Sprintf("it has %s that are no text, and should have %s", count(len(got), "byte"), count(len(want), "byte"))
	}
	if lenient {
		got, want = chomp(got)+"\n", chomp(want)+"\n"
	}
	changes := strings.Split(strings.TrimSuffix(diff.Unified(want, got), "\n"), "\n")
	if n := len(changes); n > maxDiff {
		changes = append(changes[:maxDiff], fmt.Sprintf("… %d more lines", n-maxDiff))
	}
	return wantGot + "\n" + strings.Join(changes, "\n")
}

// newlines says in how many newlines the text ends.
func newlines(s string) string {
	switch n := len(s) - len(strings.TrimRight(s, "\n")); n {
	case 0:
		return "no newline"
	case 1:
		return "one newline"
	default:
		return fmt.Sprintf("%d newlines", n)
	}
}

func haveLines(n int) string {
	if n == 1 {
		return "1 line ends in"
	}
	return fmt.Sprintf("%d lines end in", n)
}

func linesWith(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func digestDiffers(want string, lenient bool, f behavior.File) string {
	accepted := []string{want}
	if lenient {
		accepted = []string{chomp(want), chomp(want) + "\n"}
	}
	for _, s := range accepted {
		if sum := sha256.Sum256([]byte(s)); hex.EncodeToString(sum[:]) == strings.ToLower(f.Digest) {
			return ""
		}
	}
	return fmt.Sprintf("it has %d bytes of another content, and should have %d", f.Size, len(want))
}

func chomp(s string) string { return strings.TrimSuffix(s, "\n") }

// sortOf says what a file is.
func sortOf(f behavior.File) string {
	switch {
	case f.Mode.IsDir():
		return "a directory"
	case f.Mode.Type() == fs.ModeSymlink:
		return "a link to " + plain(f.Link)
	case f.Mode.IsRegular():
		return "a file"
	}
	return "a special file"
}
