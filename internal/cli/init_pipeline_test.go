package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/frontmatter"
)

// pipelines are what init writes for CI, by the flow.
func pipelines(t *testing.T, p filling) map[string]string {
	t.Helper()
	p.Name, p.Package, p.Suite = "core", "evals/core", "evals"
	all := make(map[string]string)
	for _, flow := range []string{"github", "gitlab"} {
		p.GitLab = flow == "gitlab"
		text, err := p.fill(flow + ".yml.tmpl")
		require.NoError(t, err)
		_, _, err = frontmatter.Parse("---\n" + text + "---\n")
		require.NoError(t, err, text)
		all[flow] = text
	}
	return all
}

// A fault that passes must not stop a merge: what the doctor finds is said, and the run
// asks again.
func TestTheDoctorDecidesNothing(t *testing.T) {
	t.Parallel()
	for flow, text := range pipelines(t, filling{Version: "v1.2.3"}) {
		said := 0
		for line := range strings.Lines(text) {
			if strings.Contains(line, "deeds doctor") {
				require.Contains(t, line, "deeds doctor || echo ", flow)
				said++
			}
		}
		require.Equal(t, 1, said, flow)
	}
}

// go test refuses to run where the environment sets a variable of Deeds that means
// nothing: a pipeline must not make one up.
func TestPipelinesMakeUpNoVariable(t *testing.T) {
	t.Parallel()
	texts := pipelines(t, filling{Checkout: modulePath, Ref: "0"})
	examples, err := filepath.Glob(filepath.Join("..", "..", "examples", "git*", "*.yml"))
	require.NoError(t, err)
	require.NotEmpty(t, examples)
	for _, file := range append(examples, filepath.Join("..", "..", "examples", "gitlab", ".gitlab-ci.yml")) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[file] = string(data)
	}
	for file, text := range texts {
		for _, name := range regexp.MustCompile(`DEEDS_[A-Z_]+`).FindAllString(text, -1) {
			require.True(t, variables[name], "%s: %s", file, name)
		}
	}
}

// Deeds is cloned at the commit that this command was built from, where that is known.
func TestThePipelineNamesACommit(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	known := pipelines(t, filling{Checkout: modulePath, Ref: commit})
	require.Contains(t, known["github"], "\n          ref: "+commit+"\n          path: .deeds\n")
	require.Contains(t, known["gitlab"], "\n    CLONE_REF: "+commit+"\n")
	unknown := pipelines(t, filling{Checkout: modulePath})
	require.NotContains(t, unknown["github"], "\n          ref: ")
	require.Contains(t, unknown["github"], "# ref: the commit of your clone")
	require.Contains(t, unknown["gitlab"], "\n    CLONE_REF: HEAD\n")
	for _, text := range []string{known["gitlab"], unknown["gitlab"]} {
		require.Contains(t, text, `checkout --quiet --detach "$CLONE_REF"`)
		require.NotContains(t, text, "--depth", "a commit of some time ago is not in it")
	}

	revision := debug.BuildSetting{Key: "vcs.revision", Value: commit}
	clean, dirty := debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	require.Equal(t, commit, cleanCommit([]debug.BuildSetting{revision, clean}))
	require.Empty(t, cleanCommit([]debug.BuildSetting{revision, dirty}))
	require.Empty(t, cleanCommit([]debug.BuildSetting{revision}))
	require.Empty(t, cleanCommit(nil))
}
