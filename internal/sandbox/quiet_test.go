package sandbox

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What was left running is gone when Quiet returns, and the box is as good as new.
func TestQuietEndsWhatWasLeftRunning(t *testing.T) {
	t.Parallel()
	b, err := New(Config{})
	require.NoError(t, err)
	defer func() { require.NoError(t, b.Close()) }()
	require.NoError(t, b.Quiet(), "nothing was started")

	var out bytes.Buffer
	p, err := b.Start(t.Context(), "(n=0; while :; do echo $((n+=1)) > count; done) >/dev/null 2>&1 & until [ -s count ]; do :; done", &out)
	require.NoError(t, err)
	exit, err := p.Wait(t.Context())
	require.NoError(t, err)
	require.Zero(t, exit)

	require.NoError(t, b.Quiet())
	before, err := b.Snapshot()
	require.NoError(t, err)
	require.Contains(t, before, "count")
	time.Sleep(50 * time.Millisecond)
	after, err := b.Snapshot()
	require.NoError(t, err)
	require.Equal(t, before, after, "somebody still writes")

	p, err = b.Start(t.Context(), "echo again > more", &out)
	require.NoError(t, err)
	exit, err = p.Wait(t.Context())
	require.NoError(t, err)
	require.Zero(t, exit, out.String())
}
