package results

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// decodeAttempt decodes one line. Lines as this package writes them are read by
// the decoder below, in a quarter of the time that reflection takes;
// whatever it does not know goes to encoding/json.
func decodeAttempt(line []byte, a *Attempt, in interned) error {
	c := cursor{data: line, in: in}
	c.attempt(a)
	if c.end() {
		return nil
	}
	*a = Attempt{}
	return json.Unmarshal(line, a)
}

// interned holds one copy of each text that comes again and again: names,
// digests, outcomes.
type interned map[string]string

func (in interned) text(b []byte) string {
	if s, ok := in[string(b)]; ok {
		return s
	}
	s := string(b)
	in[s] = s
	return s
}

// A cursor reads JSON from the front. At the first thing that it does not expect
// it becomes odd, and reads nothing more.
type cursor struct {
	data []byte
	i    int
	odd  bool
	in   interned
}

func (c *cursor) attempt(a *Attempt) {
	c.object(func(field []byte) {
		switch string(field) {
		case "schema":
			a.Schema = c.int()
		case "run":
			a.Run = c.name()
		case "case":
			a.Case = c.name()
		case "world":
			a.World = c.name()
		case "variant":
			a.Variant = c.name()
		case "model":
			a.Model = c.name()
		case "agent":
			a.Agent = c.name()
		case "attempt":
			a.Attempt = c.int()
		case "play":
			a.Play = c.int()
		case "reroll":
			a.Reroll = c.bool()
		case "outcome":
			a.Outcome = c.name()
		case "reason":
			a.Reason = c.name()
		case "detail":
			a.Detail = c.text()
		case "end":
			a.End = c.name()
		case "signals":
			if a.Signals == nil {
				a.Signals = make(map[string]string, 4)
			}
			c.object(func(signal []byte) {
				name := c.in.text(signal)
				a.Signals[name] = c.name()
			})
		case "verdicts":
			a.Verdicts = []Verdict{}
			c.array(func() {
				a.Verdicts = append(a.Verdicts, Verdict{})
				c.verdict(&a.Verdicts[len(a.Verdicts)-1])
			})
		case "usage":
			c.usage(&a.Usage)
		case "duration_ms":
			a.DurationMS = c.float()
		case "agent_ms":
			a.AgentMS = c.float()
		case "provider_ms":
			a.ProviderMS = c.float()
		case "retries":
			a.Retries = c.int()
		case "turns":
			a.Turns = c.int()
		case "calls":
			a.Calls = c.int()
		case "containment":
			a.Containment = c.name()
		case "digests":
			c.digests(&a.Digests)
		case "commit":
			a.Commit = c.name()
		case "dirty":
			a.Dirty = c.bool()
		case "started":
			a.Started = c.time()
		case "served":
			a.Served = c.name()
		case "fingerprint":
			a.Fingerprint = c.name()
		case "evidence":
			a.Evidence = c.text()
		case "evidence_sha256":
			a.EvidenceSum = c.text()
		default:
			c.odd = true
		}
	})
}

func (c *cursor) verdict(v *Verdict) {
	c.object(func(field []byte) {
		switch string(field) {
		case "signal":
			v.Signal = c.name()
		case "name":
			v.Name = c.name()
		case "outcome":
			v.Outcome = c.name()
		case "got":
			v.Got = c.text()
		case "where":
			v.Where = c.name()
		case "events":
			v.Events = []int{}
			c.array(func() { v.Events = append(v.Events, c.int()) })
		case "conditional":
			v.Conditional = c.bool()
		case "marker":
			v.Marker = c.bool()
		default:
			c.odd = true
		}
	})
}

func (c *cursor) usage(u *Usage) {
	c.object(func(field []byte) {
		switch string(field) {
		case "prompt":
			u.Prompt = c.int()
		case "completion":
			u.Completion = c.int()
		case "cached":
			u.Cached = c.int()
		case "reasoning":
			u.Reasoning = c.int()
		case "unreported":
			u.Unreported = c.int()
		case "cost":
			cost := c.float()
			u.Cost = &cost
		case "cost_source":
			u.CostSource = c.name()
		default:
			c.odd = true
		}
	})
}

func (c *cursor) digests(d *Digests) {
	c.object(func(field []byte) {
		switch string(field) {
		case "case":
			d.Case = c.name()
		case "fixture":
			d.Fixture = c.name()
		case "prompt":
			d.Prompt = c.name()
		case "tools":
			d.Tools = c.name()
		case "grader":
			d.Grader = c.name()
		default:
			c.odd = true
		}
	})
}

// object reads an object, and calls field at the value of each of its fields.
func (c *cursor) object(field func(name []byte)) {
	c.items('{', '}', func() {
		name := c.bytes()
		if c.take(':') {
			field(name)
		}
	})
}

// array reads an array, and calls item at each of its items.
func (c *cursor) array(item func()) { c.items('[', ']', item) }

func (c *cursor) items(open, end byte, item func()) {
	if !c.take(open) {
		return
	}
	if c.peek() == end {
		c.i++
		return
	}
	for {
		item()
		if c.odd {
			return
		}
		if c.peek() == end {
			c.i++
			return
		}
		if !c.take(',') {
			return
		}
	}
}

// peek returns the next byte that is no space, 0 at the end.
func (c *cursor) peek() byte {
	for c.i < len(c.data) {
		switch b := c.data[c.i]; b {
		case ' ', '\t', '\r', '\n':
			c.i++
		default:
			return b
		}
	}
	return 0
}

func (c *cursor) take(b byte) bool {
	if c.odd || c.peek() != b {
		c.odd = true
		return false
	}
	c.i++
	return true
}

// end reports whether all was read, and nothing was odd.
func (c *cursor) end() bool { return !c.odd && c.peek() == 0 && c.i == len(c.data) }

// name reads a string that is likely to come again.
func (c *cursor) name() string { return c.in.text(c.bytes()) }

// text reads a string that is not.
func (c *cursor) text() string { return string(c.bytes()) }

// bytes reads a string. The result is valid until data changes.
func (c *cursor) bytes() []byte {
	if !c.take('"') {
		return nil
	}
	rest := c.data[c.i:]
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		c.odd = true
		return nil
	}
	if bytes.IndexByte(rest[:end], '\\') >= 0 {
		return c.escaped()
	}
	for _, b := range rest[:end] {
		if b < ' ' || b >= utf8.RuneSelf && !utf8.Valid(rest[:end]) {
			c.odd = true
			return nil
		}
	}
	c.i += end + 1
	return rest[:end]
}

// escaped reads a string with escapes in it, whose opening quote was read.
func (c *cursor) escaped() []byte {
	start := c.i - 1
	for c.i < len(c.data) {
		switch c.data[c.i] {
		case '\\':
			c.i += 2
		case '"':
			c.i++
			var s string
			if json.Unmarshal(c.data[start:c.i], &s) != nil {
				c.odd = true
			}
			return []byte(s)
		default:
			c.i++
		}
	}
	c.odd = true
	return nil
}

// word reads a number or a literal.
func (c *cursor) word() []byte {
	c.peek()
	start := c.i
	for c.i < len(c.data) {
		switch c.data[c.i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return c.data[start:c.i]
		}
		c.i++
	}
	return c.data[start:]
}

func (c *cursor) int() int {
	w := c.word()
	// Up to eighteen digits cannot overflow. What JSON forbids, as in 007, is odd.
	if len(w) == 0 || len(w) > 18 || w[0] == '0' && len(w) > 1 {
		c.odd = true
		return 0
	}
	n := 0
	for _, b := range w {
		if b < '0' || b > '9' {
			c.odd = true
			return 0
		}
		n = n*10 + int(b-'0')
	}
	return n
}

func (c *cursor) float() float64 {
	w := c.word()
	// ParseFloat takes more than JSON does: names, hexadecimals, a bare point.
	if len(w) == 0 || w[0] < '0' || w[0] > '9' || w[len(w)-1] == '.' || w[0] == '0' && len(w) > 1 && w[1] != '.' {
		c.odd = true
		return 0
	}
	for _, b := range w {
		if (b < '0' || b > '9') && b != '.' {
			c.odd = true
			return 0
		}
	}
	f, err := strconv.ParseFloat(string(w), 64)
	if err != nil {
		c.odd = true
	}
	return f
}

func (c *cursor) bool() bool {
	switch string(c.word()) {
	case "true":
		return true
	case "false":
		return false
	}
	c.odd = true
	return false
}

func (c *cursor) time() time.Time {
	var t time.Time
	// The strict parser wants the quotes.
	start := c.i
	c.bytes()
	if c.odd || t.UnmarshalJSON(c.data[start:c.i]) != nil {
		c.odd = true
	}
	return t
}
