package results

import (
	"slices"
	"time"
)

// Schema is the version of the record that this package writes. Readers take
// every version up to it.
const Schema = 1

// A Slot is a planned attempt. Slots are counted before anything runs, and every
// slot is accounted for afterwards.
type Slot struct {
	Case    string `json:"case"` // folder and test name in kebab case: chain/read-before-edit
	World   string `json:"world,omitempty"`
	Variant string `json:"variant,omitempty"`
	Model   string `json:"model"`
	Agent   string `json:"agent"`
	Attempt int    `json:"attempt"` // from 1
}

// The kinds of runs. Only a live one says something of a model that it did not say before.
const (
	Live      = "live"
	Simulated = "simulated" // scripts stood in for the model
	Replayed  = "replayed"  // the answers of another run were given again
)

// A Plan is written by one package of a run before anything runs.
type Plan struct {
	Schema  int       `json:"schema"`
	Run     string    `json:"run"`
	Package string    `json:"package"`       // its folder: "core"
	Dir     string    `json:"dir,omitempty"` // slash path of the folder, from the module's
	Created time.Time `json:"created"`
	// Kind is Live, Simulated or Replayed. A rehearsal leaves no record.
	Kind  string `json:"kind"`
	Slots []Slot `json:"slots"`
	// Suite lists every case that the source of the suite has, whether or not it
	// was selected, so that a package that never ran is missed.
	Suite    []SuiteCase `json:"suite"`
	Settings Settings    `json:"settings"`
	Commit   string      `json:"commit,omitempty"`
	Dirty    bool        `json:"dirty,omitempty"`
	// Signals lists the signals of each planned case.
	Signals map[string][]string `json:"signals,omitempty"`
	// WorldSignals lists them world by world, for cases whose worlds have others. A plan
	// without it may be older than that.
	WorldSignals map[string]map[string][]string `json:"world_signals,omitempty"`
	Claims       map[string]string              `json:"claims,omitempty"`
}

// A SuiteCase is one case as the source has it.
type SuiteCase struct {
	Case   string `json:"case"`
	File   string `json:"file"`             // slash path below the suite's folder
	Digest string `json:"digest,omitempty"` // of the case file and its script
}

// Agents lists the agents that the slots of the plan are played by.
func (p Plan) Agents() (all []string) {
	for _, s := range p.Slots {
		if !slices.Contains(all, s.Agent) {
			all = append(all, s.Agent)
		}
	}
	return all
}

// Settings are what the run was asked for.
type Settings struct {
	Models      []string `json:"models"`
	Agent       string   `json:"agent"`
	Repeat      int      `json:"repeat"`
	Signals     []string `json:"signals,omitempty"`
	Worlds      []string `json:"worlds,omitempty"`
	Limit       int      `json:"limit,omitempty"`
	Jobs        int      `json:"jobs"`
	BaseURL     string   `json:"base_url,omitempty"` // without any user info
	Temperature *float64 `json:"temperature,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	Reasoning   string   `json:"reasoning,omitempty"`
	UserModel   string   `json:"user_model,omitempty"` // plays simulated users; "" is the model under test
	Containment string   `json:"containment"`
	Run         string   `json:"test_run,omitempty"` // go test's own -run filter
	Skip        string   `json:"test_skip,omitempty"`
	Short       bool     `json:"short,omitempty"`
	Scoreboard  bool     `json:"scoreboard,omitempty"` // the run is to be published
	Replay      string   `json:"replay,omitempty"`     // the run whose answers were given again
	Budget      float64  `json:"budget,omitempty"`     // US dollars
	MaxTokens   int64    `json:"max_tokens,omitempty"`
}

// An Attempt is one play of a slot, as one line of the record.
type Attempt struct {
	Schema int    `json:"schema"`
	Run    string `json:"run"`
	Slot
	// Play counts the plays of the slot from 1: a void is played again.
	Play int `json:"play"`
	// Reroll marks a play that came after a pass or a fail. It never counts.
	Reroll bool `json:"reroll,omitempty"`

	Outcome string `json:"outcome"`          // pass, fail or void
	Reason  string `json:"reason,omitempty"` // why it is void, or which limit was met
	Detail  string `json:"detail,omitempty"`
	End     string `json:"end"` // why the attempt ended

	Signals  map[string]string `json:"signals,omitempty"` // name → pass, fail or n/a
	Verdicts []Verdict         `json:"verdicts,omitempty"`

	Usage      Usage   `json:"usage"`
	DurationMS float64 `json:"duration_ms"`
	AgentMS    float64 `json:"agent_ms"`
	ProviderMS float64 `json:"provider_ms"`
	Retries    int     `json:"retries"`
	Turns      int     `json:"turns"`
	Calls      int     `json:"calls"`

	Containment string    `json:"containment"`
	Digests     Digests   `json:"digests"`
	Commit      string    `json:"commit,omitempty"`
	Dirty       bool      `json:"dirty,omitempty"`
	Started     time.Time `json:"started"`
	// Served is the model that the endpoint says it answered with, and Fingerprint
	// what it says of its configuration.
	Served      string `json:"served,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	// Evidence is the slash path of the evidence file below the run's folder, and
	// EvidenceSum the SHA-256 of that file, in hex.
	Evidence    string `json:"evidence,omitempty"`
	EvidenceSum string `json:"evidence_sha256,omitempty"`
}

// A Verdict is the finding of one expectation.
type Verdict struct {
	Signal  string `json:"signal"`
	Name    string `json:"name"`
	Outcome string `json:"outcome"`
	// Want says what was expected, of a verdict that failed and whose name says it in
	// other words.
	Want        string `json:"want,omitempty"`
	Got         string `json:"got,omitempty"`
	Where       string `json:"where,omitempty"`
	Events      []int  `json:"events,omitempty"`
	Conditional bool   `json:"conditional,omitempty"`
	// Marker says that the author gave the expectation its name: it is compared under
	// it, over all the cases that have it.
	Marker bool `json:"marker,omitempty"`
}

// Usage counts what an attempt consumed. Cost is nil where it is not known.
type Usage struct {
	Prompt     int      `json:"prompt"`
	Completion int      `json:"completion"`
	Cached     int      `json:"cached,omitempty"`
	Reasoning  int      `json:"reasoning,omitempty"`
	Unreported int      `json:"unreported,omitempty"`  // answers that told no usage: the counts are not whole
	Cost       *float64 `json:"cost,omitempty"`        // US dollars
	CostSource string   `json:"cost_source,omitempty"` // "reported" or "priced"
}

// Digests say what exactly was judged by what: SHA-256, shortened to 16 hex
// digits.
type Digests struct {
	Case    string `json:"case,omitempty"`
	Fixture string `json:"fixture,omitempty"`
	Prompt  string `json:"prompt,omitempty"`
	Tools   string `json:"tools,omitempty"`
	Grader  string `json:"grader,omitempty"`
}
