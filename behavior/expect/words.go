package expect

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/behavior"
)

const (
	maxShown = 120 // runes of a value in a message
	maxShort = 48  // runes of a value in a marker
)

// at names event i by what it is and its number, "read at event 4".
func at(t *trace, i int) string {
	return thing(t.Timeline[i]) + " at event " + strconv.Itoa(t.base+i+1)
}

// thing is a word or two for what an event is.
func thing(ev behavior.Event) string {
	var s string
	switch {
	case ev.Kind == behavior.KindCall && ev.Call != nil && ev.Call.Tool != "":
		s = plain(ev.Call.Tool)
	case ev.Kind == behavior.KindServed && ev.Call != nil:
		s = "served " + plain(servedName(ev))
	case ev.Kind == behavior.KindBackground || ev.Kind == behavior.KindChild:
		s = plain(ev.ID) + " " + plain(ev.State)
	case ev.Kind == behavior.KindRule:
		s = "rule " + plain(ev.ID) + " " + plain(ev.State)
	case ev.Kind == behavior.KindSkill || ev.Kind == behavior.KindNotice || ev.Kind == behavior.KindFault:
		s = plain(string(ev.Kind)) + " " + plain(ev.ID)
	case ev.Kind == behavior.KindMode:
		s = "mode " + plain(string(ev.Mode))
	case ev.Kind == behavior.KindPlan:
		s = "plan " + plain(ev.State)
	case ev.Kind == behavior.KindTodo:
		s = "todo list"
	default:
		s = plain(string(ev.Kind))
	}
	if ev.Agent != "" {
		s += " of " + agentName(ev.Agent)
	}
	return s
}

func agentName(id string) string {
	if id == "" {
		return "the main agent"
	}
	return "the child " + plain(id)
}

// show is a value as a message shows it: JSON, on one line, cut if it is long.
func show(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(clip(s, maxShown))
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	return clip(string(b), maxShown)
}

// plain is text as it is, as long as it can stand in a line of words, and
// quoted if not.
func plain(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) {
		return show(s)
	}
	return clip(s, maxShown)
}

// short is text as a marker has it: on one line and brief.
func short(s string) string {
	return clip(strings.Join(strings.Fields(s), " "), maxShort)
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// firstLine is the first line that is not blank.
func firstLine(s string) string {
	for len(s) > 0 {
		line, rest, _ := strings.Cut(s, "\n")
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
		s = rest
	}
	return ""
}

func article(word string) string {
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an"
	}
	return "a"
}

// list joins words by commas and a last "and" or "or".
func list(words []string, last string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " " + last + " " + words[n-1]
	}
}

// count is "1 call" or "3 calls".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ats names events, "read at event 4, read at event 6"; a long list is cut.
func ats(t *trace, events []int) string {
	const most = 6
	var said []string
	for k, i := range events {
		if k == most {
			said = append(said, fmt.Sprintf("%d more", len(events)-most))
			break
		}
		said = append(said, at(t, i))
	}
	return list(said, "and")
}

// indent puts two spaces before every line.
func indent(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return "  " + strings.ReplaceAll(s, "\n", "\n  ")
}
