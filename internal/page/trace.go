package page

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"runtime"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/results"
)

// How much of a trace is embedded: of one text, of all texts of one attempt, and how
// many events. Beyond that the page says what is left out, and what shows it.
const (
	mostText   = 32 << 10
	mostTexts  = 512 << 10
	leastText  = 1 << 10 // that a text has when all texts are too much
	mostEvents = 3000
)

// A packed trace is what the script unpacks.
type packed struct {
	trace.Trace
	Events  []packedEvent `json:"events"`
	Files   []packedFile  `json:"files"`
	LeftOut int           `json:"left_out,omitempty"` // events
	Error   string        `json:"error,omitempty"`    // there is no trace
}

type packedEvent struct {
	trace.Event
	TurnTitle string       `json:"turn_title,omitempty"` // where one is due
	Parts     []packedPart `json:"parts,omitempty"`
}

type packedPart struct {
	trace.Part
	More int `json:"more,omitempty"` // bytes
}

type packedFile struct {
	trace.File
	More int `json:"more,omitempty"`
}

// pack writes the traces that are embedded, in the order of the page.
func (m *matrix) pack(w *bufio.Writer, run *results.Run) error {
	var wanted []*slot
	for _, s := range m.slots {
		if s.trace {
			wanted = append(wanted, s)
		}
	}
	// As many as there are processors are read and packed at a time, and written in
	// order.
	type job struct {
		slot *slot
		text chan string
	}
	var (
		workers = runtime.GOMAXPROCS(0)
		jobs    = make(chan job)
		queue   = make(chan job, 4*workers)
		done    = make(chan struct{})
	)
	defer close(done)
	for range workers {
		go func() {
			for j := range jobs {
				j.text <- m.packed(run, j.slot)
			}
		}()
	}
	go func() {
		defer close(jobs)
		defer close(queue)
		for _, s := range wanted {
			j := job{s, make(chan string, 1)}
			select {
			case queue <- j:
			case <-done:
				return
			}
			select {
			case jobs <- j:
			case <-done:
				return
			}
		}
	}()
	for j := range queue {
		if _, err := fmt.Fprintf(w, "<script type=\"text/plain\" id=\"t%d\">%s</script>\n", j.slot.I, <-j.text); err != nil {
			return err
		}
	}
	return nil
}

// packed is a trace as gzip in base64, of the alphabet for URLs: nothing in it means
// anything in HTML.
func (m *matrix) packed(run *results.Run, s *slot) string {
	var p packed
	t, err := trace.Read(run, s.Decided, m.siblings[s.Unit()])
	if err != nil {
		p.Error = inert.Text(err.Error())
	} else {
		p = cut(t)
	}
	data, err := json.Marshal(p)
	if err != nil { // a number that is none
		data, _ = json.Marshal(packed{Error: err.Error()})
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// cut makes every text of a trace inert, and no longer than the page holds.
func cut(t trace.Trace) packed {
	p := packed{Trace: t, Events: []packedEvent{}, Files: []packedFile{}}
	room := mostTexts
	text := func(s string) (string, int) {
		most := min(mostText, max(room, leastText))
		more := 0
		if len(s) > most {
			end := most
			for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
				end--
			}
			s, more = s[:end], len(s)-end
		}
		room -= len(s)
		return inert.Text(s), more
	}
	h := &p.Head
	for _, s := range []*string{
		&h.Run, &h.Case, &h.Claim, &h.World, &h.Variant, &h.Model, &h.Agent, &h.Reason,
		&p.Ending.Reason, &p.Ending.Detail, &p.Ending.Containment, &p.Ending.CostSource, &h.Detail,
	} {
		*s, _ = text(*s)
	}
	h.Siblings = append([]trace.Sibling{}, h.Siblings...)
	for i := range h.Siblings {
		h.Siblings[i].Reason, _ = text(h.Siblings[i].Reason)
	}
	h.Facts = make(map[string]string, len(t.Head.Facts))
	for name, value := range t.Head.Facts {
		value, _ = text(value)
		h.Facts[inert.Line(name)] = value
	}
	p.Verdicts = append([]trace.Verdict{}, t.Verdicts...)
	for i := range p.Verdicts {
		v := &p.Verdicts[i]
		v.Signal, v.Name, v.Where = inert.Line(v.Signal), inert.Line(v.Name), inert.Line(v.Where)
		v.Want, _ = text(v.Want)
		v.Got, _ = text(v.Got)
	}
	for i, ev := range t.Events {
		if i == mostEvents {
			p.LeftOut = len(t.Events) - i
			break
		}
		e := packedEvent{Event: ev}
		if i == 0 || !ev.SameTurn(t.Events[i-1]) {
			e.TurnTitle = inert.Line(ev.TurnTitle())
		}
		e.Kind, e.Agent, e.Status = inert.Line(ev.Kind), inert.Line(ev.Agent), inert.Line(ev.Status)
		e.Title, _ = text(ev.Title)
		e.Lead, _ = text(ev.Lead)
		for _, part := range ev.Parts {
			pp := packedPart{Part: part}
			pp.Name = inert.Line(part.Name)
			pp.Text, pp.More = text(part.Text)
			e.Parts = append(e.Parts, pp)
		}
		p.Events = append(p.Events, e)
	}
	for _, f := range t.Files {
		file := packedFile{File: f}
		file.Path, file.Change, file.Note = inert.Line(f.Path), inert.Line(f.Change), inert.Line(f.Note)
		file.Diff, file.More = text(f.Diff)
		p.Files = append(p.Files, file)
	}
	return p
}
