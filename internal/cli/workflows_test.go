package cli

import (
	"os"
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

// playing are the parts of a workflow that plays a model.
var playing = []string{"go install .", "actions/upload-artifact@", "$GITHUB_STEP_SUMMARY", "if: always()"}

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
			for _, part := range append([]string{"actions/checkout@", "persist-credentials: false", "actions/setup-go@", "timeout-minutes:"}, more...) {
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
