// Package overview says what a run comes to, on one screen: each signal with the units
// that passed it, what disagrees with itself, what is void and why, what was slow or
// dear, and the command to type next. The closing table of a run, `deeds show RUN`, and
// the reports as text, Markdown, JSON and HTML all show the same Overview.
package overview

import (
	"time"

	"github.com/deeds-evals/deeds/results"
)

// An Overview is a run at a glance.
type Overview struct {
	Run      string           `json:"run"`
	Dir      string           `json:"dir"`
	Kind     string           `json:"kind"`
	Created  time.Time        `json:"created"`
	TookMS   float64          `json:"took_ms"` // from the start of the first attempt to the end of the last
	Commit   string           `json:"commit,omitempty"`
	Dirty    bool             `json:"dirty,omitempty"`
	Settings results.Settings `json:"settings"`
	Arms     []Arm            `json:"arms"`
	Missing  []string         `json:"missing"`
	Stopped  string           `json:"stopped,omitempty"`
	Torn     int              `json:"torn,omitempty"`
	Problems []string         `json:"problems,omitempty"`
	// Remark is what else is to be said, in one sentence, and Published how the entries
	// of the scoreboard stand that the run is in. Whoever knows sets them.
	Remark    string   `json:"remark,omitempty"`
	Published []string `json:"published,omitempty"`
	// Next is the command to go on with.
	Next string `json:"next"`
}

// Notable is how many attempts stand out.
const Notable = 5

// An Arm is one model in one agent.
type Arm struct {
	results.Totals
	Signals     []Signal           `json:"signals"`
	Conditional []results.Coverage `json:"conditional"`
	// Failing are the units that failed without a pass, Splits those whose attempts
	// disagree, and Voided those that a void keeps from being measured. No unit is in two
	// of them.
	Failing []Unit `json:"failing"`
	Splits  []Unit `json:"splits"`
	Voided  []Unit `json:"voided"`
	// Slowest and Dearest are attempts, the worst first, at most Notable of them.
	Slowest []Attempt `json:"slowest"`
	Dearest []Attempt `json:"dearest"`

	// Unplanned are slots that were played and that no plan has: the plan was lost, or the
	// play was made by hand.
	Unplanned int `json:"unplanned,omitempty"`

	// What was spent is summed over all plays, voids and rerolls too.
	PromptTokens     int      `json:"prompt_tokens"`
	CompletionTokens int      `json:"completion_tokens"`
	TokensUnknown    int      `json:"tokens_unknown"` // plays of which the endpoint did not say
	Cost             *float64 `json:"cost,omitempty"` // in US dollars; absent where no play has one
	CostUnknown      int      `json:"cost_unknown"`   // plays without one

	// What an attempt takes is of those that passed or failed.
	TimeMS results.Percentiles `json:"time_ms"`
	Tokens results.Percentiles `json:"tokens"`
	Turns  results.Percentiles `json:"turns"`
}

// A Signal is one row of the table: units, by the rule of consistency.
type Signal struct {
	results.SignalTotal
	// Lo and Hi hold the share of measured units at 95 %, by Clopper and Pearson.
	Lo results.Number `json:"lo"`
	Hi results.Number `json:"hi"`
}

// A Unit is one that a reader should look at.
type Unit struct {
	results.Unit
	Outcomes []string `json:"outcomes"` // of its attempts, in order
	Signals  []string `json:"signals"`  // that an attempt failed
	Reasons  []string `json:"reasons"`  // why an attempt is void, or which limit it met
	Show     string   `json:"show"`     // the command that opens it
}

// An Attempt is one that stands out.
type Attempt struct {
	results.Slot
	Outcome string   `json:"outcome"`
	TimeMS  float64  `json:"time_ms"`
	Tokens  int      `json:"tokens"`
	Cost    *float64 `json:"cost,omitempty"`
	Show    string   `json:"show"`
}
