package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
)

func skillFiles(t *testing.T, tree files) afero.Fs {
	t.Helper()
	m := afero.NewMemMapFs()
	for name, content := range tree {
		require.NoError(t, afero.WriteFile(m, ".agents/skills/"+name, []byte(content), 0o644))
	}
	return m
}

func TestFindSkills(t *testing.T) {
	skills, broken := FindSkills(skillFiles(t, files{
		"release/SKILL.md":      "---\nname: release\ndescription: Release a version.\narguments: [version, channel]\n---\nDo it.\n",
		"audit/SKILL.md":        "\uFEFF---\r\nname: audit\r\ndescription: \"Use when: asked\"\r\nlicense: MIT\r\n---\r\n\r\nLook.\r\n",
		"folded/SKILL.md":       "---\nname: folded\ndescription: >-\n  Two\n  lines.\n---  \nBody.",
		"number-9/SKILL.md":     "---\nname: number-9\ndescription: 9\n---\nBody.",
		"release/notes.md":      "x",
		"shared/helper.sh":      "x",
		"README.md":             "x",
		"deep/down/SKILL.md":    "---\nname: down\ndescription: d\n---\nBody.",
		"arguments/SKILL.md":    "---\nname: arguments\ndescription: d\narguments:\n- a\n---\nBody.",
		"no-arguments/SKILL.md": "---\nname: no-arguments\ndescription: d\narguments:\n---\nBody.",
	}))
	require.Empty(t, broken)
	require.Equal(t, []Skill{
		{Name: "arguments", Description: "d", Dir: ".agents/skills/arguments", Arguments: []string{"a"}},
		{Name: "audit", Description: "Use when: asked", Dir: ".agents/skills/audit"},
		{Name: "folded", Description: "Two lines.", Dir: ".agents/skills/folded"},
		{Name: "no-arguments", Description: "d", Dir: ".agents/skills/no-arguments"},
		{Name: "number-9", Description: "9", Dir: ".agents/skills/number-9"},
		{Name: "release", Description: "Release a version.", Dir: ".agents/skills/release", Arguments: []string{"version", "channel"}},
	}, skills)

	skills, broken = FindSkills(afero.NewMemMapFs())
	require.Empty(t, skills)
	require.Empty(t, broken)
}

func TestBrokenSkills(t *testing.T) {
	for _, tt := range []struct{ name, file, content, want string }{
		{"colon", "", "---\nname: x\ndescription: Use when: the user asks\n---\nBody.",
			`SKILL.md:3: the value of description holds a colon, which begins another value in YAML; put the value in quotes: description: "Use when: the user asks"`},
		{"colon and quotes", "", "---\ndescription: Say \"it's\": now\nname: x\n---\nBody.",
			`SKILL.md:2: the value of description holds a colon, which begins another value in YAML; put the value in quotes: description: 'Say "it''s": now'`},
		{"colon at the end", "", "---\nname: x\ndescription: Use when:\n---\nBody.",
			`SKILL.md:3: the value of description holds a colon, which begins another value in YAML; put the value in quotes: description: "Use when:"`},
		{"at", "", "---\nname: x\ndescription: @user asks\n---\nBody.",
			`SKILL.md:3: the value of description begins with @, which means something else in YAML; put the value in quotes: description: "@user asks"`},
		{"star", "", "---\nname: x\ndescription: *.go files\n---\nBody.",
			`SKILL.md:3: the value of description begins with *, which means something else in YAML; put the value in quotes: description: "*.go files"`},
		{"tab", "", "---\nname: x\ndescription: >\n\tfolded\n---\nBody.", `SKILL.md:4: YAML is indented with blanks, not with tabs; replace the tab`},
		{"other YAML", "", "---\nname: x\ndescription: \"open\n---\nBody.", `SKILL.md:3: the front matter is not YAML: found unexpected end of stream; put values that hold anything but words in quotes`},
		{"no front matter", "", "# Release\n", `SKILL.md:1: the file must begin with front matter: a line ---, then lines of the form key: value, then a line ---`},
		{"empty", "", "", `SKILL.md:1: the file must begin with front matter: a line ---, then lines of the form key: value, then a line ---`},
		{"no end", "", "---\nname: x\ndescription: d\n", `SKILL.md:1: the front matter has no end; put a line --- below it`},
		{"nothing in it", "", "---\n---\nBody.", `SKILL.md:1: name is missing; add the line: name: x`},
		{"no name", "", "---\ndescription: d\n---\nBody.", `SKILL.md:1: name is missing; add the line: name: x`},
		{"other name", "", "---\ndescription: d\nname: y\n---\nBody.", `SKILL.md:3: name must be that of the folder: x`},
		{"no description", "", "---\nname: x\n---\nBody.", `SKILL.md:1: description is missing; add a line that says what the skill does and when to use it`},
		{"empty description", "", "---\nname: x\ndescription:\n---\nBody.", `SKILL.md:3: description is empty; say what the skill does and when to use it`},
		{"description list", "", "---\nname: x\ndescription: [draft] Release\n---\nBody.", `SKILL.md:3: the value of description begins with [, which means something else in YAML; put the value in quotes: description: "[draft] Release"`},
		{"after the quote", "", "---\nname: x\ndescription: \"Releases\" of it\n---\nBody.", `SKILL.md:3: the value of description goes on after its closing quote; put all of it in quotes: description: '"Releases" of it'`},
		{"open list", "", "---\nname: x\ndescription: d\narguments: [a, b\n---\nBody.", `SKILL.md:4: the front matter is not YAML: did not find expected ',' or ']'; put values that hold anything but words in quotes`},
		{"description is a list", "", "---\nname: x\ndescription: [draft]\n---\nBody.", `SKILL.md:3: description must be text; put the value in quotes`},
		{"twice", "", "---\nname: x\ndescription: d\nname: x\n---\nBody.", `SKILL.md:4: name is there twice; remove one`},
		{"no pairs", "", "---\njust words\n---\nBody.", `SKILL.md:2: the front matter must be lines of the form key: value`},
		{"arguments", "", "---\nname: x\ndescription: d\narguments: a, b\n---\nBody.", `SKILL.md:4: arguments must be a list of names, such as [file, topic]`},
		{"argument name", "", "---\nname: x\ndescription: d\narguments: [a, b c]\n---\nBody.", `SKILL.md:4: "b c" cannot be the name of an argument; begin with a letter, and use letters, digits, - and _`},
		{"argument of ours", "", "---\nname: x\ndescription: d\narguments: [SKILL_DIR]\n---\nBody.", `SKILL.md:4: "SKILL_DIR" cannot be the name of an argument; begin with a letter, and use letters, digits, - and _`},
		{"argument twice", "", "---\nname: x\ndescription: d\narguments: [a, a]\n---\nBody.", `SKILL.md:4: the argument a is there twice; remove one`},
		{"no body", "", "---\nname: x\ndescription: d\n---\n \n", `SKILL.md: there are no instructions below the front matter; write them there`},
		{"file name", "Skill.md", "---\nname: x\ndescription: d\n---\nBody.", `Skill.md: the file must be named SKILL.md, in capitals; rename it`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := tt.file
			if file == "" {
				file = skillFile
			}
			skills, broken := FindSkills(skillFiles(t, files{
				"x/" + file: tt.content, "good/SKILL.md": "---\nname: good\ndescription: d\n---\nBody.",
			}))
			require.Len(t, skills, 1, "one that is broken does not spoil the others")
			require.Len(t, broken, 1)
			require.Equal(t, ".agents/skills/x/"+tt.want, broken[0].Error())
		})
	}
	_, broken := FindSkills(skillFiles(t, files{"My Skill/SKILL.md": "---\nname: My Skill\ndescription: d\n---\nBody."}))
	require.Contains(t, broken[0].Message, `the name "My Skill" must be words in lower case`)
}

func TestFillSkill(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		names      []string
		arguments  string
		want       string
	}{
		{"none", "Do it.", nil, "", "Do it."},
		{"all", "Do $ARGUMENTS now.", nil, " a b ", "Do a b now."},
		{"none given", "Do $ARGUMENTS.", nil, "", "Do ."},
		{"by number", "$2 then $1.", nil, "a b", "b then a."},
		{"by name", "Release ${version} to ${channel}.", []string{"version", "channel"}, "1.2 beta", "Release 1.2 to beta."},
		{"mixed", "$1 ${b} $ARGUMENTS", []string{"a", "b"}, "x y", "x y x y"},
		{"quotes", "[$1] [$2] [$3]", nil, `"a b" 'c "d"' it's`, `[a b] [c "d"] [it's]`},
		{"open quote", "[$1] [$2]", nil, `"a b`, `["a] [b]`},
		{"empty quotes", "[$1] [$2]", nil, `"" x`, `[] [x]`},
		{"quote within", "[$1]", nil, `"a"b`, `["a"b]`},
		{"folder", "Run ${SKILL_DIR}/x.sh", nil, "", "Run /w/.agents/skills/s/x.sh"},
		{"not again", "$1 $2", nil, "$2 ${SKILL_DIR}", "$2 ${SKILL_DIR}"},
		{"not again in all", "$ARGUMENTS", nil, "$1 $ARGUMENTS", "$1 $ARGUMENTS"},
		{"others stay", "$HOME ${HOME} $0 $10 $$ $ ${ $(x) $ARGUMENTSX awk '{print $3}'", nil, "", "$HOME ${HOME} $0 $10 $$ $ ${ $(x) $ARGUMENTSX awk '{print $3}'"},
		{"declared and not given", "[${a}] [$1] [$2]", []string{"a"}, "", "[] [] [$2]"},
		{"nothing takes them", "Do it.", nil, "a  'b c'", "Do it.\n\nArguments: a  'b c'"},
		{"some are left", "Do $1.", nil, "a b c", "Do a.\n\nMore arguments: b c"},
		{"undeclared name", "Do ${x}.", nil, "a", "Do ${x}.\n\nArguments: a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, fillSkill(tt.body, tt.names, "/w/.agents/skills/s", tt.arguments))
		})
	}
}

func TestSkill(t *testing.T) {
	var events []Event
	w := newWorld(t, Plan, files{
		".agents/skills/release/SKILL.md":   "---\nname: release\ndescription: d\narguments: [version]\n---\n\nTag ${version} with ${SKILL_DIR}/tag.sh.\n",
		".agents/skills/audit-log/SKILL.md": "---\nname: audit-log\ndescription: d\n---\nLook.\n",
	}, func(e *Env) {
		e.Skills, _ = FindSkills(e.Files)
		e.Observe = func(e Event) { events = append(events, e) }
	})
	out := w.call("skill", is{"name": "release", "arguments": "1.2"})
	require.Equal(t, Outcome{Status: OK, Text: "Tag 1.2 with " + w.dir + "/.agents/skills/release/tag.sh."}, out)
	require.Equal(t, []Event{{Kind: "skill", ID: "release", Text: "1.2"}}, events)

	require.Equal(t, Outcome{Status: Failed, Text: "there is no skill \"relase\"; did you mean release?\nThe skills are: audit-log, release."}, w.call("skill", is{"name": "relase"}))
	require.Contains(t, w.call("skill", is{"name": "AuditLog"}).Text, "did you mean audit-log?")
	require.Contains(t, w.call("skill", is{"name": "audit"}).Text, "did you mean audit-log?")
	require.Equal(t, "there is no skill \"cook\"\nThe skills are: audit-log, release.", w.call("skill", is{"name": "cook"}).Text)
	require.Len(t, events, 1, "what did not load is no event")

	// It is read as it is when it is used.
	file := filepath.Join(w.dir, ".agents/skills/release/SKILL.md")
	require.NoError(t, os.WriteFile(file, []byte("---\nname: release\ndescription: d\n---\nChanged.\n"), 0o644))
	require.Equal(t, "Changed.\n\nArguments: 1.3", w.call("skill", is{"name": "release", "arguments": "1.3"}).Text)
	require.NoError(t, os.WriteFile(file, []byte("---\nname: release\ndescription: d: e\n---\nChanged.\n"), 0o644))
	require.Contains(t, w.call("skill", is{"name": "release"}).Text, "the skill release cannot be used: .agents/skills/release/SKILL.md:3: the value of description holds a colon")
	require.NoError(t, os.Remove(file))
	require.Equal(t, "the skill release cannot be used: .agents/skills/release/SKILL.md: no such file or directory", w.call("skill", is{"name": "release"}).Text)

	require.Equal(t, Unknown, newWorld(t, Build, nil).call("skill", is{"name": "release"}).Status, "there are none")
}
