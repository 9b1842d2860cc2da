package behavior

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/report"
	"github.com/deeds-evals/deeds/internal/script"
)

// A rehearsal is the test of one case by its scripts.
type rehearsal struct {
	id     string
	c      Case
	script string // path of the script file below the package's folder

	mu     sync.Mutex
	begun  bool
	played int
	failed bool
	bites  map[string]bool // by expectation: a fail section made it fail
}

// rehearse plays the scripts of a case through the real loop, the real tools and
// the real wire protocol, and tests the case by them.
func (p *process) rehearse(t *testing.T, id string, c Case) {
	t.Helper()
	if why := p.leaveOut(id, c); why != "" {
		t.Skip(why)
	}
	r := &rehearsal{id: id, c: c, bites: make(map[string]bool)}
	r.script = p.scriptPath(id)
	p.sum.enter()
	parallel(t)
	p.sum.rehearse()

	parts, problems := r.parts(p)
	if len(problems) > 0 {
		r.failed = true
		p.noteCase(t, r, len(parts))
		p.leaveRehearsal(t, r, 0)
		fmt.Fprint(t.Output(), "\n"+report.Broken(problems, report.Closing{Claim: c.Claim, Again: []string{p.rehearseCommand(t.Name())}}))
		t.FailNow()
	}
	t.Cleanup(func() { p.closeRehearsal(t, r, parts) })
	for _, part := range parts {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			p.playPart(t, r, part, len(parts))
		})
	}
}

// rehearsalStage is where the scripts of this process are played.
var rehearsalStage = sync.OnceValues(func() (stage, error) {
	gw, err := gateway.Start(gateway.Config{})
	return stage{gateway: gw, now: time.Now}, err
})

// rehearsing bounds how many scripts are played at once: more than there are
// processors, for some wait for commands in the background.
var rehearsing = make(chan struct{}, 8*runtime.GOMAXPROCS(0))

// playPart plays one script, and fails the test if it shows that the case is broken.
func (p *process) playPart(t *testing.T, r *rehearsal, x part, of int) {
	t.Helper()
	rehearsing <- struct{}{}
	defer func() { <-rehearsing }()
	r.begin(p.sum.meter)
	defer r.tell(p.sum.meter, of)
	st, err := rehearsalStage()
	if err != nil {
		t.Fatal(err)
	}
	st.containment = p.settings.containment

	a, problems := r.play(t.Context(), st, x)
	verdict := "as it must"
	if len(problems) > 0 {
		verdict = "as it must not"
	}
	fmt.Fprintln(t.Output(), report.Line{
		Outcome: string(a.outcome), Reason: verdict, ID: path.Join(r.id, x.name),
		Turns: a.turns(), Calls: a.calls(), Time: a.evidence.Usage.Total, Offline: true,
	})
	if len(problems) == 0 {
		return
	}
	closing := report.Closing{Claim: r.c.Claim, Again: []string{p.rehearseCommand(t.Name())}}
	fmt.Fprint(t.Output(), "\n"+report.Broken(problems, closing)+a.failure(report.Closing{}))
	t.Fail()
}

// begin tells the meter that the first of the scripts is played.
func (r *rehearsal) begin(meter *progress.Meter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.begun {
		meter.Begin(r.id, progress.Attempt{Name: r.id})
	}
	r.begun = true
}

// tell tells the meter how many of the scripts have been played.
func (r *rehearsal) tell(meter *progress.Meter, of int) {
	r.mu.Lock()
	played := r.played
	r.mu.Unlock()
	meter.Update(r.id, 0, fmt.Sprintf("%d of %s", played, plural(of, "script")))
}

// play plays one script, and says what it shows to be wrong with the case.
func (r *rehearsal) play(ctx context.Context, st stage, x part) (attempt, []report.Problem) {
	player := script.NewPlayer(x.messages)
	player.Summary = x.summary
	st.guest, st.userModel = script.NewUser(x.user), "script"
	a := st.play(ctx, x.unit, "script", player)
	problems := r.judge(x, a, player)
	if len(problems) > 0 {
		r.mu.Lock()
		r.failed = true
		r.mu.Unlock()
	}
	return a, problems
}

// judge says what is wrong with a case, given what became of one script.
func (r *rehearsal) judge(x part, a attempt, player *script.Player) []report.Problem {
	where := fmt.Sprintf("%s:%d", r.script, x.line)
	var failing []string
	outcomes := BySignals(a.verdicts)
	for _, s := range orderedKeys(outcomes) {
		if outcomes[s] == Fail {
			failing = append(failing, string(s))
		}
	}
	r.mu.Lock()
	r.played++
	if x.kind == mustFailExactly {
		for _, l := range r.c.leaves(x.unit.world) {
			if v := check(l.signal, l.expectation, a.evidence); v.Result == Fail {
				r.bites[biteKey(v)] = true
			}
		}
	}
	r.mu.Unlock()

	if a.outcome == Void {
		return []report.Problem{report.Unplayable(x.section, where, fmt.Sprintf("%s: %s", a.reason, a.detail))}
	}
	var problems []report.Problem
	if x.kind == mustPass || x.kind == mustFailExactly {
		if player.RanOut() {
			problems = append(problems, report.RanOut(x.section, where))
		}
		if n := player.Left(); n > 0 {
			problems = append(problems, report.Unplayable(x.section, where, fmt.Sprintf("the agent ended before the last %s of it", plural(n, "message"))))
		}
		for _, what := range player.Problems() {
			problems = append(problems, report.Unplayable(x.section, where, what))
		}
		problems = append(problems, slips(x.messages, a.evidence.Timeline, where)...)
	}
	switch x.kind {
	case mustPass:
		if a.outcome != Pass {
			problems = append(problems, report.PassFails(x.section, where, reasons(failing, a.reason)))
		}
	case mustFailExactly:
		want := make(BySignal)
		var words []string
		for _, s := range x.want {
			want[s] = nil
		}
		for _, s := range orderedSignals(want) {
			words = append(words, string(s))
		}
		if strings.Join(words, ",") != strings.Join(failing, ",") {
			problems = append(problems, report.WrongSignals(x.section, where, words, failing))
		}
	case mustFail:
		if a.outcome == Pass || len(failing) == 0 {
			problems = append(problems, report.Survived(x.section, where))
			break
		}
		if x.silent {
			problems = append(problems, earnedBySilence(a.verdicts, r.script)...)
		}
	case mutant:
		switch {
		case len(failing) == 0 && x.harmless == "":
			problems = append(problems, report.MutantSurvived(x.section, where))
		case len(failing) > 0 && x.harmless != "":
			problems = append(problems, report.Problem{
				Where: where, What: fmt.Sprintf("the mutant %q is called harmless, and fails", x.section),
				Hint: "remove the line: the case tells it from an honest way",
			})
		}
	}
	return problems
}

func reasons(failing []string, reason Reason) []string {
	if reason != "" {
		return append(failing, string(reason))
	}
	return failing
}

// biteKey tells the expectations of a case apart.
func biteKey(v Verdict) string { return string(v.Signal) + "\x00" + v.Where + "\x00" + v.Name }

// closeRehearsal says which expectations no fail section made fail, and what the
// kill rate is.
func (p *process) closeRehearsal(t *testing.T, r *rehearsal, parts []part) {
	defer p.leaveRehearsal(t, r, r.played)
	whole := r.played == len(parts)
	killed, total, never := r.killRate()
	if whole {
		t.Attr("kill_rate", fmt.Sprintf("%d/%d", killed, total))
		fmt.Fprintf(t.Output(), "rehearsed, no model was asked: %s, kill rate %d/%d\n", plural(len(parts), "script"), killed, total)
		if len(never) > 0 {
			r.failed = true
			fmt.Fprint(t.Output(), "\n"+report.Broken(never, report.Closing{Claim: r.c.Claim, Again: []string{p.rehearseCommand(t.Name())}}))
			t.Fail()
		}
		p.noteCase(t, r, len(parts))
	}
}

// killRate counts the expectations that some fail section made fail.
func (r *rehearsal) killRate() (killed, total int, never []report.Problem) {
	seen := make(map[string]bool)
	for _, u := range r.c.units(r.id) {
		for _, l := range r.c.leaves(u.world) {
			v := check(l.signal, l.expectation, Evidence{World: u.world})
			key := biteKey(v)
			if seen[key] {
				continue
			}
			seen[key] = true
			total++
			if r.bites[key] {
				killed++
			} else {
				never = append(never, report.NeverBites(string(v.Signal), v.Want, v.Where))
			}
		}
	}
	return killed, total, never
}

func (p *process) rehearseCommand(test string) string {
	return fmt.Sprintf("go test %s -run %s -v", p.pattern(), anchored(test))
}

// noteCase writes what `deeds cases` shows, where it asks for it.
func (p *process) noteCase(t *testing.T, r *rehearsal, scripts int) {
	dir := os.Getenv("DEEDS_CASES")
	if dir == "" {
		return
	}
	note := caseNote{ID: r.id, Claim: r.c.Claim, Scripts: scripts}
	note.Killed, note.Expectations, _ = r.killRate()
	for _, s := range r.c.signals() {
		note.Signals = append(note.Signals, string(s))
	}
	for _, w := range r.c.Worlds {
		note.Worlds = append(note.Worlds, w.Name)
	}
	for _, v := range r.c.Variants {
		note.Variants = append(note.Variants, v.Name)
	}
	for _, u := range r.c.units(r.id) {
		note.Units = append(note.Units, unitNote{u.world, u.variant, expand(u.asks, u.known), u.known, sortedKeys(u.draws), u.fresh()})
	}
	if r.failed || t.Failed() {
		note.Broken = "its rehearsal fails"
	}
	data, err := json.Marshal([]caseNote{note})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(r.id, "/", "--")+".json"), data, 0o644)
	}
	if err != nil {
		t.Errorf("the case cannot be listed: %v", err)
	}
}

// A caseNote is what a process of the suite tells `deeds cases` about a case.
type caseNote struct {
	ID           string     `json:"id"`
	Claim        string     `json:"claim"`
	Signals      []string   `json:"signals"`
	Worlds       []string   `json:"worlds"`
	Variants     []string   `json:"variants"`
	Units        []unitNote `json:"units"`
	Scripts      int        `json:"scripts"`
	Expectations int        `json:"expectations"`
	Killed       int        `json:"killed"`
	Broken       string     `json:"broken,omitempty"`
}

// A unitNote is one unit of a case, as it would be asked: what is drawn stands in the
// prompt by its name in braces.
type unitNote struct {
	World   string            `json:"world"`
	Variant string            `json:"variant"`
	Prompt  string            `json:"prompt"`
	Facts   map[string]string `json:"facts"`
	Draws   []string          `json:"draws,omitempty"` // facts that every attempt has others of
	Fresh   []string          `json:"fresh,omitempty"` // the words with which new conversations begin
}
