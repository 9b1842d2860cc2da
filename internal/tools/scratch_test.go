package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
)

func TestScratch(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "deep"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep/old.txt"), []byte("needle\n"), 0o644))
	w := newWorld(t, Build, files{"a.txt": "needle\n"}, func(e *Env) {
		e.Scratch, e.ScratchFiles = dir+"/", afero.NewBasePathFs(afero.NewOsFs(), dir)
	})
	note := dir + "/note.txt"
	require.Equal(t, Outcome{Status: OK, Text: "created " + note + " (1 line, 4 bytes)"}, w.call("write", is{"path": note, "content": "one\n"}))
	require.FileExists(t, note)
	require.NoFileExists(t, w.dir+"/note.txt")
	out := w.call("edit", is{"path": note, "old": "one", "new": "two"})
	require.Equal(t, OK, out.Status)
	require.Contains(t, out.Text, "changed "+note+" (1 replacement)")
	require.Empty(t, out.Changed, "it is not in the workspace")
	require.Equal(t, "1\ttwo", w.call("read", is{"path": dir + "/deep/../note.txt"}).Text)
	require.Equal(t, "deep/\nnote.txt (4 bytes)", w.call("ls", is{"path": dir}).Text)
	require.Equal(t, dir+"/deep/old.txt\n"+note, w.call("glob", is{"path": dir, "pattern": "*.txt"}).Text)
	require.Equal(t, dir+"/deep/old.txt", w.call("glob", is{"pattern": dir + "/**/old.*"}).Text)
	require.Equal(t, dir+"/deep/old.txt:1:needle", w.call("grep", is{"path": dir, "pattern": "needle"}).Text)
	require.Equal(t, "a.txt:1:needle", w.call("grep", is{"pattern": "needle"}).Text, "the workspace unless named")
	require.Equal(t, dir+"/old.txt: no such file or directory. Perhaps one of these was meant:\n"+dir+"/deep/old.txt", w.call("read", is{"path": dir + "/old.txt"}).Text)
	require.Equal(t, dir+" is a directory; give the path of a file", w.call("write", is{"path": dir, "content": ""}).Text)

	both := " is outside the workspace " + w.dir + " and the scratch folder " + dir + "; give a path inside one of them"
	rel, err := filepath.Rel(w.dir, note)
	require.NoError(t, err)
	for _, path := range []string{dir + "x/y", filepath.Dir(dir), "/etc/passwd", "~/x", rel} {
		require.Equal(t, Outcome{Status: Failed, Text: path + both}, w.call("read", is{"path": path}))
	}

	w.SetMode(Plan)
	require.Equal(t, OK, w.call("read", is{"path": note}).Status)
	for _, path := range []string{note, dir + "/plans/x.md"} {
		require.Equal(t, Outcome{Status: Refused, Text: "nothing was written: in plan mode only Markdown files directly in plans/ can be written, such as plans/NAME.md, not " + path},
			w.call("write", is{"path": path, "content": "x"}))
	}
}

// A file of the scratch folder that is called like a plan is none.
func TestScratchHoldsNoPlan(t *testing.T) {
	w := newWorld(t, Build, nil, func(e *Env) { e.Scratch, e.ScratchFiles = "/scratch", afero.NewMemMapFs() })
	require.Equal(t, OK, w.call("write", is{"path": "/scratch/plans/a.md", "content": "x"}).Status)
	w.SetMode(Plan)
	require.Equal(t, Failed, w.call("plan_done", is{"summary": "s"}).Status)
}
