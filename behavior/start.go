package behavior

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

// A run is this package's part of one go test invocation.
type run struct {
	once sync.Once
	err  error

	ctx     context.Context
	cancel  context.CancelCauseFunc
	id, dir string
	journal *journal.Writer
	limiter *gateway.Limiter
	source  source
	stage   stage
	meter   *progress.Meter
	redact  *gateway.Redactor // what is printed; what is written goes through it too
	commit  string
	dirty   bool
	base    results.Plan // what every plan file of this process says
	sources map[string]suite.Case
	past    map[results.Slot]results.SlotResult // what the run had on record before, if DEEDS_RUN names one

	resumes  bool // the run was begun before
	mu       sync.Mutex
	enrolled map[*entry]bool
	over     string // why no attempt is started any more, though the run goes on
}

// begin starts the run when the first case is released, which is when all of
// them are known: the plan is written, and the model is asked one small thing
// before any clock starts.
func (r *run) begin(p *process, t *testing.T) error {
	r.once.Do(func() { r.err = r.start(p, t) })
	return r.err
}

func (r *run) start(p *process, t *testing.T) error {
	s := &p.settings
	shown, err := s.address()
	if err != nil {
		return err
	}
	if _, err := sandbox.Available(s.containment); err != nil {
		return &usageError{firstLine(err.Error()), hintOf(err, "-containment=best takes what there is; the record says what it was")}
	}

	p.mu.Lock()
	entries := append([]*entry(nil), p.entries...)
	p.mu.Unlock()
	if err := publishable(p, shown, agentsOf(entries)); err != nil {
		return err
	}
	if err := r.open(p, shown); err != nil {
		return err
	}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	p.restore(r.past, entries)
	if err := r.claim(*s, agentsOf(entries)); err != nil {
		return err
	}
	if err := r.plan(entries); err != nil {
		return err
	}
	if err := r.namesake(); err != nil {
		return err
	}
	if err := r.spent(r.limiter.Budget(r.ctx)); err != nil {
		return err
	}
	if why := r.journal.Stopped(); why != "" {
		return &usageError{"the run was stopped: " + why, "another package of the same run says more"}
	}

	deadline, timed := t.Deadline()
	if timed {
		grace := min(max(time.Until(deadline)/20, 2*time.Second), 30*time.Second)
		time.AfterFunc(time.Until(deadline)-grace, func() {
			r.cancel(fmt.Errorf("the deadline of go test is near; give it more time with -timeout"))
		})
	}
	onSignal(func() { r.cancel(errInterrupted) })
	journal.Orphaned(func() { r.cancel(errors.New("the go command that started the run has ended")) })

	// The packages meet where the go command has built them, and not in the run's folder:
	// a run that is gone on with has the counts of another invocation there.
	r.meter = progress.Start(progress.Config{Dir: progress.BuildDir(), Total: countSlots(entries, "")})
	for _, model := range s.models {
		if countSlots(entries, model) == 0 {
			continue
		}
		took, err := r.warm(model)
		if hopeless(err) {
			r.meter.Stop("")
			return r.stop(fmt.Errorf("%w, when %s was asked for at %s", err, model, r.base.Settings.BaseURL))
		}
		if timed {
			if err := fits(took, countSlots(entries, model), s.jobs, time.Until(deadline)); err != nil {
				r.meter.Stop("")
				return err
			}
		}
	}
	return nil
}

// open makes what the run needs: its folder, the gateway, the way to the model.
func (r *run) open(p *process, address string) error {
	s := p.settings
	var err error
	if r.dir, r.id, err = journal.Locate(journal.LocateConfig{Dir: p.dir, Resume: p.resumed.dir()}); err != nil {
		return busy(err)
	}
	r.redact = gateway.NewRedactor(secrets(s.key)...)
	open := journal.Open
	if r.resumes = p.resumed != nil; r.resumes {
		open = journal.Reopen
	}
	if r.journal, err = open(r.dir, p.folder, r.redact.Redact); err != nil {
		return busy(err)
	}
	// From here on nobody else adds to what the package has on record.
	old, err := results.Load(r.dir)
	if err != nil {
		return err
	}
	if err := sameKind(r.id, old.Plans, s); err != nil {
		return err
	}
	r.past = resultsOf(old)
	if err := neverCached(p.dir, r.dir); err != nil {
		return err
	}
	if r.limiter, err = gateway.NewLimiter(gateway.LimiterConfig{
		Dir: filepath.Join(r.dir, "shared"), Slots: s.jobs, RPM: s.rpm,
		MaxTokens: s.maxTokens, MaxCost: s.budget,
	}); err != nil {
		return err
	}
	gw, err := gateway.Start(gateway.Config{})
	if err != nil {
		return err
	}
	r.stage = stage{gateway: gw, containment: s.containment, now: time.Now, userModel: s.userModel}
	if r.source, err = r.connect(p); err != nil {
		return err
	}
	// The gateway has it now. An agent of one's own runs in this process, and its
	// commands may be given this environment.
	_ = os.Unsetenv("OPENAI_API_KEY")
	r.commit, r.dirty = commitOf(p.dir, r.root())
	r.base = results.Plan{
		Schema: results.Schema, Run: r.id, Package: p.folder, Dir: strings.TrimPrefix(p.pattern(), "./"), Kind: s.kind(),
		Suite: manifest(p.suite), Commit: r.commit, Dirty: r.dirty,
		Settings: p.asked(address),
	}
	r.sources = make(map[string]suite.Case)
	for _, c := range p.suite {
		r.sources[c.ID] = c
	}
	r.enrolled = make(map[*entry]bool)
	return nil
}

// sameKind refuses to add to a run of another kind, which DEEDS_RUN names, or to the
// replay of another run: what a model did, what a script did and what was driven by a
// record would lie side by side, and count as one.
func sameKind(id string, plans []results.Plan, s settings) error {
	for _, plan := range plans {
		switch {
		case plan.Kind == s.kind() && plan.Settings.Replay == s.replay:
		case s.replay != "":
			return &usageError{
				fmt.Sprintf("DEEDS_RUN names %s, which is no replay of %s", id, s.replay),
				"a replay is a run of its own: leave DEEDS_RUN out",
			}
		default:
			return &usageError{
				fmt.Sprintf("DEEDS_RUN names %s, which is %s, and this run is %s", id, plan.Kind, s.kind()),
				"a run has attempts of one kind: leave DEEDS_RUN out, or give another name",
			}
		}
	}
	return nil
}

// asked is what the run was asked for, as its plans keep it.
func (p *process) asked(address string) results.Settings {
	s := p.settings
	asked := results.Settings{
		Models: s.models, Agent: s.agent, Repeat: s.repeat, Worlds: s.worlds, Limit: s.limit, Jobs: s.jobs,
		BaseURL: address, Temperature: s.temperature, Seed: s.seed, Reasoning: s.reasoning, UserModel: s.userModel,
		Containment: string(s.containment), Run: testFlag("test.run"), Skip: testFlag("test.skip"), Short: testing.Short(),
		Scoreboard: s.scoreboard, Replay: s.replay, Budget: s.budget, MaxTokens: s.maxTokens,
	}
	for _, sig := range s.signals {
		asked.Signals = append(asked.Signals, string(sig))
	}
	p.resumed.keep(&asked)
	return asked
}

// plan writes down the slots of the entries, before anything of them runs.
func (r *run) plan(entries []*entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	plan := r.base
	plan.Created = time.Now().UTC()
	plan.Signals = make(map[string][]string)
	plan.Claims = make(map[string]string)
	plan.WorldSignals = make(map[string]map[string][]string)
	for _, e := range entries {
		if r.enrolled[e] {
			continue
		}
		r.enrolled[e] = true
		before := len(plan.Slots)
		for _, s := range e.slots {
			plan.Slots = append(plan.Slots, s.Slot)
		}
		plan.Slots = append(plan.Slots, e.unasked...)
		plan.Slots = slices.DeleteFunc(plan.Slots, r.planned)
		if len(plan.Slots) == before {
			continue
		}
		plan.Claims[e.id] = e.c.Claim
		plan.Signals[e.id] = signalList(e.c.signals())
		if worlds := e.c.worldSignals(); worlds != nil {
			plan.WorldSignals[e.id] = worlds
		}
	}
	if len(plan.Slots) == 0 {
		return nil
	}
	return r.journal.WritePlan(plan)
}

// namesake refuses a run with two packages of one name: the cases of one would be
// taken for those of the other. Every plan is written before anything is played, so
// that at least one of the two sees the other's.
func (r *run) namesake() error {
	run, err := results.Load(r.dir)
	if err != nil {
		return err
	}
	for _, plan := range run.Plans {
		if plan.Package == r.base.Package && plan.Dir != "" && plan.Dir != r.base.Dir {
			return r.stop(&usageError{
				fmt.Sprintf("two packages of this run are both called %s: %s and %s", plan.Package, min(plan.Dir, r.base.Dir), max(plan.Dir, r.base.Dir)),
				"a case is known by the name of its package's folder: rename one, or run them apart",
			})
		}
	}
	return nil
}

// enroll plans a case that came after the run began, because its test could not
// wait for the others.
func (r *run) enroll(e *entry) error {
	r.mu.Lock()
	known := r.enrolled[e]
	r.mu.Unlock()
	if known {
		return nil
	}
	return r.plan([]*entry{e})
}

// clean is a text as it may be printed: without a secret, and with nothing in it that a
// terminal or a runner of CI would obey.
func (r *run) clean(text string) string { return report.NoCommand(inert.Text(r.redacted(text))) }

func (r *run) redacted(text string) string {
	if r.redact == nil {
		return text
	}
	return r.redact.RedactString(text)
}

// stop ends the run for all of its packages, with one clear error.
func (r *run) stop(err error) error {
	what := strings.TrimPrefix(firstLine(err.Error()), "deeds: ")
	_ = r.journal.Stop(what)
	stopped := &usageError{what, hintOf(err, "")}
	r.cancel(stopped)
	return stopped
}

// hopeless reports whether the first request of all met a fault that every other
// one will meet too. An endpoint that only has trouble is asked again by the
// attempts, which are void if it still has.
func hopeless(err error) bool {
	var fault *gateway.Fault
	if !errors.As(err, &fault) {
		return err != nil
	}
	return fault.StopsRun() || fault.Kind == gateway.Network || fault.Kind == gateway.Garbage
}

// halt stops the run when an attempt shows that no attempt can succeed.
func (r *run) halt(a attempt) error {
	if a.fault == nil || !a.fault.StopsRun() {
		return nil
	}
	return r.stop(a.fault)
}

// digests identify what was judged by what. What every attempt has of its own, the
// names of its folders and the facts that are drawn for it, is left out: attempts of one
// unit are to have the same.
func (r *run) digests(a attempt) results.Digests {
	d := results.Digests{Case: r.sources[a.unit.id].Digest, Grader: graderDigest()}
	same := a.unit.undrawn(a.evidence.Workspace)
	if files, err := json.Marshal(a.evidence.Before); err == nil {
		d.Fixture = suite.Digest([]byte(same.Replace(string(files))))
	}
	if len(a.evidence.Wire) > 0 {
		var first struct {
			Messages []struct {
				Content json.RawMessage `json:"content"`
			} `json:"messages"`
			Tools json.RawMessage `json:"tools"`
		}
		if json.Unmarshal(a.evidence.Wire[0].Request, &first) == nil && len(first.Messages) > 0 {
			system := same.Replace(string(first.Messages[0].Content))
			d.Prompt, d.Tools = suite.Digest([]byte(system), []byte(expand(a.unit.asks, a.unit.known))), suite.Digest(first.Tools)
		}
	}
	return d
}

// undrawn puts their names back for what is drawn, and one name for the folders of an
// attempt: the workspace, and those that lie beside it.
func (u unit) undrawn(workspace string) *strings.Replacer {
	var pairs []string
	if world := filepath.Dir(workspace); world != "." && world != string(filepath.Separator) {
		pairs = append(pairs, world, "{world}")
	}
	for _, name := range sortedKeys(u.draws) {
		if value := u.facts[name]; value != "" {
			pairs = append(pairs, value, "{"+name+"}")
		}
	}
	return strings.NewReplacer(pairs...)
}

// fits refuses a plan that go test would cut off. The estimate is modest: six
// requests an attempt, each as slow as the one that warmed the model up.
func fits(request time.Duration, slots, jobs int, left time.Duration) error {
	rounds := (slots + jobs - 1) / jobs
	need := time.Duration(rounds) * 6 * request
	if need <= left {
		return nil
	}
	return &usageError{
		fmt.Sprintf("%d attempts, %d at a time, need about %s, and go test ends in %s", slots, jobs, need.Round(time.Second), left.Round(time.Second)),
		fmt.Sprintf("give -timeout=%s, or -timeout=0 for no end", (2*need + time.Minute).Round(time.Minute)),
	}
}

// countSlots counts the slots of a model, or of all, that are still to be played.
func countSlots(entries []*entry, model string) int {
	n := 0
	for _, e := range entries {
		for _, s := range e.slots {
			if (model == "" || s.Model == model) && s.decided() == "" {
				n++
			}
		}
	}
	return n
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// secretName matches the names of variables that hold a secret: API_KEY and
// GH_TOKEN, and neither KEYBOARD nor MONKEY.
var secretName = regexp.MustCompile(`(^|_)(API|ACCESS|PRIVATE|SECRET)?(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)S?(_|$)`)

// secrets are the values that must be in no file: the key, and whatever else in
// the environment is named like one.
func secrets(key string) []string {
	all := []string{key}
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		if secretName.MatchString(strings.ToUpper(name)) && len(value) >= 8 {
			all = append(all, value)
		}
	}
	return all
}

// neverCached keeps go test from answering a later run with this one's result:
// it refuses to cache a run that read a file younger than two seconds, and a file
// from the future always is.
func neverCached(pkg, dir string) error {
	name := filepath.Join(filepath.Dir(dir), ".never-cached")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		return err
	}
	future := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(name, future, future); err != nil {
		return err
	}
	// go test looks only at files within the module, and tells them by the names
	// they are opened by: one that leads out of the package's folder will do.
	if rel, err := filepath.Rel(pkg, name); err == nil {
		name = pkg + string(filepath.Separator) + rel
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

// commitOf says which commit the source is at, and whether it was changed since; what
// lies under the root of the results, which runs themselves write, does not count. Both
// are empty where there is no git.
func commitOf(dir, root string) (commit string, dirty bool) {
	git := func(args ...string) (string, error) {
		// Whoever works in the repository meanwhile must not find its index locked.
		out, err := exec.Command("git", append([]string{"--no-optional-locks", "-C", dir}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	what := []string{"status", "--porcelain", "--", ":(top)"}
	if top, err := git("rev-parse", "--show-toplevel"); err == nil {
		if real, err := filepath.EvalSymlinks(root); err == nil {
			root = real
		}
		if rel, err := filepath.Rel(filepath.FromSlash(top), root); err == nil && filepath.IsLocal(rel) && rel != "." {
			what = append(what, ":(top,exclude,literal)"+filepath.ToSlash(rel))
		}
	}
	status, err := git(what...)
	return commit, err != nil || status != ""
}

// onSignal calls f on the first interrupt. A second one ends the process at
// once, as ever.
func onSignal(f func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(c, syscall.SIGHUP) // the terminal has gone
	}
	go func() {
		<-c
		signal.Stop(c)
		f()
	}()
}

func testFlag(name string) string {
	f := flag.Lookup(name)
	if f == nil {
		return ""
	}
	return f.Value.String()
}

func currentTestFilter() testFilter {
	return newTestFilter(testFlag("test.run"), testFlag("test.skip"))
}

// hintOf is the hint of an error that has one.
func hintOf(err error, fallback string) string {
	var fault *gateway.Fault
	if errors.As(err, &fault) && fault.Hint != "" {
		return fault.Hint
	}
	var knows interface{ Hint() string }
	if errors.As(err, &knows) {
		return knows.Hint()
	}
	if _, hint, ok := strings.Cut(err.Error(), "hint: "); ok {
		return hint
	}
	return fallback
}
