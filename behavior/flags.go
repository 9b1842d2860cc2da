package behavior

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/spelling"
	"github.com/deeds-evals/deeds/results"
)

// The flags are registered where a test binary links this package, so that
// `go test ./evals/... -model=M` works without a TestMain. Each has a twin in the
// environment, DEEDS_ and the name in capitals, that an explicit flag overrides.
//
// Values are kept as given and read inside the first test: only then does go
// test notice which variables a result depends on, and only then can a bad value
// be one clear error instead of a usage dump.
var flagHelp = map[string]string{
	"model":       "models to play, separated by commas, or sim:RATE (default: rehearse offline)",
	"agent":       "the agent under test (default builtin)",
	"repeat":      "attempts per unit (default 1)",
	"signal":      "play the cases of these signals, and let them alone decide",
	"worlds":      "play these worlds only",
	"limit":       "play the first N cases of each package only",
	"j":           "attempts in flight, over all packages of the run (default 8)",
	"dry-run":     "print what would be played, and call nothing",
	"base-url":    "where the model answers (default: OPENAI_BASE_URL)",
	"temperature": "sampling temperature, passed to the model",
	"seed":        "sampling seed, passed to the model, or that of a simulation",
	"reasoning":   "reasoning effort, passed to the model",
	"user-model":  "the model that plays simulated users (default: the model under test)",
	"containment": "none, best or strict (default: strict live, best in rehearsal)",
	"retries":     "how often a request is sent again after a fault that may pass (default 4)",
	"rpm":         "requests a minute, over all packages of the run (default: no limit)",
	"scoreboard":  "play every unit three times, and publish what came of it",
	"resume":      "go on with that run: play the slots that have neither passed nor failed",
	"replay":      "drive the agent again by the answers that the model gave in that run",
	"regrade":     "judge the evidence of that run again, and list the verdicts that flip",
	"budget":      "start no more attempts once the run has cost that many US dollars",
	"max-tokens":  "start no more attempts once the run has used that many tokens",
}

// flagExample has a value for a hint that shows how a flag is written.
var flagExample = map[string]string{
	"model": "NAME", "agent": "builtin", "repeat": "3", "signal": "tool-chain", "limit": "5", "j": "8",
	"temperature": "0.7", "seed": "7", "retries": "4", "rpm": "60", "budget": "5", "max-tokens": "1000000",
	"resume": "last", "replay": "last", "regrade": "last", "containment": "best", "base-url": "http://127.0.0.1:8080/v1",
}

func exampleOf(name string) string { return cmp.Or(flagExample[name], "VALUE") }

// boolFlags may stand alone, without a value.
var boolFlags = map[string]bool{"dry-run": true, "scoreboard": true}

type rawFlag struct {
	text string
	set  bool
	bare bool
}

func (f *rawFlag) String() string     { return f.text }
func (f *rawFlag) Set(s string) error { f.text, f.set = s, true; return nil }
func (f *rawFlag) IsBoolFlag() bool   { return f.bare }

var rawFlags = make(map[string]*rawFlag)

func init() {
	if !testing.Testing() {
		return
	}
	for name, help := range flagHelp {
		f := &rawFlag{bare: boolFlags[name]}
		rawFlags[name] = f
		flag.Var(f, name, help)
	}
	// Attempts wait for the model, not for a processor: -j bounds them, over all
	// packages. An explicit -parallel is parsed later and still wins.
	testing.Init()
	_ = flag.Set("test.parallel", strconv.Itoa(math.MaxInt16))
}

// settings is what a run was asked for.
type settings struct {
	models      []string
	agent       string
	repeat      int
	signals     []Signal
	worlds      []string
	limit       int
	jobs        int
	dryRun      bool
	baseURL     string
	key         string
	temperature *float64
	seed        *int64
	reasoning   string
	userModel   string
	containment sandbox.Containment
	rpm         int
	retries     int
	scoreboard  bool
	resume      string // a run, as it was named
	replay      string
	regrade     string
	budget      float64
	maxTokens   int64
}

// plays says whether attempts are to be made and recorded, and not only rehearsed or
// judged again.
func (s settings) plays() bool { return len(s.models) > 0 || s.resume != "" || s.replay != "" }

// simulated says whether scripts stand in for the models, at a rate that is known.
func (s settings) simulated() bool { return len(s.models) > 0 && isSimulated(s.models[0]) }

func isSimulated(model string) bool { return strings.HasPrefix(model, "sim:") }

// kind is the kind of run that the record tells of.
func (s settings) kind() string {
	switch {
	case s.replay != "":
		return results.Replayed
	case s.simulated():
		return results.Simulated
	}
	return results.Live
}

// A usageError is a mistake in how the run was asked for.
type usageError struct{ what, hint string }

func (e *usageError) Error() string {
	if e.hint == "" {
		return "deeds: " + e.what
	}
	return "deeds: " + e.what + "\nhint: " + e.hint
}

// readSettings reads the flags and the environment. It must be called from
// inside a test.
func readSettings(flags map[string]*rawFlag, leftover []string, getenv func(string) string) (settings, error) {
	if len(leftover) > 0 {
		return settings{}, &usageError{
			fmt.Sprintf("the argument %q stands where no argument belongs, and would silence the flags behind it", leftover[0]),
			"flags are written -name=value; packages come before all flags",
		}
	}
	r := reader{flags: flags, getenv: getenv}
	r.swallowed()
	s := settings{
		models:  r.list("model"),
		agent:   r.text("agent", "builtin"),
		repeat:  r.count("repeat", 1, 1),
		worlds:  r.list("worlds"),
		limit:   r.count("limit", 0, 0),
		jobs:    r.count("j", 8, 1),
		dryRun:  r.yes("dry-run"),
		baseURL: strings.TrimRight(r.text("base-url", getenv("OPENAI_BASE_URL")), "/"),
		key:     getenv("OPENAI_API_KEY"),
		rpm:     r.count("rpm", 0, 0),
		retries: r.count("retries", 4, 0),

		temperature: r.number("temperature", 0, 2),
		seed:        r.integer("seed"),
		reasoning:   r.text("reasoning", ""),
		userModel:   r.text("user-model", ""),

		scoreboard: r.yes("scoreboard"),
		resume:     r.text("resume", ""),
		replay:     r.text("replay", ""),
		regrade:    r.text("regrade", ""),
		budget:     r.amount("budget"),
		maxTokens:  int64(r.count("max-tokens", 0, 1)),
	}
	r.modes(&s)
	r.simulation(s)
	for _, name := range r.list("signal") {
		if !Signal(name).known() {
			_, where, _ := r.given("signal")
			r.fail(fmt.Sprintf("%s=%s: there is no signal of that name", where, name), nearest(name, signalNames()))
		}
		s.signals = append(s.signals, Signal(name))
	}
	if s.agent != "builtin" {
		_, where, _ := r.given("agent")
		r.fail(fmt.Sprintf("%s=%s: this release has one agent, builtin", where, s.agent),
			nearestOr(s.agent, []string{"builtin"}, "an agent of your own is a Go value: set Agent in the case", ""))
	}
	fallback := sandbox.Best
	if s.plays() && !s.simulated() {
		fallback = sandbox.Strict
	}
	switch c := sandbox.Containment(r.text("containment", string(fallback))); c {
	case sandbox.None, sandbox.Best, sandbox.Strict:
		s.containment = c
	default:
		_, where, _ := r.given("containment")
		r.fail(fmt.Sprintf("%s=%s: there is no containment of that name", where, c), nearest(string(c), []string{string(sandbox.None), string(sandbox.Best), string(sandbox.Strict)}))
	}
	for i, m := range s.models {
		for _, n := range s.models[:i] {
			if m == n {
				r.fail(fmt.Sprintf("-model names %q twice", m), "name it once; -repeat=N plays it N times")
			}
		}
	}
	if !s.plays() {
		for _, name := range []string{"repeat", "base-url", "dry-run", "temperature", "seed", "reasoning", "user-model", "retries", "rpm", "scoreboard", "budget", "max-tokens"} {
			if f := flags[name]; f != nil && f.set {
				r.fail(fmt.Sprintf("-%s means nothing without -model: the cases would only be rehearsed", name), "add -model=NAME, or leave it out")
			}
		}
	}
	for name, most := range map[string]int{"repeat": maxRepeat, "j": maxJobs} {
		if v, where, ok := r.given(name); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && n > most {
				r.fail(fmt.Sprintf("%s=%s is more than %d", where, v, most), fmt.Sprintf("write %s=%s", where, exampleOf(name)))
			}
		}
	}
	return s, r.err
}

// modes checks that only one thing is asked for: to play, to go on, to drive the
// agent again, or to judge again.
func (r *reader) modes(s *settings) {
	for i, m := range s.models {
		if isSimulated(m) != isSimulated(s.models[0]) {
			r.fail(fmt.Sprintf("-model=%s and %s: one is a simulation and the other is not", s.models[0], s.models[i]), "play them in two runs")
		}
	}
	var given []string
	for _, name := range []string{"resume", "replay", "regrade"} {
		if v, where, ok := r.given(name); ok {
			given = append(given, where)
			if strings.TrimSpace(v) == "" {
				r.fail(where+"= names no run", "without a run the cases would only be rehearsed: give its name, or last")
			}
		}
	}
	switch {
	case len(given) > 1:
		r.fail(strings.Join(given, " and ")+" do not go together", "each of them names the run that is taken up")
	case len(given) == 1 && given[0] != "-resume" && given[0] != "DEEDS_RESUME":
		for _, name := range []string{"model", "repeat", "scoreboard", "dry-run", "base-url", "temperature", "seed", "reasoning", "user-model", "budget", "max-tokens", "rpm", "retries"} {
			if _, where, ok := r.given(name); ok {
				r.fail(fmt.Sprintf("%s means nothing with %s: the run has said", where, given[0]), "leave it out")
			}
		}
	}
	if !s.scoreboard {
		return
	}
	if _, where, ok := r.given("repeat"); ok && s.repeat != scoreboardAttempts {
		r.fail(fmt.Sprintf("%s=%d and -scoreboard: a published unit has exactly %d attempts", where, s.repeat, scoreboardAttempts), "leave -repeat out")
	}
	if s.simulated() {
		r.fail("-scoreboard with "+s.models[0]+": a simulation is never published", "leave -scoreboard out, and give -repeat=3")
	}
	s.repeat = scoreboardAttempts
}

// scoreboardAttempts is how often a unit is played that is published.
const scoreboardAttempts = 3

// What nobody means to ask for.
const (
	maxRepeat = 10_000
	maxJobs   = 10_000
)

func signalNames() []string {
	var names []string
	for _, s := range Signals() {
		names = append(names, string(s))
	}
	sort.Strings(names)
	return names
}

// reader reads one setting after the other and keeps the first mistake.
type reader struct {
	flags  map[string]*rawFlag
	getenv func(string) string
	err    error
}

func (r *reader) fail(what, hint string) {
	if r.err == nil {
		r.err = &usageError{what, hint}
	}
}

// swallowed finds a flag that was taken for the value of the one before it, which has
// none: "-model -repeat=3".
func (r *reader) swallowed() {
	for _, name := range sortedKeys(r.flags) {
		f := r.flags[name]
		if !f.set || f.bare || !strings.HasPrefix(f.text, "-") {
			continue
		}
		next, _, _ := strings.Cut(strings.TrimLeft(f.text, "-"), "=")
		if _, ours := r.flags[next]; ours || flag.Lookup(next) != nil || flag.Lookup("test."+next) != nil {
			r.fail(fmt.Sprintf("-%s has no value: %s was taken for it", name, f.text), fmt.Sprintf("write -%s=%s", name, exampleOf(name)))
		}
	}
}

// given returns the value and where it was given: "-repeat" or "DEEDS_REPEAT".
func (r *reader) given(name string) (value, where string, ok bool) {
	if f := r.flags[name]; f != nil && f.set {
		return f.text, "-" + name, true
	}
	twin := "DEEDS_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if v := r.getenv(twin); v != "" {
		return v, twin, true
	}
	return "", "", false
}

func (r *reader) text(name, fallback string) string {
	if v, _, ok := r.given(name); ok {
		return strings.TrimSpace(v)
	}
	return fallback
}

func (r *reader) list(name string) []string {
	v, where, ok := r.given(name)
	if !ok {
		return nil
	}
	var all []string
	for _, part := range strings.Split(v, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			r.fail(fmt.Sprintf("%s=%s has an empty name in it", where, v), "give names separated by commas, or leave it out")
			continue
		}
		all = append(all, part)
	}
	return all
}

func (r *reader) count(name string, fallback, least int) int {
	v, where, ok := r.given(name)
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || n < least {
		r.fail(fmt.Sprintf("%s=%s is not a whole number of %d or more", where, v, least), fmt.Sprintf("write %s=%s", where, exampleOf(name)))
		return fallback
	}
	return n
}

func (r *reader) number(name string, low, high float64) *float64 {
	v, where, ok := r.given(name)
	if !ok {
		return nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil || !(x >= low && x <= high) {
		r.fail(fmt.Sprintf("%s=%s is not a number from %g to %g", where, v, low, high), fmt.Sprintf("write %s=%s", where, exampleOf(name)))
		return nil
	}
	return &x
}

// amount is a number of US dollars, 0 if none was given.
func (r *reader) amount(name string) float64 {
	v, where, ok := r.given(name)
	if !ok {
		return 0
	}
	x, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(v), "$"), 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		r.fail(fmt.Sprintf("%s=%s is no number of dollars above 0", where, v), fmt.Sprintf("write %s=%s", where, exampleOf(name)))
		return 0
	}
	return x
}

func (r *reader) integer(name string) *int64 {
	v, where, ok := r.given(name)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
	if err != nil {
		r.fail(fmt.Sprintf("%s=%s is not a whole number", where, v), fmt.Sprintf("write %s=%s", where, exampleOf(name)))
		return nil
	}
	return &n
}

func (r *reader) yes(name string) bool {
	v, where, ok := r.given(name)
	if !ok {
		return false
	}
	b, err := strconv.ParseBool(strings.TrimSpace(v))
	if err != nil {
		r.fail(fmt.Sprintf("%s=%s is neither true nor false", where, v), fmt.Sprintf("write %s=true, or leave it out", where))
	}
	return b
}

// nearest makes a hint of the names closest to the one that was given, or of all.
func nearest(name string, names []string) string {
	return nearestOr(name, names, "one of "+strings.Join(names, ", "), "")
}

// nearestOr makes a hint of the names closest to the one that was given, each with what
// stands before it, or else another hint.
func nearestOr(name string, names []string, fallback, before string) string {
	near := spelling.Nearest(name, names)
	if len(near) == 0 {
		return fallback
	}
	return fmt.Sprintf("did you mean %s%s?", before, strings.Join(near, " or "+before))
}

// unknownVariable finds a variable that is meant for Deeds and means nothing to
// it.
func unknownVariable(environ []string) error {
	known := []string{"DEEDS_RUN", "DEEDS_RESULTS"}
	for name := range flagHelp {
		known = append(known, "DEEDS_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
	}
	sort.Strings(known)
	between := []string{"DEEDS_CASES", "DEEDS_SUMS", progress.Vouched} // of ours, that nobody types
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "DEEDS_") && !slices.Contains(known, name) && !slices.Contains(between, name) {
			return &usageError{fmt.Sprintf("the environment sets %s, which means nothing", name), unset(name, known)}
		}
	}
	return nil
}

// unset makes a hint for a variable that means nothing.
func unset(name string, known []string) string {
	const prefix = "DEEDS_" // makes all of them alike
	stems := make([]string, len(known))
	for i, k := range known {
		stems[i] = strings.TrimPrefix(k, prefix)
	}
	return nearestOr(strings.TrimPrefix(name, prefix), stems, fmt.Sprintf("unset %s; those that mean something are %s", name, strings.Join(known, ", ")), prefix)
}

// currentReader reads what this process was started with.
func currentReader() *reader { return &reader{flags: rawFlags, getenv: os.Getenv} }

func currentSettings() (settings, error) {
	if err := unknownVariable(os.Environ()); err != nil {
		return settings{}, err
	}
	return readSettings(rawFlags, flag.Args(), os.Getenv)
}
