package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/afero"

	"github.com/deeds-evals/deeds/internal/tools"
)

const (
	// rulesFile is the name of a file with rules for the folder in which it lies.
	rulesFile = "AGENTS.md"
	// rulesFolder holds rules that say themselves what they are for.
	rulesFolder = ".agents/rules"
	// maxRules bounds all rules together, in characters.
	maxRules = 64_000
	// rulesCut stands at the end of rules of the root that are longer.
	rulesCut = "\n(The file goes on: read it for the rest.)"
)

// rules are the user's rules for a workspace, as far as a conversation knows of them.
type rules struct {
	files afero.Fs // nil: there are none
	dir   string

	told     map[string]bool // those that an event told of
	attached []rule          // those that came into force with a result, in order
	settled  int             // how many of them stand in the prompt
	matching []rule          // those that wait for a file
	room     int             // characters that are left for more
}

// A rule is one file of rules.
type rule struct {
	Path string
	Text string
	head
}

// ruleTexts is what the prompt says of rules.
type ruleTexts struct {
	InForce []rule
	Listed  []rule   // to be read when their description fits
	Left    []string // paths of those there was no room for
	Wrong   []string // what is wrong with the others
}

// any reports whether there is anything to say.
func (t ruleTexts) any() bool { return len(t.InForce)+len(t.Listed)+len(t.Left)+len(t.Wrong) > 0 }

// read reads the rules that the prompt tells of, anew for each turn of the user, and
// says which of them are new.
func (r *rules) read() (texts ruleTexts, found []Event) {
	r.matching, r.room = nil, maxRules
	if r.files == nil {
		return texts, nil
	}
	if text, err := r.text(rulesFile); err == nil {
		texts.InForce = append(texts.InForce, rule{Path: rulesFile, Text: text})
	} else if !errors.Is(err, fs.ErrNotExist) {
		texts.Wrong = append(texts.Wrong, fmt.Sprintf("%s: %v", rulesFile, err))
	}
	for _, name := range r.names() {
		at := path.Join(rulesFolder, name)
		text, err := r.text(at)
		if err != nil {
			texts.Wrong = append(texts.Wrong, fmt.Sprintf("%s: %v", at, err))
			continue
		}
		h, body, err := readHead(text)
		one := rule{Path: at, Text: body, head: h}
		switch {
		case err != nil:
			texts.Wrong = append(texts.Wrong, fmt.Sprintf("%s: %v", at, err))
		case h.Always:
			texts.InForce = append(texts.InForce, one)
		case len(h.Globs) > 0:
			r.matching = append(r.matching, one)
		default:
			texts.Listed = append(texts.Listed, one)
		}
	}
	texts.InForce = append(texts.InForce, r.attached[:r.settled]...)
	if n := len(texts.InForce); n > 0 && texts.InForce[0].Path == rulesFile {
		texts.InForce[0].Text = capped(texts.InForce[0].Text, maxRules-len(rulesCut), rulesCut)
	}
	texts.InForce = slices.DeleteFunc(texts.InForce, func(one rule) bool {
		if r.take(one.Text) {
			return false
		}
		texts.Left = append(texts.Left, one.Path)
		return true
	})
	for _, one := range texts.InForce {
		found = r.tell(found, one.Path, "always")
	}
	for _, one := range texts.Listed {
		found = r.tell(found, one.Path, "listed")
	}
	for _, one := range r.attached[r.settled:] {
		r.take(one.Text)
	}
	return texts, found
}

// tell adds the event that a rule is known of, once for each.
func (r *rules) tell(events []Event, at, state string) []Event {
	if r.told[at] {
		return events
	}
	if r.told == nil {
		r.told = make(map[string]bool)
	}
	r.told[at] = true
	return append(events, Event{Kind: RuleFound, ID: at, State: state})
}

// take makes room for a text, and reports whether there was enough.
func (r *rules) take(text string) bool {
	n := utf8.RuneCountInString(text)
	if n > r.room {
		return false
	}
	r.room -= n
	return true
}

// names lists the files of the folder of rules, sorted.
func (r *rules) names() []string {
	entries, err := afero.ReadDir(r.files, rulesFolder)
	if err != nil {
		return nil // there is no such folder
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".md") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// text reads a file of rules. More than the bound is not read: there would be no room
// for it.
func (r *rules) text(name string) (string, error) {
	f, err := r.files.Open(name)
	if err != nil {
		return "", reason(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, utf8.UTFMax*maxRules+1))
	if err != nil {
		return "", reason(err)
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD")), nil
}

// reason takes the operation and the path off an error, which are said already.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// touch finds the rules that come into force when files are touched, outermost first,
// each once.
func (r *rules) touch(names []string) (found []rule, events []Event) {
	if r.files == nil {
		return nil, nil
	}
	add := func(one rule, state string) {
		if r.told[one.Path] {
			return
		}
		events = r.tell(events, one.Path, state)
		if !r.take(one.Text) {
			one.Text = fmt.Sprintf("(Not shown: the rules are longer than %d characters together. Read the file.)", maxRules)
		}
		r.attached = append(r.attached, one)
		found = append(found, one)
	}
	looked := make(map[string]bool) // a command may touch very many files of one folder
	for _, name := range names {
		folders, isFolder := r.folders(name)
		for _, folder := range folders {
			at := path.Join(folder, rulesFile)
			if r.told[at] || looked[at] {
				continue
			}
			looked[at] = true
			text, err := r.text(at)
			switch {
			case err == nil:
				add(rule{Path: at, Text: text}, "nested")
			case !errors.Is(err, fs.ErrNotExist):
				add(rule{Path: at, Text: fmt.Sprintf("(Not shown: %v.)", err)}, "nested")
			}
		}
		for _, one := range r.matching {
			if !isFolder && one.matches(name) {
				add(one, "matched")
			}
		}
	}
	return found, events
}

// folders lists the folders below the workspace's root that a file lies in, outermost
// first, and itself if it is one: those whose rules are the user's own.
func (r *rules) folders(name string) (all []string, isFolder bool) {
	for i, c := range name {
		if c == '/' {
			all = append(all, name[:i])
		}
	}
	if info, err := r.files.Stat(name); err == nil && info.IsDir() {
		all, isFolder = append(all, name), true
	}
	return slices.DeleteFunc(all, foreign), isFolder
}

// foreign reports whether a folder holds what others wrote: their rules are text like
// any other.
func foreign(folder string) bool {
	for _, part := range strings.Split(folder, "/") {
		switch part {
		case "vendor", "third_party", "node_modules", ".git":
			return true
		}
	}
	return false
}

// settle moves to the prompt what stood in results: they are about to be forgotten.
func (r *rules) settle() { r.settled = len(r.attached) }

// fileTools are the tools whose path names what they touch.
var fileTools = []string{"read", "write", "edit", "ls", "glob", "grep"}

// attach adds to the answer of a call the rules that its files bring into force, and
// returns the events that tell of them.
func (s *Session) attach(r *result) []Event {
	// Nothing that a tool answers may pass for a rule.
	r.outcome.Text = strings.ReplaceAll(r.outcome.Text, "<rules path=", "<\\rules path=")
	found, events := s.rules.touch(s.rules.touched(r))
	for _, one := range found {
		r.outcome.Text += fmt.Sprintf("\n\n<rules path=%q>\n%s\n</rules>", one.Path, escaped(one.Text, "rules"))
	}
	for i := range events {
		events[i].Begun = r.begun.Add(r.took)
	}
	return events
}

// touched lists the files of the workspace that a call has read or changed.
func (r *rules) touched(of *result) []string {
	var names []string
	if given, ok := of.args["path"].(string); ok && of.outcome.Status == tools.OK && slices.Contains(fileTools, of.tool) {
		if name, inside := r.inside(given); inside {
			names = append(names, name)
		}
	}
	return append(names, of.outcome.Changed...)
}

// inside turns a path as a tool was given it into one that is relative to the
// workspace.
func (r *rules) inside(name string) (string, bool) {
	root := strings.TrimSuffix(path.Clean("/"+r.dir), "/")
	if !path.IsAbs(name) {
		name = path.Join(root, name)
	}
	return strings.CutPrefix(path.Clean(name), root+"/")
}
