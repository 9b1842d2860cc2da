package errand

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// A Desk is the folder that errands are run in. Names are slash paths below it.
type Desk interface {
	List(folder string) ([]fs.FileInfo, error)
	Load(file string) ([]byte, error)
	Store(file string, data []byte) error
	// Run runs a command line, and returns what it printed and its exit status. The
	// error is for one that could not be run.
	Run(ctx context.Context, line string) (output string, status int, err error)
}

// Folder is the desk in a folder of this machine, which no name leads out of. A
// command line is held back by nothing.
type Folder string

// List lists a folder.
func (f Folder) List(folder string) ([]fs.FileInfo, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdir(-1)
}

// Load returns what a file holds.
func (f Folder) Load(file string) ([]byte, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(file)
}

// Store makes a file hold the data.
func (f Folder) Store(file string, data []byte) error {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return err
	}
	defer root.Close()
	return root.WriteFile(file, data, 0o644)
}

// Run runs a command line with sh.
func (f Folder) Run(ctx context.Context, line string) (string, int, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir = string(f)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode(), nil
	}
	return string(out), 0, err
}
