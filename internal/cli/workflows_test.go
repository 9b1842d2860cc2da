package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/frontmatter"
)

var (
	command    = regexp.MustCompile(`(?:^|[\s;({])(deeds|go run \.|go test)( [^|;)}#>]*)`)
	pinned     = regexp.MustCompile(`^- uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	called     = regexp.MustCompile(`^uses: \./\.github/workflows/([\w-]+\.yml)$`)
	secret     = regexp.MustCompile(`^[A-Z_]+: \$\{\{ secrets\.[A-Z_]+ \}\}$`)
	expression = regexp.MustCompile(`^[\w-]+: .*\$\{\{`)
)

// cloned are the parts of a workflow for a module that needs Deeds, which is not published.
var cloned = []string{"repository: deeds-evals/deeds", `go mod edit -replace=github.com/deeds-evals/deeds="$GITHUB_WORKSPACE/.deeds"`}

// playing are the parts of a workflow that plays a model.
var playing = []string{`go -C "$GITHUB_WORKSPACE/.deeds" install .`, "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0", "actions/upload-artifact@", "$GITHUB_STEP_SUMMARY", "if: always()"}

// The workflows are YAML, and what they run exists, flag by flag.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	parts := map[string][]string{"deeds.yml": playing, "nightly.yml": playing, "release.yml": playing, "pull-request.yml": nil}
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "github", "*.yml"))
	require.NoError(t, err)
	require.Len(t, files, len(parts))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			more, known := parts[filepath.Base(file)]
			require.True(t, known)
			text := yamlOf(t, file, "name", "on", "permissions", "jobs")
			for _, part := range append([]string{"actions/checkout@", "persist-credentials: false", "actions/setup-go@", "timeout-minutes:"}, append(cloned, more...)...) {
				require.Contains(t, text, part)
			}
			for line := range strings.Lines(text) {
				line = strings.TrimSpace(line)
				switch {
				case strings.HasPrefix(line, "#"):
					continue
				case strings.HasPrefix(line, "uses: "):
					requireCall(t, text, line)
				case strings.Contains(line, "uses: "):
					require.Regexp(t, pinned, line)
				}
				if strings.Contains(line, "secrets.") {
					require.Regexp(t, secret, line, "a secret is handed on in the environment alone")
				}
				if strings.Contains(line, "${{") {
					require.Regexp(t, expression, line, "an expression in a script is a hole")
				}
			}
			commands(t, text)
			requireMuted(t, text, more != nil)
		})
	}
}

// yamlOf reads a file of YAML that has these keys.
func yamlOf(t *testing.T, file string, keys ...string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	values, _, err := frontmatter.Parse("---\n" + string(data) + "---\n")
	require.NoError(t, err)
	for _, key := range keys {
		require.Contains(t, values, key)
	}
	return string(data)
}

// commands requires that a file runs something, and that all of it exists.
func commands(t *testing.T, text string) {
	t.Helper()
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, m := range command.FindAllStringSubmatch(line, -1) {
			n++
			words := slices.DeleteFunc(strings.Fields(m[2]), func(w string) bool { return w == `"$@"` }) // the flags of a script
			require.NoError(t, exists(m[1], words), line)
		}
	}
	require.Positive(t, n)
}

// requireCall requires that a workflow hands another one what it takes: no input that it
// does not have, and each one that it must have.
func requireCall(t *testing.T, text, line string) {
	t.Helper()
	m := called.FindStringSubmatch(line)
	require.NotNil(t, m, line)
	other, err := os.ReadFile(filepath.Join("..", "..", "examples", "github", m[1]))
	require.NoError(t, err)
	takes, must := inputs(string(other))
	require.NotEmpty(t, must)
	_, given, _ := strings.Cut(text, line+"\n    with:\n")
	given, _, _ = strings.Cut(given, "    secrets:\n")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^      ([a-z-]+): `).FindAllStringSubmatch(given, -1) {
		names = append(names, m[1])
	}
	require.Subset(t, takes, names)
	require.Subset(t, names, must)
	needs := regexp.MustCompile(`(?m)^      needs: (.*)$`).FindStringSubmatch(given)
	require.NotNil(t, needs)
	for _, need := range strings.Fields(needs[1]) {
		require.NoError(t, exists("deeds", []string{"gate", "--need", need}))
	}
}

// scripts are those of the steps of a workflow for GitHub.
func scripts(text string) (all []string) {
	for _, m := range regexp.MustCompile(`(?m)^        run: \|\n((?:          .*\n)+)`).FindAllStringSubmatch(text, -1) {
		all = append(all, regexp.MustCompile(`(?m)^ {10}`).ReplaceAllString(m[1], ""))
	}
	return all
}

// requireMuted requires of each step that plays a model that nothing in its output is a
// command to the runner, and that such a step is there or not.
func requireMuted(t *testing.T, text string, plays bool) {
	t.Helper()
	n := 0
	for _, script := range scripts(text) {
		if !strings.Contains(script, "deeds run ") {
			continue
		}
		n++
		require.NotContains(t, script, "report", "annotations are no commands there")
		if !strings.Contains(script, "-scoreboard") { // which is refused if anything is missing
			require.Contains(t, script, "-max-tokens=", "a budget in money stops a run whose endpoint reports none")
		}
		requireMutes(t, script)
	}
	require.Equal(t, plays, n > 0)
	require.Equal(t, plays, strings.Contains(text, "deeds run "), "in a step that was looked at")
}

// requireMutes runs a step that plays, with a command in the place of deeds that is
// hostile to the runner.
func requireMutes(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	const hostile = `deeds() {
	printf '  ::error::a\n##[group]b\n::set-output name=x::y\n'
	printf '::add-mask::c\n' >&2
	env >> "$SEEN"
	return "$STATUS"
}
`
	hooked := filepath.Join(dir, "deeds.sh")
	require.NoError(t, os.WriteFile(hooked, []byte(hostile), 0o644))
	tokens := make(map[string]bool)
	for status, want := range []int{0, 0, 1} {
		seen := filepath.Join(dir, fmt.Sprintf("seen-%d", status))
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Env = append(os.Environ(), "BASH_ENV="+hooked, "SEEN="+seen, fmt.Sprintf("STATUS=%d", status), "OPENAI_BASE_URL=", "PACKAGES=./evals/...")
		out, err := cmd.Output()
		if _, exited := errors.AsType[*exec.ExitError](err); !exited {
			require.NoError(t, err)
		}
		require.Equal(t, want, cmd.ProcessState.ExitCode(), string(out))
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		token, found := strings.CutPrefix(lines[0], "::stop-commands::")
		require.True(t, found, string(out))
		require.Regexp(t, `^[0-9a-f]{32}$`, token)
		require.False(t, tokens[token], "the next run has another one")
		tokens[token] = true
		require.Equal(t, "::"+token+"::", lines[len(lines)-1], string(out))
		require.Contains(t, string(out), "::add-mask::c\n", "what went to standard error comes before the token as well")
		environ, err := os.ReadFile(seen)
		require.NoError(t, err)
		require.NotContains(t, string(environ), token)
	}
}

// The check to require is green only if all that decides was: of a workflow for pull
// requests, the last job says so.
func requireDecision(t *testing.T, text string, rehearsed bool) {
	t.Helper()
	_, jobs, _ := strings.Cut(text, "\njobs:\n")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  ([\w-]+):$`).FindAllStringSubmatch(jobs, -1) {
		names = append(names, m[1])
	}
	last := len(names) - 1
	require.Equal(t, "decision", names[last])
	_, decision, _ := strings.Cut(jobs, "\n  decision:\n")
	require.Contains(t, decision, "    needs: ["+strings.Join(names[:last], ", ")+"]\n    if: always()\n")
	for _, name := range names[:last] {
		require.Contains(t, decision, strings.ToUpper(name)+": ${{ needs."+name+".result }}\n")
	}
	script := scripts(decision)
	require.Len(t, script, 1)
	for _, tt := range []struct {
		environ []string
		green   bool
	}{
		{[]string{"REHEARSAL=success", "GATE=success", "FORK=false", "DEEDS_MODEL=m"}, true},
		{[]string{"REHEARSAL=success", "GATE=failure", "FORK=false", "DEEDS_MODEL=m"}, false},
		{[]string{"REHEARSAL=success", "GATE=cancelled", "FORK=false", "DEEDS_MODEL=m"}, false},
		{[]string{"REHEARSAL=success", "GATE=skipped", "FORK=false", "DEEDS_MODEL=m"}, false},
		{[]string{"REHEARSAL=failure", "GATE=skipped", "FORK=false", "DEEDS_MODEL=m"}, false},
		{[]string{"REHEARSAL=failure", "GATE=skipped", "FORK=false", "DEEDS_MODEL="}, false},
		{[]string{"REHEARSAL=success", "GATE=skipped", "FORK=false", "DEEDS_MODEL="}, rehearsed},
		{[]string{"REHEARSAL=success", "GATE=skipped", "FORK=true", "DEEDS_MODEL=m"}, false},
		{[]string{"REHEARSAL=success", "GATE=skipped", "FORK=true", "DEEDS_MODEL="}, false}, // which has no variables either
	} {
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script[0])
		cmd.Env = append(os.Environ(), tt.environ...)
		out, err := cmd.CombinedOutput()
		require.Equal(t, tt.green, err == nil, "%q: %s", tt.environ, out)
		if slices.Contains(tt.environ, "FORK=true") {
			require.Contains(t, string(out), "::error title=not measured::")
		}
	}
}

func TestDecision(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "examples", "github", "pull-request.yml"))
	require.NoError(t, err)
	requireDecision(t, string(data), false)
	for _, dir := range []string{"/shop", "/shop/go"} {
		text := founded(t, dir, "github")
		requireDecision(t, text, true)
		requireMuted(t, text, true)
		require.Equal(t, dir != "/shop", strings.Contains(text, "        working-directory: . # there is no checkout\n"))
	}
}

// founded is the workflow that init writes for a module in a folder of the repository.
func founded(t *testing.T, dir, flow string) string {
	t.Helper()
	h := &home{dir: dir, module: "shop", top: "/shop", name: "core"}
	files, _, err := h.files(founding{folder: "evals/core", agent: "builtin", workflow: flow})
	require.NoError(t, err)
	return files[len(files)-1].text
}

// What is copied from the examples and what init writes say the same of Deeds itself.
func TestWorkflowsAgree(t *testing.T) {
	t.Parallel()
	clone := regexp.MustCompile(`(?m)^ *# Deeds is not published yet(?:.*\n)+?.*go mod edit -replace.*\n`)
	ref := regexp.MustCompile(`(?m)^ *(?:#|ref:).*\n`)
	for flow, file := range map[string]string{
		"github": filepath.Join("..", "..", "examples", "github", "deeds.yml"),
		"gitlab": filepath.Join("..", "..", "examples", "gitlab", ".gitlab-ci.yml"),
	} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		text := founded(t, "/shop", flow)
		if flow == "github" {
			want := clone.FindString(text)
			require.NotEmpty(t, want)
			require.Equal(t, ref.ReplaceAllString(want, ""), ref.ReplaceAllString(clone.FindString(string(data)), ""))
		}
		require.Contains(t, text, "max-tokens")
		require.Contains(t, string(data), "max-tokens")
		for line := range strings.Lines(text) {
			for _, part := range []string{"CLONE_URL: ", "git clone", "git -C ", "go mod edit", "go -C ", "sysctl", "stop-commands::", "apt-get"} {
				if strings.Contains(line, part) {
					require.Contains(t, string(data), strings.TrimSpace(line))
				}
			}
		}
	}
}

// inputs lists the inputs of a workflow that others call, and those that it must have.
func inputs(text string) (all, must []string) {
	_, text, _ = strings.Cut(text, "    inputs:\n")
	text, _, _ = strings.Cut(text, "    secrets:\n")
	for _, block := range regexp.MustCompile(`(?m)^      ([a-z-]+):\n((?:        .*\n)+)`).FindAllStringSubmatch(text, -1) {
		all = append(all, block[1])
		if strings.Contains(block[2], "required: true") {
			must = append(must, block[1])
		}
	}
	return all, must
}

// What others call uses each of its inputs, and takes no other.
func TestWorkflowInputs(t *testing.T) {
	t.Parallel()
	text := yamlOf(t, filepath.Join("..", "..", "examples", "github", "deeds.yml"))
	all, must := inputs(text)
	require.Equal(t, []string{"model"}, must)
	for _, name := range []string{"model", "packages", "repeat", "needs", "baseline", "go-version"} {
		require.Contains(t, all, name)
	}
	used := make(map[string]bool)
	for _, m := range regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`).FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		require.Contains(t, all, m[1])
	}
	require.Len(t, used, len(all))
}

// The file for GitLab is YAML, runs what exists, and hands on the report that it writes.
func TestGitLab(t *testing.T) {
	t.Parallel()
	text := yamlOf(t, filepath.Join("..", "..", "examples", "gitlab", ".gitlab-ci.yml"), "stages", "rehearsal", "behaviour")
	commands(t, text)
	require.Contains(t, text, "--output junit.xml\n")
	require.Contains(t, text, "    reports:\n      junit: junit.xml\n")
	require.Contains(t, text, "when: always\n")
	require.Contains(t, text, "-containment=best")
	for _, text := range []string{text, founded(t, "/shop", "gitlab")} {
		requireOnePipeline(t, text)
	}
	_, played, _ := strings.Cut(text, "\nbehaviour:\n")
	require.NotContains(t, played, "&&", "it is played in each of them")
}

// requireOnePipeline requires that every job that runs something is of the pipeline of a
// merge request and of no other, and that the one that plays is red where nothing is
// played.
func requireOnePipeline(t *testing.T, text string) {
	t.Helper()
	jobs := 0
	for _, job := range regexp.MustCompile(`(?m)^(?:[a-z ]+):\n(?:(?: .*)?\n)*`).FindAllString(text, -1) {
		if !strings.Contains(job, "\n  script:\n") {
			continue
		}
		jobs++
		_, rules, _ := strings.Cut(job, "\n  rules:\n")
		rules, _, _ = strings.Cut(rules, "\n  script:\n")
		rules, _, _ = strings.Cut(rules, "\n  variables:\n")
		for line := range strings.Lines(rules) {
			require.True(t, strings.HasPrefix(line, `    - if: $CI_PIPELINE_SOURCE == "merge_request_event"`), "%s: %q", job, line)
		}
		require.NotEmpty(t, rules, job)
		if !strings.Contains(job, "deeds run ") {
			continue
		}
		line := regexp.MustCompile(`(?m)^    - '(\[ -n "\$DEEDS_MODEL" \].*)'$`).FindStringSubmatch(job)
		require.NotNil(t, line, job)
		for model, green := range map[string]bool{"m": true, "": false} {
			cmd := exec.Command("sh", "-c", line[1])
			cmd.Env = append(os.Environ(), "DEEDS_MODEL="+model)
			out, err := cmd.CombinedOutput()
			require.Equal(t, green, err == nil, string(out))
		}
	}
	require.Equal(t, 2, jobs)
}

// exists reports what is wrong with a command line of a page or a workflow.
func exists(program string, args []string) error {
	if program == "go test" {
		return knownFlags(args)
	}
	verb, rest, err := newRoot(&Config{}).Find(args)
	switch {
	case err != nil:
		return err
	case !verb.HasParent():
		return misuse("there is no such verb", "")
	case verb.Name() == "run":
		return knownFlags(rest)
	}
	if err := verb.ParseFlags(rest); err != nil {
		return err
	}
	if err := verb.ValidateArgs(verb.Flags().Args()); err != nil {
		return err
	}
	needs, err := verb.Flags().GetStringSlice("need")
	if err != nil {
		return nil // it has none
	}
	parsed, err := parseNeeds(needs)
	if err != nil {
		return err
	}
	for _, need := range parsed {
		if err := knownSignal(need.Signal); err != nil {
			return err
		}
	}
	return nil
}

func knownFlags(args []string) error {
	for _, arg := range args {
		name, value, _ := cutFlag(arg)
		if name != "" && !bareFlags[name] && !valueFlags[name] && arg != "--json" {
			return misuse("there is no flag "+arg, "")
		}
		if name == "signal" {
			for signal := range strings.SplitSeq(value, ",") {
				if err := knownSignal(signal); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func knownSignal(name string) error {
	if slices.Contains(behavior.Signals(), behavior.Signal(name)) {
		return nil
	}
	return misuse("there is no signal "+name, "")
}

// What checks the workflows can fail.
func TestExists(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"gate --need tool-chain=1":         "",
		"run ./evals/... -repeat=3 --json": "",
		"noise a b":                        "",
		"baseline save main a b --replace": "",
		"gat --need tool-chain=1":          "there is no such verb",
		"gate --needs tool-chain=1":        "unknown flag: --needs",
		"gate --need tool-chains=1":        "there is no signal tool-chains",
		"gate a b --need tool-chain=1":     "`deeds gate` takes one run, and \"b\" is one too many",
		"run ./evals/... -repeats=3":       "there is no flag -repeats=3",
		"run -signal=tool-chains":          "there is no signal tool-chains",
		"":                                 "there is no such verb",
	} {
		err := exists("deeds", strings.Fields(line))
		if want == "" {
			require.NoError(t, err, line)
		} else {
			require.EqualError(t, err, want, line)
		}
	}
}
