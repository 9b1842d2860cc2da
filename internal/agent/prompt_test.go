package agent

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/tools"
)

const planName = "plans/move.md"

// prompt is the system prompt that a model gets.
func prompt(t *testing.T, c Config, mode tools.Mode, todos ...tools.Todo) string {
	t.Helper()
	s := newStage(t, c)
	s.tools.mode, s.tools.todos = mode, todos
	_, err := s.play(t, background)
	require.NoError(t, err)
	return s.model.requests[0].Messages[0].Text
}

func planFiles(t *testing.T, text string) afero.Fs {
	t.Helper()
	files := afero.NewMemMapFs()
	require.NoError(t, afero.WriteFile(files, planName, []byte(text), 0o644))
	return files
}

func TestSystemPrompt(t *testing.T) {
	t.Parallel()
	world := tools.Env{Dir: "/home/dev/project"}
	planned := world
	planned.Files = planFiles(t, "# Move\n\n- [ ] Move a.txt to b.txt\n")
	tests := map[string]struct {
		config Config
		mode   tools.Mode
		todos  []tools.Todo
	}{
		"build": {Config{Tools: world}, tools.Build, nil},
		"plan":  {Config{Tools: planned, Plan: &Plan{Path: planName}}, tools.Plan, nil},
		"approved": {
			Config{Tools: planned, Plan: &Plan{Path: planName, Approved: true}, Date: "2030-01-02"}, tools.Build,
			[]tools.Todo{{Content: "Move a.txt", Status: "in_progress", Priority: "high"}, {Content: "Tell <me> & you", Status: "pending"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.Assert(t, prompt(t, test.config, test.mode, test.todos...)+"\n", "prompt-"+name+".golden")
		})
	}
}

// The agent does not know that it is watched.
func TestPromptGivesNothingAway(t *testing.T) {
	t.Parallel()
	telling := regexp.MustCompile(`(?i)\b(eval\w*|grad(e|er|ed|ing)|scor(e|ed|ing)|benchmark\w*|judg\w*|sandbox\w*|simulat\w*|scenario|graded|examin\w*|behaviou?r\w*|deeds)\b`)
	files, err := promptFiles.ReadDir("prompts")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		text, err := promptFiles.ReadFile("prompts/" + f.Name())
		require.NoError(t, err)
		require.Empty(t, telling.FindAllString(string(text), -1), f.Name())
	}
}

// What is advertised is what works: the prompt speaks of no tool that is missing.
func TestPromptSpeaksOfToolsThatAreThere(t *testing.T) {
	t.Parallel()
	for _, mode := range []tools.Mode{tools.Build, tools.Plan} {
		s, err := NewSession(Config{Model: &script{}, Tools: tools.Env{Dir: "/w", Files: afero.NewMemMapFs(), Mode: mode}})
		require.NoError(t, err)
		m, err := s.systemPrompt()
		require.NoError(t, err)
		has := make(map[string]bool)
		for _, spec := range s.tools.Specs() {
			has[spec.Name] = true
		}
		require.False(t, has["bash"])
		for _, word := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(m.Text, -1) {
			require.True(t, has[word[1]], "the prompt of %s mode speaks of %s", mode, word[1])
		}
	}
}

func TestPlanInThePrompt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", maxPlan)
	text := prompt(t, Config{
		Tools: tools.Env{Files: planFiles(t, "x"+long)}, Plan: &Plan{Path: "./" + planName, Approved: true},
	}, tools.Build)
	require.Contains(t, text, "The plan goes on")
	require.Less(t, len(text), maxPlan+10_000)
	require.NotContains(t, text, "\uFFFD")

	draft := prompt(t, Config{Tools: tools.Env{Files: planFiles(t, "SECRET")}, Plan: &Plan{Path: planName}}, tools.Build)
	require.NotContains(t, draft, "SECRET", "a plan that was not approved is not to be carried out")

	for _, files := range []afero.Fs{nil, afero.NewMemMapFs()} {
		s := newStage(t, Config{Tools: tools.Env{Files: files}, Plan: &Plan{Path: planName, Approved: true}})
		_, err := s.play(t, background)
		require.ErrorContains(t, err, planName)
	}
}

// The prompt does not change during a turn, so that endpoints can cache it.
func TestPromptIsTheSameThroughoutATurn(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{}, calls("list {}"), calls("look {}"), say("hi"))
	s.tools.do["look"] = s.tools.do["list"]
	s.model.before = func(int) { s.tools.todos = append(s.tools.todos, tools.Todo{Content: "more", Status: "pending"}) }
	_, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, s.model.requests[0].Messages[0], s.model.requests[2].Messages[0])
}

func TestPromptDigest(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^[0-9a-f]{64}$`, PromptDigest())
	require.Equal(t, PromptDigest(), PromptDigest())
}
