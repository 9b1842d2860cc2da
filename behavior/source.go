package behavior

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/results"
)

// A source is where the answers of a run come from: models behind an endpoint,
// scripts that stand in for a model at a known rate, or the record of another run.
type source interface {
	// warm asks a model one small thing, before any clock starts.
	warm(ctx context.Context, model string) error
	// set makes the stage ready for one play of a slot, and returns who answers there
	// for the model.
	set(st *stage, s *slot) (gateway.Upstream, error)
}

// connect makes the source that the settings ask for.
func (r *run) connect(p *process) (source, error) {
	switch p.settings.kind() {
	case results.Simulated:
		return newSimulation(p)
	case results.Replayed:
		return newReplay(p), nil
	}
	return newEndpoint(p, r.limiter)
}

// An endpoint is a source: models that answer over the network.
type endpoint struct{ live *gateway.Live }

func newEndpoint(p *process, limiter *gateway.Limiter) (source, error) {
	s := p.settings
	live, err := gateway.NewLive(gateway.LiveConfig{
		BaseURL: s.baseURL, Key: s.key, Limiter: limiter,
		Retry:    gateway.Retry{Tries: s.retries + 1},
		Settings: gateway.Settings{Temperature: s.temperature, Seed: s.seed, Reasoning: s.reasoning},
	})
	return &endpoint{live}, err
}

func (e *endpoint) warm(ctx context.Context, model string) error { return e.live.WarmUp(ctx, model) }

func (e *endpoint) set(st *stage, s *slot) (gateway.Upstream, error) {
	if st.guest = e.live; st.userModel == "" {
		st.userModel = s.Model
	}
	return e.live, nil
}

// withScheme is an address that was written without its scheme.
func withScheme(address string) (string, bool) {
	if strings.Contains(address, "://") {
		return "", false
	}
	at, err := url.Parse("https://" + address)
	if err != nil || at.Hostname() == "" {
		return "", false
	}
	if loopback(at.Hostname()) {
		return "http://" + address, true
	}
	return at.String(), true
}

// defaultBaseURL is where models answer unless -base-url or OPENAI_BASE_URL say
// otherwise.
const defaultBaseURL = "https://api.openai.com/v1"

// address checks where the models are said to answer, and that there is a key where
// one is needed. It is as it may be shown, without a name or a password.
func (s *settings) address() (shown string, err error) {
	if s.kind() != results.Live {
		return "", nil
	}
	if s.baseURL == "" {
		s.baseURL = defaultBaseURL
	}
	at, err := url.Parse(s.baseURL)
	if err != nil || at.Host == "" || (at.Scheme != "http" && at.Scheme != "https") {
		// It may hold a password that cannot be told from the rest.
		shown, hint := "", "it looks like http://127.0.0.1:8080/v1"
		if !strings.Contains(s.baseURL, "@") {
			shown = fmt.Sprintf(" %q", s.baseURL)
			if meant, ok := withScheme(s.baseURL); ok {
				hint = fmt.Sprintf("did you mean %s?", meant)
			}
		}
		return "", &usageError{fmt.Sprintf("the base URL%s is no http or https address", shown), hint}
	}
	if s.key == "" && !loopback(at.Hostname()) {
		return "", &usageError{
			fmt.Sprintf("there is no key for %s: OPENAI_API_KEY is not set", at.Host),
			"export OPENAI_API_KEY, or give -base-url of a server on this machine",
		}
	}
	at.User, at.RawQuery = nil, ""
	return at.String(), nil
}
