package results

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// BoardSchema is the version of the scoreboard's entries that this package writes.
// An entry of a later one is an error: it is not read, and never written over.
const BoardSchema = 1

// BoardAttempts is how often a unit is played that is published. Credit needs all of
// them to pass.
const BoardAttempts = 3

// CertifiedScore is the score, in percent, that a certified entry has at least.
const CertifiedScore = 80

// strictLevel is the containment that strict comes to, as attempts have it on record.
const strictLevel = "namespaces"

// An Entry is what the scoreboard has of one model: one agent, one model, one set of
// settings. It lies in scoreboard/<key>.json, and is committed. Everything in its
// Aggregates is computed anew from the rest of it by [Aggregate].
type Entry struct {
	Schema   int           `json:"schema"`
	Key      string        `json:"key"`
	Agent    string        `json:"agent"`
	Model    string        `json:"model"`
	Settings BoardSettings `json:"settings"`

	// Grader and Suite are the judge and the suite as they were at the last
	// publication, or when the scoreboard was last rendered.
	Grader string      `json:"grader"`
	Suite  []BoardCase `json:"suite"`
	// Rows are the units that were played, one for each version of case and grader.
	Rows []BoardRow `json:"rows"`
	// Pruned counts the rows that went away with their cases.
	Pruned     int          `json:"pruned,omitempty"`
	Retired    []Retirement `json:"retired,omitempty"`
	Aggregates Aggregates   `json:"aggregates"`
}

// BoardSettings are those that make another entry of the same model.
type BoardSettings struct {
	BaseURL     string   `json:"base_url,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	Reasoning   string   `json:"reasoning,omitempty"`
	UserModel   string   `json:"user_model,omitempty"`
}

// Board returns the settings that the scoreboard tells entries apart by.
func (s Settings) Board() BoardSettings {
	return BoardSettings{s.BaseURL, s.Temperature, s.Seed, s.Reasoning, s.UserModel}
}

// BoardKey names the entry of a model: readable, and different for whatever differs,
// also where the file system takes capitals and small letters for the same.
func BoardKey(agent, model string, s BoardSettings) string {
	const longest = 60
	data, err := json.Marshal([]any{agent, model, s})
	if err != nil {
		panic("results: settings that are no JSON: " + err.Error()) // a temperature that is no number
	}
	sum := sha256.Sum256(data)
	readable := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, model+"-"+agent)
	readable = readable[:min(len(readable), longest)]
	return strings.Trim(readable, "-.") + "-" + hex.EncodeToString(sum[:6])
}

// A BoardCase is a case of today's suite.
type BoardCase struct {
	Case   string `json:"case"`
	Dir    string `json:"dir"` // slash path of the folder of its suite, from the module's
	Digest string `json:"digest"`
	// Planned is the digest that the case had when a run planned all of its units.
	// Where it is not the digest of today, nobody knows what units there are.
	Planned string      `json:"planned,omitempty"`
	Units   []BoardUnit `json:"units,omitempty"`
}

// A BoardUnit is a unit of a case, with the signals that were planned for the case.
type BoardUnit struct {
	World   string   `json:"world,omitempty"`
	Variant string   `json:"variant,omitempty"`
	Signals []string `json:"signals,omitempty"`
}

// A BoardRow is all that is on record of one unit under one version of its case and of
// the grader.
type BoardRow struct {
	Case    string   `json:"case"`
	World   string   `json:"world,omitempty"`
	Variant string   `json:"variant,omitempty"`
	Digest  string   `json:"digest"` // of the case
	Grader  string   `json:"grader"`
	Signals []string `json:"signals,omitempty"` // that were planned
	// Plays are those of the first attempt, of the second and of the third, each in
	// the order in which they count: the first pass or fail decides.
	Plays []BoardPlay `json:"plays"`
}

// A BoardPlay is one play of one attempt, as its run has it on record.
type BoardPlay struct {
	Attempt     int               `json:"attempt"`
	Play        int               `json:"play"`
	Run         string            `json:"run"`
	Outcome     string            `json:"outcome"`
	Reason      string            `json:"reason,omitempty"`
	Reroll      bool              `json:"reroll,omitempty"`
	Signals     map[string]string `json:"signals,omitempty"`
	Usage       Usage             `json:"usage"`
	DurationMS  float64           `json:"duration_ms"`
	AgentMS     float64           `json:"agent_ms"`
	ProviderMS  float64           `json:"provider_ms"`
	Turns       int               `json:"turns"`
	Served      string            `json:"served,omitempty"`
	Fingerprint string            `json:"fingerprint,omitempty"`
	Containment string            `json:"containment"`
	Digests     Digests           `json:"digests"`
	Commit      string            `json:"commit,omitempty"`
	Dirty       bool              `json:"dirty,omitempty"`
	Started     time.Time         `json:"started"`
	EvidenceSum string            `json:"evidence_sha256,omitempty"`
	Published   time.Time         `json:"published"` // when it came onto the scoreboard
}

// newBoardPlay is a play of the run of that id, as the scoreboard keeps it.
func newBoardPlay(run string, a *Attempt, now time.Time) BoardPlay {
	return BoardPlay{
		Attempt: a.Attempt, Play: a.Play, Run: run, Outcome: a.Outcome, Reason: a.Reason, Reroll: a.Reroll, Signals: a.Signals,
		Usage: a.Usage, DurationMS: a.DurationMS, AgentMS: a.AgentMS, ProviderMS: a.ProviderMS, Turns: a.Turns,
		Served: a.Served, Fingerprint: a.Fingerprint, Containment: a.Containment, Digests: a.Digests,
		Commit: a.Commit, Dirty: a.Dirty, Started: a.Started.UTC(), EvidenceSum: a.EvidenceSum, Published: now.UTC(),
	}
}

// A playID tells plays of one unit apart.
type playID struct {
	run           string
	attempt, play int
	started       int64
}

func (p BoardPlay) id() playID { return playID{p.Run, p.Attempt, p.Play, p.Started.UnixNano()} }

// A Retirement is a result that was taken off the scoreboard, and why.
type Retirement struct {
	At        time.Time `json:"at"`
	Because   string    `json:"because"`
	Units     int       `json:"units"`
	Credited  int       `json:"credited"`
	Certified bool      `json:"certified,omitempty"`
	RowsSum   string    `json:"rows_sha256"`
	// Runs are those that the rows came from. They are never drawn in again.
	Runs []string `json:"runs"`
}

// forgot reports whether a run belongs to a result that was retired.
func (e *Entry) forgot(run string) bool {
	return slices.ContainsFunc(e.Retired, func(r Retirement) bool { return slices.Contains(r.Runs, run) })
}

// A Suite is the suite of today, read from source, in one folder of packages.
type Suite struct {
	Dir    string // slash path of the folder, from the module's: "evals"
	Grader string // digest of the judge
	Cases  []SuiteCase
}

// boardUnit names a unit within an entry.
type boardUnit struct{ id, world, variant string }

func (r *BoardRow) unit() boardUnit { return boardUnit{r.Case, r.World, r.Variant} }

// String is the unit as texts name it: case, world and variant, with slashes.
func (u boardUnit) String() string {
	parts := []string{u.id}
	for _, p := range []string{u.world, u.variant} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "/")
}

// result judges the row as a run's units are judged, over the attempts 1 to 3.
func (r *BoardRow) result() UnitResult {
	u := UnitResult{Unit: Unit{Case: r.Case, World: r.World, Variant: r.Variant}}
	for n := 1; n <= BoardAttempts; n++ {
		s := SlotResult{Slot: Slot{Case: r.Case, World: r.World, Variant: r.Variant, Attempt: n}}
		for i := range r.Plays {
			if p := &r.Plays[i]; p.Attempt == n {
				s.Plays = append(s.Plays, &Attempt{
					Slot: s.Slot, Play: i, Reroll: p.Reroll, Outcome: p.Outcome, Signals: p.Signals,
				})
			}
		}
		s.decide()
		u.Slots = append(u.Slots, s)
		u.add(s.Outcome)
	}
	u.judge(r.Signals)
	return u
}

// counted returns the plays that decide: of each attempt the first pass or fail.
func (r *BoardRow) counted() []*BoardPlay {
	var plays []*BoardPlay
	for _, s := range r.result().Slots {
		if s.Outcome == Pass || s.Outcome == Fail {
			plays = append(plays, &r.Plays[s.Decided.Play]) // result puts the index there
		}
	}
	return plays
}

// mark says of each play whether it is a reroll: the record calls it one, or one
// before it has decided the attempt.
func (r *BoardRow) mark() {
	decided := make(map[int]bool)
	for i := range r.Plays {
		p := &r.Plays[i]
		p.Reroll = p.Reroll || decided[p.Attempt]
		if !p.Reroll && (p.Outcome == Pass || p.Outcome == Fail) {
			decided[p.Attempt] = true
		}
	}
}

// sortRows puts the rows in the order of their units, versions of one unit in the
// order in which they came.
func sortRows(rows []BoardRow) {
	slices.SortStableFunc(rows, func(a, b BoardRow) int {
		return cmp.Or(strings.Compare(a.Case, b.Case), strings.Compare(a.World, b.World), strings.Compare(a.Variant, b.Variant))
	})
}

// packageOf is the folder of the package that a case is in.
func packageOf(id string) string {
	name, _, _ := strings.Cut(id, "/")
	return name
}
