package e2e

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/gateway"
	"github.com/deeds-evals/deeds/internal/script"
)

// A model says which of a unit's scripts it plays, and how; nil is none, and it is
// silent then.
type model func([]script.Section) *script.Section

// A standIn is an endpoint that plays scripts for many attempts at the same time. It
// knows an attempt by nothing but what it is asked: the user's first words say which
// unit it is, and what was drawn for it as far as the words hold it; a child's first
// words are an assignment that was given before; a conversation that was compacted
// holds a summary of the script; and who talks to an assistant that was asked a
// unit's prompt is its simulated user.
type standIn struct {
	latency time.Duration
	// complain is told of requests that belong to nobody, or to several.
	complain func(format string, args ...any)

	roles []role

	mu      sync.Mutex
	players map[string]*cast // by unit and what is drawn
}

// A role is one unit that the standIn plays.
type role struct {
	k        knownCase
	u        knownUnit
	model    model
	openings []opening
}

// A cast is what plays one unit with one draw.
type cast struct {
	role    *role
	section script.Section
	player  *script.Player
}

// standFor makes a standIn that plays the units of some worlds, "" among them, of the
// cases.
func standFor(complain func(string, ...any), cases []knownCase, worlds []string, m model) *standIn {
	s := &standIn{complain: complain, players: make(map[string]*cast)}
	for _, k := range cases {
		for _, u := range k.Units {
			if u.World != "" && !slices.Contains(worlds, u.World) {
				continue
			}
			r := role{k: k, u: u, model: m}
			for _, words := range u.openings() {
				r.openings = append(r.openings, newOpening(words, u.Draws))
			}
			s.roles = append(s.roles, r)
		}
	}
	return s
}

// An opening is what a conversation begins with, as a pattern: what is drawn may be
// anything.
type opening struct {
	words   string
	pattern *regexp.Regexp
	names   []string // of the pattern's groups
}

func newOpening(words string, draws []string) opening {
	o := opening{words: strings.TrimSpace(words)}
	source := regexp.QuoteMeta(o.words)
	for _, name := range draws {
		source = strings.ReplaceAll(source, regexp.QuoteMeta("{"+name+"}"), "\x00"+name+"\x00")
	}
	var b strings.Builder
	for i, piece := range strings.Split(source, "\x00") {
		if i%2 == 0 {
			b.WriteString(piece)
			continue
		}
		b.WriteString("(.+?)")
		o.names = append(o.names, piece)
	}
	o.pattern = regexp.MustCompile(`(?s)^` + b.String() + `$`)
	return o
}

// match tells the draws from words that begin a conversation.
func (o opening) match(words string) (drawn map[string]string, ok bool) {
	found := o.pattern.FindStringSubmatch(words)
	if found == nil {
		return nil, false
	}
	drawn = make(map[string]string)
	for i, name := range o.names {
		if before, again := drawn[name]; again && before != found[i+1] {
			return nil, false
		}
		drawn[name] = found[i+1]
	}
	return drawn, true
}

// first is what somebody says first in a request.
func first(r *gateway.Request, who string) string {
	for _, m := range r.Messages {
		if m.Role == who {
			return strings.TrimSpace(m.Text)
		}
	}
	return ""
}

func (s *standIn) Complete(ctx context.Context, r *gateway.Request) (*gateway.Reply, error) {
	s.mu.Lock()
	up := s.answerer(r)
	s.mu.Unlock()
	return up.Complete(ctx, r)
}

// answerer finds who answers a request.
func (s *standIn) answerer(r *gateway.Request) gateway.Upstream {
	words := first(r, "user")
	if c := s.only(words, s.begun(words), whole); c != nil {
		return c.player
	}
	if said := first(r, "assistant"); said != "" && len(r.Tools) == 0 {
		if c := s.only(said, s.begun(said), whole); c != nil {
			return script.NewUser(c.section.User)
		}
	}
	var known []*cast
	for _, key := range slices.Sorted(maps.Keys(s.players)) {
		if c := s.players[key]; c.player.Knows(r) {
			known = append(known, c)
		}
	}
	part := children
	if strings.Contains(words, "<summary>") || len(r.Tools) == 0 {
		part = whole
	}
	if c := s.only(words, known, part); c != nil {
		return c.player
	}
	if len(r.Tools) == 0 {
		return script.NewPlayer(script.Silence()) // a title, or the first request of a run
	}
	s.complain("nothing that was asked or assigned begins with %q", words)
	return script.NewPlayer(script.Silence())
}

// begun are the casts whose unit has a conversation that begins with these words.
func (s *standIn) begun(words string) (casts []*cast) {
	for i := range s.roles {
		r := &s.roles[i]
		for n, o := range r.openings {
			drawn, ok := o.match(words)
			if !ok {
				continue
			}
			c := s.cast(r, drawn)
			c.player.Begin(n, words)
			casts = append(casts, c)
			break
		}
	}
	return casts
}

// cast is what plays a unit with what is known to be drawn for it.
func (s *standIn) cast(r *role, drawn map[string]string) *cast {
	key := fmt.Sprintf("%s %s %s %q", r.k.ID, r.u.World, r.u.Variant, drawn)
	if c := s.players[key]; c != nil {
		return c
	}
	c := &cast{role: r, section: script.Section{Messages: script.Silence()}}
	sections, err := r.k.sections(r.u, drawn)
	if err != nil {
		s.complain("%v", err)
	} else if section := r.model(sections); section != nil {
		c.section = *section
	}
	c.player = script.NewPlayer(c.section.Messages)
	c.player.Summary, c.player.Latency = c.section.Summary, s.latency
	s.players[key] = c
	return c
}

// whole is all that a script says, and children what its children do.
func whole(s script.Section) any { return []any{s.Messages, s.Summary, s.User} }

func children(s script.Section) any {
	return slices.DeleteFunc(slices.Clone(s.Messages), func(m script.Message) bool { return m.Child == 0 })
}

// only is the one cast of several that answers, if what may be asked for is the same
// with all of them.
func (s *standIn) only(words string, casts []*cast, part func(script.Section) any) *cast {
	if len(casts) == 0 {
		return nil
	}
	for _, c := range casts[1:] {
		if !reflect.DeepEqual(part(casts[0].section), part(c.section)) {
			s.complain("%s and %s cannot be told apart: both know %q and answer differently; ask in other words, or learn what differs with ${REGEX}", casts[0].role.name(), c.role.name(), words)
			break
		}
	}
	return casts[0]
}

func (r *role) name() string {
	return strings.TrimRight(r.k.ID+"/"+r.u.World+"/"+r.u.Variant, "/")
}

// endpoint serves a model for the cases without a world and for some worlds of the
// others.
func endpoint(t *testing.T, cases []knownCase, worlds []string, m model) (baseURL, key string) {
	t.Helper()
	return serve(t, standFor(t.Errorf, cases, worlds, m))
}

// serve answers on a loopback address until the test ends.
func serve(t *testing.T, up gateway.Upstream) (baseURL, key string) {
	t.Helper()
	gw, err := gateway.Start(gateway.Config{})
	require.NoError(t, err)
	t.Cleanup(gw.Close)
	s, err := gw.Open(gateway.SessionConfig{Upstream: up, Model: "m"})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s.BaseURL(), s.Key()
}
