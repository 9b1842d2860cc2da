package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilterSelectsWhatGoTestSelects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		run, skip, name string
		want            bool
	}{
		{"", "", "TestA", true},
		{"TestA", "", "TestA/m/attempt=1", true},
		{"^TestA$", "", "TestAB", false},
		{"TestB", "", "TestA", false},
		{"TestA/attempt=2", "", "TestA/attempt=1", false},
		{"TestA/attempt=2", "", "TestA/attempt=2", true},
		{"TestA/big/attempt=2", "", "TestA/big", true},
		{"TestA|TestB/x", "", "TestB/x", true},
		{"TestA|TestB/x", "", "TestB/y", false},
		{"Test(A|B)", "", "TestB", true},
		{"Test[A/]", "", "TestA/x", true},
		{"", "TestA", "TestA/attempt=1", false},
		{"", "TestA/attempt=1", "TestA", true},
		{"", "TestA/attempt=1", "TestA/attempt=1", false},
		{"TestA/a b", "", "TestA/a_b", true},
		{"TestA/a_b", "", "TestA/a b", true},
		{"^TestA$/^a b$", "", "TestA/a b", true},
		{"TestA/a\\\\x00", "", "TestA/a\x00", true},
	} {
		require.Equal(t, test.want, newTestFilter(test.run, test.skip).selects(test.name), "-run=%s -skip=%s %s", test.run, test.skip, test.name)
	}
}
