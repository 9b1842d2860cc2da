package results

// The verdicts of a row. "No difference detected" is never "equal": see Detectable.
const (
	Better           = "better"
	Worse            = "worse"
	NoDifference     = "no difference detected"
	InsufficientData = "insufficient data"
	// Conditional marks a row that rests on what the agent chose to do. It is shown,
	// with its coverage, and never judged as if it were not.
	Conditional = "conditional"
)

// What a row is against its own floor.
const (
	Clears  = "clears"
	Within  = "within"
	NoFloor = "NO REPLICATE FLOOR"
)

// What a guard or a gate decides.
const (
	DecisionPass         = "pass"
	DecisionFail         = "fail"
	DecisionInconclusive = "inconclusive"  // of a guard
	DecisionOpen         = "cannot decide" // of a gate
)

// Overall is the name of the row over all signals: the pass rate of attempts. It is
// there for comparison only.
const Overall = "overall"

// CompareOptions say how to compare. The zero value compares at 5 % without guards
// and without floors.
type CompareOptions struct {
	Alpha  float64 // 0 is 0.05
	Power  float64 // at which the detectable effect is told; 0 is 0.80
	Noise  []Arm   // replicates of one arm, for the floors; see Noise
	Guards []string
	Margin float64 // the fall that a guard tolerates; 0 is 0.05
}

// A Comparison holds two arms against each other, paired by unit.
type Comparison struct {
	Base      ArmSummary `json:"base"`
	Candidate ArmSummary `json:"candidate"`
	Alpha     float64    `json:"alpha"`
	Power     float64    `json:"power"`

	// NotComparable says why nothing could be judged, "" where it could: every row
	// is InsufficientData then.
	NotComparable string `json:"not_comparable,omitempty"`

	Overall Row   `json:"overall"`
	Signals []Row `json:"signals"`
	Markers []Row `json:"markers"`
	// Observed lists how often the attempts of each arm saw the fact that a decision
	// hangs on: the markers whose names begin with "observed".
	Observed []Observation `json:"observed"`

	Guards []GuardResult `json:"guards"`
	// Regressions names what fell: the guards that failed, and overall where it is
	// worse, which needs no guard.
	Regressions []string `json:"regressions"`

	Paired  int        `json:"paired"`  // units that both arms have attempts of
	Planned int        `json:"planned"` // units of either arm
	Lost    []LostUnit `json:"lost"`
	Changed []LostUnit `json:"changed"` // not judged by the same case or grader
	Remarks []string   `json:"remarks"` // what else differs, in sentences
}

// An ArmSummary says what stands behind one arm.
type ArmSummary struct {
	Name     string   `json:"name"`
	Model    string   `json:"model"`
	Agent    string   `json:"agent"`
	Kind     string   `json:"kind"` // as of a Plan; "simulated" if anything is
	Runs     []string `json:"runs"`
	Units    int      `json:"units"`
	Slots    int      `json:"slots"`
	Attempts int      `json:"attempts"` // slots that passed or failed
	Void     int      `json:"void"`
	NotRun   int      `json:"not_run"`
	Rerolls  int      `json:"rerolls"`
	Answered int      `json:"answered"` // attempts with a turn and tokens, not cut at the output limit
	K        int      `json:"k"`        // attempts of a unit: the smallest group of two or more
	Unequal  bool     `json:"unequal"`  // units differ in their attempts
}

// A LostUnit is a unit that is left out, and why.
type LostUnit struct {
	Unit string `json:"unit"` // case, world and variant, with slashes
	Why  string `json:"why"`
}

// A Row compares one signal, one marker, or everything.
type Row struct {
	Name   string `json:"name"`
	Paired int    `json:"paired"` // units that both arms could judge
	Cases  int    `json:"cases"`  // that they belong to

	// Base and Candidate are the means of the paired units' pass rates, so that
	// Delta is their difference. Lo and Hi hold the change with 1 - alpha.
	Base      Number `json:"base"`
	Candidate Number `json:"candidate"`
	Delta     Number `json:"delta"`
	Lo        Number `json:"lo"`
	Hi        Number `json:"hi"`

	// P is of the exact within-unit permutation, which decides; PHolm is P in its
	// family, of the signals or of the markers.
	P       Number `json:"p"`
	PHolm   Number `json:"p_holm"`
	Exact   bool   `json:"exact"`   // P was not sampled
	LeastP  Number `json:"least_p"` // the smallest that these attempts could give
	Verdict string `json:"verdict"`
	Cause   string `json:"cause,omitempty"` // of insufficient data

	// Beside it: units flipped as wholes, for the claim about new units; cases
	// flipped as wholes, for that about new cases; consistent verdicts.
	PSignFlip      Number `json:"p_sign_flip"`
	PSignFlipCases Number `json:"p_sign_flip_cases"`
	PMcNemar       Number `json:"p_mcnemar"`
	McNemarUp      int    `json:"mcnemar_up"` // units that came to pass consistently
	McNemarDown    int    `json:"mcnemar_down"`

	Up   int `json:"up"`
	Down int `json:"down"`
	Tie  int `json:"tie"`

	// WorstLo and WorstHi bracket the change over everything that was planned, be
	// what was lost as it may.
	WorstLo Number `json:"worst_lo"`
	WorstHi Number `json:"worst_hi"`

	BaseAttempts      int `json:"base_attempts"` // judged, of the paired units
	CandidateAttempts int `json:"candidate_attempts"`

	// Detectable is the change that these units would show with the power asked for;
	// UnitsNeeded is how many it takes for the change that was seen.
	Detectable  Number `json:"detectable"`
	UnitsNeeded *int   `json:"units_needed"`

	// Floor is what two groups of runs of one model differ by. Clears is nil where
	// there is none; FloorWord is "" where none was asked for.
	Floor     Number `json:"floor"`
	FloorDF   Number `json:"floor_df"`
	Clears    *bool  `json:"clears"`
	FloorWord string `json:"floor_word,omitempty"`

	Degenerate bool `json:"degenerate,omitempty"` // one value over both arms: not shown to be able to take another
	Ceiling    bool `json:"ceiling,omitempty"`    // little is left to gain

	// Conditional rows: the share of the paired units' attempts that could be judged.
	Conditional       bool   `json:"conditional,omitempty"`
	BaseCoverage      Number `json:"base_coverage"`
	CandidateCoverage Number `json:"candidate_coverage"`
	CoverageP         Number `json:"coverage_p"` // of the same test, on whether the attempts could be judged
}

// An Observation is how often a deciding fact was seen, over the attempts that passed
// or failed in the units which have the marker.
type Observation struct {
	Name        string `json:"name"`
	Base        Number `json:"base"`
	BaseOf      int    `json:"base_of"`
	Candidate   Number `json:"candidate"`
	CandidateOf int    `json:"candidate_of"`
}

// A GuardResult is what became of a row that must not fall.
type GuardResult struct {
	Name     string  `json:"name"`
	Margin   float64 `json:"margin"`
	Delta    Number  `json:"delta"`
	Lower    Number  `json:"lower"`          // one-sided bound of the change
	P        Number  `json:"p_non_inferior"` // that it fell by the margin or more, in the family of guards
	PHarm    Number  `json:"p_harm"`         // that it did not fall, in the family of guards
	Decision string  `json:"decision"`
	Why      string  `json:"why"`
	// CannotFail marks a guard with one value over both arms: it guards nothing until
	// something was seen to fail it.
	CannotFail bool `json:"cannot_fail,omitempty"`
}

// A NoiseReport holds the floors: what one model differs by from itself.
type NoiseReport struct {
	Runs    []string `json:"runs"`
	Model   string   `json:"model"`
	Agent   string   `json:"agent"`
	Kind    string   `json:"kind"`
	Units   int      `json:"units"`   // that every run has
	Planned int      `json:"planned"` // of any run

	Overall NoiseRow   `json:"overall"`
	Signals []NoiseRow `json:"signals"`
	Markers []NoiseRow `json:"markers"`
	Changed []LostUnit `json:"changed"`
	Remarks []string   `json:"remarks"`
}

// A NoiseRow is the floor of one row, over the units that every replicate could judge.
type NoiseRow struct {
	Name  string    `json:"name"`
	Units int       `json:"units"`
	Means []float64 `json:"means"` // of the runs, in their order
	Mean  Number    `json:"mean"`
	SD    Number    `json:"sd"` // of a run's mean
	DF    Number    `json:"df"`
	Band  Number    `json:"band"` // a change between one run a side must reach it
	Word  string    `json:"word,omitempty"`
	Why   string    `json:"why,omitempty"` // there is no floor

	Within    Number `json:"within"`     // variance of a run's mean that the attempts explain
	Tau2      Number `json:"tau2"`       // variance that a run adds to it
	ChiSquare Number `json:"chi_square"` // of the excess
	P         Number `json:"p"`

	// Compared counts the units with a consistent verdict in every run, Flipped those
	// of them on which the runs disagree.
	Compared    int  `json:"compared"`
	Flipped     int  `json:"flipped"`
	Conditional bool `json:"conditional,omitempty"`
	Degenerate  bool `json:"degenerate,omitempty"`
}

// PowerOptions ask for the size of a comparison: Effect for the units that show it,
// Cases for the effect that they show, or both.
type PowerOptions struct {
	Base   float64 // pass rate of the base
	K      int     // attempts of a unit, a side
	Effect float64 // 0: not asked for
	Cases  int     // 0: not asked for
	Alpha  float64 // 0 is 0.05
	Power  float64 // 0 is 0.80

	// From measures Base and K, and the spread of the units, where it is set; Row
	// names the signal or marker, "" the pass rate of attempts.
	From *Arm
	Row  string
}

// A PowerReport answers PowerOptions. Cases stands for units: a case without worlds
// and variants is one.
type PowerReport struct {
	Base  float64 `json:"base"`
	K     int     `json:"k"`
	Alpha float64 `json:"alpha"`
	Power float64 `json:"power"`
	Row   string  `json:"row,omitempty"`

	Effect             Number `json:"effect"`
	CasesNeeded        *int   `json:"cases_needed"`              // by the formula
	CasesConcentrated  *int   `json:"cases_needed_concentrated"` // if the gain sits on the fewest units
	CasesNeededSim     *int   `json:"cases_needed_simulated"`    // by the rule that decides
	CasesNeededMeasure *int   `json:"cases_needed_measured"`     // with the spread that was measured
	SD                 Number `json:"sd"`                        // of a unit's difference, as measured

	Cases            *int   `json:"cases"`
	DetectableEffect Number `json:"detectable_effect"`
	PowerAt          Number `json:"power_at"`           // of Cases units for Effect, where both are given
	PowerSimulated   Number `json:"power_at_simulated"` // the same by the rule that decides

	Remarks []string `json:"remarks"`
}

// A Need is the least share of units that must pass a signal.
type Need struct {
	Signal string
	Rate   float64
}

// GateOptions say how a gate decides.
type GateOptions struct {
	// Confident lets the interval decide instead of the rate: pass needs all of it
	// above the need, fail all of it below.
	Confident bool
	Level     float64 // of the interval; 0 is 0.95
	Baseline  *Arm    // signals that are significantly worse than in it fail
	Alpha     float64 // of that comparison; 0 is 0.05
}

// A GateReport is what a gate decided.
type GateReport struct {
	Arm      ArmSummary `json:"arm"`
	Decision string     `json:"decision"`
	Signals  []GateRow  `json:"signals"`
	// Baseline is the comparison with it, nil without one.
	Baseline    *Comparison `json:"baseline,omitempty"`
	Regressions []string    `json:"regressions"`
	Remarks     []string    `json:"remarks"`
}

// A GateRow is one need. A unit counts by the rule of consistency.
type GateRow struct {
	Name       string     `json:"name"`
	Passed     int        `json:"passed"`
	Failed     int        `json:"failed"`
	Total      int        `json:"total"` // passed, failed and unmeasured
	NA         int        `json:"na"`    // units with nothing to judge, in no total
	Unmeasured []LostUnit `json:"unmeasured"`
	Rate       Number     `json:"rate"` // passed of those measured
	Lo         Number     `json:"lo"`   // exact, unmeasured units failed
	Hi         Number     `json:"hi"`   // exact, unmeasured units passed
	Need       float64    `json:"need"`
	Decision   string     `json:"decision"`
	Remark     string     `json:"remark"` // what n cannot tell
}

// A RateReport holds pass rates.
type RateReport struct {
	Arm     ArmSummary `json:"arm"`
	K       int        `json:"k"`
	Overall RateRow    `json:"overall"`
	Signals []RateRow  `json:"signals"`
	Markers []RateRow  `json:"markers"`
	Remarks []string   `json:"remarks"`
}

// A RateRow is the pass rate of one row, each unit weighing the same.
type RateRow struct {
	Name     string   `json:"name"`
	Units    int      `json:"units"`
	Cases    int      `json:"cases"`
	Attempts int      `json:"attempts"`
	Passed   int      `json:"passed"` // attempts
	Lost     int      `json:"lost"`   // void and not run slots
	NA       int      `json:"na"`     // attempts with nothing to judge
	PassAt1  Estimate `json:"pass_at_1"`
	// PassAtK is the unbiased chance that one of K attempts passes, PassPowK that all
	// of them do, over the KUnits that have as many.
	PassAtK  Estimate `json:"pass_at_k"`
	PassPowK Estimate `json:"pass_pow_k"`
	KUnits   int      `json:"k_units"`
	// Above is the least true rate that is not at odds with all of the units having
	// passed throughout, one-sided at 95 %: absent where one did not.
	Above       Number `json:"above"`
	Degenerate  bool   `json:"degenerate,omitempty"`
	Conditional bool   `json:"conditional,omitempty"`
	Remark      string `json:"remark,omitempty"`
}

// An Estimate is a mean over units. Lo and Hi hold it for units like these, CaseLo and
// CaseHi for new cases, where there are two or more.
type Estimate struct {
	Value  Number `json:"value"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
	CaseLo Number `json:"case_lo"`
	CaseHi Number `json:"case_hi"`
}

// A BaselineInfo names one baseline.
type BaselineInfo struct {
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Kind     string   `json:"kind"`
	Runs     []string `json:"runs"`
	Models   []string `json:"models"`
	Units    int      `json:"units"`
	Attempts int      `json:"attempts"`
	Problem  string   `json:"problem,omitempty"` // it cannot be read
}
