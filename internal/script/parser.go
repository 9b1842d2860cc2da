package script

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/spelling"
)

const (
	lineHint  = `a line is "think TEXT", "say TEXT", "# comment" or a call such as "read path=notes.txt"`
	valueHint = `a value is a bare word, JSON such as "two words" or [1, 2], or a raw string in back quotes`
	markHint  = `a call ends with the line, or with "#optional: reason" or "#fails: reason"`
)

// lineWords begin the lines that are no call.
var lineWords = []string{"think", "say", "summary", "user", "child", "fresh"}

var (
	toolName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*`)
	argName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*`)
)

// A parser goes through the text of one section.
type parser struct {
	text   string // what is left
	line   int    // of its beginning
	errs   *errorList
	broken bool  // an error was found in this section
	lines  []int // at which its messages begin
}

func (p *parser) fail(hint, format string, args ...any) { p.failAt(p.line, hint, format, args...) }

func (p *parser) failAt(line int, hint, format string, args ...any) {
	p.errs.add(line, hint, format, args...)
	p.broken = true
}

// section reads the section to its end.
func (p *parser) section(s *Section) {
	var (
		g        paragraph
		comments []string
	)
	for p.text != "" {
		p.blanks()
		rest := p.rest()
		word, tail, _ := strings.Cut(rest, " ")
		if g.line == 0 && strings.TrimSpace(rest) != "" && rest[0] != '#' {
			g.line = p.line
		}
		switch {
		case strings.TrimSpace(rest) == "":
			comments = p.flush(&g, s, comments)
			g = paragraph{}
			p.next()
		case rest[0] == '#':
			comments = append(comments, strings.TrimPrefix(rest[1:], " "))
			p.next()
		case word == "child" || word == "fresh":
			p.head(&g, word, tail)
			p.next()
		case word == "think":
			p.check(tail)
			g.think = append(g.think, tail)
			p.next()
		case word == "say":
			p.check(tail)
			g.say = append(g.say, tail)
			p.next()
		case word == "summary" || word == "user":
			p.check(tail)
			if g.words == nil {
				g.words = make(map[string][]string)
			}
			g.words[word] = append(g.words[word], tail)
			p.next()
		default:
			// A broken call is reported, and the next line read as if it had
			// been right.
			if c, ok := p.call(); ok {
				g.message.Calls = append(g.message.Calls, c)
			} else {
				p.next()
			}
			g.calls = true
		}
	}
	comments = p.flush(&g, s, comments)
	if len(comments) > 0 && len(s.Messages) > 0 {
		last := &s.Messages[len(s.Messages)-1]
		last.Comments = append(last.Comments, comments...)
	}
	p.whole(s)
}

// call reads one call and the end of its last line.
func (p *parser) call() (Call, bool) {
	name := toolName.FindString(p.text)
	after := p.text[len(name):]
	if name == "" || after != "" && !strings.ContainsRune(" \t\n", rune(after[0])) {
		p.fail(lineHint, "cannot read %q", clip(p.rest()))
		return Call{}, false
	}
	c := Call{Tool: name}
	p.text = after
	p.blanks()
	switch {
	case strings.HasPrefix(p.text, "!"):
		c.IsRaw = true
		c.Raw = p.rest()[1:]
		for _, m := range marks {
			if raw, reason, ok := cutLast(c.Raw, " "+m.prefix); ok {
				c.Raw = raw
				if !p.mark(&c, m.prefix+reason) {
					return c, false
				}
			}
		}
		p.next()
		return c, true
	case strings.HasPrefix(p.text, "{"):
		value, ok := p.json(name)
		if !ok {
			return c, false
		}
		if c.Args, ok = p.object(name, value); !ok {
			return c, false
		}
		p.blanks()
		return c, p.end(&c)
	}
	for {
		p.blanks()
		if p.text == "" || p.text[0] == '\n' || p.text[0] == '#' {
			return c, p.end(&c)
		}
		arg, ok := p.arg(c)
		if !ok {
			return c, false
		}
		c.Args = append(c.Args, arg)
	}
}

// end reads what may follow the arguments of a call.
func (p *parser) end(c *Call) bool {
	if rest := strings.TrimSpace(p.rest()); rest != "" && !p.mark(c, rest) {
		return false
	}
	p.next()
	return true
}

// marks are what an author can say of a call.
var marks = []struct {
	prefix, word string
	field        func(*Call) *string
}{
	{"#optional:", "is optional", func(c *Call) *string { return &c.Optional }},
	{"#fails:", "fails", func(c *Call) *string { return &c.Fails }},
}

// mark reads one mark and its reason.
func (p *parser) mark(c *Call, text string) bool {
	for _, m := range marks {
		reason, ok := strings.CutPrefix(text, m.prefix)
		if !ok {
			continue
		}
		if reason = strings.TrimSpace(reason); reason == "" {
			p.fail(markHint, "the call of %s %s without a reason", c.Tool, m.word)
			return false
		}
		*m.field(c) = reason
		return true
	}
	word, tail := text, ""
	if i := strings.IndexAny(text, ": "); i > 0 {
		word, tail = text[:i], text[i+1:]
	}
	hint := markHint
	for _, m := range marks {
		if near := spelling.Nearest(word, []string{strings.TrimSuffix(m.prefix, ":")}); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %q?", m.prefix+" "+cmp.Or(strings.TrimSpace(tail), "reason"))
		}
	}
	p.fail(hint, "cannot read %q after the call of %s", clip(text), c.Tool)
	return false
}

// arg reads key=value.
func (p *parser) arg(c Call) (Arg, bool) {
	name := argName.FindString(p.text)
	if name == "" || !strings.HasPrefix(p.text[len(name):], "=") {
		word, _, _ := strings.Cut(p.rest(), " ")
		hint := `write key=value, and quote a value that has blanks in it: key="two words"`
		if near := spelling.Nearest(c.Tool, lineWords); len(near) > 0 && len(c.Args) == 0 && !slices.Contains(lineWords, c.Tool) {
			hint = fmt.Sprintf("did you mean %q?", near[0]+" "+clip(p.rest()))
		}
		p.fail(hint, "%q is no argument of %s", clip(word), c.Tool)
		return Arg{}, false
	}
	for _, a := range c.Args {
		if a.Name == name {
			p.fail("give each argument once", "%s has the argument %s twice", c.Tool, name)
			return Arg{}, false
		}
	}
	p.text = p.text[len(name)+1:]
	value, bare, ok := p.value(name)
	if !ok {
		return Arg{}, false
	}
	if p.text != "" && !strings.ContainsRune(" \t\n", rune(p.text[0])) {
		p.fail(valueHint, "the value of %s goes on with %q after its end", name, clip(p.rest()))
		return Arg{}, false
	}
	return Arg{Name: name, Value: value, Bare: bare}, true
}

// value reads the value of the named argument.
func (p *parser) value(name string) (value json.RawMessage, bare, ok bool) {
	if p.text == "" || strings.ContainsRune(" \t\n", rune(p.text[0])) {
		p.fail(`an empty string is written `+name+`=""`, "the argument %s has no value", name)
		return nil, false, false
	}
	switch p.text[0] {
	case '"', '[', '{':
		value, ok = p.json(name)
		return value, false, ok
	case '`':
		raw, after, closed := strings.Cut(p.text[1:], "`")
		if !closed {
			p.fail("close it; within the section, which also ends at a line such as -- pass --", "the raw string of %s is not closed", name)
			return nil, false, false
		}
		if !p.check(raw) {
			return nil, false, false
		}
		p.line += strings.Count(raw, "\n")
		p.text = after
		return encode(raw), false, true
	}
	word := p.word()
	if json.Valid([]byte(word)) {
		return json.RawMessage(word), false, true
	}
	return encode(word), strings.Contains(word, "${"), p.check(word)
}

// word reads up to the next blank that is not within ${…}.
func (p *parser) word() string {
	rest := p.rest()
	i := 0
	for i < len(rest) && rest[i] != ' ' && rest[i] != '\t' {
		if strings.HasPrefix(rest[i:], "${") {
			if n := closing(rest[i+2:]); n >= 0 {
				i += 2 + n
			}
		}
		i++
	}
	p.text = p.text[i:]
	return rest[:i]
}

// json reads one JSON value, which may go over several lines.
func (p *parser) json(name string) (json.RawMessage, bool) {
	var (
		value json.RawMessage
		short bytes.Buffer
	)
	d := json.NewDecoder(strings.NewReader(p.text))
	err := d.Decode(&value)
	if err == nil {
		err = json.Compact(&short, value)
	}
	if err != nil {
		hint := valueHint
		if strings.Contains(err.Error(), "escape code") {
			hint = `in JSON a backslash is written \\; in a raw string in back quotes it is not`
		}
		p.fail(hint, "the JSON of %s is broken: %v", name, err)
		return nil, false
	}
	// Strings are spelled in one way from here on.
	value, err = mapStrings(short.Bytes(), func(s string) (string, error) { return s, checkTemplate(s) })
	if err != nil {
		p.fail(templateHint, "%v", err)
		return nil, false
	}
	n := int(d.InputOffset())
	p.line += strings.Count(p.text[:n], "\n")
	p.text = p.text[n:]
	return value, true
}

// object takes a JSON object apart, in its own order.
func (p *parser) object(tool string, value json.RawMessage) ([]Arg, bool) {
	var args []Arg
	seen := make(map[string]bool)
	d := json.NewDecoder(bytes.NewReader(value))
	_, _ = d.Token() // the brace: the value was decoded before
	for d.More() {
		key, _ := d.Token()
		var v json.RawMessage
		_ = d.Decode(&v)
		name, _ := key.(string)
		if seen[name] {
			p.fail("give each argument once", "%s has the argument %s twice", tool, name)
			return nil, false
		}
		seen[name] = true
		args = append(args, Arg{Name: name, Value: v})
	}
	return args, true
}

// check reports a ${…} that is not right.
func (p *parser) check(s string) bool {
	if err := checkTemplate(s); err != nil {
		p.fail(templateHint, "%v", err)
		return false
	}
	return true
}

// rest is what is left of the line, next goes to the next one, and blanks skips
// blanks within the line.
func (p *parser) rest() string {
	line, _, _ := strings.Cut(p.text, "\n")
	return line
}

func (p *parser) next() {
	_, p.text, _ = strings.Cut(p.text, "\n")
	p.line++
}

func (p *parser) blanks() { p.text = strings.TrimLeft(p.text, " \t") }

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// clip keeps a quotation short.
func clip(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + "…"
}
