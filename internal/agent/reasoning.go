package agent

import (
	"regexp"
	"strings"
)

// thinkTag matches the tags between which many open models reason in the middle
// of their text.
var thinkTag = regexp.MustCompile(`(?i)<(/?)think(?:ing)?>`)

// splitReasoning takes reasoning out of a text. It knows three forms: a pair of
// tags; an opening tag that is never closed, at the start of a line, when all that
// follows is reasoning; and a closing tag that was never opened, because the
// opening one was part of the prompt, when all that precedes it is reasoning.
// Tags in code are text like any other.
func splitReasoning(text string) (rest, reasoning string) {
	if !strings.Contains(text, "<") {
		return text, ""
	}
	var kept, thought strings.Builder
	var (
		from        = 0      // where the text begins that nothing was decided about yet
		tag, inside = -1, -1 // start and end of the opening tag that is open
		seen        = false  // a tag that counts
	)
	for _, m := range thinkTag.FindAllStringSubmatchIndex(text, -1) {
		start, end, closing := m[0], m[1], m[3] > m[2]
		switch {
		case inside >= 0 && closing:
			kept.WriteString(text[from:tag])
			addThought(&thought, text[inside:start])
			from, tag, inside = end, -1, -1
		case inside >= 0: // an opening tag inside reasoning
		case inCode(text[from:start]):
		case !closing:
			tag, inside, seen = start, end, true
		case !seen:
			addThought(&thought, text[from:start])
			from, seen = end, true
		}
	}
	if inside >= 0 && startsLine(text[:tag]) {
		kept.WriteString(text[from:tag])
		addThought(&thought, text[inside:])
		from = len(text)
	}
	if from == 0 {
		return text, ""
	}
	kept.WriteString(text[from:])
	return strings.TrimSpace(kept.String()), thought.String()
}

func addThought(b *strings.Builder, s string) {
	s = strings.TrimSpace(s)
	if s != "" && b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(s)
}

// inCode reports whether what follows text is inside a code span or block.
func inCode(text string) bool {
	if strings.Count(text, "```")%2 == 1 {
		return true
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.Count(line, "`")%2 == 1
}

// startsLine reports whether what follows text is the first of its line.
func startsLine(text string) bool {
	text = strings.TrimRight(text, " \t\r")
	return text == "" || strings.HasSuffix(text, "\n")
}
