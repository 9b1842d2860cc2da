package mcp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWireName(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 80)
	for _, tt := range []struct{ server, tool, want string }{
		{"billing", "find", "mcp_billing_find"},
		{"my server", "läs.fil", "mcp_my_server_l_s_fil"},
		{"resources", "list", "mcp_resources_list"},
		{"a", "b_c", "mcp_a_b_c"},
	} {
		require.Equal(t, tt.want, wireName(tt.server, tt.tool, map[string]bool{}))
	}

	taken := map[string]bool{}
	seen := map[string]bool{}
	for _, n := range [][2]string{{"a", "b_c"}, {"a_b", "c"}, {"a", "b.c"}, {"a", "b:c"}, {"a", long}, {"a", long + "y"}, {long, "a"}} {
		name := wireName(n[0], n[1], taken)
		require.Regexp(t, `^mcp_[a-zA-Z0-9_-]{1,60}$`, name)
		require.False(t, seen[name], name)
		seen[name] = true
	}
	require.Equal(t, wireName("a", long, map[string]bool{}), wireName("a", long, map[string]bool{}))
}
