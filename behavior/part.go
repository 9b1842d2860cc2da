package behavior

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/script"
	"github.com/deeds-evals/deeds/internal/spelling"
)

// A part is one script of a rehearsal: one that the author wrote, or one that is
// made of it, and what must come of it.
type part struct {
	name     string // of the subtest
	section  string // as the script file has it, for messages
	kind     partKind
	unit     unit
	messages []script.Message
	summary  []string // what is answered to requests for a summary
	user     []string // what a simulated user says
	want     []Signal // of a fail section: exactly those that must fail
	line     int      // of the section in the script file
	harmless string   // of a mutant: the reason why it may survive
	silent   bool     // the agent does and says nothing
}

// A partKind says what must come of a part.
type partKind int

const (
	mustPass partKind = iota
	mustFailExactly
	mustFail // silence, prose, truncation
	mutant
)

// scriptPath is where the script of a case lies, below the package's folder.
func (p *process) scriptPath(id string) string {
	return path.Join("testdata", strings.ReplaceAll(strings.TrimPrefix(id, p.folder+"/"), "/", "-")+".txtar")
}

// parts lists what is to be played, or what is wrong with the script file.
func (r *rehearsal) parts(p *process) ([]part, []report.Problem) {
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(r.script)))
	if errors.Is(err, fs.ErrNotExist) {
		problem := report.NoScript(r.script)
		if near := nearestScript(p.dir, r.script); near != "" {
			problem.Hint = fmt.Sprintf("%s is there: the script is named after the Test function, in kebab case", near)
		}
		return nil, []report.Problem{problem}
	}
	if err != nil {
		return nil, []report.Problem{{Where: r.script, What: err.Error()}}
	}
	var (
		parts    []part
		problems []report.Problem
		stale    = make(map[string]bool)
		names    = make(map[string]int)
	)
	add := func(x part) {
		x.name = path.Join(x.unit.name(), x.name)
		if names[x.name]++; names[x.name] > 1 {
			x.name = fmt.Sprintf("%s#%d", x.name, names[x.name])
		}
		parts = append(parts, x)
	}
	worlds := make(map[string]bool)
	for _, u := range r.c.units(r.id) {
		worlds[u.world] = true
		scripts, err := script.Parse([]byte(expand(string(data), u.facts)))
		if err != nil {
			return nil, scriptProblems(r.script, err)
		}
		for name := range scripts.Harmless {
			if _, seen := stale[name]; !seen {
				stale[name] = true
			}
		}
		passes := 0
		for _, s := range scripts.Sections {
			add := func(x part) {
				x.summary, x.user = s.Summary, s.User
				add(x)
			}
			if s.World != "" && s.World != u.world {
				if !r.hasWorld(s.World) {
					problems = append(problems, report.Problem{
						Where: fmt.Sprintf("%s:%d", r.script, s.Line), What: fmt.Sprintf("the case has no world %q", s.World),
						Hint: nearestOr(s.World, r.worldNames(), "name one of its worlds, or none: a section without @world is for all of them", "@"),
					})
				}
				continue
			}
			x := part{section: sectionName(s), unit: u, messages: s.Messages, line: s.Line}
			if s.Kind == script.Fail {
				if !u.first {
					continue
				}
				x.kind = mustFailExactly
				for _, name := range s.Signals {
					x.want = append(x.want, Signal(name))
				}
				x.name = "fail=" + strings.Join(s.Signals, ",")
				problems = append(problems, r.unknownSignals(x)...)
				add(x)
				continue
			}
			passes++
			x.name, x.kind = "pass", mustPass
			add(x)
			if !u.first {
				continue
			}
			if passes == 1 {
				add(part{name: "silence", section: "silence", silent: true, kind: mustFail, unit: u, line: s.Line, messages: script.Silence()})
			}
			add(part{name: "prose", section: "prose without action", kind: mustFail, unit: u, line: s.Line, messages: script.Prose(s.Messages)})
			cut, ok := script.Truncate(s.Messages)
			if ok {
				add(part{name: "truncated", section: "the pass script without its last action", kind: mustFail, unit: u, line: s.Line, messages: cut})
			}
			if passes > 1 {
				continue // the first way is mutated; the others show that it is not the only one
			}
			for _, m := range script.Mutants(s.Messages) {
				if ok && reflect.DeepEqual(m.Messages, cut) {
					continue // it is played already, and no mark excuses it
				}
				reason := ""
				for _, mark := range []string{m.Name, "@" + u.world + " " + m.Name} {
					if why, marked := scripts.Harmless[mark]; marked {
						reason, stale[mark] = why, false
					}
				}
				add(part{name: "mutant/" + m.Name, section: m.Name, kind: mutant, unit: u, line: s.Line, messages: m.Messages, harmless: reason})
			}
		}
		if passes == 0 {
			problems = append(problems, report.NoScript(r.script))
		}
	}
	for _, name := range sortedKeys(stale) {
		if stale[name] {
			problems = append(problems, report.Problem{
				Where: r.script, What: fmt.Sprintf("%q is called harmless, and there is no such mutant", name),
				Hint: "remove the line, or correct the name",
			})
		}
	}
	return parts, problems
}

// scriptProblems says what is wrong with a script file, line by line.
func scriptProblems(file string, err error) []report.Problem {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var problems []report.Problem
	for _, err := range list {
		problem := report.Problem{Where: file, What: err.Error()}
		var at *script.Error
		if errors.As(err, &at) {
			problem = report.Problem{Where: fmt.Sprintf("%s:%d", file, at.Line), What: at.Message, Hint: at.Hint}
		}
		problems = append(problems, problem)
	}
	return problems
}

// nearestScript is the script file whose name is most like the one that is missing.
func nearestScript(dir, missing string) string {
	files, _ := filepath.Glob(filepath.Join(dir, filepath.Dir(filepath.FromSlash(missing)), "*.txtar"))
	best, distance := "", len(path.Base(missing))/3+1
	for _, file := range files {
		if d := spelling.Distance(filepath.Base(file), path.Base(missing)); d < distance {
			best, distance = path.Join(path.Dir(missing), filepath.Base(file)), d
		}
	}
	return best
}

// sectionName is the section's header as the file has it, without its note.
func sectionName(s script.Section) string {
	name := string(s.Kind)
	if len(s.Signals) > 0 {
		name += " " + strings.Join(s.Signals, ",")
	}
	if s.World != "" {
		name += " @" + s.World
	}
	return name
}

func (r *rehearsal) hasWorld(name string) bool {
	for _, w := range r.c.Worlds {
		if w.Name == name {
			return true
		}
	}
	return false
}

func (r *rehearsal) worldNames() []string {
	var names []string
	for _, w := range r.c.Worlds {
		names = append(names, w.Name)
	}
	return names
}

func (r *rehearsal) unknownSignals(x part) []report.Problem {
	has := make(map[Signal]bool)
	for _, e := range r.c.expectations(x.unit.world) {
		has[e.signal] = true
	}
	var problems []report.Problem
	for _, s := range x.want {
		if !has[s] {
			problems = append(problems, report.Problem{
				Where: fmt.Sprintf("%s:%d", r.script, x.line),
				What:  fmt.Sprintf("the case has no signal %s that could fail", s),
				Hint:  nearest(string(s), signalWordsOf(has)),
			})
		}
	}
	return problems
}

func signalWordsOf(set map[Signal]bool) []string {
	var all []string
	for s := range set {
		all = append(all, string(s))
	}
	sort.Strings(all)
	return all
}
