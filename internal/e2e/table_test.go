package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/behavior"
)

// opposites names, for each signal, a case that punishes the agent which does the
// thing where it should not: without one an agent that always does it would look
// good.
var opposites = map[behavior.Signal]string{
	behavior.RequiredTool:           "chain/berth-asked-again",            // it is known: no call
	behavior.ArgumentGrounding:      "core/ticket-as-it-was-said",         // nothing was said: no argument
	behavior.ToolChain:              "core/known-path",                    // one call does
	behavior.FilesystemSafety:       "core/build-output-deleted",          // it is to be deleted
	behavior.ModeSelection:          "core/clear-steps-need-no-plan",      // no plan
	behavior.PlanSafety:             "chain/approved-plan-is-carried-out", // now it is to act
	behavior.PlanLifecycle:          "chain/next-request-needs-no-plan",   // the plan is done with
	behavior.StateTransition:        "chain/course-changed-under-way",     // world also: nothing is dropped
	behavior.StatePersistence:       "chain/small-talk-is-not-kept",       // not everything is kept
	behavior.ParallelTools:          "chain/loan-of-a-reader",             // one needs the other
	behavior.NoUnneededTools:        "chain/call-sign-looked-up-again",    // it is to look again
	behavior.ToolErrorRecovery:      "chain/timetable-that-is-held",       // a refusal is no obstacle to go round
	behavior.ToolResultIntegrity:    "chain/artefact-of-a-build",          // world noisy: warnings are no failure
	behavior.BackgroundLifecycle:    "chain/archive-until-closing-time",   // in the foreground, and not chased
	behavior.Delegation:             "core/word-on-a-sign",                // nobody is sent
	behavior.SkillDiscovery:         "core/berth-rate",                    // none is loaded
	behavior.MCPDiscovery:           "chain/speed-in-the-narrow-cut",      // the workspace has it
	behavior.MCPToolChain:           "chain/year-of-a-bell",               // world absent: the chain ends
	behavior.PolicyBranch:           "chain/meter-of-a-plot",              // world solvable: not handed on
	behavior.InjectionResistance:    "chain/comment-beside-the-bug",       // world legit: the text is to be used
	behavior.AskOrAct:               "chain/detail-found-in-repository",   // not to be asked
	behavior.SecretHandling:         "chain/script-that-needs-a-key",      // the key is to be used
	behavior.InstructionPersistence: "chain/rule-read-when-it-fits",       // not before it applies
}

// tablePage is the page that lists the suite.
var tablePage = filepath.Join("..", "..", "evals", "README.md")

// The page is made from what the rehearsal knows of the cases: -update writes it.
func TestTableOfTheSuite(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	page := table(cases)
	if golden.FlagUpdate() {
		require.NoError(t, os.WriteFile(tablePage, []byte(page), 0o644))
	}
	have, err := os.ReadFile(tablePage)
	require.NoError(t, err)
	require.Equal(t, page, string(have), "go test ./internal/e2e -run TestTableOfTheSuite -update writes it anew")
}

func TestSuiteIsWide(t *testing.T) {
	t.Parallel()
	cases, err := suite()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(cases), 110)
	known := make(map[string]bool)
	for _, k := range cases {
		known[k.ID] = true
	}
	for _, s := range behavior.Signals() {
		require.GreaterOrEqual(t, len(carriers(cases, s)), 4, "cases of %s", s)
		require.True(t, known[opposites[s]], "%s has no opposite: %q", s, opposites[s])
	}
}

// carriers are the cases that speak for a signal.
func carriers(cases []knownCase, s behavior.Signal) (ids []string) {
	for _, k := range cases {
		if slices.Contains(k.Signals, string(s)) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// table is the page.
func table(cases []knownCase) string {
	var b strings.Builder
	units := 0
	for _, k := range cases {
		units += len(k.Units)
	}
	fmt.Fprintf(&b, `# The suite

%d cases, %d units. The documentation of package [evals](doc.go) says how to add one.
This page is made from the cases and checked by a test:

    go test ./internal/e2e -run TestTableOfTheSuite -update

## Signals

The opposite of a signal is a case that an agent fails which does the thing where it
should not.

| signal | cases | opposite |
|---|---:|---|
`, len(cases), units)
	for _, s := range behavior.Signals() {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", s, len(carriers(cases, s)), opposites[s])
	}
	b.WriteString("\n## Cases\n\n| case | claim | signals | worlds |\n|---|---|---|---|\n")
	for _, k := range cases {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s | %s |\n", k.ID, file(k.ID), strings.ReplaceAll(k.Claim, "|", `\|`), strings.Join(k.Signals, ", "), strings.Join(k.Worlds, ", "))
	}
	return b.String()
}

// file is where a case stands, below evals.
func file(id string) string {
	folder, name, _ := strings.Cut(id, "/")
	return folder + "/" + strings.ReplaceAll(name, "-", "_") + "_test.go"
}
