package behavior

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestUnitsAreWorldsTimesVariants(t *testing.T) {
	t.Parallel()
	c := Case{
		Prompt: "Refund {who}.", Facts: map[string]string{"who": "Ann", "sum": "1"},
		Worlds:   []World{{Name: "big", Facts: map[string]string{"sum": "900"}}, {Name: "small", Mode: Plan}},
		Variants: []Variant{{Name: "one"}, {Name: "two", Prompt: "Pay {who} {sum}.", Facts: map[string]string{"who": "Bob"}}},
	}
	var names, prompts []string
	for _, u := range c.units("core/x") {
		names = append(names, u.name())
		prompts = append(prompts, u.prompt)
	}
	require.Equal(t, []string{"big/one", "big/two", "small/one", "small/two"}, names)
	require.Equal(t, []string{"Refund Ann.", "Pay Bob 900.", "Refund Ann.", "Pay Bob 1."}, prompts)
	units := c.units("core/x")
	require.Equal(t, Build, units[0].mode, "the zero mode is build")
	require.Equal(t, Plan, units[2].mode)
	require.True(t, units[2].first)
	require.False(t, units[3].first)
}

func TestWorkspaceIsLayeredAndExpanded(t *testing.T) {
	t.Parallel()
	c := Case{
		Facts: map[string]string{"v": "7", "vv": "8"},
		Files: fstest.MapFS{
			"a.txt":   {Data: []byte("v={v} vv={vv} other={x}"), Mode: 0o600},
			"run.sh":  {Data: []byte("#!/bin/sh\n"), Mode: 0o755},
			"lost":    {Data: []byte("under")},
			"link":    {Data: []byte("a.txt"), Mode: fs.ModeSymlink | 0o777},
			"empty/d": {Mode: fs.ModeDir | 0o755},
		},
		Worlds: []World{{Name: "w", Files: fstest.MapFS{"lost": {Data: []byte("over")}}}},
		Draft:  &Draft{Name: "move", Text: "- [ ] to {v}\n"},
	}
	tree, err := c.units("core/x")[0].workspace()
	require.NoError(t, err)
	read := func(name string) string {
		data, err := fs.ReadFile(tree, name)
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, "v=7 vv=8 other={x}", read("a.txt"))
	require.Equal(t, "over", read("lost"))
	require.Equal(t, "- [ ] to 7\n", read("plans/move.md"))
	info, err := fs.Stat(tree, "run.sh")
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode().Perm())
	target, err := fs.ReadLink(tree, "link")
	require.NoError(t, err)
	require.Equal(t, "a.txt", target)
}

// Attempts of one unit differ in what is drawn for them, and in nothing else.
func TestUndrawnIsTheSameForEveryAttempt(t *testing.T) {
	t.Parallel()
	c := Case{Prompt: "Refund {sum}.", Draws: map[string]Draw{"sum": {Lo: 600, Hi: 1200}, "code": {Hex: 8}}}
	u := c.plainUnits()[0]
	u.id = "core/x"
	one, two := u.drawn(1), u.drawn(2)
	require.NotEqual(t, one.facts, two.facts)
	text := func(u unit, world string) string {
		return u.undrawn(world + "/project").Replace("in " + world + "/tmp: " + u.facts["sum"] + " under " + u.facts["code"])
	}
	require.Equal(t, "in {world}/tmp: {sum} under {code}", text(one, "/dev/shm/w-1"))
	require.Equal(t, text(one, "/dev/shm/w-1"), text(two, "/dev/shm/w-2"))
}
