package script

import (
	"strconv"
	"strings"
)

const (
	childHint   = `a message of a child begins with a line such as "child 1": the script's calls of task without an id start the children, in their order`
	freshHint   = `a line "fresh" of its own begins the first message of a new conversation of the agent, after its others`
	summaryHint = `"summary TEXT" and "user TEXT" are paragraphs of their own; several lines of one are joined by a newline`
)

// A paragraph is what stands between two blank lines: a message, or words of
// another kind.
type paragraph struct {
	line    int // of its first line that is no comment; 0 is none so far
	message Message
	think   []string
	say     []string
	calls   bool // a call was begun, if only a broken one
	words   map[string][]string
}

// isMessage reports whether the paragraph has a line of a message.
func (g *paragraph) isMessage() bool {
	return len(g.think)+len(g.say) > 0 || g.calls || g.message.Child > 0 || g.message.Fresh
}

// head reads the line "child N" or "fresh" that a message may begin with.
func (p *parser) head(g *paragraph, word, tail string) {
	tail = strings.TrimSpace(tail)
	switch {
	case g.isMessage() || len(g.words) > 0:
		p.fail(map[string]string{"child": childHint, "fresh": freshHint}[word], "the line %q stands within a message", strings.TrimSpace(word+" "+tail))
	case word == "fresh" && tail != "":
		p.fail(freshHint, "the line of fresh goes on with %q", clip(tail))
	case word == "fresh":
		g.message.Fresh = true
	default:
		n, err := strconv.Atoi(tail)
		if err != nil || n < 1 || strconv.Itoa(n) != tail {
			p.fail(childHint, "%q is not the number of a child", clip(tail))
			n = 1
		}
		g.message.Child = n
	}
}

// flush ends a paragraph.
func (p *parser) flush(g *paragraph, s *Section, comments []string) (rest []string) {
	switch {
	case len(g.words) > 0 && (g.isMessage() || len(g.words) > 1):
		p.failAt(g.line, summaryHint, "the paragraph mixes summary or user with other lines")
	case len(g.words) > 0:
		for word, lines := range g.words {
			text := strings.Join(lines, "\n")
			if strings.TrimSpace(text) == "" {
				p.failAt(g.line, summaryHint, "the paragraph of %s says nothing", word)
			}
			if word == "summary" {
				s.Summary = append(s.Summary, text)
			} else {
				s.User = append(s.User, text)
			}
		}
	case g.isMessage():
		m := g.message
		if m.Fresh && len(Of(s.Messages, 0)) == 0 {
			p.failAt(g.line, freshHint, "the agent's first message begins a conversation by itself")
		}
		m.Comments = comments
		m.Think, m.Say = strings.Join(g.think, "\n"), strings.Join(g.say, "\n")
		s.Messages = append(s.Messages, m)
		p.lines = append(p.lines, g.line)
		return nil
	}
	return comments
}

// whole checks what only shows once the section is read to its end.
func (p *parser) whole(s *Section) {
	if p.broken {
		return
	}
	children := Children(s.Messages)
	last := make(map[string]int) // the lines of closing words
	for i, m := range s.Messages {
		line := p.lines[i]
		if m.Child > children {
			p.failAt(line, childHint, "there is no child %d: the script starts %d", m.Child, children)
		}
		if m.Child > 0 {
			for _, c := range m.Calls {
				if c.Tool == "task" && c.Fails == "" {
					p.failAt(line, `only the agent itself starts children; a call that is meant to be refused ends with "#fails: reason"`, "a child calls task")
				}
			}
		}
		if len(s.Summary) == 0 || len(m.Calls) > 0 || m.Say == "" {
			continue
		}
		if before, twice := last[m.Say]; twice {
			p.failAt(line, "say it in other words: after a summary the place in the script is found by what was said last", "the message says the same as that of line %d, in a script with a summary", before)
		}
		last[m.Say] = line
	}
}
