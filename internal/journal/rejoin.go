package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
	"github.com/deeds-evals/deeds/results"
)

// A BusyError says that a run cannot be gone on with, because it is being played.
// Whoever goes on with a run plays what is not on record yet: two at once would play
// the same.
type BusyError struct {
	Run     string
	Process Process   // that plays it; its number is 0 where only its lock is known
	Since   time.Time // when it joined the run
}

func (e *BusyError) Error() string {
	if e.Process.Pid == 0 {
		return fmt.Sprintf("the run %s is being played by another process, which writes its record", e.Run)
	}
	return fmt.Sprintf("the run %s is being played by process %d, since %s", e.Run, e.Process.Pid, e.Since.UTC().Format(time.DateTime+" UTC"))
}

// rejoin is Locate for a run that is gone on with: its folder is known, and only one
// invocation at a time may have it.
func rejoin(c LocateConfig) (dir, id string, err error) {
	if dir, err = filepath.Abs(c.Resume); err != nil {
		return "", "", err
	}
	if !isDir(dir) {
		return "", "", fmt.Errorf("the run to go on with is gone: %s", dir)
	}
	runs, id := filepath.Split(dir)
	unlock, err := filelock.Lock(filepath.Join(runs, lockFile))
	if err != nil {
		return "", "", fmt.Errorf("go on with the run %s: %w", id, err)
	}
	defer unlock()
	var (
		reg     = readRegistry(runs)
		process = c.Process()
		now     = c.Now().UTC()
	)
	reg.clean(c.Alive, now)
	for _, e := range reg.Entries {
		if e.Run != id || e.Process == process {
			continue
		}
		// One that cannot be seen from here may have ended long ago: the lock of its
		// record tells, see Reopen.
		if running, known := c.Alive(e.Process); running && known {
			return "", "", &BusyError{Run: id, Process: e.Process, Since: e.Since}
		}
	}
	if _, ok := reg.find(process, id, true); ok {
		return dir, id, nil
	}
	reg.Entries = append(reg.Entries, entry{Process: process, Run: id, Named: true, Since: now})
	if err := reg.write(runs); err != nil {
		return "", "", fmt.Errorf("go on with the run %s: %w", id, err)
	}
	return dir, id, nil
}

// patience is how long Reopen waits for a writer that is about to end: one whose go
// command was killed finds that out within a second.
const patience = 5 * time.Second

// Reopen opens the record of one package, in a run that is gone on with, as Open does.
// It fails with a [BusyError] where another process writes what the package has there.
// A stop from before is taken back: the run goes on.
func Reopen(dir, pkg string, redact func([]byte) []byte) (*Writer, error) {
	since := readRegistry(filepath.Dir(dir)).since(invocation(), filepath.Base(dir))
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		w, err := openAlone(dir, pkg, redact, since)
		var busy *BusyError
		if errors.As(err, &busy) && time.Now().Before(deadline) {
			continue
		}
		return w, err
	}
}

func openAlone(dir, pkg string, redact func([]byte) []byte, since time.Time) (*Writer, error) {
	if err := others(dir, pkg, ""); err != nil {
		return nil, err
	}
	w, err := open(dir, pkg, redact, since, time.Now)
	if err != nil {
		return nil, err
	}
	// Of two that came this far at once, both or one of them see the other's lock.
	if err = others(dir, pkg, w.path); err == nil {
		err = w.takeBackStop()
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// others fails with a [BusyError] where a file of the package has a writer. Looked at
// are all but one's own, up to the first number that there is no file of.
func others(dir, pkg, own string) error {
	for n := 1; ; n++ {
		path := filepath.Join(dir, numbered("attempts", pkg, "jsonl", n))
		if path == own {
			continue
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("open the record: %w", err)
		}
		err = filelock.Try(f)
		_ = filelock.Unlock(f) // a child that is about to start has the file open too
		f.Close()
		if errors.Is(err, filelock.ErrTaken) {
			return &BusyError{Run: filepath.Base(dir)}
		}
		if err != nil {
			return fmt.Errorf("open the record: %w", err)
		}
	}
}

// takeBackStop removes the mark of a stop from before this invocation joined the run.
func (w *Writer) takeBackStop() error {
	unlock, err := w.lockRun()
	if err != nil {
		return fmt.Errorf("go on with the run: %w", err)
	}
	defer unlock()
	path := filepath.Join(w.dir, results.StopFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var s results.Stop
	if err == nil && json.Unmarshal(data, &s) == nil && !s.At.Before(w.since) {
		return nil // a sibling of this invocation stopped the run just now
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return fmt.Errorf("go on with the run: %w", err)
	}
	return nil
}
