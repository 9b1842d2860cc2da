package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goversion "go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/spelling"
)

// oldestGo is the version of Go that the module of Deeds asks for.
const oldestGo = "go1.26.0"

// machine looks at what is installed.
func (d *doctor) machine(ctx context.Context) {
	var env struct{ GOVERSION, GOMOD, GOFLAGS, GOTOOLCHAIN string }
	out, err := d.c.goTool(ctx, d.c.Dir, "env", "-json", "GOVERSION", "GOMOD", "GOFLAGS", "GOTOOLCHAIN")
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	switch {
	case err != nil:
		d.broken = true
		d.note("go", "fail", err.Error(), "install Go: https://go.dev/dl")
	case goversion.IsValid(env.GOVERSION) && goversion.Compare(env.GOVERSION, oldestGo) < 0:
		d.broken = true
		d.note("go", "fail", fmt.Sprintf("%s, and Deeds needs %s", env.GOVERSION, oldestGo), "install a newer one: https://go.dev/dl, or set GOTOOLCHAIN=auto")
	default:
		d.ok("go", "%s", env.GOVERSION)
	}
	d.flags = strings.Fields(env.GOFLAGS)
	if !d.broken {
		d.module(ctx, env.GOMOD)
	}
	d.programs(ctx)
	d.containment()
}

// module looks at the module that the suite is in.
func (d *doctor) module(ctx context.Context, file string) {
	if file == "" || file == os.DevNull {
		d.broken = true
		d.note("module", "fail", "there is no go.mod here or above", "change to your module, or begin one: deeds init")
		return
	}
	if work := d.c.leftOut(ctx, filepath.Dir(file)); work != "" {
		d.broken = true
		d.note("module", "fail", fmt.Sprintf("%s is not in the workspace of %s: go test finds no package of it", d.c.shorten(filepath.Dir(file)), d.c.fromHere(work)),
			"go work use "+overview.Quote(d.c.shorten(filepath.Dir(file))))
		return
	}
	var m struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Dir, Version string }
	}
	out, err := d.c.goTool(ctx, d.c.Dir, "list", "-m", "-json", modulePath)
	if err == nil {
		err = json.Unmarshal(out, &m)
	}
	where := d.c.shorten(filepath.Dir(file))
	switch {
	case err != nil && strings.Contains(err.Error(), "not a known dependency"):
		d.broken = true
		d.note("module", "fail", fmt.Sprintf("%s does not require %s", d.c.shorten(file), modulePath), "add it, and a first case: deeds init")
	case err != nil:
		d.broken = true
		d.note("module", "fail", strings.Join(strings.Fields(err.Error()), " "), "go mod tidy")
	case m.Main:
		d.ok("module", "%s, which is Deeds itself", where)
	case m.Replace != nil && m.Replace.Version == "":
		if _, err := os.Stat(filepath.Join(m.Replace.Dir, "go.mod")); err != nil || m.Replace.Dir == "" {
			d.broken = true
			d.note("module", "fail", fmt.Sprintf("%s replaces Deeds by %s, where it is not", d.c.shorten(file), m.Replace.Path), "clone it to there, or name another folder: deeds init --agent none --workflow none --deeds DIR")
			return
		}
		d.ok("module", "%s, with Deeds from %s", where, m.Replace.Path)
	default:
		d.ok("module", "%s, with Deeds %s", where, m.Version)
	}
}

// programs looks for what cases and the record call.
func (d *doctor) programs(ctx context.Context) {
	if path := d.lookPath("bash"); path == "" {
		d.note("bash", "fail", "it is not in the PATH, and the agent's commands run in it", "install bash")
	} else {
		d.ok("bash", "%s", path)
	}
	if d.lookPath("git") == "" {
		d.note("git", "warn", "it is not in the PATH: runs are recorded without their commit, and cases about repositories cannot be played", "install git")
		return
	}
	git := func(args ...string) (string, bool) {
		cmd := exec.CommandContext(ctx, d.lookPath("git"), args...)
		cmd.Dir, cmd.Env = d.c.Dir, with(d.c.Environ, "LC_ALL=C")
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err == nil
	}
	have, _ := git("version")
	have = strings.TrimPrefix(have, "git version ")
	if _, inside := git("rev-parse", "--git-dir"); !inside {
		d.note("git", "warn", have+"; this is no repository that it will read: runs are recorded without their commit", "git init; or, where it belongs to another user, git config --global --add safe.directory "+overview.Quote(d.c.Dir))
		return
	}
	commit, born := git("rev-parse", "--short=12", "HEAD")
	if !born {
		d.note("git", "warn", have+"; nothing is committed yet: runs are recorded without their commit", "git commit")
		return
	}
	state := "clean"
	if changes, _ := git("status", "--porcelain"); changes != "" {
		state = "with changes that are not committed: runs are recorded as dirty"
	}
	d.ok("git", "%s, commit %s, %s", have, commit, state)
}

// lookPath finds a program in the PATH of the environment.
func (d *doctor) lookPath(name string) string {
	for _, dir := range filepath.SplitList(d.c.getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(path) {
			return path
		}
	}
	return ""
}

// containment looks at how the agent's commands can be held back.
func (d *doctor) containment() {
	asked := d.c.getenv("DEEDS_CONTAINMENT")
	level, err := sandbox.Available(sandbox.Strict)
	if err == nil {
		d.ok("containment", "strict (%s): nothing of this machine can be changed, read by accident, or reached over the network", level)
		return
	}
	var u *sandbox.Unavailable
	fix := ""
	if errors.As(err, &u) {
		fix = u.Hint()
	}
	best, bestErr := sandbox.Available(sandbox.Best)
	if bestErr != nil {
		d.note("containment", "fail", bestErr.Error(), fix)
		return
	}
	lacks := "a live run asks for strict, and is refused unless -containment=best is given"
	if asked != "" && asked != string(sandbox.Strict) {
		lacks = "DEEDS_CONTAINMENT=" + asked + " asks for no more"
	}
	d.note("containment", "warn", fmt.Sprintf("%s at best, of none, landlock, mounts and namespaces, which alone is strict: %v; %s", best, err, lacks), fix)
}

var (
	aTest = regexp.MustCompile(`^Test\w*$`)
	// The line that go test prints for a package, and for one that it passes over.
	aPackage = regexp.MustCompile(`^(ok  |\?   )\t(\S+)`)
)

// suite looks at the cases: whether there are any, and whether they compile.
func (d *doctor) suite(ctx context.Context) {
	if d.broken {
		d.skip("suite", "not checked: it takes Go and a module")
		return
	}
	pattern, err := d.c.packages()
	if err != nil {
		d.note("suite", "fail", "there is no folder evals here, and no test", "begin one: deeds init; or change to the folder that evals lies in")
		return
	}
	tool, err := d.c.lookGo()
	if err != nil {
		d.note("suite", "fail", err.Error(), "")
		return
	}
	// What narrows a run in this environment would narrow the list.
	environ := slices.DeleteFunc(slices.Clone(d.c.Environ), func(e string) bool { return strings.HasPrefix(e, "DEEDS_") })
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, tool, "test", "-list=.", pattern)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = d.c.Dir, environ, &out, &errs
	err = cmd.Run()
	tests, packages, pending := 0, 0, 0
	for line := range strings.Lines(out.String()) {
		line = strings.TrimRight(line, "\r\n")
		switch m := aPackage.FindStringSubmatch(line); {
		case aTest.MatchString(line):
			pending++
		case m != nil && pending > 0:
			tests, packages, pending = tests+pending, packages+1, 0
		}
	}
	switch {
	case err != nil:
		d.note("suite", "fail", "go test "+pattern+" does not compile: "+complaint(errs.String()+out.String()), "go vet "+pattern+" says all there is to say")
	case tests == 0:
		d.note("suite", "fail", "there is no test in "+pattern, "begin with a case: deeds init")
	default:
		d.ok("suite", "%s in %s compile; `deeds cases` rehearses them", count(tests, "test", "tests"), count(packages, "package", "packages"))
	}
}

// complaint is the line of a compiler's output that says most.
func complaint(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "it says nothing"
}

// variables are what may be set for Deeds: the twins of its flags, and four of its own.
var variables = words(`
	DEEDS_MODEL DEEDS_AGENT DEEDS_REPEAT DEEDS_SIGNAL DEEDS_WORLDS DEEDS_LIMIT DEEDS_J
	DEEDS_DRY_RUN DEEDS_BASE_URL DEEDS_TEMPERATURE DEEDS_SEED DEEDS_REASONING
	DEEDS_USER_MODEL DEEDS_CONTAINMENT DEEDS_RETRIES DEEDS_RPM DEEDS_SCOREBOARD
	DEEDS_RESUME DEEDS_REPLAY DEEDS_REGRADE DEEDS_BUDGET DEEDS_MAX_TOKENS
	DEEDS_RUN DEEDS_RESULTS`)

// settled are those that are meant to be set once and for all.
var settled = words(`DEEDS_MODEL DEEDS_BASE_URL DEEDS_RESULTS DEEDS_CONTAINMENT DEEDS_USER_MODEL`)

// environment looks at what is set for go test and for Deeds.
func (d *doctor) environment() {
	d.goFlags()
	set := map[string]string{}
	for _, e := range d.c.Environ {
		if name, value, _ := strings.Cut(e, "="); strings.HasPrefix(name, "DEEDS_") {
			set[name] = value
		}
	}
	var names, lasting []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch value := set[name]; {
		case !variables[name]:
			var known []string
			for k := range variables {
				known = append(known, k)
			}
			slices.Sort(known)
			fix := "unset " + name
			if near := spelling.Nearest(name, known); len(near) > 0 {
				fix = "did you mean " + near[0] + "? else " + fix
			}
			d.note("environment", "fail", name+" is set and means nothing: every run is refused", fix)
		case value == "":
		case settled[name]:
			lasting = append(lasting, name)
		default:
			d.note("environment", "warn", fmt.Sprintf("%s=%s is in force for every run", name, value), "unset "+name+", unless that is meant")
		}
	}
	switch {
	case len(lasting) > 0:
		d.ok("environment", "%s", strings.Join(lasting, ", "))
	case len(names) == 0:
		d.ok("environment", "no variable of Deeds is set")
	}
}

// goFlags looks at flags that are set for every go command, before all others.
func (d *doctor) goFlags() {
	var odd []string
	for _, f := range d.flags {
		switch name, value, _ := cutFlag(f); name {
		case "run", "skip", "short", "list", "failfast", "count", "parallel", "p", "cpu", "json", "v":
			odd = append(odd, f)
		case "timeout":
			odd = append(odd, f+", which ends every run after "+value)
		}
	}
	if len(odd) > 0 {
		d.note("go test", "warn", "GOFLAGS has "+strings.Join(odd, " and "), "take them out of GOFLAGS (go env -w GOFLAGS=), and give them where they are meant")
		return
	}
	flags := "GOFLAGS is not set"
	if len(d.flags) > 0 {
		flags = "GOFLAGS=" + strings.Join(d.flags, " ")
	}
	d.ok("go test", "%s; a live run is never cached, and has no deadline under `deeds run`", flags)
}
