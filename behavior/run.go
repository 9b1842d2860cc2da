package behavior

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deeds-evals/deeds/internal/suite"
)

// Run plays a case and reports what was found to t.
//
// With no -model the case is rehearsed: its committed scripts stand in for the
// model, and what is tested is the case. With -model it is played against the
// model, as often as -repeat says, and every attempt is recorded.
//
// Run calls t.Parallel: the cases of a package are all known before the first of
// them is played.
func Run(t *testing.T, c Case) {
	t.Helper()
	p, err := thisPackage()
	if err != nil {
		p.refuse(t, err)
	}
	if err := p.matchesNothing(); err != nil {
		p.refuse(t, err)
	}
	id := suite.ID(p.folder, t.Name())
	if err := c.validate(); err != nil {
		p.sum.mu.Lock()
		p.sum.scripts = append(p.sum.scripts, p.scriptPath(id)) // it is this case's, whatever the case is
		p.sum.mu.Unlock()
		t.Fatalf("%s is not a case that can be judged:\n%v", id, err)
	}
	switch {
	case p.settings.regrade != "":
		p.regrade(t, id, c)
	case p.settings.plays():
		p.live(t, id, c)
	default:
		p.rehearse(t, id, c)
	}
}

// process is the state of one test binary: the cases of one package.
type process struct {
	settings settings
	dir      string // the package's folder
	folder   string // its base name
	module   string // folder of the go.mod above, or ""
	own      bool   // that module is Deeds itself
	suite    []suite.Case
	again    []string // the flags that a command to play something again repeats

	mu       sync.Mutex
	refused  bool     // the run's one clear error was given
	entries  []*entry // the cases that are to be played, in order
	selected []string // the cases that the other filters leave, in order

	run run
	sum sum

	old     *keptRun // the run that is driven or judged again
	resumed *resumption
	billed  int // prompt tokens that a dry run expects, so far
	recount recount
}

var thisPackage = sync.OnceValues(func() (*process, error) {
	p := &process{}
	dir, err := os.Getwd()
	if err != nil {
		return p, fmt.Errorf("deeds: the folder of the package cannot be found: %w", err)
	}
	p.dir, p.folder = dir, filepath.Base(dir)
	p.module, p.own = findModule(dir)
	if p.settings, err = currentSettings(); err != nil {
		return p, err
	}
	p.again = flagsGiven(rawFlags)
	if p.suite, err = suite.Read(filepath.Dir(dir)); err != nil {
		return p, fmt.Errorf("deeds: the suite cannot be read: %w", err)
	}
	return p, p.adopt()
})

// adopt takes over what the run was asked for that is gone on with, driven again or
// judged again.
func (p *process) adopt() error {
	switch {
	case p.settings.resume != "":
		return p.adoptResume()
	case p.settings.replay != "":
		return p.adoptReplay()
	case p.settings.regrade != "":
		return p.adoptRegrade()
	}
	return nil
}

// refuse ends a test because the run as a whole cannot be. The first test says
// why; the others only that they did not run, so that there is one clear error.
func (p *process) refuse(t *testing.T, err error) {
	t.Helper()
	p.mu.Lock()
	first := !p.refused
	p.refused = true
	p.mu.Unlock()
	if first {
		t.Fatal("\n" + p.run.clean("deeds: "+strings.TrimPrefix(err.Error(), "deeds: ")))
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	t.Skip("not run: " + strings.TrimPrefix(line, "deeds: "))
}

// findModule finds the go.mod above a folder.
func findModule(dir string) (root string, own bool) {
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			first, _, _ := strings.Cut(string(data), "\n")
			return dir, strings.TrimSpace(first) == "module github.com/deeds-evals/deeds"
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// pattern is the package as go test takes it, from the module's folder.
func (p *process) pattern() string {
	if p.module == "" {
		return "."
	}
	rel, err := filepath.Rel(p.module, p.dir)
	if err != nil {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

// command is how the deeds command is called here.
func (p *process) command() string {
	if p.own {
		return "go run ."
	}
	return "deeds"
}

// anchored is the -run pattern that selects exactly the test of that name.
func anchored(test string) string {
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + quoteMeta(part) + "$"
	}
	return "'" + strings.Join(parts, "/") + "'"
}

// quoteMeta escapes what a regular expression would take for its own.
func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		if r == '\'' {
			r = '.'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// parallel makes t wait until every case of the package is known. A test that
// made itself parallel before, or cannot be, is played when it comes.
func parallel(t *testing.T) {
	defer func() { _ = recover() }()
	t.Parallel()
}
