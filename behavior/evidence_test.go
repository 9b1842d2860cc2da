package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPathsArePlaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ workspace, path, want string }{
		{"/w/project", "a.txt", "a.txt"},
		{"/w/project", "./b/../a.txt", "a.txt"},
		{"/w/project", "/w/project/a.txt", "a.txt"},
		{"/w/project", "/w/project/", "."},
		{"/w/project", ".", "."},
		{"/w/project", "", "."},
		{"/w/project", "../other/a.txt", "/w/other/a.txt"},
		{"/w/project", "/w/projector/a.txt", "/w/projector/a.txt"},
		{"/w/project", "/etc/passwd", "/etc/passwd"},
		{"", "./a.txt", "a.txt"},
		{"", "/a.txt", "/a.txt"},
	} {
		require.Equal(t, test.want, Evidence{Workspace: test.workspace}.Path(test.path), "%q in %q", test.path, test.workspace)
	}
}

func TestAnswerIsTheLastWordSinceTheUserSpoke(t *testing.T) {
	t.Parallel()
	e := Evidence{Timeline: []Event{
		{Kind: KindUser, Text: "one"},
		{Kind: KindMessage, Turn: 1, Text: "first"},
		{Kind: KindUser, Text: "two"},
		{Kind: KindMessage, Turn: 2, Text: "second"},
		{Kind: KindCall, Turn: 2, Call: &Call{}},
		{Kind: KindMessage, Turn: 3, Agent: "child", Text: "from below"},
		{Kind: KindMessage, Turn: 3, Text: "third"},
		{Kind: KindMessage, Turn: 4, Text: "  "},
	}}
	require.Equal(t, "third", e.Answer())
	require.Equal(t, "second\nthird", e.Said())
	require.Empty(t, Evidence{}.Answer())
	require.Empty(t, Evidence{Timeline: e.Timeline[:3]}.Answer(), "what was said before the user spoke again is no answer")
}

func TestChangedComparesEverything(t *testing.T) {
	t.Parallel()
	before := Files{
		"same": {Mode: 0o644, Data: []byte("x"), Size: 1}, "text": {Mode: 0o644, Data: []byte("x"), Size: 1},
		"mode": {Mode: 0o644}, "gone": {}, "link": {Link: "a"}, "big": {Digest: "1", Size: 9},
	}
	after := Files{
		"same": {Mode: 0o644, Data: []byte("x"), Size: 1}, "text": {Mode: 0o644, Data: []byte("y"), Size: 1},
		"mode": {Mode: 0o755}, "new": {}, "link": {Link: "b"}, "big": {Digest: "2", Size: 9},
	}
	require.Equal(t, []string{"big", "gone", "link", "mode", "new", "text"}, Evidence{Before: before, After: after}.Changed())
	require.Empty(t, Evidence{Before: before, After: before}.Changed())
}
