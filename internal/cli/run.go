package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/board"
	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/results"
)

func runCommand(c *Config) *cobra.Command {
	return &cobra.Command{
		Use:   "run [go test arguments]",
		Short: "Run cases as go test does, and sum up",
		Long: `Run cases as go test does, and sum up.

The arguments are those of go test, in any order; the packages are ./evals/... if
none are named. A run of a model gets -timeout=0 unless another is given. What
follows the output of go test is what it swallows when all is well: each signal
with the units that passed it, and what is void or was not run.

Of Deeds' own flags there are -model=NAME[,NAME…], -base-url=URL, -repeat=N,
-signal=a,b, -worlds=a,b, -limit=N, -j=N, -rpm=N, -retries=N, -dry-run,
-temperature=X, -seed=N, -reasoning=WORD, -user-model=NAME,
-containment=none|best|strict, -agent=builtin, -scoreboard, -budget=USD,
-max-tokens=N, -resume=RUN, -replay=RUN and -regrade=RUN; each has a twin in the
environment, DEEDS_REPEAT for -repeat. -resume plays what a run has left open, as it
was asked for, into the same run, and sums the whole of it up.

--json prints the sum as JSON, and the output of go test to standard error.
-json is go test's own.

The exit status is that of go test, except that it is 2 instead of 0 where nothing
was played, or not all that was planned, and 2 where a package failed before it had a
plan: no gate would miss what it has not played.`,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, a := range args {
				if a == "-args" || a == "--args" {
					break
				}
				if a == "-h" || a == "--help" || a == "-help" {
					return cmd.Help()
				}
			}
			return c.run(cmd.Context(), args)
		},
	}
}

// vouch adds that this process is in the foreground of its terminal, if it is: go
// test runs in a process group of its own, and its progress may be drawn there.
func vouch(env ...string) []string {
	if progress.Foreground() {
		env = append(env, progress.Vouched+"=1")
	}
	return env
}

func (c *Config) run(ctx context.Context, args []string) error {
	g, asJSON := order(args).without("--json")
	if g.chdir != "" {
		c.Dir, g.chdir = c.abs(g.chdir), ""
	}
	if len(g.packages) == 0 {
		var err error
		if g.packages, err = c.packagesOf(g); err != nil {
			return err
		}
	}
	for _, flag := range []string{"resume", "replay", "regrade"} {
		if name, ok := g.flag(flag); ok && strings.ContainsAny(name, `/\`) {
			g.flags = append(g.flags, "-"+flag+"="+c.abs(name))
		}
	}
	live := c.live(g)
	if _, ok := g.flag("timeout"); !ok && live && !strings.Contains(c.getenv("GOFLAGS"), "-timeout") {
		g.flags = append(g.flags, "-timeout=0")
	}
	if g.any("dry-run") && !g.any("v") {
		g.flags = append(g.flags, "-v") // else go test swallows the very thing that was asked for
	}
	root, id, err := c.runOf(g)
	if err != nil {
		return err
	}
	before, err := plays(root, id)
	if err != nil {
		return err
	}
	stderr := &shared{w: c.Stderr}
	played := &packageCount{w: c.Stdout}
	if asJSON {
		played.w = stderr
	}
	sums, err := c.sumsOf(g)
	if err != nil {
		return err
	}
	defer sums.remove()
	code, err := c.goTest(ctx, g.line(), with(c.environ(root, id), sums.environ()...), played, stderr)
	if err != nil {
		return err
	}
	if g.any("dry-run", "list", "c", "n") || c.getenv("DEEDS_DRY_RUN") != "" {
		return ended(code)
	}
	if sums.kind == "regrade" {
		return c.regraded(sums, code, asJSON)
	}
	info, err := results.Find(root, id)
	switch {
	case errors.Is(err, results.ErrNoRun) && live:
		return c.nothing(code, "nothing was planned: no case matched", "take a filter away, or see `deeds cases` for what there is")
	case errors.Is(err, results.ErrNoRun) && played.passed == 0:
		return c.nothing(code, "nothing was rehearsed: no package has a test that matched", "take a filter away, or see `deeds cases` for what there is")
	case errors.Is(err, results.ErrNoRun):
		return c.rehearsed(code, asJSON, played)
	case err != nil:
		return err
	}
	run, err := results.Load(info.Dir)
	if err != nil {
		return err
	}
	s := summarize(info, run)
	s.Status = code
	if s.Published, err = published(root, run); err != nil {
		return err
	}
	whole := !g.any("run", "skip", "signal", "limit", "short", "resume", "replay") && c.getenv("DEEDS_SIGNAL") == "" && c.getenv("DEEDS_LIMIT") == ""
	what, hint := s.incomplete(whole && strings.HasSuffix(strings.Join(g.packages, " "), "evals/..."))
	if code == 0 && what == "" {
		what, hint = s.open()
	}
	if s.Status == 0 && what != "" {
		s.Status = 2
	}
	// go test is green where nothing was played now, or where a test binary does not
	// tell how it ended.
	if red := failing(run); s.Status == 0 && red > 0 {
		s.Status = 1
		what, hint = fmt.Sprintf("%s failed, though go test passed", count(red, "unit", "units")), s.Next+" shows the first"
	}
	// A package that broke before it could plan is no failure of an agent, and leaves
	// nothing behind that a gate would miss.
	if broken := played.unplanned(run.Plans); len(broken) > 0 {
		s.Status = 2
		what, hint = "not played: "+strings.Join(broken, ", ")+", which failed before any plan was made", "the output of go test says why"
	}
	if before > 0 && len(run.Attempts) == before {
		s.Remark = "nothing was played"
		_, resumed := g.flag("resume")
		switch {
		case what == "" && !resumed && c.getenv("DEEDS_RESUME") == "":
			s.Status, what, hint = 2, "nothing was played: what is shown is what the run had on record", "deeds run -resume="+info.ID+" plays what is open"
		case what == "":
			s.Remark += ": it is all on record"
		}
	}
	out := c.Stdout
	if asJSON {
		err = printJSON(out, s)
	} else {
		if g.any("json") {
			out = c.Stderr // standard output is a stream of JSON
		}
		err = s.print(out, c.Colour, c.shorten(info.Dir))
	}
	if err != nil {
		return err
	}
	if sums.kind == "replay" && !asJSON {
		if err := c.replayed(sums, out); err != nil {
			return err
		}
	}
	if what != "" {
		c.complain(what, hint)
	}
	return ended(s.Status)
}

// failing counts the units that decide and failed: those with one of the signals that
// were asked for, or all.
func failing(run *results.Run) int {
	var signals []string
	for _, p := range run.Plans {
		signals = append(signals, p.Settings.Signals...)
	}
	n := 0
	for _, u := range run.Units() {
		red := len(signals) == 0 && u.Tally.Failed > 0
		for _, s := range signals {
			red = red || u.Signals[s].Failed > 0
		}
		if red {
			n++
		}
	}
	return n
}

// published says how the entries of the scoreboard stand that a run has a part in. go
// test swallows what a package that passes says of it.
func published(root string, run *results.Run) ([]string, error) {
	if !slices.ContainsFunc(run.Plans, func(p results.Plan) bool { return p.Settings.Scoreboard }) {
		return nil, nil
	}
	entries, err := results.Entries(root)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range entries {
		if slices.Contains(e.Aggregates.Runs, run.ID) {
			all = append(all, board.Summary(e))
		}
	}
	return all, nil
}

func ended(code int) error {
	if code == 0 {
		return nil
	}
	return exitStatus(code)
}

// nothing ends a run without a record. Where go test failed it has said why.
func (c *Config) nothing(code int, what, hint string) error {
	if code != 0 {
		return exitStatus(code)
	}
	return misuse(what, hint)
}

// rehearsed ends a run in which scripts stood in for the model.
func (c *Config) rehearsed(code int, asJSON bool, played *packageCount) error {
	if asJSON {
		if err := printJSON(c.Stdout, map[string]any{"kind": "rehearsal", "packages_passed": played.passed, "status": code}); err != nil {
			return err
		}
		return ended(code)
	}
	if code == 0 {
		fmt.Fprintf(c.Stdout, "\nrehearsal: %s passed on scripts, no model was played, nothing was recorded\n",
			count(played.passed, "package", "packages"))
		fmt.Fprintln(c.Stdout, "next: deeds run -model=NAME")
	}
	return ended(code)
}

// live reports whether a model is asked for.
func (c *Config) live(g goTest) bool {
	for _, name := range []string{"model", "scoreboard", "resume", "replay"} {
		if g.any(name) || c.getenv("DEEDS_"+strings.ToUpper(name)) != "" {
			return true
		}
	}
	return false
}

// packagesOf returns the packages to run where none are named. A run that is gone on
// with plays those that it has planned: one that left no plan may never have been asked
// for.
func (c *Config) packagesOf(g goTest) ([]string, error) {
	name, ok := g.flag("resume")
	if !ok {
		name = c.getenv("DEEDS_RESUME")
	}
	if name != "" {
		info, err := c.find(name)
		if err != nil {
			return nil, err
		}
		run, err := results.Load(info.Dir)
		if err != nil {
			return nil, err
		}
		var planned []string
		for _, p := range run.Plans {
			folder := "./" + p.Dir
			if at, err := os.Stat(filepath.Join(c.Dir, filepath.FromSlash(p.Dir))); err == nil && at.IsDir() && p.Dir != "" && !slices.Contains(planned, folder) {
				planned = append(planned, folder)
			}
		}
		if len(planned) > 0 {
			return planned, nil
		}
	}
	pattern, err := c.packages()
	return []string{pattern}, err
}

// packages returns the packages to run where none are named.
func (c *Config) packages() (string, error) {
	if info, err := os.Stat(filepath.Join(c.Dir, "evals")); err == nil && info.IsDir() {
		return "./evals/...", nil
	}
	if tests, err := filepath.Glob(filepath.Join(c.Dir, "*_test.go")); err == nil && len(tests) > 0 {
		return ".", nil
	}
	return "", misuse("there is no folder evals here, and no test", "name the packages of your cases: deeds run ./path/...")
}

// runOf is where results lie, and the id of the run about to start or to go on.
func (c *Config) runOf(g goTest) (root, id string, err error) {
	resume, ok := g.flag("resume")
	if !ok {
		resume = c.getenv("DEEDS_RESUME")
	}
	if resume != "" {
		info, err := c.find(resume)
		if err != nil {
			return "", "", err
		}
		// A run that was named by its path may lie elsewhere.
		runs := filepath.Dir(info.Dir)
		if filepath.Base(runs) != "runs" {
			return "", "", misuse(info.Dir+" does not lie in a folder runs, as a run does", "move it back to where it was made")
		}
		return filepath.Dir(runs), info.ID, nil
	}
	if root, err = c.root(); err != nil {
		return "", "", err
	}
	if set := c.getenv("DEEDS_RUN"); set != "" {
		return root, set, nil
	}
	b := make([]byte, 3)
	rand.Read(b) // never fails
	return root, results.RunID(c.Now(), hex.EncodeToString(b)), nil
}

// plays counts what a run has on record before it is gone on with.
func plays(root, id string) (int, error) {
	info, err := results.Find(root, id)
	if errors.Is(err, results.ErrNoRun) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	run, err := results.Load(info.Dir)
	if err != nil {
		return 0, err
	}
	return len(run.Attempts), nil
}

// environ is the environment of go test, which has the run by its id: a path would
// count from another folder there.
func (c *Config) environ(root, id string) []string {
	env := vouch("DEEDS_RESULTS="+root, "DEEDS_RUN="+id)
	if c.getenv("DEEDS_RESUME") != "" {
		env = append(env, "DEEDS_RESUME="+id)
	}
	return with(c.Environ, env...)
}

// shorten shows a path from the working directory if it lies below it.
func (c *Config) shorten(path string) string {
	rel, err := filepath.Rel(c.Dir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}

// A packageCount passes the output of go test through, and notes which packages
// failed, and how many passed and ran a test.
type packageCount struct {
	w      io.Writer
	line   []byte
	passed int
	failed []string // import paths
}

func (p *packageCount) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			if len(p.line) < 1<<16 { // no line of interest is longer
				p.line = append(p.line, rest...)
			}
			break
		}
		p.count(append(p.line, rest[:i]...))
		p.line, rest = p.line[:0], rest[i+1:]
	}
	return p.w.Write(b)
}

// count looks at a line, plain or one of go test -json.
func (p *packageCount) count(line []byte) {
	ok := bytes.HasPrefix(line, []byte("ok  \t")) || bytes.Contains(line, []byte(`"Output":"ok  \t`))
	if ok && !bytes.Contains(line, []byte("[no tests to run]")) && !bytes.Contains(line, []byte("[no test files]")) {
		p.passed++
	}
	if m := failedPackage.FindSubmatch(line); m != nil {
		p.failed = append(p.failed, string(m[1]))
	}
}

// failedPackage matches the last line of a package that failed, plain or in JSON.
var failedPackage = regexp.MustCompile(`(?:^FAIL\t|"Output":"FAIL\\t)([^\s\\"]+)`)

// unplanned lists the packages that failed and left no plan.
func (p *packageCount) unplanned(plans []results.Plan) []string {
	return slices.DeleteFunc(slices.Clone(p.failed), func(pkg string) bool {
		return slices.ContainsFunc(plans, func(plan results.Plan) bool {
			return plan.Dir == "" && path.Base(pkg) == plan.Package || plan.Dir != "" && strings.HasSuffix("/"+pkg, "/"+plan.Dir)
		})
	})
}
