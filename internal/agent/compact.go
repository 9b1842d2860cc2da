package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/internal/tools"
)

const (
	// fullAt is the share of the context window, in percent, at which a conversation
	// is compacted.
	fullAt = 80
	// kept is how many messages of the model stay in the middle of a turn.
	kept = 2
	// worthwhile is the share of the window that what is summarized must at least
	// take, in percent: a summary that wins nothing would be made again at each turn.
	worthwhile = 10
	// bytesPerToken turns the length of a text into a guess at its tokens.
	bytesPerToken = 4
)

// excerpts are how much of each tool result a summary is made from, in characters: if
// the whole does not fit either, less of it may.
var excerpts = []int{8_000, 1_000}

// errNoSummary says that a model was asked for a summary and gave none.
var errNoSummary = errors.New("the conversation was not compacted")

// Compact replaces the conversation so far, but for its end, by a summary that the
// model writes. If the model writes none, the conversation stays as it is, and a
// notice says so. The error is that of [Session.Send].
func (s *Session) Compact(ctx context.Context) error {
	s.meter.begin()
	defer s.meter.end()
	_, err := s.compact(ctx, s.history.seam(kept))
	return err
}

// makeRoom compacts a conversation that nearly fills the window, if that is of use.
func (s *Session) makeRoom(ctx context.Context) error {
	window := s.config.Window
	if window <= 0 || s.futile || s.size()*100 < window*fullAt {
		return nil
	}
	cut := s.history.seam(kept)
	if !s.history.spoken(cut) || guess(s.history.messages[:cut])*100 < window*worthwhile {
		return nil
	}
	_, err := s.compact(ctx, cut)
	return err
}

// shrink compacts a conversation of which the model says that it is too long, and
// reports whether it has become shorter. It keeps less than else if it must.
func (s *Session) shrink(ctx context.Context) (bool, error) {
	for keep := kept; keep > 0; keep-- {
		if cut := s.history.seam(keep); s.history.spoken(cut) {
			return s.compact(ctx, cut)
		}
	}
	return false, nil
}

// size is how many tokens the conversation takes: what the endpoint counted at the
// last message, and a guess at what was added since.
func (s *Session) size() int {
	h := &s.history
	if h.weight == 0 {
		return len(s.system.Text)/bytesPerToken + guess(h.messages)
	}
	return h.weight + guess(h.messages[h.weighedAt:])
}

// guess is about how many tokens messages take.
func guess(messages []Message) int {
	n := 0
	for _, m := range messages {
		n += len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	return n / bytesPerToken
}

// compact puts a summary in the place of all messages before the cut, and reports
// whether it has.
func (s *Session) compact(ctx context.Context, cut int) (bool, error) {
	head, tail := s.history.messages[:cut], s.history.messages[cut:]
	if len(head) == 0 {
		return false, nil
	}
	begun := s.now()
	summary, err := s.summarize(ctx, head)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return false, ended(ctx)
	case errors.Is(err, errNoSummary):
		s.futile = true
		s.observe(Event{Kind: Noticed, Text: err.Error(), Begun: begun})
		return false, nil
	default:
		return false, &ModelError{err}
	}
	first := Message{Role: User, Text: s.resumption(summary, tail)}
	s.history.restart(append([]Message{first}, tail...))
	s.rules.settle()
	s.observe(Event{Kind: Compacted, Text: summary, Begun: begun, Took: max(0, s.now().Sub(begun))})
	return true, s.prepare()
}

// summarize asks the model for a summary of messages.
func (s *Session) summarize(ctx context.Context, messages []Message) (string, error) {
	instructions, err := render("compact.md", nil)
	if err != nil {
		return "", err
	}
	for _, most := range excerpts {
		m, err := s.request(ctx, []Message{
			{Role: System, Text: instructions},
			{Role: User, Text: transcript(messages, most)},
		}, nil)
		switch {
		case outgrown(err) && ctx.Err() == nil:
			continue
		case err != nil:
			return "", err
		}
		text, _ := splitReasoning(strings.ToValidUTF8(m.Text, "\uFFFD"))
		text = strings.TrimSpace(text)
		switch {
		case m.Stop == "content_filter":
			return "", fmt.Errorf("%w: the content filter stopped the summary", errNoSummary)
		case text == "":
			return "", fmt.Errorf("%w: the summary came back empty", errNoSummary)
		}
		return text, nil
	}
	return "", fmt.Errorf("%w: it is too long even for its summary to be made", errNoSummary)
}

// transcript writes messages as a text, with so many characters of each tool result.
// A summary is made from a text and not from the messages themselves, because
// endpoints refuse calls in a request that offers no tools.
func transcript(messages []Message, most int) string {
	names := make(map[string]string)
	var b strings.Builder
	b.WriteString("<conversation>\n")
	part := func(who, text string) {
		if text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")); text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", who, escaped(text, "conversation"))
		}
	}
	for _, m := range messages {
		switch m.Role {
		case User:
			part("user", m.Text)
		case Assistant:
			part("assistant", m.Text)
			for _, c := range m.Calls {
				names[c.ID] = c.Name
				part("call of "+c.Name, capped(c.Arguments, most, " …"))
			}
		case Tool:
			part("result of "+names[m.CallID], excerpt(m.Text, most))
		}
	}
	b.WriteString("\n</conversation>\n\nWrite the summary now.")
	return b.String()
}

// excerpt keeps so many characters of a text, of its beginning and of its end.
func excerpt(text string, most int) string {
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text
	}
	r := []rune(text)
	return fmt.Sprintf("%s\n(%d characters left out)\n%s", string(r[:most/2]), n-most, string(r[n-most/2:]))
}

// escaped keeps a text from closing the tag that it stands in.
func escaped(text, tag string) string {
	return strings.ReplaceAll(text, "</"+tag, `<\/`+tag)
}

// resumption is the message with which a compacted conversation begins: the summary,
// and what must not depend on how good it is.
func (s *Session) resumption(summary string, tail []Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<summary>\n%s\n</summary>\n\nThis summary stands for the conversation up to here; go on from it.", escaped(summary, "summary"))
	heard := func(m Message) bool { return m.Role == User && m.Text == s.asked }
	if s.asked != "" && len(tail) > 0 && !slices.ContainsFunc(tail, heard) && !closed(tail) {
		fmt.Fprintf(&b, "\n\nWhat the user asked for last, in their own words:\n<request>\n%s\n</request>", escaped(s.asked, "request"))
	}
	if todos := s.tools.Todos(); len(todos) > 0 {
		b.WriteString("\n\nThe todo list as it stands:\n")
		b.WriteString(list(todos))
	}
	if running := s.tools.Running(); len(running) > 0 {
		fmt.Fprintf(&b, "\n\nStill running in the background: %s.", strings.Join(running, ", "))
	}
	return b.String()
}

// closed reports whether the end of a conversation is the end of a turn.
func closed(tail []Message) bool {
	last := tail[len(tail)-1]
	return last.Role == Assistant && len(last.Calls) == 0
}

// list writes a todo list.
func list(todos []tools.Todo) string {
	var lines []string
	for _, t := range todos {
		lines = append(lines, fmt.Sprintf("- [%s] %s", t.Status, t.Content))
	}
	return strings.Join(lines, "\n")
}
