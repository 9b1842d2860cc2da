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

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/trace"
	"github.com/deeds-evals/deeds/results"
)

// How much of a trace is embedded: of one text, of all texts of one attempt, and how
// many events. Beyond that the page says what is left out, and what shows it.
const (
	mostText   = 32 << 10
	mostTexts  = 512 << 10
	mostLine   = 2 << 10 // of what is one line, such as a name
	leastText  = 1 << 10 // that a text has when all texts are too much
	mostEvents = 3000
)

// A packed trace is what the script unpacks.
type packed struct {
	trace.Trace
	Events  []packedEvent `json:"events"`
	Files   []packedFile  `json:"files"`
	LeftOut int           `json:"left_out,omitempty"` // events
	Error   string        `json:"error,omitempty"`    // why there is no trace: the rest is what is on record
	Took    string        `json:"took"`
	Own     string        `json:"own"` // what of that was the agent's
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
		if s.holds != nothing {
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
	t, why := m.read(run, s)
	p := cut(t)
	p.Error, _ = shorten(why, mostLine)
	data, err := json.Marshal(p)
	if err != nil { // a number that is none
		data, _ = json.Marshal(packed{Error: "The trace of this attempt cannot be packed: " + err.Error(), Events: []packedEvent{}, Files: []packedFile{}, Trace: trace.Trace{Verdicts: []trace.Verdict{}}})
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// read is the trace of an attempt. Where there is none it is what the record says alone,
// and a sentence on why.
func (m *matrix) read(run *results.Run, s *slot) (trace.Trace, string) {
	siblings := m.siblings[s.Unit()]
	if s.holds == record && s.Decided.Evidence != "" {
		return trace.Of(run, s.Decided, siblings, behavior.Evidence{}), "The report does not hold the trace of this attempt: there are too many."
	}
	t, err := trace.Read(run, s.Decided, siblings)
	if err != nil {
		return trace.Of(run, s.Decided, siblings, behavior.Evidence{}), "There is no trace of this attempt: " + err.Error() + "."
	}
	return t, ""
}

// shorten cuts a text, and says by how many bytes.
func shorten(s string, most int) (string, int) {
	if len(s) <= most {
		return inert.Text(s), 0
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return inert.Text(s[:end]), len(s) - end
}

// line is a text of one line, which a name is: what is too long for one ends in an
// ellipsis.
func line(s string) string {
	text, more := shorten(s, mostLine)
	if more > 0 {
		text += "…"
	}
	return inert.Line(text)
}

// cut makes every text of a trace inert, and no longer than the page holds.
func cut(t trace.Trace) packed {
	p := packed{
		Trace: t, Events: []packedEvent{}, Files: []packedFile{},
		Took: overview.Duration(t.Ending.DurationMS), Own: overview.Duration(t.Ending.AgentMS),
	}
	room := mostTexts
	text := func(s string) (string, int) {
		short, more := shorten(s, min(mostText, max(room, leastText)))
		room -= len(s) - more
		return short, more
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
		h.Facts[line(name)] = value
	}
	p.Verdicts = append([]trace.Verdict{}, t.Verdicts...)
	for i := range p.Verdicts {
		v := &p.Verdicts[i]
		v.Signal, v.Name, v.Where = line(v.Signal), line(v.Name), line(v.Where)
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
			e.TurnTitle = line(ev.TurnTitle())
		}
		e.Kind, e.Agent, e.Status = line(ev.Kind), line(ev.Agent), line(ev.Status)
		e.Title, _ = text(ev.Title)
		e.Lead, _ = text(ev.Lead)
		for _, part := range ev.Parts {
			pp := packedPart{Part: part}
			pp.Name = line(part.Name)
			pp.Text, pp.More = text(part.Text)
			e.Parts = append(e.Parts, pp)
		}
		p.Events = append(p.Events, e)
	}
	for _, f := range t.Files {
		file := packedFile{File: f}
		file.Path, file.Change, file.Note = line(f.Path), line(f.Change), line(f.Note)
		file.Diff, file.More = text(f.Diff)
		p.Files = append(p.Files, file)
	}
	return p
}
