package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/filelock"
	"github.com/deeds-evals/deeds/internal/zstd"
	"github.com/deeds-evals/deeds/results"
)

// A Writer writes what one package of a run leaves behind. Its methods may be
// called from any goroutine.
type Writer struct {
	dir    string    // of the run; its name is the run's id
	since  time.Time // when this invocation joined the run
	now    func() time.Time
	pkg    string
	redact func([]byte) []byte
	path   string // of the attempts

	mu   sync.Mutex // guards the file's end
	file *os.File
	size int64
	torn bool  // the file does not end in a newline
	err  error // what ended the writer

	syncing sync.Mutex // held while the file is synced
	synced  int64      // the size that is safe on disk
}

// Open opens the record of one package in the run's directory, as [Locate] returns
// it. Everything that is written passes through redact, which is given the text of each string, unescaped, and
// returns it without what must not be kept; nil keeps all.
func Open(dir, pkg string, redact func([]byte) []byte) (*Writer, error) {
	since := readRegistry(filepath.Dir(dir)).since(invocation(), filepath.Base(dir))
	return open(dir, pkg, redact, since, time.Now)
}

func open(dir, pkg string, redact func([]byte) []byte, since time.Time, now func() time.Time) (*Writer, error) {
	w := &Writer{dir: dir, since: since, now: now, pkg: pkg, redact: redact}
	for n := 1; ; n++ {
		w.path = filepath.Join(dir, numbered("attempts", pkg, "jsonl", n))
		f, err := os.OpenFile(w.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return nil, fmt.Errorf("open the record: %w", err)
		}
		err = filelock.Try(f)
		if err == nil {
			w.file = f
			break
		}
		f.Close()
		if !errors.Is(err, filelock.ErrTaken) {
			return nil, fmt.Errorf("open the record: %w", err)
		}
	}
	if err := w.measure(); err != nil {
		w.file.Close()
		return nil, fmt.Errorf("open the record: %w", err)
	}
	return w, nil
}

// measure finds where the file ends, and whether a killed writer left half a line
// there.
func (w *Writer) measure() error {
	info, err := w.file.Stat()
	if err != nil {
		return err
	}
	w.size = info.Size()
	if w.size == 0 {
		return nil
	}
	var last [1]byte
	if _, err := w.file.ReadAt(last[:], w.size-1); err != nil {
		return err
	}
	w.torn = last[0] != '\n'
	return nil
}

// WritePlan writes the plan of the package, before anything runs. A plan that
// lies there already is kept beside it.
func (w *Writer) WritePlan(p results.Plan) error {
	if p.Schema == 0 {
		p.Schema = results.Schema
	}
	if p.Run == "" {
		p.Run = w.ID()
	}
	if p.Package == "" {
		p.Package = w.pkg
	}
	if p.Created.IsZero() {
		p.Created = w.now().UTC()
	}
	data, err := encode(p, "\t")
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	temp, err := writeTemp(w.dir, redactJSON(data, w.redact))
	if err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	unlock, err := w.lockRun()
	if err != nil {
		os.Remove(temp)
		return fmt.Errorf("write the plan: %w", err)
	}
	defer unlock()
	if _, err := firstFree(temp, func(n int) string {
		return filepath.Join(w.dir, numbered("plan", w.pkg, "json", n))
	}); err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	syncDir(w.dir)
	return nil
}

// Append records an attempt that has ended: first its evidence, then its line. It
// returns when both are on disk, with the slash path of the evidence below the
// run's folder, "" where evidence is nil.
//
// After an error the attempt is not recorded, what was recorded before still is,
// and Append may be tried again.
func (w *Writer) Append(a results.Attempt, evidence []byte) (string, error) {
	if a.Schema == 0 {
		a.Schema = results.Schema
	}
	if a.Run == "" {
		a.Run = w.ID()
	}
	// A file whose directory was removed takes every write, and keeps none.
	if _, err := os.Stat(w.path); err != nil {
		return "", fmt.Errorf("record an attempt of %s: the record was removed while the run went on: %w", a.Case, err)
	}
	a.Evidence, a.EvidenceSum = "", ""
	if evidence != nil {
		if err := w.putEvidence(&a, evidence); err != nil {
			return "", fmt.Errorf("keep the evidence of %s: %w", a.Case, err)
		}
	}
	line, err := encode(a, "")
	if err != nil {
		return "", fmt.Errorf("record an attempt of %s: %w", a.Case, err)
	}
	end, err := w.write(redactJSON(line, w.redact))
	if err == nil {
		err = w.sync(end)
	}
	if err != nil {
		return "", fmt.Errorf("record an attempt of %s: %w", a.Case, err)
	}
	return a.Evidence, nil
}

// putEvidence writes the evidence of an attempt, and notes where and what it is.
func (w *Writer) putEvidence(a *results.Attempt, evidence []byte) error {
	packed, err := zstd.Pack(redactJSON(evidence, w.redact))
	if err != nil {
		return err
	}
	place := func(n int) string { return filepath.Join(w.dir, filepath.FromSlash(evidencePath(a, n))) }
	if err := os.MkdirAll(filepath.Dir(place(1)), 0o777); err != nil {
		return err
	}
	path, err := writeNew(place, packed)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(w.dir, path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(packed)
	a.Evidence, a.EvidenceSum = filepath.ToSlash(rel), hex.EncodeToString(sum[:])
	return nil
}

// write appends a line, and returns the size of the file after it.
func (w *Writer) write(line []byte) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	if w.torn {
		line = append([]byte{'\n'}, line...)
	}
	if n, err := w.file.Write(line); err != nil {
		if n > 0 && w.file.Truncate(w.size) != nil {
			w.torn = true
			w.size += int64(n)
		}
		return 0, err
	}
	w.torn = false
	w.size += int64(len(line))
	return w.size, nil
}

// sync returns when the file is safe on disk up to end. Those who wait for one
// sync share the next.
func (w *Writer) sync(end int64) error {
	w.syncing.Lock()
	defer w.syncing.Unlock()
	if w.synced >= end {
		return nil
	}
	w.mu.Lock()
	size, err := w.size, w.err
	w.mu.Unlock()
	if err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		// The system has dropped the pages: a second try would claim success.
		w.mu.Lock()
		w.err = fmt.Errorf("the disk failed before: %w", err)
		w.mu.Unlock()
		return err
	}
	w.synced = size
	return nil
}

// Dir returns the folder of the run.
func (w *Writer) Dir() string { return w.dir }

// ID returns the id of the run.
func (w *Writer) ID() string { return filepath.Base(w.dir) }

// Close ends the writing, and lets go of the file.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.err, fs.ErrClosed) {
		return nil
	}
	w.err = fmt.Errorf("the record is closed: %w", fs.ErrClosed)
	// Closing alone would not do while a child of this process is between its fork
	// and its exec: it has the file open too.
	return errors.Join(filelock.Unlock(w.file), w.file.Close())
}

func (w *Writer) lockRun() (unlock func(), err error) {
	return filelock.Lock(filepath.Join(w.dir, lockFile))
}

// encode returns the value as JSON that ends in a newline. Without an indent it
// has no other.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
