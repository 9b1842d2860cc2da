package diff_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/diff"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, a, b, want string }{
		{"equal", "a\n", "a\n", ""},
		{"both empty", "", "", ""},
		{"a line", "a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		{"from nothing", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"last newline", "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"header-like lines", "-- a\n", "-- b\n", "@@ -1 +1 @@\n--- a\n+-- b\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, diff.Unified(tt.a, tt.b))
		})
	}
}

func TestUnifiedOfLargeTexts(t *testing.T) {
	t.Parallel()
	a := strings.Repeat("x\n", 1<<20)
	require.Equal(t, "texts of 2097152 and 2097154 bytes differ from line 1048577 on\n", diff.Unified(a, a+"y\n"))
}
