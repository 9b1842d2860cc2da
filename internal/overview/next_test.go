package overview

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"": "''", "a/b:c-1.2": "a/b:c-1.2", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		require.Equal(t, want, Quote(word))
	}
}
