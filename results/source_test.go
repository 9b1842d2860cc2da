package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	run := Run{Plans: []Plan{
		{Dir: "evals/core", Suite: []SuiteCase{{Case: "core/a", File: "core/a_test.go"}, {Case: "chain/b", File: "chain/b_test.go"}, {Case: "core/unknown"}}},
		{Dir: "behaviour", Suite: []SuiteCase{{Case: "behaviour/c", File: "behaviour/c_test.go"}}},
		{Dir: "..", Suite: []SuiteCase{{Case: "out/d", File: "out/d_test.go"}}},
		{Suite: []SuiteCase{{Case: "old/e", File: "old/e_test.go"}}},
	}}
	require.Equal(t, map[string]string{
		"core/a": "evals/core/a_test.go", "chain/b": "evals/chain/b_test.go", "behaviour/c": "behaviour/c_test.go",
	}, run.Files())
}
