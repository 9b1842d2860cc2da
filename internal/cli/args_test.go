package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{"", "test"},
		{"./evals/...", "test ./evals/..."},
		{"-model=m ./evals/core", "test ./evals/core -model=m"},
		{"-model m ./evals/core", "test ./evals/core -model=m"},
		{"--model m --repeat 3 ./a ./b", "test ./a ./b --model=m --repeat=3"},
		{"-repeat 3", "test -repeat=3"},
		{"-v ./a -run X", "test ./a -v -run=X"},
		{"-run X -v ./a", "test ./a -run=X -v"},
		{"-test.run X ./a", "test ./a -test.run=X"},
		{"-scoreboard ./a", "test ./a -scoreboard"},
		{"-dry-run ./a -model m", "test ./a -dry-run -model=m"},
		{"-race -count 2 ./a", "test ./a -race -count=2"},
		{"-mine x ./a", "test ./a -mine=x"},
		{"-mine ./a", "test ./a -mine"},
		{"-mine ...", "test ... -mine"},
		{"-mine -v ./a", "test ./a -mine -v"},
		{"-seed -7 ./a", "test ./a -seed=-7"},
		{"-run= ./a", "test ./a -run="},
		{"-model", "test -model"},
		{"./a -args -model x ./b", "test ./a -args -model x ./b"},
		{"-model=m --args x", "test -model=m --args x"},
		{"-C sub -v ./a", "test -C sub ./a -v"},
		{"-", "test -"},
	} {
		require.Equal(t, tt.want, strings.Join(order(strings.Fields(tt.args)).line(), " "), tt.args)
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	g := order(strings.Fields("./a -model m -model=n -test.timeout 3m -scoreboard=false -json --json"))
	v, ok := g.flag("model")
	require.True(t, ok)
	require.Equal(t, "n", v, "the last one counts")
	_, ok = g.flag("timeout")
	require.True(t, ok)
	_, ok = g.flag("run")
	require.False(t, ok)
	require.False(t, g.any("scoreboard", "resume"))
	require.True(t, g.any("resume", "model"))
	rest, found := g.without("--json")
	require.True(t, found)
	require.True(t, rest.any("json"), "-json is another flag")
	_, found = rest.without("--json")
	require.False(t, found)
}
