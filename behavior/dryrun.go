package behavior

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/internal/progress"
	"github.com/deeds-evals/deeds/internal/script"
)

// dryRun says what a case would play, and what its prompts would cost, and calls
// no model. The bill is measured and not guessed where it can be: the pass script
// is played through the real loop, and the bytes of its requests are counted.
func (p *process) dryRun(t *testing.T, e *entry) {
	t.Helper()
	var signals []string
	for _, s := range e.c.signals() {
		signals = append(signals, string(s))
	}
	tokens, known := 0, true
	open := slices.DeleteFunc(slices.Clone(e.slots), func(s *slot) bool { return s.decided() != "" })
	if len(open) == 0 {
		t.Skip("dry run: nothing is left to play of it")
	}
	for _, s := range open {
		n, ok := p.promptTokens(t, s.unit)
		tokens += n
		known = known && ok
	}
	bill := fmt.Sprintf("about %d prompt tokens", tokens)
	if !known {
		bill = "prompt tokens not known, for want of a pass script"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s, %s; %s\n", e.id, plural(len(open), "attempt"), bill+p.againstBudget(tokens), strings.Join(signals, ", "))
	for _, s := range open {
		words := []string{s.Model}
		for _, level := range []string{s.World, s.Variant} {
			if level != "" {
				words = append(words, level)
			}
		}
		fmt.Fprintf(&text, "  %s attempt %d\n", strings.Join(words, " "), s.Attempt)
	}
	fmt.Fprint(t.Output(), text.String())
	// go test swallows what a test prints that does not fail.
	progress.Say(text.String())
	t.Skip("dry run: no model was called")
}

// bytesPerToken is the usual rough measure of English text and code.
const bytesPerToken = 4

// promptTokens estimates the prompt tokens of one attempt of a unit by an agent
// that does as the pass script does.
func (p *process) promptTokens(t *testing.T, u unit) (int, bool) {
	scripts, err := p.scripts(u)
	if err != nil || scripts.pass == nil {
		return 0, false
	}
	st, err := rehearsalStage()
	if err != nil {
		return 0, false
	}
	st.containment = p.settings.containment
	player := script.NewPlayer(scripts.pass.Messages)
	player.Summary = scripts.pass.Summary
	st.guest, st.userModel = script.NewUser(scripts.pass.User), "script"
	a := st.play(t.Context(), u, "script", player)
	bytes := 0
	for _, x := range a.evidence.Wire {
		bytes += len(x.Request)
	}
	return bytes / bytesPerToken, a.outcome != Void
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
