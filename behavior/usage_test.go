package behavior

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

// What package flag cannot read is told in a sentence, and not in a list of all flags.
func TestUnreadableFlags(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, line := range []string{
		"-repaet=3", "--scorebord", "-test.cuont=2", "-cuont=2", "-colour", "-model", "-repeat=3 -budget", "-test.count=many", "-=3",
	} {
		var out strings.Builder
		cmd := exec.Command(os.Args[0], append([]string{"-test.run=^$"}, strings.Fields(line)...)...)
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "DEEDS_") })
		var status *exec.ExitError
		require.ErrorAs(t, cmd.Run(), &status, line)
		require.Equal(t, 2, status.ExitCode(), line)
		fmt.Fprintf(&text, "$ %s\n%s\n", line, out.String())
	}
	golden.Assert(t, text.String(), "unreadable-flags.golden")
}

// Who asks for help gets all of it.
func TestHelpListsTheFlags(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-h")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "DEEDS_") })
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	flag.VisitAll(func(f *flag.Flag) { require.Contains(t, string(out), "-"+f.Name) })
}

// A test binary may have a Usage of its own. It is shown, and so is the sentence.
func TestMistakesAreToldBesideAForeignUsage(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	f := flag.NewFlagSet("x", flag.ContinueOnError)
	f.String("repeat", "", "")
	f.SetOutput(&mistakes{out: &out, known: func() []string { return []string{"repeat"} }})
	f.Usage = func() { fmt.Fprintln(f.Output(), "use it well") }
	require.Error(t, f.Parse([]string{"-repaet"}))
	require.Equal(t, "deeds: there is no flag -repaet\nhint: did you mean -repeat?\nuse it well\n", out.String())
}

func TestVariablesThatMeanNothing(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, name := range []string{"DEEDS_REPET", "DEEDS_MODELS", "DEEDS_BASEURL", "DEEDS_FOO"} {
		fmt.Fprintf(&text, "$ %s=1\n%v\n\n", name, unknownVariable([]string{"HOME=/", name + "=1"}))
	}
	golden.Assert(t, text.String(), "variables.golden")
}
