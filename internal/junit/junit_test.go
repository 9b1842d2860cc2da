package junit

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/results"
)

var began = time.Date(2026, 11, 29, 22, 43, 1, 0, time.UTC)

// sample is a run with every outcome, two models and another agent.
func sample() Source {
	slot := func(id, model, agent string, n int) results.Slot {
		return results.Slot{Case: id, World: map[string]string{"core/worlds": "big"}[id], Variant: map[string]string{"core/worlds": "v1"}[id], Model: model, Agent: agent, Attempt: n}
	}
	run := &results.Run{ID: "20261129T224301Z-3f9c1a", Dir: "results/runs/20261129T224301Z-3f9c1a", Stopped: &results.Stop{Reason: "the budget of $2.00 is spent"}}
	plan := results.Plan{
		Package: "core", Dir: "evals/core", Kind: results.Live,
		Suite:  []results.SuiteCase{{Case: "core/good", File: "core/good_test.go"}, {Case: "core/worlds", File: "core/worlds_test.go"}},
		Claims: map[string]string{"core/good": "It is <good> & \"true\"."},
	}
	play := func(s results.Slot, outcome string, change func(*results.Attempt)) {
		plan.Slots = append(plan.Slots, s)
		if outcome == "" {
			return
		}
		a := results.Attempt{Slot: s, Play: 1, Outcome: outcome, Started: began.Add(time.Duration(len(run.Attempts)) * time.Second), DurationMS: 1234.5, Evidence: "evidence/" + s.Case + ".json.zst", Signals: map[string]string{"tool-chain": outcome}}
		if change != nil {
			change(&a)
		}
		run.Attempts = append(run.Attempts, a)
	}
	play(slot("core/good", "m", "builtin", 1), results.Pass, nil)
	play(slot("core/worlds", "m", "builtin", 1), results.Fail, func(a *results.Attempt) {
		a.Signals["argument-grounding"] = results.Fail
		a.Verdicts = []results.Verdict{
			{Signal: "tool-chain", Name: "it reads", Outcome: results.Fail, Where: "worlds_test.go:35"},
			{Signal: "argument-grounding", Name: "it is so", Outcome: results.Pass, Where: "worlds_test.go:36"},
			{Signal: "tool-chain", Name: "it is shared", Outcome: results.Fail, Where: "../shared/shared.go:4"},
		}
	})
	play(slot("core/worlds", "m", "builtin", 2), results.Fail, func(a *results.Attempt) {
		a.Reason, a.Detail, a.Signals = "limit-turns", "40 turns", nil
	})
	play(slot("core/good", "m", "builtin", 2), results.Void, func(a *results.Attempt) {
		a.Reason, a.Signals, a.Evidence, a.Started = "provider rate-limit", nil, "", time.Time{}
	})
	play(slot("core/good", "m", "builtin", 3), "", nil)
	play(slot("chain/other", "n", "acp:x", 1), results.Pass, func(a *results.Attempt) { a.DurationMS = 1_000_000_000 })
	run.Attempts = append(run.Attempts, results.Attempt{Slot: plan.Slots[0], Play: 2, Reroll: true, Outcome: results.Fail})
	run.Plans = []results.Plan{plan}
	return Source{
		Run: run, Root: "go/agent",
		Explain: func(s results.SlotResult) string {
			return "tool-chain\n  want  it reads ]]> <&>\n  got   \x1b[31mred\x00"
		},
		Evidence: func(a *results.Attempt) string { return "results/runs/x/" + a.Evidence },
	}
}

func written(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	return b.String()
}

func TestWrite(t *testing.T) {
	t.Parallel()
	text := written(t, Of(sample()))
	golden.Assert(t, text, "sample.xml.golden")
	requireAccepted(t, text)
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	text := written(t, Of(Source{Run: &results.Run{}}))
	requireAccepted(t, text)
	require.Contains(t, text, `tests="0"`)
}

// Whatever an agent writes leaves a file that can be read, and is text in it.
func TestHostile(t *testing.T) {
	t.Parallel()
	s := sample()
	var evil strings.Builder
	for _, from := range []rune{0, 0x2000, 0xd7f0, 0xdff0, 0xfff0, 0x1fff0, 0xe0000} {
		for r := from; r < from+0x200; r++ {
			evil.WriteRune(r)
		}
	}
	evil.WriteString("\xff\xfe ]]> ]]]]>> <![CDATA[ </failure><testcase name='more'/> &#x1b; \ufffe\uffff")
	s.Explain = func(results.SlotResult) string { return evil.String() }
	for i := range s.Run.Attempts {
		s.Run.Attempts[i].Reason, s.Run.Attempts[i].Detail = evil.String(), "\n"+evil.String()
		s.Run.Attempts[i].Signals = map[string]string{evil.String(): results.Fail}
	}
	s.Run.Plans[0].Claims["core/good"] = evil.String()
	text := written(t, Of(s))
	requireAccepted(t, text)
	require.NotContains(t, text, "\ufffd<", "nothing is replaced by something that says less")
	require.Contains(t, text, `<testsuites name="deeds" tests="6"`)
}

// Reading the evidence is what takes long: it is done at the same time, and every attempt
// has its own.
func TestExplainsAtTheSameTime(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("there is one processor")
	}
	s := sample()
	var asked atomic.Int64
	var alone atomic.Bool
	s.Explain = func(slot results.SlotResult) string {
		asked.Add(1)
		for began := time.Now(); asked.Load() < 2 && !alone.Load(); time.Sleep(time.Millisecond) {
			alone.Store(time.Since(began) > 10*time.Second)
		}
		return fmt.Sprintf("%s %d", slot.Case, slot.Attempt)
	}
	var texts []string
	for _, suite := range Of(s).Suites {
		for _, c := range suite.Cases {
			texts = append(texts, c.Result.Text)
		}
	}
	require.False(t, alone.Load())
	require.Equal(t, []string{"", "core/worlds 1", "core/worlds 2", "core/good 2", "", ""}, texts)
}

func TestWriteFailsAsItsWriter(t *testing.T) {
	t.Parallel()
	require.Error(t, Of(sample()).Write(full{}))
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// Where signals were named, they alone make a test fail, as in go test.
func TestOtherSignals(t *testing.T) {
	t.Parallel()
	failures := func(signals ...string) (n int) {
		s := sample()
		s.Run.Plans[0].Settings.Signals = signals
		for _, suite := range Of(s).Suites {
			for _, c := range suite.Cases {
				if c.Result.Outcome == Failed {
					n++
				}
			}
		}
		return n
	}
	require.Equal(t, 2, failures())
	require.Equal(t, 2, failures("tool-chain"))
	require.Equal(t, 1, failures("filesystem-safety"), "what met a limit failed whatever was asked for")
}

// Names are what Jenkins and GitLab know a test by from one run to the next.
func TestNamesAreStable(t *testing.T) {
	t.Parallel()
	names := func(s Source) (all []string) {
		for _, suite := range Of(s).Suites {
			for _, c := range suite.Cases {
				all = append(all, c.Class+"|"+c.Name)
			}
		}
		return all
	}
	a, b := sample(), sample()
	b.Run.ID = "20261130T000000Z-ffffff"
	b.Run.Attempts = b.Run.Attempts[:1]
	require.Equal(t, names(a), names(b))
	require.Equal(t, len(names(a)), len(slices.Compact(slices.Sorted(slices.Values(names(a))))), "no two are alike")
	require.Contains(t, names(a), "core/worlds/big/v1|m attempt 2")
	require.Contains(t, names(a), "chain/other|n in acp:x attempt 1")
}

// requireAccepted holds a file against what its readers take: the order of elements of
// Jenkins' schema with the properties of test cases that its junit plugin reads before
// them, the attributes that are required there, one result a case as GitLab reads it,
// and counts that are true.
func requireAccepted(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, accepted(text))
}

func accepted(text string) error {
	known := map[string]struct {
		required, optional []string
		children           []string // in order
	}{
		"testsuites": {[]string{"name", "tests", "failures", "errors", "skipped", "time"}, nil, []string{"testsuite"}},
		"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time"}, []string{"timestamp"}, []string{"properties", "testcase"}},
		"properties": {nil, nil, []string{"property"}},
		"property":   {[]string{"name", "value"}, nil, nil},
		"testcase":   {[]string{"classname", "name", "time"}, []string{"file"}, []string{"properties", "skipped", "error", "failure"}},
		"failure":    {[]string{"message", "type"}, nil, nil},
		"error":      {[]string{"message", "type"}, nil, nil},
		"skipped":    {[]string{"message"}, nil, nil},
	}
	patterns := map[string]*regexp.Regexp{
		"time": regexp.MustCompile(`^\d+\.\d{3}$`), "timestamp": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`),
		"tests": regexp.MustCompile(`^\d+$`), "failures": regexp.MustCompile(`^\d+$`), "errors": regexp.MustCompile(`^\d+$`), "skipped": regexp.MustCompile(`^\d+$`),
	}
	type open struct {
		name   string
		place  int // of the last child
		counts map[string]int
		attrs  map[string]string
	}
	stack := []*open{{name: "", counts: map[string]int{}}}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = true
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			rule, ok := known[name]
			if !ok {
				return fmt.Errorf("no reader knows %s", name)
			}
			parent := stack[len(stack)-1]
			if parent.name != "" {
				place := slices.Index(known[parent.name].children, name)
				if place < parent.place {
					return fmt.Errorf("%s is out of order in %s", name, parent.name)
				}
				parent.place = place
			}
			parent.counts[name]++
			attrs := make(map[string]string)
			for _, a := range token.Attr {
				attrs[a.Name.Local] = a.Value
				if !slices.Contains(rule.required, a.Name.Local) && !slices.Contains(rule.optional, a.Name.Local) {
					return fmt.Errorf("no reader knows %s of %s", a.Name.Local, name)
				}
				if p := patterns[a.Name.Local]; p != nil && !p.MatchString(a.Value) {
					return fmt.Errorf("%s=%q of %s has another form", a.Name.Local, a.Value, name)
				}
			}
			for _, a := range rule.required {
				if _, ok := attrs[a]; !ok {
					return fmt.Errorf("%s has no %s", name, a)
				}
			}
			stack = append(stack, &open{name: name, counts: map[string]int{}, attrs: attrs})
		case xml.EndElement:
			o := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			parent := stack[len(stack)-1]
			switch o.name {
			case "testcase":
				if n := o.counts["skipped"] + o.counts["error"] + o.counts["failure"]; n > 1 {
					return fmt.Errorf("a test case has %d results", n)
				}
				parent.counts["tests"]++
				parent.counts["failures"] += o.counts["failure"]
				parent.counts["errors"] += o.counts["error"]
				parent.counts["skipped"] += o.counts["skipped"]
			case "testsuite", "testsuites":
				for _, name := range []string{"tests", "failures", "errors", "skipped"} {
					if strconv.Itoa(o.counts[name]) != o.attrs[name] {
						return fmt.Errorf("%s says %s=%s and has %d", o.name, name, o.attrs[name], o.counts[name])
					}
					parent.counts[name] += o.counts[name]
				}
			}
		}
	}
	return nil
}

// What checks the files can fail.
func TestAcceptedCanFail(t *testing.T) {
	t.Parallel()
	text := written(t, Of(sample()))
	require.NoError(t, accepted(text))
	for what, change := range map[string][2]string{
		"a wrong count":       {`failures="2"`, `failures="3"`},
		"no class":            {`classname="core/good" `, ``},
		"a time":              {`time="1.234"`, `time="1.2e3"`},
		"a date":              {`timestamp="2026`, `timestamp="x2026`},
		"an attribute":        {`<testcase `, `<testcase line="1" `},
		"an element":          {`<properties>`, `<facts></facts><properties>`},
		"an order":            {`<testcase classname`, `</testsuite><testsuite name="" tests="1" failures="0" errors="0" skipped="0" time="1.000"><testcase name="" classname="" time="0.000"></testcase><properties></properties></testsuite><testsuite><testcase classname`},
		"two results":         {`<failure `, `<error message="" type=""></error><failure `},
		"what is left open":   {`</testsuites>`, ``},
		"a control character": {"it reads", "it \x01 reads"},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		require.NotEqual(t, text, changed, what)
		require.Error(t, accepted(changed), what)
	}
}
