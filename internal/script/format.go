package script

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// String prints the scripts in the grammar of the file.
func (s Scripts) String() string { return string(Format(s)) }

// Format prints scripts in the grammar that [Parse] reads: what it returns is
// parsed into the same scripts, lines aside.
func Format(s Scripts) []byte {
	var b strings.Builder
	if s.Comment != "" {
		b.WriteString(s.Comment + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Harmless)) {
		b.WriteString("harmless " + name + ": " + s.Harmless[name] + "\n")
	}
	for i, section := range s.Sections {
		if i > 0 || b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("-- " + section.header() + " --\n")
		b.WriteString(FormatMessages(section.Messages))
		writeWords(&b, "summary", section.Summary)
		writeWords(&b, "user", section.User)
	}
	return []byte(b.String())
}

// writeWords prints paragraphs of one kind of line.
func writeWords(b *strings.Builder, word string, texts []string) {
	for _, text := range texts {
		b.WriteString("\n")
		writeLines(b, word, text)
	}
}

// header is the name of the section.
func (s Section) header() string {
	h := string(s.Kind)
	if len(s.Signals) > 0 {
		h += " " + strings.Join(s.Signals, ",")
	}
	if s.World != "" {
		h += " @" + s.World
	}
	if s.Note != "" {
		h += ": " + s.Note
	}
	return h
}

// FormatMessages prints messages as they stand in a section.
func FormatMessages(messages []Message) string {
	var b strings.Builder
	for i, m := range messages {
		if i > 0 {
			b.WriteString("\n")
		}
		m.format(&b)
	}
	return b.String()
}

func (m Message) format(b *strings.Builder) {
	for _, c := range m.Comments {
		writeLines(b, "#", c)
	}
	if m.Child > 0 {
		fmt.Fprintf(b, "child %d\n", m.Child)
	}
	if m.Fresh {
		b.WriteString("fresh\n")
	}
	if m.Think != "" {
		writeLines(b, "think", m.Think)
	}
	if m.Say != "" || m.Think == "" && len(m.Calls) == 0 {
		writeLines(b, "say", m.Say)
	}
	for _, c := range m.Calls {
		b.WriteString(c.String() + "\n")
	}
}

func writeLines(b *strings.Builder, word, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(word)
		if line != "" {
			b.WriteString(" " + line)
		}
		b.WriteString("\n")
	}
}

// String prints the call as a line of a message.
func (c Call) String() string {
	var b strings.Builder
	b.WriteString(c.Tool)
	switch {
	case c.IsRaw:
		b.WriteString(" !" + c.Raw)
	case c.plain():
		for _, a := range c.Args {
			b.WriteString(" " + a.Name + "=" + a.format())
		}
	default:
		b.WriteString(" " + c.arguments(func(s string) string { return s }))
	}
	for _, m := range marks {
		if reason := *m.field(&c); reason != "" {
			b.WriteString(" " + m.prefix + " " + reason)
		}
	}
	return b.String()
}

// plain reports whether every name can be written as key=value.
func (c Call) plain() bool {
	for _, a := range c.Args {
		if argName.FindString(a.Name) != a.Name || a.Name == "" {
			return false
		}
	}
	return true
}

// bareWord are the strings that need no quotes.
var bareWord = regexp.MustCompile(`^[^\s"\[{` + "`" + `][^\s"` + "`" + `]*$`)

// format prints the value in the plainest way that is read back the same.
func (a Arg) format() string {
	var s string
	if json.Unmarshal(a.Value, &s) != nil || a.Value[0] != '"' {
		return string(a.Value)
	}
	switch {
	case a.Bare:
		return s
	case !printable(s) || strings.Contains(s, "${"):
	case bareWord.MatchString(s) && !json.Valid([]byte(s)):
		return s
	case strings.ContainsAny(s, `"\`) && !strings.Contains(s, "`"):
		return "`" + s + "`"
	}
	return string(a.Value)
}

// printable reports whether the string has nothing but what can be seen.
func printable(s string) bool {
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsGraphic(r) {
			return false
		}
	}
	return true
}
