package spelling

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"show", "show", 0}, {"shwo", "show", 1}, {"sho", "show", 1}, {"shows", "show", 1}, {"shaw", "show", 1}, {"ü", "u", 1}, {"runs", "show", 4}} {
		require.Equal(t, tt.want, Distance(tt.a, tt.b), "%s %s", tt.a, tt.b)
		require.Equal(t, tt.want, Distance(tt.b, tt.a), "%s %s", tt.b, tt.a)
	}
}
