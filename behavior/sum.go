package behavior

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/report"
)

// sum adds up what the package's part of a run comes to. Every case is entered
// before the first is played, so the last to leave knows that it is the last.
type sum struct {
	mu        sync.Mutex
	began     time.Time
	entered   int
	left      int
	rehearsal report.Rehearsal
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
func (p *process) leaveRehearsal(r *rehearsal, scripts int) {
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
	p.sum.mu.Unlock()
	if p.sum.leave() {
		fmt.Fprint(os.Stdout, text)
		progress.Say(text)
	}
}

// leaveLive counts a played case out, and says what the run came to when it was
// the last.
func (p *process) leaveLive() {
	if !p.sum.leave() {
		return
	}
	p.mu.Lock()
	entries := append([]*entry(nil), p.entries...)
	p.mu.Unlock()
	sum := report.Summary{
		Model: strings.Join(p.settings.models, ","), Cases: len(entries),
		Time: time.Since(p.sum.began), Run: p.run.dir,
	}
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
	text := p.folder + " " + sum.String()
	fmt.Fprint(os.Stdout, text)
	p.run.meter.Stop(text)
}
