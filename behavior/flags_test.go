package behavior

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

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

// A refusal is what somebody gets for how a run was asked for. They stand in one file, to
// be read as one: each is to say what is wrong, and what to write.
func TestSettingsRefuse(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, line := range []string{
		// Values.
		"-repeat=three", "-repeat=0", "-model=m -repeat=1000000", "-j=0", "-model=m -j=99999", "DEEDS_LIMIT=-1", "-rpm=x -model=m", "-retries=-1", "-max-tokens=0",
		"-temperature=NaN", "-temperature=hot", "-seed=1.5", "-budget=0", "-budget=five", "-dry-run=perhaps", "DEEDS_SCOREBOARD=yes",
		// Names.
		"-signal=tool-chian", "DEEDS_SIGNAL=safety", "-signal=zzz", "-containment=srtict", "-containment=some", "-agent=buildin", "-agent=acp:x", "-model=a,,b", "-model=a,b,a",
		// Simulations.
		"-model=sim:2", "-model=sim:high", "-model=sim:0.8+core=x", "-model=sim:0.8,m", "-model=sim:0.8 -temperature=1", "-model=sim:0.8 -scoreboard=true",
		// What does not go together.
		"-repeat=3", "DEEDS_REPEAT=3 -scoreboard=true", "-scoreboard=true -model=m -repeat=5", "-resume=", "-replay=last -regrade=last", "-replay=last -model=m", "DEEDS_REGRADE=last -repeat=3",
		// What swallows or silences.
		"M", "-model=-repeat=3", "-signal=-run",
	} {
		flags, env := make(map[string]string), make(map[string]string)
		var leftover []string
		for _, word := range strings.Fields(line) {
			name, value, _ := strings.Cut(word, "=")
			switch {
			case strings.HasPrefix(word, "-"):
				flags[name[1:]] = value
			case strings.HasPrefix(word, "DEEDS_"):
				env[name] = value
			default:
				leftover = append(leftover, word)
			}
		}
		_, err := readSettings(flagsOf(flags), leftover, envOf(env))
		fmt.Fprintf(&text, "$ %s\n%v\n\n", line, err)
	}
	golden.Assert(t, declaredNames.ReplaceAllString(text.String(), ""), "refusals.golden")
}

// declaredNames are those of signals that other tests of this process declare.
var declaredNames = regexp.MustCompile(`cites-its-sources-\d+, `)

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
