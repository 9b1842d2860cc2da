package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	for _, tt := range []struct {
		name    string
		path    string
		content string
		status  Status
		text    string
		changed []string
	}{
		{"new", "new.txt", "a\nb\n", OK, "created new.txt (2 lines, 4 bytes)", []string{"new.txt"}},
		{"new in folders", "x/y/../z/new.txt", "word", OK, "created x/z/new.txt (1 line, 4 bytes, no newline at the end)", []string{"x/z/new.txt"}},
		{"new and empty", "new.txt", "", OK, "created new.txt (empty)", []string{"new.txt"}},
		{"changed", "a.txt", "one\n2\nthree\n", OK, "changed a.txt (now 3 lines, 12 bytes)\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three", []string{"a.txt"}},
		{"changed to no newline", "./a.txt", "one", OK, "changed a.txt (now 1 line, 3 bytes, no newline at the end)\n@@ -1,3 +1 @@\n-one\n-two\n-three\n+one\n\\ No newline at end of file", []string{"a.txt"}},
		{"identical", "a.txt", "one\ntwo\nthree\n", OK, "a.txt has exactly this content already; nothing was changed", nil},
		{"CRLF is kept as given", "crlf.txt", "a\r\nc\r\n", OK, "changed crlf.txt (now 2 lines, 6 bytes)\n@@ -1,2 +1,2 @@\n a\n-b\n+c", []string{"crlf.txt"}},
		{"other line ends", "crlf.txt", "a\nb\n", OK, "changed crlf.txt (now 2 lines, 4 bytes)\n(only line ends are different)", []string{"crlf.txt"}},
		{"over binary", "bin", "text\n", OK, "changed bin (now 1 line, 5 bytes)\n(it held 2 bytes before)", []string{"bin"}},
		{"directory", "dir", "x", Failed, "dir is a directory; give the path of a file", nil},
		{"workspace", ".", "x", Failed, ". is a directory; give the path of a file", nil},
		{"through a file", "a.txt/b", "x", Failed, "a.txt/b: the folder cannot be made: not a directory", nil},
		{"outside", "../out.txt", "x", Failed, "../out.txt is outside the workspace DIR; give a path inside it", nil},
		{"absolute outside", "/out.txt", "x", Failed, "/out.txt is outside the workspace DIR; give a path inside it", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, Build, files{"a.txt": "one\ntwo\nthree\n", "crlf.txt": "a\r\nb\r\n", "dir/": "", "bin": "\x00\x01"})
			out := w.call("write", is{"path": tt.path, "content": tt.content})
			require.Equal(t, Outcome{Status: tt.status, Text: strings.ReplaceAll(tt.text, "DIR", w.dir), Changed: tt.changed}, out)
			if tt.status == OK {
				require.Equal(t, tt.content, w.content(tt.path))
			} else {
				require.Equal(t, "one\ntwo\nthree\n", w.content("a.txt"))
			}
		})
	}
}

func TestWriteKeepsTheMode(t *testing.T) {
	w := newWorld(t, Build, files{"run.sh": "a\n"})
	script := filepath.Join(w.dir, "run.sh")
	require.NoError(t, os.Chmod(script, 0o755))
	require.Equal(t, OK, w.call("write", is{"path": "run.sh", "content": "b\n"}).Status)
	require.Equal(t, OK, w.call("edit", is{"path": "run.sh", "old": "b", "new": "c"}).Status)
	info, err := os.Stat(script)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
	require.Equal(t, "c\n", w.content("run.sh"))
}

func TestDiffsAreShort(t *testing.T) {
	w := newWorld(t, Build, files{"a.txt": lines(1, 500), "wide": strings.Repeat("x", 50_000)})
	out := w.call("write", is{"path": "a.txt", "content": lines(1001, 1500)})
	require.Equal(t, diffLines+2, strings.Count(out.Text, "\n")+1)
	require.True(t, strings.HasSuffix(out.Text, " more of the diff)"))
	out = w.call("write", is{"path": "wide", "content": strings.Repeat("y", 50_000)})
	require.Less(t, len(out.Text), diffBytes+200)
}

func TestEdit(t *testing.T) {
	const text = "alpha\nbeta\ngamma\nbeta\n"
	for _, tt := range []struct {
		name   string
		file   string
		args   is // path is added
		status Status
		text   string // the beginning of the answer
		want   string // the file after; "" is unchanged
	}{
		{"one place", text, is{"old": "gamma", "new": "delta"}, OK, "changed f.txt (1 replacement)\n@@ -1,4 +1,4 @@\n alpha\n beta\n-gamma\n+delta\n beta", "alpha\nbeta\ndelta\nbeta\n"},
		{"several lines", text, is{"old": "gamma\nbeta", "new": "x\ny"}, OK, "changed", "alpha\nbeta\nx\ny\n"},
		{"deletes", text, is{"old": "alpha\n", "new": ""}, OK, "changed", "beta\ngamma\nbeta\n"},
		{"all", text, is{"old": "beta", "new": "b", "all": true}, OK, "changed f.txt (2 replacements)", "alpha\nb\ngamma\nb\n"},
		{"all of one", text, is{"old": "alpha", "new": "a", "all": true}, OK, "changed f.txt (1 replacement)", "a\nbeta\ngamma\nbeta\n"},
		{"not all", text, is{"old": "alpha", "new": "a", "all": false}, OK, "changed", "a\nbeta\ngamma\nbeta\n"},
		{"literal", "a.c\nabc\n", is{"old": "a.c", "new": "$1"}, OK, "changed", "$1\nabc\n"},
		{"no newline at the end", "a\nb", is{"old": "b", "new": "c"}, OK, "changed", "a\nc"},

		{"several", text, is{"old": "beta", "new": "b"}, Failed, "old is in f.txt 2 times, in lines 2 and 4: add lines around it to mean one place, or set all to replace every one", ""},
		{"very many", strings.Repeat("x\n", 50), is{"old": "x", "new": "b"}, Failed, "old is in f.txt 50 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …: add", ""},
		{"many on a line", "x x x\n", is{"old": "x", "new": "b"}, Failed, "old is in f.txt 3 times, in lines 1, 1 and 1: add", ""},
		{"identical", text, is{"old": "beta", "new": "beta"}, Failed, "old and new are the same: f.txt was not changed", ""},
		{"empty old", text, is{"old": "", "new": "beta"}, Failed, "old is empty: give the text to replace, or use write to set the whole content of f.txt", ""},
		{"no match", text, is{"old": "omega and more", "new": "b"}, Failed, "old is not in f.txt; read it again", ""},
		{"nearly", text, is{"old": "gama", "new": "b"}, Failed, "old is not in f.txt; the closest line is 3:\ngamma", ""},
		{"whitespace", "if x {\n\treturn  1\n}\n", is{"old": "if x {\n    return 1\n}", "new": "b"}, Failed, "old is not in f.txt: line 1 differs from it only in whitespace. The file has:\nif x {\n\treturn  1\n}", ""},
		{"whitespace at the end", "a \nb\n", is{"old": "a\nb", "new": "b"}, Failed, "old is not in f.txt: line 1 differs from it only in whitespace. The file has:\na \nb", ""},
		{"line numbers", text, is{"old": "2\tbeta\n3\tgamma", "new": "b"}, Failed, "old is not in f.txt: leave out the line numbers, which are not part of the file", ""},
		{"only blanks", text, is{"old": "\n\n\n", "new": "b"}, Failed, "old is not in f.txt; read it again", ""},
		{"case", text, is{"old": "Gamma", "new": "b"}, Failed, "old is not in f.txt; the closest line is 3:\ngamma", ""},
		{"binary", "a\x00b", is{"old": "a", "new": "b"}, Failed, "f.txt is binary data, not text; edit cannot change it", ""},

		{"CRLF kept", "a\r\nb\r\nc\r\n", is{"old": "a\nb", "new": "x\ny"}, OK, "changed f.txt (1 replacement)\n@@ -1,3 +1,3 @@\n-a\n-b\n+x\n+y\n c", "x\r\ny\r\nc\r\n"},
		{"CRLF given", "a\r\nb\r\n", is{"old": "a\r\nb", "new": "x\r\ny"}, OK, "changed", "x\r\ny\r\n"},
		{"CRLF in new", "a\r\nb\r\n", is{"old": "a", "new": "x\ny"}, OK, "changed", "x\r\ny\r\nb\r\n"},
		{"CRLF only", "a\r\nb\r\n", is{"old": "a\r\nb", "new": "a\nb"}, Failed, "old and new differ only in their line ends", ""},
		{"CRLF for LF", "a\nb\n", is{"old": "a\r\nb", "new": "x\r\ny"}, OK, "changed", "x\ny\n"},
		{"mixed, CRLF part", "a\r\nb\r\nc\n", is{"old": "a\nb", "new": "x\ny"}, OK, "changed", "x\r\ny\r\nc\n"},
		{"mixed, LF part", "a\r\nb\nc\n", is{"old": "b\nc", "new": "x\ny"}, OK, "changed", "a\r\nx\ny\n"},
		{"no UTF-8 kept", "caf\xe9\nb\n", is{"old": "b", "new": "c"}, OK, "changed", "caf\xe9\nc\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, Build, files{"f.txt": tt.file})
			tt.args["path"] = "./f.txt"
			out := w.call("edit", tt.args)
			require.Equal(t, tt.status, out.Status, out.Text)
			require.True(t, strings.HasPrefix(out.Text, tt.text), out.Text)
			if tt.status == OK {
				require.Equal(t, []string{"f.txt"}, out.Changed)
				require.Equal(t, tt.want, w.content("f.txt"))
			} else {
				require.Empty(t, out.Changed)
				require.Equal(t, tt.file, w.content("f.txt"))
			}
		})
	}
	w := newWorld(t, Build, files{"dir/": ""})
	require.Equal(t, "dir is a directory; give the path of a file", w.call("edit", is{"path": "dir", "old": "a", "new": "b"}).Text)
	require.Equal(t, "no.txt: no such file or directory", w.call("edit", is{"path": "no.txt", "old": "a", "new": "b"}).Text)
	require.Contains(t, w.call("edit", is{"path": "/x", "old": "a", "new": "b"}).Text, "outside the workspace")
}
