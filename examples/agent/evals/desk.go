package evals

import (
	"context"
	"io"
	"io/fs"
	"os"

	"github.com/deeds-evals/deeds/behavior"
)

// A desk is the workspace of one attempt, as the runner works on it.
type desk struct{ task behavior.Task }

func (d desk) List(folder string) ([]fs.FileInfo, error) {
	f, err := d.task.Files.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdir(-1)
}

func (d desk) Load(file string) ([]byte, error) {
	f, err := d.task.Files.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func (d desk) Store(file string, data []byte) error {
	f, err := d.task.Files.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(data)
	return err
}

func (d desk) Run(ctx context.Context, line string) (string, int, error) {
	return d.task.Shell(ctx, line)
}
