package evals

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/deeds-evals/deeds/behavior"
)

// A desk is the workspace of one attempt, as the runner works on it. It notes which
// files change: expect.Changing asks for that, and nobody else can know it.
type desk struct {
	task    behavior.Task
	changed []string
}

// taken are the files that changed since it was last called.
func (d *desk) taken() []string {
	changed := d.changed
	d.changed = nil
	return changed
}

func (d *desk) List(folder string) ([]fs.FileInfo, error) {
	f, err := d.task.Files.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdir(-1)
}

func (d *desk) Load(file string) ([]byte, error) {
	f, err := d.task.Files.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func (d *desk) Store(file string, data []byte) error {
	before, err := d.Load(file)
	if err == nil && bytes.Equal(before, data) {
		return nil
	}
	f, err := d.task.Files.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	d.changed = append(d.changed, filepath.ToSlash(filepath.Clean(file)))
	_, err = f.Write(data)
	return err
}

func (d *desk) Run(ctx context.Context, line string) (string, int, error) {
	before := d.stamps()
	output, status, err := d.task.Shell(ctx, line)
	after := d.stamps()
	for file, stamp := range after {
		if before[file] != stamp {
			d.changed = append(d.changed, file)
		}
	}
	for file := range before {
		if _, there := after[file]; !there {
			d.changed = append(d.changed, file)
		}
	}
	slices.Sort(d.changed)
	return output, status, err
}

// A stamp changes when its file does.
type stamp struct {
	mode fs.FileMode
	size int64
	time int64
}

func (d *desk) stamps() map[string]stamp {
	all := make(map[string]stamp)
	_ = filepath.WalkDir(d.task.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil // what cannot be looked into is no file that is known to have changed
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		rel, err := filepath.Rel(d.task.Dir, path)
		if err == nil {
			all[filepath.ToSlash(rel)] = stamp{info.Mode(), info.Size(), info.ModTime().UnixNano()}
		}
		return nil
	})
	return all
}
