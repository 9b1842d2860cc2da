package agent

import (
	"context"
	"errors"
	"io"
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

// everything is a world that has all that the prompt can speak of.
func everything(t *testing.T) tools.Env {
	t.Helper()
	return tools.Env{
		Dir: "/home/dev/project", Scratch: "/home/dev/.scratch", ScratchFiles: afero.NewMemMapFs(),
		Memory: workspace(t, map[string]string{".agents/memory/tabs.md": "\nThe user likes tabs.\nMore."}),
		Files: workspace(t, map[string]string{
			"AGENTS.md": "Write tests.", ".git/HEAD": "",
			".agents/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: How to deploy\n---\nbody",
			".agents/skills/wrong/SKILL.md":  "---\nname: wrong\ndescription: Use when: x\n---\nbody",
		}),
		Shell: noShell{},
	}
}

type noShell struct{}

func (noShell) Start(context.Context, string, io.Writer) (tools.Process, error) {
	return nil, errors.New("no shell")
}

// What children are told, each in its own words.
func TestPromptsOfChildren(t *testing.T) {
	t.Parallel()
	for _, r := range []role{worker, explore, review} {
		s, err := NewSession(Config{Model: &script{}, Tools: everything(t)})
		require.NoError(t, err)
		c := s.bear("child-1", r)
		require.NoError(t, c.prepare())
		golden.Assert(t, c.system.Text+"\n", "prompt-"+string(r)+".golden")
		speaksOf(t, c)
	}
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
		"build":      {Config{Tools: world}, tools.Build, nil},
		"plan":       {Config{Tools: planned, Plan: &Plan{Path: planName}}, tools.Plan, nil},
		"everything": {Config{Tools: everything(t)}, tools.Build, nil},
		"approved": {
			Config{Tools: planned, Plan: &Plan{Path: planName, Approved: true}, Date: "2030-01-02"}, tools.Build,
			[]tools.Todo{{Content: "Move a.txt", Status: "in_progress", Priority: "high"}, {Content: "Tell <me> & you", Status: "pending"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "everything" {
				s, err := NewSession(Config{Model: &script{}, Tools: test.config.Tools})
				require.NoError(t, err)
				require.NoError(t, s.prepare())
				golden.Assert(t, s.system.Text+"\n", "prompt-everything.golden")
				return
			}
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
		bare := tools.Env{Dir: "/w", Files: afero.NewMemMapFs()}
		for _, env := range []tools.Env{bare, everything(t)} {
			env.Mode = mode
			s, err := NewSession(Config{Model: &script{}, Tools: env})
			require.NoError(t, err)
			require.NoError(t, s.prepare())
			require.Equal(t, env.Shell != nil, speaksOf(t, s)["bash"])
		}
	}
}

// speaksOf checks that a prompt speaks of no tool that is missing, and returns those
// that are there.
func speaksOf(t *testing.T, s *Session) map[string]bool {
	t.Helper()
	has := make(map[string]bool)
	for _, spec := range s.tools.Specs() {
		has[spec.Name] = true
	}
	for _, word := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(s.system.Text, -1) {
		require.True(t, has[word[1]], "the prompt of %s mode speaks of %s", s.Mode(), word[1])
	}
	return has
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
		gone := prompt(t, Config{Tools: tools.Env{Files: files}, Plan: &Plan{Path: planName, Approved: true}}, tools.Build)
		require.Contains(t, gone, planName)
		require.Contains(t, gone, "(The file cannot be read: ", "the agent may have removed it: that is no fault of the harness")
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
