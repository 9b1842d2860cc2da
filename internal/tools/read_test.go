package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "entry %d\n", i)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	w := newWorld(t, Build, files{
		"a.txt": "one\ntwo\nthree\n", "sub/b.txt": "b", "empty": "", "newline": "\n", "crlf": "a\r\nb\r\n", "crlf-open": "a\r\nb", "mixed": "a\r\nb\nc\n",
		"latin": "caf\xe9\n", "nul": "a\x00b", "image.png": "\x89PNG\r\n\x1a\nxxxx", "doc.pdf": "%PDF-1.7", "utf16": "\xff\xfea\x00", "cr": "a\rb\n", "long": lines(1, 2500),
		"dir/": "", "BZh.txt": "BZh is text\n",
	})
	for _, tt := range []struct {
		name string
		args is
		want string
	}{
		{"whole", is{"path": "a.txt"}, "1\tone\n2\ttwo\n3\tthree"},
		{"absolute", is{"path": w.dir + "/a.txt"}, "1\tone\n2\ttwo\n3\tthree"},
		{"unclean", is{"path": ".//sub/../sub/./b.txt/"}, "1\tb\n(no newline at the end of the file)"},
		{"up and down", is{"path": "../" + filepath.Base(w.dir) + "/a.txt", "limit": 1}, "1\tone\n(lines 1 to 1 of 3; go on with offset 2)"},
		{"range", is{"path": "a.txt", "offset": 2, "limit": 1}, "2\ttwo\n(lines 2 to 2 of 3; go on with offset 3)"},
		{"to the end", is{"path": "a.txt", "offset": 2, "limit": 2}, "2\ttwo\n3\tthree"},
		{"beyond the end", is{"path": "a.txt", "offset": 3, "limit": 9}, "3\tthree"},
		{"empty", is{"path": "empty"}, "(empty is empty)"},
		{"one empty line", is{"path": "newline"}, "1\t"},
		{"CRLF", is{"path": "crlf"}, "1\ta\n2\tb\n(lines end in CRLF)"},
		{"CRLF without the last", is{"path": "crlf-open"}, "1\ta\n2\tb\n(no newline at the end of the file)\n(lines end in CRLF)"},
		{"mixed ends", is{"path": "mixed"}, "1\ta\n2\tb\n3\tc\n(1 of 3 lines end in CRLF, the others in LF)"},
		{"carriage return", is{"path": "cr"}, "1\ta\rb"},
		{"no UTF-8", is{"path": "latin"}, "1\tcaf\uFFFD\n(bytes that are not UTF-8 are shown as \uFFFD)"},
		{"UTF-16", is{"path": "utf16"}, "1\ta\n(no newline at the end of the file)\n(the file is UTF-16 LE text, shown decoded)"},
		{"looks like bzip2", is{"path": "BZh.txt"}, "1\tBZh is text"},
		{"directory", is{"path": "sub"}, "b.txt (1 byte)"},
		{"directory in part", is{"path": ".", "offset": 2, "limit": 2}, "a.txt (14 bytes)\ncr (4 bytes)\n(entries 2 to 3 of 16; a larger limit shows more)"},
		{"empty directory", is{"path": "dir"}, "(dir is an empty directory)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := w.call("read", tt.args)
			require.Equal(t, Outcome{Status: OK, Text: tt.want}, out)
		})
	}
	for _, tt := range []struct {
		name string
		args is
		want string
	}{
		{"past the end", is{"path": "a.txt", "offset": 4}, "offset 4 is past the end of a.txt, which has 3 lines"},
		{"past the end of one", is{"path": "sub/b.txt", "offset": 2}, "offset 2 is past the end of sub/b.txt, which has 1 line"},
		{"past the end of none", is{"path": "empty", "offset": 2}, "offset 2 is past the end of empty, which has 0 lines"},
		{"past the end of a directory", is{"path": "sub", "offset": 2}, "offset 2 is past the end of sub (entries: 1)"},
		{"binary", is{"path": "nul"}, "nul is binary data (3 bytes), not text; read cannot show it"},
		{"image", is{"path": "image.png"}, "image.png begins like a PNG image, and is broken (12 bytes): unexpected EOF; read cannot show it"},
		{"document", is{"path": "doc.pdf"}, "doc.pdf is a PDF document (8 bytes), not text; read cannot show it"},
		{"outside", is{"path": "/etc/passwd"}, "/etc/passwd is outside the workspace " + w.dir + "; give a path inside it"},
		{"above", is{"path": "../x"}, "../x is outside the workspace " + w.dir + "; give a path inside it"},
		{"beside", is{"path": w.dir + "x/y"}, w.dir + "x/y is outside the workspace " + w.dir + "; give a path inside it"},
		{"home", is{"path": "~/x"}, "~/x is outside the workspace " + w.dir + "; give a path inside it"},
		{"NUL", is{"path": "a\x00b"}, "the path holds a NUL byte"},
		{"through a file", is{"path": "a.txt/x"}, "a.txt/x: not a directory"},
		{"backslash", is{"path": `sub\b.txt`}, `sub\b.txt: no such file or directory`},
		{"missing", is{"path": "nowhere/nothing.go"}, "nowhere/nothing.go: no such file or directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := w.call("read", tt.args)
			require.Equal(t, Outcome{Status: Failed, Text: tt.want}, out)
		})
	}
}

func TestReadLimits(t *testing.T) {
	wide := strings.Repeat("x", 1000) + "\n"
	w := newWorld(t, Build, files{
		"long": lines(1, 2500), "wide": strings.Repeat(wide, 500), "one": strings.Repeat("é", 100_000), "then": "a\n" + strings.Repeat("y", 200_000) + "\nb\n",
	})
	out := w.call("read", is{"path": "long"})
	require.True(t, strings.HasSuffix(out.Text, "\n2000\tentry 2000\n(lines 1 to 2000 of 2500; go on with offset 2001)"), out.Text[len(out.Text)-200:])
	out = w.call("read", is{"path": "long", "offset": 101, "limit": 2400})
	require.True(t, strings.HasSuffix(out.Text, "\n2100\tentry 2100\n(lines 101 to 2100 of 2500, at most 2000 at once; go on with offset 2101)"))
	out = w.call("read", is{"path": "long", "offset": 2001})
	require.True(t, strings.HasPrefix(out.Text, "2001\t") && strings.HasSuffix(out.Text, "\n2500\tentry 2500"))

	out = w.call("read", is{"path": "wide"})
	require.LessOrEqual(t, len(out.Text), maxBytes+100)
	require.Contains(t, out.Text, "(lines 1 to 130 of 500, as many as fit into 128 KiB; go on with offset 131)")

	out = w.call("read", is{"path": "one"})
	require.LessOrEqual(t, len(out.Text), maxBytes+200)
	require.Contains(t, out.Text, "é\n(line 1 is too long: only its first 128 KiB are shown; grep or bash reach the rest)")
	require.NotContains(t, out.Text, "\uFFFD", "a rune is not cut in two")

	out = w.call("read", is{"path": "then"})
	require.Equal(t, "1\ta\n(lines 1 to 1 of 3, as many as fit into 128 KiB; go on with offset 2)", out.Text)
	out = w.call("read", is{"path": "then", "offset": 2})
	require.Contains(t, out.Text, "(line 2 is too long: only its first 128 KiB are shown; grep or bash reach the rest)\n(lines 2 to 2 of 3, as many as fit into 128 KiB; go on with offset 3)")
	out = w.call("read", is{"path": "then", "offset": 3})
	require.Equal(t, "3\tb", out.Text)
}

func TestReadNamesNearMatches(t *testing.T) {
	w := newWorld(t, Build, files{
		"src/config.go": "", "src/deep/down/config.go": "", "confg.go": "", "Config.go": "", "other.go": "", ".git/config.go": "", "x/config.go/": "",
		"y/config.go": "", "z/config.go": "", "readme.md": "",
	})
	out := w.call("read", is{"path": "lib/config.go"})
	require.Equal(t, Failed, out.Status)
	require.Equal(t, "lib/config.go: no such file or directory. Perhaps one of these was meant:\n"+
		"Config.go\nsrc/config.go\nx/config.go\ny/config.go\nz/config.go", out.Text)
	require.Contains(t, w.call("read", is{"path": "README.md"}).Text, "\nreadme.md")
	require.Contains(t, w.call("read", is{"path": "redme.md"}).Text, "\nreadme.md")
	require.NotContains(t, w.call("read", is{"path": "licence"}).Text, "Perhaps")
	require.Contains(t, w.call("edit", is{"path": "oter.go", "old": "a", "new": "b"}).Text, "\nother.go")
}

func TestLinksAndStrangeFiles(t *testing.T) {
	w := newWorld(t, Build, files{"real/a.txt": "needle\n"})
	require.NoError(t, os.Symlink("a.txt", filepath.Join(w.dir, "real/link.txt")))
	require.NoError(t, os.Symlink("real", filepath.Join(w.dir, "folder")))
	require.NoError(t, os.Symlink("gone", filepath.Join(w.dir, "dangling")))
	require.NoError(t, os.Symlink("..", filepath.Join(w.dir, "real/up")))

	require.Equal(t, "1\tneedle", w.call("read", is{"path": "real/link.txt"}).Text)
	require.Equal(t, "dangling is a link to something that does not exist", w.call("read", is{"path": "dangling"}).Text)
	require.Contains(t, w.call("ls", is{}).Text, "dangling")
	require.Equal(t, "real/a.txt:1:needle", w.call("grep", is{"pattern": "needle"}).Text, "links are not followed")
	require.Equal(t, "folder/a.txt:1:needle", w.call("grep", is{"pattern": "needle", "path": "folder"}).Text, "but for the one that was named")
	require.Equal(t, "real/a.txt\nreal/link.txt", w.call("glob", is{"pattern": "*.txt"}).Text)
	require.Equal(t, "/dev/null is outside", w.call("read", is{"path": "/dev/null"}).Text[:20])
}
