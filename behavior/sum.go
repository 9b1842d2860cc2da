package behavior

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/results"
)

// sum adds up what the package's part of a run comes to. Every case is entered
// before the first is played, so the last to leave knows that it is the last.
type sum struct {
	mu        sync.Mutex
	began     time.Time
	entered   int
	left      int
	failed    bool // a case that has left is red
	rehearsal report.Rehearsal
	scripts   []string // the files that cases played

	watch sync.Once
	meter *progress.Meter // of a rehearsal
}

func (s *sum) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entered == 0 {
		s.began = time.Now()
	}
	s.entered++
}

// rehearse begins to show how a rehearsal goes, now that all cases are known. It leaves
// no record, so that the packages meet where the go command has built them.
func (s *sum) rehearse() {
	s.watch.Do(func() {
		s.mu.Lock()
		entered := s.entered
		s.mu.Unlock()
		s.meter = progress.Start(progress.Config{Dir: progress.BuildDir(), Total: entered, Rehearsal: true})
	})
}

// leave counts a case out, and reports whether it was the last.
func (s *sum) leave(t *testing.T) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left++
	s.failed = s.failed || t.Failed()
	return s.left == s.entered
}

// swallowed reports whether nobody is going to see what this process prints: the go
// command keeps what a package says that passes, unless it is asked to say all.
func (s *sum) swallowed() bool { return !s.failed && !testing.Verbose() && !progress.Shown() }

// close prints the last words of a package, and leaves them on the terminal where they
// would not be seen otherwise. The last package of a run has a table to add, for the
// person at the terminal. Of a run that is interrupted nothing may be passed on: the go
// command may be gone.
func (s *sum) close(t *testing.T, meter *progress.Meter, text string, interrupted bool, table func(overview.Style) string) {
	t.Helper()
	last := meter.Last()
	style := overview.Style{}
	style.Width, style.Colour = meter.Look()
	rest := func() string {
		if !last {
			return ""
		}
		return table(style)
	}
	if s.swallowed() || interrupted {
		fmt.Fprint(os.Stdout, text)
		meter.Stop(text + rest())
		return
	}
	meter.Stop("")
	fmt.Fprint(os.Stdout, text)
	// Where the go command passes it on nobody knows where to.
	style.Colour = style.Colour && progress.Shown()
	if !t.Failed() {
		fmt.Fprint(os.Stdout, rest())
		return
	}
	// What the test itself has to say comes first, and it is all indented.
	style.Width = max(style.Width-4, 0)
	fmt.Fprint(t.Output(), rest())
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
	outcome := Pass
	if r.failed {
		outcome = Fail
	}
	p.sum.meter.Done(r.id, progress.Result{Outcome: string(outcome)})
	if !p.sum.leave(t) {
		hush(t, p.sum.meter)
		return
	}
	p.orphans(t)
	p.sum.failed = p.sum.failed || t.Failed()
	p.sum.close(t, p.sum.meter, text, false, func(overview.Style) string { return "" })
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
	if !p.sum.leave(t) {
		hush(t, p.run.meter)
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
	if p.run.ctx == nil { // the run was not begun
		if p.nothingLeft() {
			text += "nothing is left to play\n"
		}
		fmt.Fprint(os.Stdout, text)
		if p.sum.swallowed() {
			progress.Say(text)
		}
		return
	}
	p.sum.close(t, p.run.meter, text, errors.Is(context.Cause(p.run.ctx), errInterrupted), p.table)
}

// hush takes the block of progress away before go test prints what a test that failed
// has to say, where that goes to the terminal at once.
func hush(t *testing.T, meter *progress.Meter) {
	if t.Failed() && progress.Shown() {
		meter.Hush()
	}
}

// table is what the whole run comes to so far, packages that ended before included.
// Nothing is said of a run without a record, nor where `deeds run` says it itself.
func (p *process) table(style overview.Style) string {
	r := &p.run
	if os.Getenv(progress.Vouched) != "" {
		return ""
	}
	info, err := results.Find(r.root(), r.dir)
	if err != nil {
		return ""
	}
	run, err := results.Load(r.dir)
	if err != nil || len(run.Attempts) == 0 {
		return "" // whoever reads the run is told what is wrong with it
	}
	style.Command = p.command()
	var text strings.Builder
	text.WriteString("\n")
	o := overview.Of(info, run)
	o.Missing = nil // another package may not have begun yet
	if o.Text(&text, style) != nil {
		return ""
	}
	return r.redacted(text.String())
}

// players says who played.
func (p *process) players() string {
	names := strings.Join(p.settings.models, ",")
	if p.settings.simulated() {
		names += " (simulated: no model was asked)"
	}
	return names
}
