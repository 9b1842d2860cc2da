// Package trace turns the evidence of one attempt into what a person reads: turns,
// calls with what came back, thinking that is folded away, verdicts with the events
// they point to, and how the files changed. The terminal, the pager and the page in the
// browser all show the same Trace.
//
// A Trace holds text as it was recorded. Whoever shows it makes it inert.
package trace

// A Trace is one attempt.
type Trace struct {
	Head     Head      `json:"head"`
	Events   []Event   `json:"events"`
	Verdicts []Verdict `json:"verdicts"`
	Files    []File    `json:"files"`
	Ending   Ending    `json:"ending"`

	workspace string // where the agent worked: the same place by another name in another attempt
}

// Guilty are the numbers of the events that failed verdicts point to, in order.
func (t Trace) Guilty() []int {
	var all []int
	for _, e := range t.Events {
		if len(e.Blames) > 0 {
			all = append(all, e.N)
		}
	}
	return all
}

// A Head says which attempt it is, and what became of it.
type Head struct {
	Run     string `json:"run"`
	Case    string `json:"case"`
	Claim   string `json:"claim,omitempty"`
	World   string `json:"world,omitempty"`
	Variant string `json:"variant,omitempty"`
	Model   string `json:"model"`
	Agent   string `json:"agent"`
	Kind    string `json:"kind,omitempty"` // live, simulated or replayed
	Attempt int    `json:"attempt"`
	Play    int    `json:"play"`
	Reroll  bool   `json:"reroll,omitempty"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
	Detail  string `json:"detail,omitempty"`
	// Siblings are the attempts of the unit, this one included.
	Siblings []Sibling `json:"siblings"`
	// Facts are what was true in the world that was played, by name.
	Facts map[string]string `json:"facts,omitempty"`
}

// A Sibling is another attempt of the same unit.
type Sibling struct {
	Attempt int    `json:"attempt"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
}

// An Event is one thing that happened.
type Event struct {
	N     int    `json:"n"` // from 1, as the output of go test numbers them
	Turn  int    `json:"turn"`
	Agent string `json:"agent,omitempty"` // the child that it happened to, "" for the agent itself
	Depth int    `json:"depth,omitempty"` // of that child: 1 for a child, 2 for a child of a child
	AtMS  int64  `json:"at_ms"`

	// Kind is user, says, thinks (a message without a word), call, served, mode, plan,
	// question, todo, notice, or another kind of the evidence.
	Kind string `json:"kind"`
	// Title is what a closed event shows: one line, never empty.
	Title string `json:"title"`
	// Lead is what an open event shows in place of its title: what its parts do not say
	// themselves. It is empty where they say it all, and may be longer than a title.
	Lead string `json:"lead,omitempty"`
	// Status is how a call or a message ended, in words: "ok, 3 ms"; Bad that it did not
	// end well.
	Status string `json:"status,omitempty"`
	Bad    bool   `json:"bad,omitempty"`
	// Blames are the indexes of the failed verdicts that point here.
	Blames []int `json:"blames,omitempty"`
	// Parts are the texts that the title does not show whole. There are none where it
	// says all there is.
	Parts []Part `json:"parts,omitempty"`
}

// A Part is a text of an event.
type Part struct {
	Name string `json:"name"` // thinking, text, arguments, changed (paths, one a line), result, sent as
	Text string `json:"text"`
	// Folded parts are closed until they are asked for: thinking, and what is long.
	Folded bool `json:"folded,omitempty"`
}

// A Verdict is what was found of one expectation.
type Verdict struct {
	Signal  string `json:"signal"`
	Name    string `json:"name"`
	Outcome string `json:"outcome"`
	// Want says what was expected, where the name says it in other words.
	Want        string `json:"want,omitempty"`
	Got         string `json:"got,omitempty"`
	Where       string `json:"where,omitempty"`
	Events      []int  `json:"events,omitempty"` // by their N; only such as there are
	Conditional bool   `json:"conditional,omitempty"`
}

// A File is one file that changed.
type File struct {
	Path   string `json:"path"`
	Change string `json:"change"`         // created, removed, changed, or how mode and link changed
	Diff   string `json:"diff,omitempty"` // unified, without a head
	Note   string `json:"note,omitempty"` // why there is no diff
}

// An Ending says why it ended, and what it took.
type Ending struct {
	Reason      string   `json:"reason"`
	Detail      string   `json:"detail,omitempty"`
	DurationMS  float64  `json:"duration_ms"`
	AgentMS     float64  `json:"agent_ms"`
	ProviderMS  float64  `json:"provider_ms"`
	Turns       int      `json:"turns"`
	Calls       int      `json:"calls"`
	Prompt      int      `json:"prompt_tokens"`
	Completion  int      `json:"completion_tokens"`
	Unreported  int      `json:"unreported,omitempty"` // answers that told no usage: the tokens are not whole
	Cost        *float64 `json:"cost,omitempty"`
	CostSource  string   `json:"cost_source,omitempty"`
	Containment string   `json:"containment,omitempty"`
}
