package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeds-evals/deeds/internal/filelock"
	"github.com/deeds-evals/deeds/internal/safefile"
)

// LockBoard waits for the lock on the scoreboard under a results directory. It lies
// with the runs, which are not committed.
func LockBoard(root string) (unlock func(), err error) {
	runs := filepath.Join(root, "runs")
	if err := os.MkdirAll(runs, 0o777); err != nil {
		return nil, fmt.Errorf("lock the scoreboard: %w", err)
	}
	// A clone has no runs yet, and what lies there is nobody's to commit.
	ignore := filepath.Join(runs, ".gitignore")
	if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(ignore, []byte("*\n"), 0o666); err != nil {
			return nil, fmt.Errorf("lock the scoreboard: %w", err)
		}
	}
	if unlock, err = filelock.Lock(filepath.Join(runs, ".scoreboard.lock")); err != nil {
		return nil, fmt.Errorf("lock the scoreboard: %w", err)
	}
	return unlock, nil
}

// Entries reads the scoreboard under a results directory, by key. One entry that is
// damaged, or written by a later deeds, is an error for all: what cannot be read is
// neither left out nor written over.
func Entries(root string) ([]*Entry, error) {
	dir := boardDir(root)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the scoreboard: %w", err)
	}
	var all []*Entry
	for _, f := range files {
		if f.IsDir() || !strings.HasSuffix(f.Name(), ".json") || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		e, err := readEntry(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the scoreboard: %s: %w", f.Name(), err)
		}
		all = append(all, e)
	}
	return all, nil
}

func boardDir(root string) string { return filepath.Join(root, "scoreboard") }

func readEntry(path string) (*Entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unwrapPath(err)
	}
	var version struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if version.Schema > BoardSchema {
		return nil, fmt.Errorf("it was written by a later deeds: its schema is %d, and this one reads up to %d", version.Schema, BoardSchema)
	}
	var e Entry
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields() // they would be lost when the entry is written again
	if err := d.Decode(&e); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is damaged: something follows the entry")
	}
	if e.Schema < 1 || e.Key == "" {
		return nil, errors.New("it is damaged: it has no schema or no key")
	}
	if name := e.Key + ".json"; name != filepath.Base(path) {
		return nil, fmt.Errorf("it is the entry of %s by its content", name)
	}
	return &e, nil
}

// openBoard reads the entries to change them, under the lock, and only if nobody else
// has.
func openBoard(root string) (entries []*Entry, unlock func(), err error) {
	if unlock, err = LockBoard(root); err != nil {
		return nil, nil, err
	}
	if entries, err = Entries(root); err == nil {
		err = intact(entries)
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return entries, unlock, nil
}

// intact refuses to build on rows that are not what was written: their digest would be
// made to fit them.
func intact(entries []*Entry) error {
	for _, e := range entries {
		if rowsSum(e.Rows) != e.Aggregates.RowsSum {
			return fmt.Errorf("the rows of scoreboard/%s.json were edited by hand: take them back, and then go on", e.Key)
		}
	}
	return nil
}

// bytes is the entry as its file has it. The same entry has the same bytes.
func (e *Entry) bytes() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	err := enc.Encode(e)
	return b.Bytes(), err
}

// save writes the entries that are not on disk as they are. The caller has the lock.
func save(root string, entries []*Entry) error {
	dir := boardDir(root)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("write the scoreboard: %w", err)
	}
	if err := safefile.Sweep(dir); err != nil {
		return fmt.Errorf("write the scoreboard: %w", err)
	}
	for _, e := range entries {
		data, err := e.bytes()
		if err != nil {
			return fmt.Errorf("write the scoreboard: %s: %w", e.Key, err)
		}
		path := filepath.Join(dir, e.Key+".json")
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := safefile.Write(path, data); err != nil {
			return fmt.Errorf("write the scoreboard: %w", err)
		}
	}
	return nil
}
