package behavior

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/script"
)

// sum adds up what the package's part of a run comes to. Every case is entered
// before the first is played, so the last to leave knows that it is the last.
type sum struct {
	mu        sync.Mutex
	began     time.Time
	entered   int
	left      int
	rehearsal report.Rehearsal
	scripts   []string // the files that cases played
}

func (s *sum) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entered == 0 {
		s.began = time.Now()
	}
	s.entered++
}

// leave counts a case out, and reports whether it was the last.
func (s *sum) leave() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left++
	return s.left == s.entered
}

// leaveRehearsal counts a rehearsed case out, and says what the rehearsal came to
// when it was the last. go test swallows what a passing test prints, so it is
// said on the terminal too.
func (p *process) leaveRehearsal(t *testing.T, r *rehearsal, scripts int) {
	t.Helper()
	killed, total, _ := r.killRate()
	p.sum.mu.Lock()
	p.sum.rehearsal.Cases++
	p.sum.rehearsal.Sections += scripts
	p.sum.rehearsal.Biting += killed
	p.sum.rehearsal.Total += total
	if r.failed {
		p.sum.rehearsal.Broken++
	}
	p.sum.rehearsal.Time = time.Since(p.sum.began)
	text := p.folder + " " + p.sum.rehearsal.String()
	p.sum.scripts = append(p.sum.scripts, r.script)
	p.sum.mu.Unlock()
	if p.sum.leave() {
		p.orphans(t)
		fmt.Fprint(os.Stdout, text)
		progress.Say(text)
	}
}

// orphans fails the last case of a package if there are scripts that no case plays:
// a misnamed one would test nothing, and say so nowhere. Where cases were left out,
// nobody can tell.
func (p *process) orphans(t *testing.T) {
	t.Helper()
	if p.settings.limit > 0 || len(p.settings.signals) > 0 || testFlag("test.run") != "" || testFlag("test.skip") != "" {
		return
	}
	files, _ := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	for _, file := range files {
		name := filepath.ToSlash(file)
		if !slices.Contains(p.sum.scripts, name) && isScript(file) {
			t.Errorf("no case plays the script %s\nhint: a script is named after the Test function of its case, in kebab case", name)
		}
	}
}

// isScript reports whether a file is one: a package may keep other archives.
func isScript(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	scripts, err := script.Parse(data)
	return err == nil && len(scripts.Sections) > 0
}

// leaveLive counts a played case out, and says what the run came to when it was
// the last.
func (p *process) leaveLive(t *testing.T) {
	t.Helper()
	if !p.sum.leave() {
		return
	}
	defer p.publish(t)
	p.mu.Lock()
	entries := append([]*entry(nil), p.entries...)
	p.mu.Unlock()
	sum := report.Summary{
		Model: p.players(), Cases: len(entries),
		Time: time.Since(p.sum.began), Run: p.run.dir,
	}
	p.run.mu.Lock()
	sum.NotRun = p.run.over
	p.run.mu.Unlock()
	for _, e := range entries {
		for _, s := range e.slots {
			sum.Planned++
			a := s.settled()
			if a == nil {
				continue
			}
			switch a.outcome {
			case Pass:
				sum.Passed++
			case Fail:
				sum.Failed++
			default:
				sum.Void++
			}
			if n := a.evidence.Usage.tokens(); n < 0 || sum.Tokens < 0 {
				sum.Tokens = -1
			} else {
				sum.Tokens += n
			}
		}
	}
	text := p.folder + " " + sum.String() + p.replaySum()
	if p.run.journal == nil { // the run was not begun
		if p.nothingLeft() {
			text += "nothing is left to play\n"
		}
		progress.Say(text)
	}
	fmt.Fprint(os.Stdout, text)
	p.run.meter.Stop(text)
}

// players says who played.
func (p *process) players() string {
	names := strings.Join(p.settings.models, ",")
	if p.settings.simulated() {
		names += " (simulated: no model was asked)"
	}
	return names
}
