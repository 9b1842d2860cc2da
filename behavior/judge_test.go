package behavior

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// fixed is an expectation that finds what it is told to.
type fixed struct {
	spec    Spec
	finding Finding
	panics  bool
}

func (f fixed) Spec() Spec { return f.spec }
func (f fixed) Check(Evidence) Finding {
	if f.panics {
		panic(errors.New("nil map"))
	}
	return f.finding
}

func finds(o Outcome) fixed { return fixed{spec: Spec{Want: "x"}, finding: Finding{Outcome: o}} }

func TestJudge(t *testing.T) {
	t.Parallel()
	orderly := End{Reason: EndStop}
	verdict := func(o Outcome, conditional bool) Verdict { return Verdict{Result: o, Conditional: conditional} }
	for name, test := range map[string]struct {
		end      End
		verdicts []Verdict
		want     Outcome
		reason   Reason
	}{
		"all pass":                 {orderly, []Verdict{verdict(Pass, false)}, Pass, ""},
		"one fails":                {orderly, []Verdict{verdict(Pass, false), verdict(Fail, false)}, Fail, ""},
		"it asked":                 {End{Reason: EndQuestion}, []Verdict{verdict(Pass, false)}, Pass, ""},
		"cut short never passes":   {End{Reason: EndTurns}, []Verdict{verdict(Pass, false)}, Fail, ReasonLimitTurns},
		"no reason that is known":  {End{}, []Verdict{verdict(Pass, false)}, Void, ReasonHarness},
		"a grader broke":           {orderly, []Verdict{verdict(Fail, false), {Result: NA, Fault: "panic"}}, Void, ReasonGrader},
		"nothing to judge":         {orderly, []Verdict{verdict(Pass, false), verdict(NA, true)}, Pass, ""},
		"unsupported":              {orderly, []Verdict{verdict(Pass, false), verdict(NA, false)}, Void, ReasonUnsupported},
		"a fail beats unsupported": {orderly, []Verdict{verdict(NA, false), verdict(Fail, false)}, Fail, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, reason, _ := judge(test.end, test.verdicts)
			require.Equal(t, test.want, got)
			require.Equal(t, test.reason, reason)
		})
	}
}

func TestGradeIsTotal(t *testing.T) {
	t.Parallel()
	broken := finds(Pass)
	broken.panics = true
	verdicts := Grade(Case{Expect: BySignal{
		ToolChain:    {finds(Pass), broken, finds("maybe")},
		RequiredTool: {finds(Fail)},
	}}, Evidence{})
	require.Len(t, verdicts, 4)
	require.Equal(t, RequiredTool, verdicts[0].Signal, "signals come in the order of their list")
	require.Equal(t, Fail, verdicts[0].Result)
	require.Contains(t, verdicts[2].Fault, "the expectation panicked: nil map")
	require.Contains(t, verdicts[3].Fault, `answered "maybe"`)
	require.Equal(t, "x", verdicts[0].Name)
	require.Equal(t, "x #3", verdicts[2].Name, "two markers never share a name")
}

func TestGradeUsesTheWorldsOwnExpectations(t *testing.T) {
	t.Parallel()
	c := Case{
		Expect: BySignal{ToolChain: {finds(Pass)}},
		Worlds: []World{{Name: "big", Expect: BySignal{ToolChain: {finds(Fail)}}}, {Name: "small"}},
	}
	require.Len(t, Grade(c, Evidence{World: "small"}), 1)
	big := Grade(c, Evidence{World: "big"})
	require.Len(t, big, 2)
	require.Equal(t, map[Signal]Outcome{ToolChain: Fail}, BySignals(big))
}

func TestGradeSaysWhatTheAgentLacks(t *testing.T) {
	t.Parallel()
	x := finds(Fail)
	x.spec.Tools = []string{"todo"}
	v := Grade(Case{Expect: BySignal{StatePersistence: {x}}}, Evidence{Missing: []string{"todo"}})
	require.Equal(t, NA, v[0].Result)
	require.Equal(t, "unsupported: this agent has no todo", v[0].Got)
	require.Equal(t, map[Signal]Outcome{StatePersistence: NA}, BySignals(v))
}

func TestBySignals(t *testing.T) {
	t.Parallel()
	v := func(o Outcome, conditional bool) Verdict {
		return Verdict{Signal: ToolChain, Result: o, Conditional: conditional}
	}
	for _, test := range []struct {
		verdicts []Verdict
		want     Outcome
	}{
		{[]Verdict{v(Pass, false)}, Pass},
		{[]Verdict{v(Pass, false), v(Fail, true)}, Fail},
		{[]Verdict{v(Pass, false), v(NA, true)}, Pass},
		{[]Verdict{v(NA, true)}, NA},
		{[]Verdict{v(Pass, false), v(NA, false)}, NA},
		{[]Verdict{v(NA, false), v(Fail, false)}, Fail},
	} {
		require.Equal(t, test.want, BySignals(test.verdicts)[ToolChain], "%v", test.verdicts)
	}
}
