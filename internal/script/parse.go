package script

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/deeds-evals/deeds/internal/spelling"
)

var (
	carriageReturns = regexp.MustCompile(`\r+\n`)
	kebab           = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	worldName       = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	mutantName      = regexp.MustCompile(`^(@\S+ )?(pass \d+ )?(drop (child \d+ )?\d+\.\d+|swap (child \d+ )?\d+ \d+|alter (child \d+ )?\d+\.\d+ \S.*|split (child \d+ )?\d+)$`)
)

const (
	sectionHint  = `a section is "-- pass --", "-- pass @world: note --" or "-- fail signal,signal @world: note --"`
	harmlessHint = `a line is "harmless MUTANT: reason", where MUTANT is "drop 2.1", "swap 1 2", "alter 1.1 path" or "split 1", and of a child "drop child 1 2.1"`
)

// Parse reads a script file. Its errors are [Error]s, joined: it reports what is
// wrong with every line, not only with the first.
func Parse(file []byte) (Scripts, error) {
	// An end of line is "\n", also for whoever edits on Windows.
	file = append(slices.Clone(file), '\n')
	file = carriageReturns.ReplaceAll(file, []byte("\n"))

	var (
		s       Scripts
		errs    errorList
		archive = txtar.Parse(file)
		line    = 1
	)
	s.parseComment(string(archive.Comment), &errs)
	line += bytes.Count(archive.Comment, []byte("\n"))
	for _, f := range archive.Files {
		section, ok := parseHeader(f.Name, line, &errs)
		p := parser{text: string(f.Data), line: line + 1, errs: &errs}
		p.section(&section)
		if ok && len(section.Messages) == 0 && !p.broken {
			errs.add(line, `write the assistant's messages below the header; "say" alone is an empty message`, "the section %q has no messages", f.Name)
		}
		s.Sections = append(s.Sections, section)
		line += 1 + bytes.Count(f.Data, []byte("\n"))
	}
	if len(s.Sections) == 0 && len(errs) == 0 {
		errs.add(1, sectionHint, "the file has no sections")
	}
	if err := errs.err(); err != nil {
		return Scripts{}, err
	}
	return s, nil
}

// parseComment takes the marks of harmless mutants out of the comment.
func (s *Scripts) parseComment(comment string, errs *errorList) {
	var rest []string
	for i, l := range strings.Split(comment, "\n") {
		word, tail, _ := strings.Cut(strings.TrimSpace(l), " ")
		switch {
		case strings.HasPrefix(l, "--"):
			errs.add(i+1, sectionHint, "the line %q looks like the header of a section and is none", l)
		case word == "harmless":
			s.parseHarmless(tail, i+1, errs)
		case meansHarmless(word, tail):
			errs.add(i+1, fmt.Sprintf("did you mean %q?", "harmless "+tail), "the line %q looks like the mark of a harmless mutant and is none", clip(l))
		default:
			rest = append(rest, strings.TrimRight(l, " \t"))
		}
	}
	s.Comment = strings.Trim(strings.Join(rest, "\n"), "\n")
}

func (s *Scripts) parseHarmless(text string, line int, errs *errorList) {
	name, reason, _ := strings.Cut(text, ":")
	name, reason = strings.Join(strings.Fields(name), " "), strings.TrimSpace(reason)
	switch {
	case !mutantName.MatchString(name):
		errs.add(line, nearestMutant(name, harmlessHint), "there is no mutant %q", name)
	case reason == "":
		errs.add(line, harmlessHint, "the mutant %q is called harmless without a reason", name)
	case s.Harmless[name] != "":
		errs.add(line, "one line for each mutant", "the mutant %q is called harmless twice", name)
	default:
		if s.Harmless == nil {
			s.Harmless = make(map[string]string)
		}
		s.Harmless[name] = reason
	}
}

// meansHarmless reports whether a line of the comment is a mark whose first word is
// misspelt. It would be taken for a comment, and the mutant not be excused.
func meansHarmless(word, tail string) bool {
	name, _, has := strings.Cut(tail, ":")
	return has && mutantName.MatchString(strings.Join(strings.Fields(name), " ")) && len(spelling.Nearest(strings.TrimSuffix(word, ":"), []string{"harmless"})) > 0
}

// nearestMutant makes a hint of the mutant whose kind was misspelt.
func nearestMutant(name, fallback string) string {
	words := strings.Fields(name)
	for i, word := range words {
		near := spelling.Nearest(word, []string{"drop", "swap", "alter", "split"})
		if len(near) == 0 {
			continue
		}
		words[i] = near[0]
		if meant := strings.Join(words, " "); mutantName.MatchString(meant) {
			return fmt.Sprintf("did you mean %q?", meant)
		}
		words[i] = word
	}
	return fallback
}

// nearestSection makes a hint of the section whose kind was misspelt.
func nearestSection(words []string, fallback string) string {
	if len(words) == 0 {
		return fallback
	}
	near := spelling.Nearest(words[0], []string{string(Pass), string(Fail)})
	if len(near) == 0 {
		return fallback
	}
	return fmt.Sprintf("did you mean %q?", "-- "+strings.Join(append(near, words[1:]...), " ")+" --")
}

// parseHeader reads the name of a section.
func parseHeader(name string, line int, errs *errorList) (Section, bool) {
	head, note, _ := strings.Cut(name, ":")
	s := Section{Note: strings.TrimSpace(note), Line: line}
	words := strings.Fields(head)
	if len(words) == 0 || words[0] != string(Pass) && words[0] != string(Fail) {
		errs.add(line, nearestSection(words, sectionHint), "there is no section %q", name)
		return s, false
	}
	s.Kind = Kind(words[0])
	before := len(*errs)
	var signals []string
	for _, w := range words[1:] {
		world, ok := strings.CutPrefix(w, "@")
		switch {
		case !ok:
			signals = append(signals, w)
		case s.World != "" || !worldName.MatchString(world):
			errs.add(line, sectionHint, "%q is not the name of one world", w)
		default:
			s.World = world
		}
	}
	for _, signal := range strings.FieldsFunc(strings.Join(signals, " "), func(r rune) bool { return r == ',' || r == ' ' }) {
		switch {
		case s.Kind == Pass:
			errs.add(line, sectionHint, "a pass section has no signals, and this one has %q", signal)
		case !kebab.MatchString(signal):
			errs.add(line, "signals are in kebab case and have a comma between them: tool-chain,plan-safety", "%q is not the name of a signal", signal)
		case slices.Contains(s.Signals, signal):
			errs.add(line, "name each signal once", "the signal %q is named twice", signal)
		default:
			s.Signals = append(s.Signals, signal)
		}
	}
	if s.Kind == Fail && len(s.Signals) == 0 && len(*errs) == before {
		errs.add(line, "name exactly those that must fail: -- fail tool-chain --", "a fail section names no signal")
	}
	return s, len(*errs) == before
}
