package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/sandbox"
)

func flagsOf(values map[string]string) map[string]*rawFlag {
	flags := make(map[string]*rawFlag)
	for name := range flagHelp {
		flags[name] = &rawFlag{}
	}
	for name, value := range values {
		_ = flags[name].Set(value)
	}
	return flags
}

func envOf(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestSettingsDefaults(t *testing.T) {
	t.Parallel()
	s, err := readSettings(flagsOf(nil), nil, envOf(nil))
	require.NoError(t, err)
	require.False(t, s.plays(), "without a model the run is a rehearsal")
	require.Equal(t, 1, s.repeat)
	require.Equal(t, 8, s.jobs)
	require.Equal(t, sandbox.Best, s.containment)
	require.Nil(t, s.temperature)

	s, err = readSettings(flagsOf(map[string]string{"model": "m"}), nil, envOf(nil))
	require.NoError(t, err)
	require.True(t, s.plays())
	require.Equal(t, sandbox.Strict, s.containment, "a live run is contained strictly unless told otherwise")
}

func TestSettingsTakeTheFlagBeforeItsTwin(t *testing.T) {
	t.Parallel()
	env := envOf(map[string]string{"DEEDS_REPEAT": "3", "DEEDS_BASE_URL": "http://127.0.0.1:1/v1/", "DEEDS_TEMPERATURE": "0"})
	s, err := readSettings(flagsOf(map[string]string{"model": "m", "repeat": "5"}), nil, env)
	require.NoError(t, err)
	require.Equal(t, 5, s.repeat)
	require.Equal(t, "http://127.0.0.1:1/v1", s.baseURL)
	require.NotNil(t, s.temperature, "temperature 0 is a temperature")
	require.Zero(t, *s.temperature)
}

func TestSettingsRefuse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		flags    map[string]string
		env      map[string]string
		leftover []string
		want     string
	}{
		"a leftover argument": {leftover: []string{"M"}, want: "deeds: the argument \"M\" stands where no argument belongs, and would silence the flags behind it\nhint: flags are written -name=value; packages come before all flags"},
		"no number":           {flags: map[string]string{"repeat": "three"}, want: "deeds: -repeat=three is not a whole number of 1 or more"},
		"too many":            {flags: map[string]string{"model": "m", "repeat": "1000000"}, want: "deeds: -repeat=1000000 is more than 10000"},
		"too small":           {flags: map[string]string{"j": "0"}, want: "deeds: -j=0 is not a whole number of 1 or more"},
		"a bad twin":          {env: map[string]string{"DEEDS_LIMIT": "-1"}, want: "deeds: DEEDS_LIMIT=-1 is not a whole number of 0 or more"},
		"no signal":           {flags: map[string]string{"signal": "tool-chian"}, want: "deeds: -signal=tool-chian: there is no signal of that name\nhint: did you mean tool-chain?"},
		"an empty name":       {flags: map[string]string{"model": "a,,b"}, want: "deeds: -model=a,,b has an empty name in it\nhint: give names separated by commas, or leave it out"},
		"a model twice":       {flags: map[string]string{"model": "a,b,a"}, want: "deeds: -model names \"a\" twice"},
		"hot":                 {flags: map[string]string{"temperature": "NaN"}, want: "deeds: -temperature=NaN is not a number from 0 to 2"},
		"containment":         {flags: map[string]string{"containment": "some"}, want: "deeds: -containment=some is none of none, best and strict"},
		"agent":               {flags: map[string]string{"agent": "acp:x"}, want: "deeds: -agent=acp:x: this release has one agent, builtin\nhint: an agent of your own is a Go value: set Agent in the case"},
		"neither":             {flags: map[string]string{"dry-run": "perhaps"}, want: "deeds: -dry-run=perhaps is neither true nor false"},
		"no model":            {flags: map[string]string{"repeat": "3"}, want: "deeds: -repeat means nothing without -model: the cases would only be rehearsed\nhint: add -model=NAME, or leave it out"},
		"seed":                {flags: map[string]string{"seed": "1.5"}, want: "deeds: -seed=1.5 is not a whole number"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readSettings(flagsOf(test.flags), test.leftover, envOf(test.env))
			require.EqualError(t, err, test.want)
		})
	}
}

func TestUnknownVariable(t *testing.T) {
	t.Parallel()
	require.NoError(t, unknownVariable([]string{"HOME=/", "DEEDS_REPEAT=3", "DEEDS_BASE_URL=x", "DEEDS_RUN=x", "DEEDS_RESULTS=y"}))
	require.EqualError(t, unknownVariable([]string{"DEEDS_REPET=3"}), "deeds: the environment sets DEEDS_REPET, which means nothing\nhint: did you mean DEEDS_REPEAT?")
}

func TestFlagsGivenAreRepeated(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"-base-url=http://h/v1", "-containment=best", "-signal=x", "-temperature=0"},
		flagsGiven(flagsOf(map[string]string{"model": "m", "base-url": "http://user:secret@h/v1", "temperature": "0", "containment": "best", "limit": "3", "signal": "x"})))
}
