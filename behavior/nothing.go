package behavior

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/internal/suite"
)

// Nothing passes by not happening. go test is content with a -run that selects no
// test at all; a run against a model is not. No test would say so, as none runs,
// so the question is asked before package testing starts. A pattern that selects
// a case of a sibling package is let through: that package answers for it.
func init() {
	if !testing.Testing() {
		return
	}
	dir, err := os.Getwd()
	if err != nil {
		return
	}
	if what := selectsNothing(os.Args[1:], os.Getenv("DEEDS_MODEL")+os.Getenv("DEEDS_RESUME")+os.Getenv("DEEDS_REPLAY")+os.Getenv("DEEDS_REGRADE"), dir); what != "" {
		fmt.Fprintln(os.Stderr, what)
		os.Exit(2)
	}
}

// selectsNothing says that the arguments ask to play something in no case of the
// suite at all, or nothing. What is to be played may be given in the environment.
func selectsNothing(args []string, what, dir string) string {
	run, skip, count := "", "", ""
	for i, arg := range args {
		name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		if !has && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "test.run":
			run = value
		case "test.skip":
			skip = value
		case "test.count":
			count = value
		case "model", "resume", "replay", "regrade":
			what += value
		}
	}
	if what != "" && count == "0" {
		return (&usageError{"-count=0 plays nothing", "leave it out: a run against a model is never cached"}).Error()
	}
	if what == "" || run == "" && skip == "" {
		return ""
	}
	tests, err := testsOf(dir)
	if err != nil || len(tests) == 0 {
		return ""
	}
	filter := newTestFilter(run, skip)
	for _, test := range tests {
		if filter.selects(test) {
			return ""
		}
	}
	return (&usageError{
		fmt.Sprintf("-run and -skip select none of the suite's %s: %s", plural(len(tests), "test"), strings.TrimSpace(run+" "+skip)),
		nearestTest(run, tests),
	}).Error()
}

// nearestTest makes a hint of the tests that are called much as a pattern has it.
func nearestTest(pattern string, tests []string) string {
	const prefix = "Test" // makes all of them alike
	name, _, _ := strings.Cut(pattern, "/")
	stems := make([]string, len(tests))
	for i, t := range tests {
		stems[i] = strings.TrimPrefix(t, prefix)
	}
	return nearestOr(strings.TrimPrefix(strings.Trim(name, "^$"), prefix), stems, "go test lists them with -list .", prefix)
}

// testsOf names the tests of a package and of its siblings, whether or not they can
// be seen to be cases: a case may be played by a helper.
func testsOf(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	var tests []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
				tests = append(tests, fn.Name.Name)
			}
		}
	}
	return tests, nil
}

// noSlots ends a case of which nothing was selected. If nothing of the whole
// package was, and it was go test's own -run or -skip that left nothing, that is an
// error: the package would be green without a single attempt. A world that only
// cases of a sibling package have is that package's matter.
func (p *process) noSlots(t *testing.T) {
	t.Helper()
	parallel(t)
	p.mu.Lock()
	nothing := len(p.entries) == 0
	p.mu.Unlock()
	if p.settings.replay != "" {
		if nothing && p.answers() {
			p.refuse(t, &usageError{
				fmt.Sprintf("nothing is driven again: %s has no attempt of a case that was asked for here which ended by itself", p.settings.replay),
				nothingOfItHint,
			})
		}
		t.Skip(p.settings.replay + " has no attempt of it that was asked for and can be driven again")
	}
	filter := strings.TrimSpace(testFlag("test.run") + " " + testFlag("test.skip"))
	if nothing && filter != "" && len(p.settings.worlds) == 0 {
		p.refuse(t, &usageError{
			fmt.Sprintf("-run or -skip (%s) leaves no attempt in this package", filter),
			"an attempt is selected as TestName/MODEL/WORLD/VARIANT/attempt=N, a level with a single member left out",
		})
	}
	t.Skip("no world and no attempt of this case was asked for")
}

// nothingOfItHint is for a run on record of which a package takes up nothing.
const nothingOfItHint = "take a filter away, or see with `deeds show RUN` what that run has on record"

// answers reports whether the package is green only if something of the run on record
// is taken up here: the run has attempts of the package, or a test of it was selected
// by name. Where signals or worlds select, or the run never came here, other packages
// answer for it.
func (p *process) answers() bool {
	if len(p.settings.signals)+len(p.settings.worlds) > 0 {
		return false
	}
	return len(p.old.plays) > 0 || testFlag("test.run") != "" || testFlag("test.skip") != ""
}

// matchesNothing refuses -signal and -worlds where no case of the whole suite has
// them: every package would be green, and nothing played. A signal of the
// project's own, and a world whose name is computed, cannot be seen in the source,
// and are let through.
func (p *process) matchesNothing() error {
	if len(p.suite) == 0 || len(p.settings.signals)+len(p.settings.worlds) == 0 {
		return nil
	}
	for _, w := range p.settings.worlds {
		if !slices.ContainsFunc(p.suite, func(c suite.Case) bool { return slices.Contains(c.Worlds, w) || c.Dynamic }) {
			return &usageError{
				fmt.Sprintf("-worlds=%s: no case of the suite has a world of that name", w),
				nearestOr(w, worldsOf(p.suite), p.command()+" cases --json lists the worlds of each case", ""),
			}
		}
	}
	known := signalNamed()
	own := func(s Signal) bool {
		for _, k := range known {
			if k == s {
				return false
			}
		}
		return true
	}
	for _, c := range p.suite {
		signal := len(p.settings.signals) == 0 || slices.ContainsFunc(p.settings.signals, func(s Signal) bool { return tests(c, s) || own(s) })
		world := len(p.settings.worlds) == 0 || c.Dynamic || slices.ContainsFunc(p.settings.worlds, func(w string) bool { return slices.Contains(c.Worlds, w) })
		if signal && world {
			return nil
		}
	}
	what := make([]string, 0, 2)
	if len(p.settings.signals) > 0 {
		what = append(what, "-signal="+strings.Join(signalList(p.settings.signals), ","))
	}
	if len(p.settings.worlds) > 0 {
		what = append(what, "-worlds="+strings.Join(p.settings.worlds, ","))
	}
	return &usageError{fmt.Sprintf("%s: none of the suite's %s has that", strings.Join(what, " "), plural(len(p.suite), "case")), p.command() + " cases lists the signals of each case"}
}

// worldsOf lists the worlds that the cases of a suite are seen to have.
func worldsOf(all []suite.Case) []string {
	var names []string
	for _, c := range all {
		for _, w := range c.Worlds {
			if !slices.Contains(names, w) {
				names = append(names, w)
			}
		}
	}
	return names
}

func signalList(signals []Signal) []string {
	var all []string
	for _, s := range signals {
		all = append(all, string(s))
	}
	return all
}
