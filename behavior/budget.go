package behavior

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// spent turns the fault of a budget that is used up into the run's one clear error,
// and leaves any other error as it is. What is under way is not cut short: it is paid
// for. Nothing is started after it, in no package of the run.
func (r *run) spent(err error) error {
	if !errors.Is(err, gateway.ErrBudget) {
		return err
	}
	s := r.base.Settings
	// The run may have been told to end: what it has used is known all the same.
	tokens, cost, usedErr := r.limiter.Used(context.WithoutCancel(r.ctx))
	if usedErr != nil {
		return usedErr
	}
	what := fmt.Sprintf("the budget of the run is used up: %d tokens of -max-tokens=%d", tokens, s.MaxTokens)
	more := fmt.Sprintf("-max-tokens=%d", 2*max(tokens, s.MaxTokens))
	if s.Budget > 0 && cost >= s.Budget {
		what = fmt.Sprintf("the budget of the run is used up: $%.2f of -budget=%g", cost, s.Budget)
		more = fmt.Sprintf("-budget=%.4g", 2*max(cost, s.Budget))
	}
	r.mu.Lock()
	r.over = what
	r.mu.Unlock()
	_ = r.journal.Stop(what) // said here as well
	return &usageError{what, fmt.Sprintf("nothing that was played is lost: go on with -resume=%s %s", r.id, more)}
}

// bare is a base URL as the record has it: without who asks, and without a query.
func bare(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// againstBudget says how the expected bill of a package, to which a case adds tokens,
// stands to the budget. What a token costs only the endpoint knows.
func (p *process) againstBudget(tokens int) string {
	p.mu.Lock()
	p.billed += tokens
	all := p.billed
	p.mu.Unlock()
	var text string
	if n := p.settings.maxTokens; n > 0 {
		text = fmt.Sprintf(", %d so far in this package", all)
		if p.resumed != nil && p.resumed.tokens >= 0 {
			text += fmt.Sprintf(" and %d on record", p.resumed.tokens)
			all += p.resumed.tokens
		}
		text += fmt.Sprintf(", %d %% of -max-tokens=%d", int64(all)*100/n, n)
	}
	if p.settings.budget > 0 {
		text += fmt.Sprintf(" (-budget=%g: what a token costs is known when the first is answered)", p.settings.budget)
	}
	return text
}
