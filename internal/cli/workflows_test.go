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
	command    = regexp.MustCompile(`(?:^|[\s;(])(deeds|go run \.|go test)( [^|;)}#]*)`)
	pinned     = regexp.MustCompile(`^- uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	secret     = regexp.MustCompile(`^[A-Z_]+: \$\{\{ secrets\.[A-Z_]+ \}\}$`)
	expression = regexp.MustCompile(`^[\w-]+: .*\$\{\{`)
)

// The workflows are YAML, and what they run exists, flag by flag.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "github", "*.yml"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			text := string(data)
			values, _, err := frontmatter.Parse("---\n" + text + "---\n")
			require.NoError(t, err)
			for _, key := range []string{"name", "on", "permissions", "jobs"} {
				require.Contains(t, values, key)
			}
			for _, part := range []string{"actions/checkout@", "persist-credentials: false", "actions/setup-go@", "go install .", "actions/upload-artifact@", "$GITHUB_STEP_SUMMARY", "if: always()", "timeout-minutes:"} {
				require.Contains(t, text, part)
			}
			commands := 0
			for line := range strings.Lines(text) {
				line = strings.TrimSpace(line)
				if strings.HasPrefix(line, "#") {
					continue
				}
				if strings.Contains(line, "uses: ") {
					require.Regexp(t, pinned, line)
				}
				if strings.Contains(line, "secrets.") {
					require.Regexp(t, secret, line, "a secret is handed on in the environment alone")
				}
				if strings.Contains(line, "${{") {
					require.Regexp(t, expression, line, "an expression in a script is a hole")
				}
				for _, m := range command.FindAllStringSubmatch(line, -1) {
					commands++
					require.NoError(t, exists(m[1], strings.Fields(m[2])), line)
				}
			}
			require.GreaterOrEqual(t, commands, 2)
		})
	}
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
