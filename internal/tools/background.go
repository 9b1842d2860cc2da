package tools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// The bounds on waits, unless told.
const (
	promoteAfter = 60 * time.Second
	longestWait  = 60 * time.Second
)

// background is the commands of a set that run, or have run, in the background.
type background struct {
	// telling is held from before a change is told to after it has taken place, so
	// that events come in the order of what they tell of. It is taken before mu.
	telling sync.Mutex

	mu   sync.Mutex
	jobs []*job        // bg-1, bg-2, …
	news chan struct{} // closed and replaced when a job ends or joins
}

// A Notice tells the model that a command in the background has ended by itself.
type Notice struct {
	ID   string
	Text string // the whole message, in <notice> tags
}

// Notices returns a notice for each command in the background that has ended by
// itself and whose end the model has not seen, and counts it as seen: a notice comes
// once. They are in the order in which the commands were started.
func (s *Set) Notices() []Notice {
	b := &s.background
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Notice
	for _, j := range b.jobs {
		if j.pending() {
			j.seen = true
			all = append(all, Notice{ID: j.id, Text: j.notice()})
		}
	}
	return all
}

// Running lists the ids of the commands that run in the background.
func (s *Set) Running() []string {
	b := &s.background
	b.mu.Lock()
	defer b.mu.Unlock()
	var ids []string
	for _, j := range b.jobs {
		if !j.ended {
			ids = append(ids, j.id)
		}
	}
	return ids
}

// WaitEnd waits until there is a notice, and returns true. It returns false when ctx
// ends, or when nothing runs in the background that could bring one.
func (s *Set) WaitEnd(ctx context.Context) bool {
	b := &s.background
	for {
		b.mu.Lock()
		due := slices.ContainsFunc(b.jobs, (*job).pending)
		running := slices.ContainsFunc(b.jobs, func(j *job) bool { return !j.ended })
		if b.news == nil {
			b.news = make(chan struct{})
		}
		news := b.news
		b.mu.Unlock()
		if due || !running {
			return due
		}
		select {
		case <-news:
		case <-ctx.Done():
			return false
		}
	}
}

// Close kills the commands that run in the background, and waits for their ends.
func (s *Set) Close() {
	b := &s.background
	b.mu.Lock()
	jobs := slices.Clone(b.jobs)
	b.mu.Unlock()
	for _, j := range jobs {
		j.stop(errKilled)
	}
	for _, j := range jobs {
		<-j.done
	}
}

// pending reports whether a notice of the job is due.
func (j *job) pending() bool { return j.ended && !j.seen && j.waiting == 0 }

// begin starts a command in the background.
func (s *Set) begin(ctx context.Context, command string) (*job, error) {
	b := &s.background
	b.telling.Lock()
	defer b.telling.Unlock()
	j, err := s.startJob(ctx, command)
	if err == nil {
		s.join(j, "started") // however soon it ends, that comes after
	}
	return j, err
}

// promote moves a job to the background, unless it has ended meanwhile, and reports
// whether it did.
func (s *Set) promote(j *job) bool {
	b := &s.background
	b.telling.Lock()
	defer b.telling.Unlock()
	if j.ended { // it changes only where telling is held
		return false
	}
	s.join(j, "promoted")
	return true
}

// join gives a job its id. The caller holds telling.
func (s *Set) join(j *job, state string) {
	b := &s.background
	id := fmt.Sprintf("bg-%d", len(b.jobs)+1)
	s.observe(Event{Kind: "background", ID: id, State: state, Text: j.command})
	b.mu.Lock()
	defer b.mu.Unlock()
	j.id = id
	b.jobs = append(b.jobs, j)
	b.tell()
}

// left notes that a job has ended.
func (s *Set) left(j *job, e end) {
	b := &s.background
	b.telling.Lock()
	defer b.telling.Unlock()
	if j.id != "" { // it changes only where telling is held
		s.observe(Event{Kind: "background", ID: j.id, State: e.state(), Text: j.command, Exit: e.status(), Changed: j.changed()})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	j.ended, j.end = true, e
	j.seen = e.state() == "killed"
	b.tell()
}

// see notes that the model has seen how a job ended, if it has, by other means than
// a notice, and returns whether it has and how.
func (s *Set) see(j *job) (end, bool) {
	b := &s.background
	b.telling.Lock()
	defer b.telling.Unlock()
	b.mu.Lock()
	ended, first, e := j.ended, j.ended && !j.seen, j.end
	j.seen = j.ended
	b.mu.Unlock()
	if first {
		s.observe(Event{Kind: "background", ID: j.id, State: "withdrawn", Text: j.command, Exit: e.status()})
	}
	return e, ended
}

// await waits until a job has ended or the time is over. While it waits no notice of
// the job is due: the call that waits is about to say it. The caller must call the
// function that it gets, after it has looked.
func (s *Set) await(ctx context.Context, j *job, wait time.Duration) (looked func()) {
	b := &s.background
	b.mu.Lock()
	j.waiting++
	b.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-j.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		j.waiting--
		b.tell()
	}
}

// tell wakes those who wait for news. The caller holds mu.
func (b *background) tell() {
	if b.news != nil {
		close(b.news)
		b.news = nil
	}
}

// find returns the job of an id.
func (b *background) find(id string) (*job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var ids []string
	for _, j := range b.jobs {
		if j.id == id {
			return j, nil
		}
		ids = append(ids, j.id)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("there is no background command %q: none was started", shorten(id, 40))
	}
	return nil, fmt.Errorf("there is no background command %q; there are: %s", shorten(id, 40), strings.Join(ids, ", "))
}

func (s *Set) observe(e Event) {
	if s.env.Observe != nil {
		s.env.Observe(e)
	}
}

// closing is a tag that would end a notice before its end.
var closing = regexp.MustCompile(`(?i)</(notice)`)

// notice is the text of the notice of a job that has ended.
func (j *job) notice() string {
	body := fmt.Sprintf("%s %s\ncommand: %s\noutput:\n%s", j.id, j.end, j.command, j.output.text())
	return "<notice>\n" + closing.ReplaceAllString(strings.ToValidUTF8(body, "\uFFFD"), `<\/$1`) + "\n</notice>"
}
