package behavior

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/internal/sandbox"
	"github.com/deeds-evals/deeds/internal/spelling"
	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

// A resumption is a run that is gone on with: what it was asked for, and what it has
// on record. A nil one is that of a new run.
type resumption struct {
	info    results.RunInfo
	planned map[string]bool           // by case
	slots   map[results.Slot]struct{} // that a plan has
	suite   map[string]bool           // the cases that there were
	folders map[string]bool           // that have a plan
	asked   results.Settings
	filter  testFilter // -run and -skip that were given
	tokens  int        // used by what is on record, -1 where that is not known
}

// adoptResume takes over what the run that -resume names was asked for.
func (p *process) adoptResume() error {
	set, name := os.Getenv("DEEDS_RUN"), p.settings.resume
	if name == "last" && set != "" {
		name = set // as deeds run has found it, before another one began
	}
	info, err := p.findRun(name)
	if err != nil {
		return err
	}
	if set != "" && set != info.ID && set != results.ShortID(info.ID) {
		return &usageError{fmt.Sprintf("DEEDS_RUN=%s and -resume=%s name two runs", set, p.settings.resume), "leave DEEDS_RUN out"}
	}
	run, err := results.Load(info.Dir)
	if err != nil {
		return err
	}
	if len(run.Plans) == 0 {
		return &usageError{fmt.Sprintf("the run %s has no plan: nothing says what it was to play", info.ID), "start a new run, without -resume"}
	}
	if run.Kind() == results.Replayed {
		return &usageError{fmt.Sprintf("the run %s cannot be gone on with: it was replayed, and asked no model", info.ID), "replay again: it costs nothing"}
	}
	plan, err := askedFor(info.ID, run.Plans)
	if err != nil {
		return err
	}
	if p.settings, err = p.settings.adopted(plan, info.ID, currentReader()); err != nil {
		return err
	}
	if plan.Settings.Short && !testing.Short() {
		return &usageError{fmt.Sprintf("the run %s was asked for with -short", info.ID), "give -short again, or start a new run, without -resume"}
	}
	p.again = settingsGiven(plan)
	p.resumed = newResumption(info, run, plan)
	p.run.id, p.run.dir, p.run.past = info.ID, info.Dir, resultsOf(run)
	return p.resumed.same(run, p.suite, p.source())
}

// source is the slash path of the package's folder, from the module's.
func (p *process) source() string { return strings.TrimPrefix(p.pattern(), "./") }

// findRun finds a run by its id, its short id, the beginning of either, or the path
// of its folder. A relative path counts from the module's folder, where go test is
// called, and not from the package's, where it starts the test.
func (p *process) findRun(name string) (results.RunInfo, error) {
	root, err := journal.Root(p.dir, os.Getenv)
	if err != nil {
		return results.RunInfo{}, err
	}
	at := name
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) && p.module != "" {
		at = filepath.Join(p.module, name)
	}
	info, err := results.Find(root, at)
	return info, noRun(root, name, err)
}

// noRun says of a run that was not found which ones there are. Other errors, and none,
// stay as they are.
func noRun(root, name string, err error) error {
	if !errors.Is(err, results.ErrNoRun) {
		return err
	}
	if strings.Contains(err.Error(), "fits") {
		return &usageError{strings.TrimPrefix(err.Error(), results.ErrNoRun.Error()+": "), "give more of the name"}
	}
	list, listErr := results.List(root)
	if listErr != nil {
		return listErr
	}
	if name == "" || name == "last" {
		return &usageError{"no run was recorded under " + root, "play one first, with -model=NAME: a rehearsal leaves no record"}
	}
	return &usageError{fmt.Sprintf("there is no run %q under %s", name, root), nearestRuns(name, list)}
}

// nearestRuns makes a hint of the runs whose names are closest to the one that was
// given, or of the newest.
func nearestRuns(name string, list []results.RunInfo) string {
	const most = 3
	if len(list) == 0 {
		return "none was recorded there: a rehearsal leaves no record"
	}
	slices.Reverse(list)
	newest := list[0].ID
	far := func(i results.RunInfo) int {
		return min(spelling.Distance(name, i.ID), spelling.Distance(name, results.ShortID(i.ID)))
	}
	list = slices.DeleteFunc(list, func(i results.RunInfo) bool { return far(i) > len(name)/2 })
	slices.SortStableFunc(list, func(a, b results.RunInfo) int { return far(a) - far(b) })
	if len(list) == 0 {
		return fmt.Sprintf("the newest is %s", newest)
	}
	var near []string
	for _, i := range list[:min(most, len(list))] {
		near = append(near, i.ID)
	}
	return fmt.Sprintf("did you mean %s?", strings.Join(near, " or "))
}

// askedFor is the first plan of a run, which says what was asked for, with the budget
// of the last. Several commands may have added to one run: if they did not ask for the
// same, there is no telling what is left of it.
func askedFor(id string, plans []results.Plan) (results.Plan, error) {
	plans = slices.Clone(plans)
	slices.SortStableFunc(plans, func(a, b results.Plan) int { return a.Created.Compare(b.Created) })
	first, last := plans[0], plans[len(plans)-1].Settings
	alike := func(p results.Plan) string {
		s := p.Settings
		s.Jobs, s.Budget, s.MaxTokens = 0, 0, 0
		text, err := json.Marshal(s)
		if err != nil {
			return err.Error()
		}
		return p.Kind + string(text)
	}
	for _, p := range plans[1:] {
		if alike(p) != alike(first) {
			return first, &usageError{fmt.Sprintf("the run %s was asked for in several ways: its plans do not have the same settings", id), "go on with each of them as it was begun, with DEEDS_RUN, or start a new run"}
		}
	}
	first.Settings.Budget, first.Settings.MaxTokens = last.Budget, last.MaxTokens
	return first, nil
}

// adopted returns the settings of a run that is gone on with. What was given anew must
// not contradict what the run was asked for, or what is on record and what is played
// now would not be attempts of the same.
func (s settings) adopted(plan results.Plan, id string, r *reader) (settings, error) {
	was := plan.Settings
	keep := func(name, value string, same bool) {
		now, where, ok := r.given(name)
		if !ok || same {
			return
		}
		with := "with -" + name + "=" + value
		if value == "" {
			with = "without -" + name
		}
		if name == "base-url" {
			now = bare(now)
		}
		r.fail(fmt.Sprintf("%s=%s contradicts the run %s, which was asked for %s", where, now, id, with), "leave it out, or start a new run, without -resume")
	}
	keep("model", strings.Join(was.Models, ","), slices.Equal(s.models, was.Models))
	keep("agent", was.Agent, s.agent == was.Agent)
	keep("repeat", fmt.Sprint(was.Repeat), s.repeat == was.Repeat)
	keep("scoreboard", map[bool]string{true: "true"}[was.Scoreboard], s.scoreboard == was.Scoreboard)
	keep("worlds", strings.Join(was.Worlds, ","), slices.Equal(s.worlds, was.Worlds))
	keep("limit", number(was.Limit), s.limit == was.Limit)
	keep("base-url", was.BaseURL, bare(s.baseURL) == was.BaseURL)
	keep("temperature", number(was.Temperature), equal(s.temperature, was.Temperature))
	keep("seed", number(was.Seed), equal(s.seed, was.Seed))
	keep("reasoning", was.Reasoning, s.reasoning == was.Reasoning)
	keep("user-model", was.UserModel, s.userModel == was.UserModel)
	keep("containment", was.Containment, string(s.containment) == was.Containment)
	// The run may be played in part: by fewer signals, not by others.
	part := func(sig Signal) bool { return len(was.Signals) == 0 || slices.Contains(was.Signals, string(sig)) }
	keep("signal", strings.Join(was.Signals, ","), !slices.ContainsFunc(s.signals, func(sig Signal) bool { return !part(sig) }))
	if _, _, given := r.given("base-url"); !given {
		r.keyGoesTo(s, was.BaseURL, id)
	}
	if r.err != nil {
		return s, r.err
	}

	s.models, s.agent, s.repeat, s.scoreboard = was.Models, was.Agent, was.Repeat, was.Scoreboard
	s.worlds, s.limit = was.Worlds, was.Limit
	s.temperature, s.seed, s.reasoning, s.userModel = was.Temperature, was.Seed, was.Reasoning, was.UserModel
	s.containment = sandbox.Containment(was.Containment)
	if bare(s.baseURL) != was.BaseURL {
		s.baseURL = was.BaseURL // else it may hold a name and a password, which no plan has
	}
	if len(s.signals) == 0 {
		for _, name := range was.Signals {
			s.signals = append(s.signals, Signal(name))
		}
	}
	if _, _, ok := r.given("j"); !ok {
		s.jobs = max(was.Jobs, 1)
	}
	if _, _, ok := r.given("budget"); !ok {
		s.budget = was.Budget
	}
	if _, _, ok := r.given("max-tokens"); !ok {
		s.maxTokens = was.MaxTokens
	}
	return s, nil
}

// keyGoesTo refuses to send the key of the environment to a host that only the record
// names: it is the key of another endpoint, and whoever made the record may have been
// somebody else.
func (r *reader) keyGoesTo(s settings, address, id string) {
	host := func(address string) string {
		at, err := url.Parse(address)
		if err != nil {
			return ""
		}
		return at.Hostname()
	}
	now := cmp.Or(s.baseURL, defaultBaseURL)
	if to := host(address); s.key == "" || address == "" || loopback(to) || to == host(now) {
		return
	}
	r.fail(fmt.Sprintf("the run %s was played at %s, and the key in OPENAI_API_KEY goes with %s", id, address, bare(now)),
		fmt.Sprintf("if the key is for that one, give -base-url=%s", address))
}

// number is a setting as a flag has it, "" for one that was not given.
func number[T int | *int64 | *float64](x T) string {
	switch x := any(x).(type) {
	case int:
		if x != 0 {
			return fmt.Sprint(x)
		}
	case *int64:
		if x != nil {
			return fmt.Sprint(*x)
		}
	case *float64:
		if x != nil {
			return fmt.Sprint(*x)
		}
	}
	return ""
}

func equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// settingsGiven lists the flags that a command repeats which plays one attempt of the
// run again, by the run's plan.
func settingsGiven(plan results.Plan) []string {
	s := plan.Settings
	fallback := sandbox.Strict
	if plan.Kind == results.Simulated {
		fallback = sandbox.Best
	}
	if s.Containment == string(fallback) {
		s.Containment = "" // as by default
	}
	flags := make(map[string]*rawFlag)
	for name, value := range map[string]string{
		"base-url": s.BaseURL, "containment": s.Containment, "reasoning": s.Reasoning, "user-model": s.UserModel,
		"temperature": number(s.Temperature), "seed": number(s.Seed),
	} {
		if value != "" {
			flags[name] = &rawFlag{text: value, set: true}
		}
	}
	return flagsGiven(flags)
}

func newResumption(info results.RunInfo, run *results.Run, plan results.Plan) *resumption {
	m := &resumption{
		info: info, asked: plan.Settings, folders: make(map[string]bool), planned: make(map[string]bool), slots: make(map[results.Slot]struct{}), suite: make(map[string]bool),
		filter: newTestFilter(plan.Settings.Run, plan.Settings.Skip),
	}
	for _, p := range run.Plans {
		m.folders[p.Package] = true
		for _, s := range p.Slots {
			m.planned[s.Case] = true
			m.slots[s] = struct{}{}
		}
		for _, c := range p.Suite {
			m.suite[c.Case] = true
		}
	}
	for _, a := range run.Attempts {
		if a.Usage.Unreported > 0 {
			m.tokens = -1
			break
		}
		m.tokens += a.Usage.Prompt + a.Usage.Completion
	}
	return m
}

// same refuses to go on where cases or their judge are not what they were: what is on
// record and what would be played now could not be told apart, and be no attempts of
// the same. The cases are those of the suite that the package at dir belongs to.
func (m *resumption) same(run *results.Run, today []suite.Case, dir string) error {
	digests := make(map[string]string)
	for _, c := range today {
		digests[c.ID] = c.Digest
	}
	mine := make(map[string]bool) // the folders of this suite
	for _, p := range run.Plans {
		if p.Dir == "" || path.Dir(p.Dir) == path.Dir(dir) {
			mine[p.Package] = true
		}
	}
	changed := make(map[string]bool)
	check := func(id, digest string) {
		folder, _, _ := strings.Cut(id, "/")
		if digest != "" && mine[folder] && digests[id] != digest {
			changed[id] = true
		}
	}
	for _, p := range run.Plans {
		for _, c := range p.Suite {
			if m.planned[c.Case] {
				check(c.Case, c.Digest)
			}
		}
	}
	for _, a := range run.Attempts {
		check(a.Case, a.Digests.Case)
		if a.Digests.Grader != "" && a.Digests.Grader != graderDigest() {
			return &usageError{fmt.Sprintf("the run %s was judged by another version of package behavior", m.info.ID), "start a new run, without -resume"}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	const most = 10
	names := sortedKeys(changed)
	text := strings.Join(names[:min(most, len(names))], ", ")
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return &usageError{
		fmt.Sprintf("%s changed since the run %s was made, or went away: %s", plural(len(names), "case"), m.info.ID, text),
		"what is on record is about other cases: start a new run, without -resume, or put them back",
	}
}

// leaveOut says why the run has nothing to do with a case, or nothing.
func (m *resumption) leaveOut(id string, today []suite.Case) string {
	if m == nil {
		return ""
	}
	known := slices.ContainsFunc(today, func(c suite.Case) bool { return c.ID == id })
	if known && !m.planned[id] && !m.suite[id] {
		return fmt.Sprintf("it came after the run %s was planned", m.info.ID)
	}
	return ""
}

// beyond reports whether a case at that place is beyond the -limit. Where the package
// has its plan, that has the cases within.
func (m *resumption) beyond(id string, place, limit int) bool {
	folder, _, _ := strings.Cut(id, "/")
	if m == nil || !m.folders[folder] {
		return place >= limit
	}
	return !m.planned[id]
}

// asks reports whether the run was to play the slot, whose test has that name.
func (m *resumption) asks(test string, s results.Slot) bool {
	if m == nil {
		return true
	}
	_, has := m.slots[s]
	return has || m.filter.selects(test)
}

// dir is the folder of the run, "" for a new one.
func (m *resumption) dir() string {
	if m == nil {
		return ""
	}
	return m.info.Dir
}

// keep leaves in the plan of what is added what the run as a whole was asked for.
func (m *resumption) keep(s *results.Settings) {
	if m != nil {
		s.Signals, s.Run, s.Skip, s.Short = m.asked.Signals, m.asked.Run, m.asked.Skip, m.asked.Short
	}
}

// resultsOf are the slots of a run, and what became of them.
func resultsOf(run *results.Run) map[results.Slot]results.SlotResult {
	all := make(map[results.Slot]results.SlotResult)
	for _, s := range run.Slots() {
		all[s.Slot] = s
	}
	return all
}

// planned reports whether a run that is gone on with has the slot in a plan.
func (r *run) planned(s results.Slot) bool {
	past, ok := r.past[s]
	return r.resumes && ok && !past.Unplanned
}

// busy makes an error of one's own of a run that somebody else plays.
func busy(err error) error {
	var b *journal.BusyError
	if errors.As(err, &b) {
		return &usageError{b.Error(), "wait until it has ended, or end it, and go on then: two at once would play the same"}
	}
	return err
}

// restore gives the slots of the entries what the run has on record of them: those that
// passed or failed are decided.
func (p *process) restore(past map[results.Slot]results.SlotResult, entries []*entry) {
	if p.resumed == nil {
		return
	}
	for _, e := range entries {
		for _, s := range e.slots {
			if r, ok := past[s.Slot]; ok && r.Decided != nil {
				s.restore(r)
				s.red = r.Outcome == results.Fail && p.deemsRed(e.c, r.Decided)
			}
		}
	}
}

// deemsRed reports whether an attempt on record that failed makes its case red, as it
// did when it was played: a limit does, and so does a signal that decides.
func (p *process) deemsRed(c Case, a *results.Attempt) bool {
	if a.Reason != "" {
		return true
	}
	for sig := range p.deciding(c) {
		if a.Signals[string(sig)] == results.Fail {
			return true
		}
	}
	return false
}

// restore takes over what is on record of the slot.
func (s *slot) restore(r results.SlotResult) {
	a := r.Decided
	kept := attempt{
		unit: s.unit, model: a.Model, started: a.Started, outcome: Outcome(a.Outcome), reason: Reason(a.Reason),
		evidence: Evidence{Usage: Usage{
			Prompt: a.Usage.Prompt, Completion: a.Usage.Completion, Cached: a.Usage.Cached,
			Reasoning: a.Usage.Reasoning, Unreported: a.Usage.Unreported,
		}},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Outcome {
	case results.Pass, results.Fail:
		s.first, s.last = &kept, &kept
	default:
		kept.outcome = Void
		s.last = &kept
	}
}

// decided is the outcome of a slot that has passed or failed, else "".
func (s *slot) decided() Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		return ""
	}
	return s.first.outcome
}

// done ends the test of a slot that needs not be played. One that failed is as red as
// it was: a run that was cut in two is no greener than one that was not.
func (p *process) done(t *testing.T, s *slot) {
	t.Helper()
	if p.resumed == nil {
		return
	}
	switch outcome := s.decided(); {
	case outcome == Fail && s.red:
		t.Fatal("not played again: it failed; see " + p.showCommand(s))
	case outcome == Fail:
		t.Skip("not played again: it failed, in no signal that was asked for; see " + p.showCommand(s))
	case outcome != "":
		t.Skip("not played again: it passed")
	}
}

// allOnRecord ends the test of a case where nothing at all is left to play.
func (p *process) allOnRecord(t *testing.T, e *entry) {
	t.Helper()
	for _, s := range e.slots {
		if s.decided() == Fail && s.red {
			t.Fatalf("nothing is left to play of the run %s, and not all of this case passed; see %s", p.run.id, p.showCommand(s))
		}
	}
	t.Skip("nothing is left to play of the run " + p.run.id)
}

// nothingLeft reports whether the run has all that this package was to play.
func (p *process) nothingLeft() bool {
	if p.resumed == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return countSlots(p.entries, "") == 0
}
