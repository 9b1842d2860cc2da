package results

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
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/zstd"
)

// A Run is the record of one run, as it was found.
type Run struct {
	ID  string // the name of its folder
	Dir string

	Plans []Plan // by package, then by the time they were made
	// Attempts holds every play on record, in the order in which they started.
	Attempts []Attempt
	// Stopped is set where the run was stopped before its end.
	Stopped *Stop

	// Torn counts the lines that are no whole attempt. A process that is killed
	// while it writes leaves one; the attempt it was about had not been counted.
	Torn int
	// Problems says in sentences what else could not be read.
	Problems []string
}

// Load reads the record in the folder of a run. What cannot be read is said in the
// run's Problems and left out; the error is for a folder that cannot be read at all.
func Load(dir string) (*Run, error) {
	names, err := recordFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("read the run: %w", err)
	}
	r := &Run{ID: filepath.Base(dir), Dir: dir}
	var ends []int // of the files, in Attempts
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case err != nil:
			r.problem("%s: %v", name, unwrapPath(err))
		case name == StopFile:
			r.loadStop(data)
		case strings.HasPrefix(name, "plan-"):
			r.loadPlan(name, data)
		default:
			r.loadAttempts(name, data)
			ends = append(ends, len(r.Attempts))
		}
	}
	slices.SortStableFunc(r.Plans, func(a, b Plan) int {
		if a.Package != b.Package {
			return strings.Compare(a.Package, b.Package)
		}
		return a.Created.Compare(b.Created)
	})
	r.Attempts = byStart(r.Attempts, ends)
	return r, nil
}

// byStart returns the attempts, which come from files that end where ends says, in
// the order in which they started. They are large, and mostly in order: each is moved
// once at most.
//
// A clock may be set back while a run goes on, and which play of a slot was the first
// decides its outcome. The plays that one file has of a slot followed each other, so
// none of them is put before one that stands before it there.
func byStart(all []Attempt, ends []int) []Attempt {
	if slices.IsSortedFunc(all, func(a, b Attempt) int { return a.Started.Compare(b.Started) }) {
		return all
	}
	began := make([]time.Time, len(all))
	for i, from := 0, 0; i < len(ends); i++ {
		latest := make(map[Slot]time.Time)
		for n := from; n < ends[i]; n++ {
			began[n] = all[n].Started
			if before := latest[all[n].Slot]; began[n].Before(before) {
				began[n] = before
			}
			latest[all[n].Slot] = began[n]
		}
		from = ends[i]
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return began[i].Compare(began[j]) })
	sorted := make([]Attempt, len(all))
	for i, j := range order {
		sorted[i] = all[j]
	}
	return sorted
}

// recordFiles lists the files of the record in a folder, evidence left out, by name.
func recordFiles(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	all, err := d.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range all {
		if name == StopFile ||
			strings.HasPrefix(name, "plan-") && strings.HasSuffix(name, ".json") ||
			strings.HasPrefix(name, "attempts-") && strings.HasSuffix(name, ".jsonl") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

func (r *Run) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

func (r *Run) loadStop(data []byte) {
	var s Stop
	if err := json.Unmarshal(data, &s); err != nil {
		r.problem("%s is not what it should be: %v", StopFile, err)
		return
	}
	r.Stopped = &s
}

func (r *Run) loadPlan(name string, data []byte) {
	var p Plan
	switch err := json.Unmarshal(data, &p); {
	case p.Schema > Schema:
		r.problem("%s was written by a later deeds: its schema is %d, and this one reads up to %d", name, p.Schema, Schema)
	case err != nil:
		r.problem("%s is no plan: %v", name, err)
	default:
		r.Plans = append(r.Plans, p)
	}
}

// loadAttempts reads the lines of one file, all processors at work.
func (r *Run) loadAttempts(name string, data []byte) {
	chunks := split(data, runtime.GOMAXPROCS(0))
	parts := make([]lines, len(chunks))
	var wg sync.WaitGroup
	for i, chunk := range chunks {
		wg.Go(func() { parts[i].read(chunk) })
	}
	wg.Wait()
	var torn, later int
	n := 0
	for _, p := range parts {
		n += len(p.attempts)
	}
	r.Attempts = slices.Grow(r.Attempts, n)
	for _, p := range parts {
		r.Attempts = append(r.Attempts, p.attempts...)
		torn += p.torn
		later += p.later
	}
	r.Torn += torn
	if later > 0 {
		r.problem("%s: %s written by a later deeds, and left out: this one reads schemas up to %d",
			name, count(later, "attempt was", "attempts were"), Schema)
	}
}

// split cuts data into about n pieces of similar size, each of whole lines.
func split(data []byte, n int) [][]byte {
	const least = 1 << 16 // what is worth a goroutine
	var chunks [][]byte
	size := max(len(data)/n, least)
	for len(data) > 0 {
		end := len(data)
		if size < end {
			if i := bytes.IndexByte(data[size:], '\n'); i >= 0 {
				end = size + i + 1
			}
		}
		chunks = append(chunks, data[:end])
		data = data[end:]
	}
	return chunks
}

// lines is what a number of lines held.
type lines struct {
	attempts []Attempt
	torn     int
	later    int // attempts of a later schema
}

func (l *lines) read(data []byte) {
	l.attempts = make([]Attempt, 0, bytes.Count(data, []byte("\n"))+1)
	in := make(interned)
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		l.attempts = append(l.attempts, Attempt{})
		a := &l.attempts[len(l.attempts)-1]
		err := decodeAttempt(line, a, in)
		if err == nil && a.Schema <= Schema && a.Case != "" {
			continue
		}
		if a.Schema > Schema {
			l.later++
		} else {
			l.torn++
		}
		l.attempts = l.attempts[:len(l.attempts)-1]
	}
}

// Evidence returns the evidence of an attempt of the run: the JSON of a
// behavior.Evidence. It is an error if the file is not the one that was recorded.
func (r *Run) Evidence(a Attempt) ([]byte, error) {
	if a.Evidence == "" {
		return nil, fmt.Errorf("no evidence of attempt %d of %s was kept", a.Attempt, a.Case)
	}
	path := filepath.FromSlash(a.Evidence)
	if !filepath.IsLocal(path) {
		return nil, fmt.Errorf("the evidence of %s is said to lie outside of the run: %q", a.Case, a.Evidence)
	}
	packed, err := os.ReadFile(filepath.Join(r.Dir, path))
	if err != nil {
		return nil, fmt.Errorf("read the evidence: %w", err)
	}
	if sum := sha256.Sum256(packed); a.EvidenceSum != "" && a.EvidenceSum != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("the evidence %s is not what was recorded: its SHA-256 is %x, and %s is on record", a.Evidence, sum, a.EvidenceSum)
	}
	data, err := zstd.Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("read the evidence %s: %w", a.Evidence, err)
	}
	return data, nil
}

// unwrapPath leaves out the path of an error that is told beside its file's name.
func unwrapPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
