package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// What a disk must have free. A run of a thousand attempts leaves some tens of megabytes
// of evidence; a workspace may be large.
const (
	tooLittle = 100 << 20
	little    = 1 << 30
)

// place looks at where results and workspaces lie.
func (d *doctor) place() {
	root, err := d.c.root()
	var f *fault
	switch {
	case errors.As(err, &f):
		d.note("results", "fail", f.what, f.hint)
	case err != nil:
		d.note("results", "fail", err.Error(), "set DEEDS_RESULTS to a folder that can be written")
	default:
		d.folder("results", root, "set DEEDS_RESULTS to a folder that can be written, with room in it")
	}
	temporary := d.c.getenv("TMPDIR")
	if temporary == "" {
		temporary = os.TempDir()
	}
	d.folder("workspaces", temporary, "set TMPDIR to a folder that can be written, with room in it")
}

// folder looks whether a file can be made in a folder, or in the nearest above that is
// there, and how much room there is. It leaves nothing behind.
func (d *doctor) folder(name, dir, fix string) {
	at := dir
	for {
		if info, err := os.Stat(at); err == nil {
			if !info.IsDir() {
				d.note(name, "fail", d.c.shorten(at)+" is no folder", fix)
				return
			}
			break
		}
		if at == filepath.Dir(at) {
			break
		}
		at = filepath.Dir(at)
	}
	file, err := os.CreateTemp(at, ".doctor-*")
	if err != nil {
		d.note(name, "fail", fmt.Sprintf("no file can be made in %s: %v", d.c.shorten(at), cause(err)), fix)
		return
	}
	file.Close()
	os.Remove(file.Name())
	said := d.c.shorten(dir)
	if at != dir {
		said += ", which is made when it is needed"
	}
	free, known := room(at)
	switch {
	case !known:
		d.ok(name, "%s can be written; how much room there is cannot be told here", said)
	case free < tooLittle:
		d.note(name, "fail", fmt.Sprintf("%s: %s free, and a run that finds the disk full stops", said, bytesOf(free)), fix)
	case free < little:
		d.note(name, "warn", fmt.Sprintf("%s: %s free", said, bytesOf(free)), fix)
	default:
		d.ok(name, "%s: %s free", said, bytesOf(free))
	}
}

// cause is what the system said, without the name of a file that only the check has.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// bytesOf shows a size.
func bytesOf(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
