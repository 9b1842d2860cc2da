package behavior

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/deeds-evals/deeds/internal/report"
)

// closing is what stands at the end of every message about a case: its claim,
// its score, and the command that shows the first slot that is not a pass.
func (p *process) closing(e *entry) report.Closing {
	shown := e.worst()
	c := report.Closing{Claim: e.c.Claim}
	for _, s := range e.slots {
		if shown != nil && s.Model != shown.Model {
			continue // a case passes or fails for each model by itself
		}
		c.Score.Planned++
		a := s.settled()
		if a == nil {
			continue
		}
		switch a.outcome {
		case Pass:
			c.Score.Passed++
		case Fail:
			c.Score.Failed++
		case Void:
			c.Score.Void++
		}
	}
	if shown != nil {
		c.Again = []string{p.showCommand(shown), p.againCommand(e, shown)}
	}
	return c
}

// worst is the first slot that failed, else the first that is void; nil if all passed.
func (e *entry) worst() (worst *slot) {
	for _, s := range e.slots {
		a := s.settled()
		if a != nil && a.outcome != Pass && (worst == nil || worst.settled().outcome == Void && a.outcome == Fail) {
			worst = s
		}
	}
	return worst
}

// showCommand opens the trace of a slot.
func (p *process) showCommand(s *slot) string {
	words := []string{p.command(), "show", p.run.id, s.Case}
	if s.World != "" {
		words = append(words, "--world", s.World)
	}
	if s.Variant != "" {
		words = append(words, "--variant", s.Variant)
	}
	if len(p.settings.models) > 1 {
		words = append(words, "--model", shellQuote(s.Model))
	}
	return strings.Join(append(words, "--attempt", fmt.Sprint(s.Attempt)), " ")
}

// againCommand plays the slot again.
func (p *process) againCommand(e *entry, s *slot) string {
	words := []string{"go test", p.pattern(), "-run", anchored(path.Join(e.test, s.name)), "-model=" + shellQuote(s.Model)}
	if p.settings.replay != "" {
		words[len(words)-1] = "-replay=" + p.settings.replay
		return strings.Join(append(words, p.again...), " ")
	}
	if len(p.settings.models) > 1 {
		words[len(words)-1] = "-model=" + shellQuote(strings.Join(p.settings.models, ","))
	}
	if p.settings.repeat > 1 {
		words = append(words, fmt.Sprintf("-repeat=%d", p.settings.repeat))
	}
	return strings.Join(append(words, p.again...), " ")
}

// flagsGiven lists the flags that were given and decide how a model is played, as
// they are to be given again. What only selects is left out; -signal decides as well.
func flagsGiven(flags map[string]*rawFlag) []string {
	var all []string
	for _, name := range sortedKeys(flags) {
		switch name {
		case "model", "repeat", "worlds", "limit", "j", "dry-run",
			"scoreboard", "resume", "replay", "regrade", "budget", "max-tokens":
			continue
		}
		f := flags[name]
		if !f.set {
			continue
		}
		value := f.text
		if u, err := url.Parse(value); name == "base-url" && err == nil {
			u.User = nil
			value = u.String()
		}
		all = append(all, "-"+name+"="+shellQuote(value))
	}
	return all
}

// shellQuote quotes a word for a POSIX shell if it needs it.
func shellQuote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:/@%+=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
