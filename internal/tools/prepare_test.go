package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

func TestWhatIsAdvertised(t *testing.T) {
	for _, mode := range []Mode{Build, Plan} {
		t.Run(string(mode), func(t *testing.T) {
			w := newWorld(t, mode, nil, withAll)
			var b strings.Builder
			for _, s := range w.Specs() {
				b.WriteString("# " + s.Name + "\n\n" + s.Description + "\n\n")
				var v any
				require.NoError(t, json.Unmarshal(s.Parameters, &v), "the schema of %s is JSON", s.Name)
				b.WriteString(string(s.Parameters) + "\n\n")
			}
			golden.Assert(t, b.String(), "specs-"+string(mode)+".golden")
		})
	}
}

// withAll makes an environment in which there is every tool.
func withAll(e *Env) {
	e.Memory = afero.NewMemMapFs()
	e.Skills = []Skill{{Name: "release", Description: "Release it.", Dir: ".agents/skills/release"}}
	e.Delegate = func(context.Context, Task) Outcome { return Outcome{Status: OK} }
	run := func(context.Context, map[string]any) Outcome { return Outcome{Status: OK} }
	e.Extra = []Extra{
		{Spec: Spec{Name: "look", Description: "Look at an account."}, Run: run},
		{Spec: Spec{Name: "charge", Description: "Charge an account.", Parameters: json.RawMessage(`{"type":"object"}`)}, Mutates: true, Run: run},
		{Spec: Spec{Name: "read", Description: "Never seen."}, Run: run},
	}
}

func TestWhatIsAdvertisedIsWhatWorks(t *testing.T) {
	for _, tt := range []struct {
		mode  Mode
		shell bool
		all   bool
	}{{Build, true, false}, {Build, false, false}, {Plan, true, false}, {Plan, false, false}, {Build, true, true}, {Plan, false, true}} {
		w := newWorld(t, tt.mode, nil, func(e *Env) {
			if !tt.shell {
				e.Shell = nil
			}
			if tt.all {
				withAll(e)
			}
		})
		advertised := map[string]bool{}
		for _, s := range w.Specs() {
			advertised[s.Name] = true
		}
		for _, name := range []string{"bash", "bash_output", "bash_kill"} {
			require.Equal(t, tt.shell, advertised[name])
		}
		for _, name := range []string{"task", "skill", "memory", "look"} {
			require.Equal(t, tt.all, advertised[name])
		}
		require.Equal(t, tt.all && tt.mode == Build, advertised["charge"], "it mutates")
		for _, name := range []string{"read", "write", "edit", "ls", "glob", "grep", "bash", "bash_output", "bash_kill", "todo", "question", "plan_enter", "plan_done", "task", "skill", "memory"} {
			p := w.Prepare(name, `{"nonsense":1}`)
			require.NotNil(t, p.Early)
			if advertised[name] {
				require.Equal(t, Malformed, p.Early.Status, "%s in %s mode", name, tt.mode)
			} else {
				require.Contains(t, []Status{Refused, Unknown}, p.Early.Status, "%s in %s mode", name, tt.mode)
			}
		}
	}
}

func TestPrepareUnderstands(t *testing.T) {
	w := newWorld(t, Build, nil)
	for _, tt := range []struct {
		name, tool, arguments string
		want                  map[string]any
	}{
		{"plain", "read", `{"path":"a","offset":21,"limit":3}`, is{"path": "a", "offset": 21.0, "limit": 3.0}},
		{"numbers as text", "read", `{"path":"a","offset":"21","limit":"3"}`, is{"path": "a", "offset": 21.0, "limit": 3.0}},
		{"text as a number", "read", `{"path":417}`, is{"path": "417"}},
		{"whole float", "read", `{"path":"a","offset":21.0}`, is{"path": "a", "offset": 21.0}},
		{"null is left out", "read", `{"path":"a","offset":null}`, is{"path": "a"}},
		{"true as text", "edit", `{"path":"a","old":"b","new":"c","all":"true"}`, is{"path": "a", "old": "b", "new": "c", "all": true}},
		{"false as text", "grep", `{"pattern":"a","literal":"false"}`, is{"pattern": "a", "literal": false}},
		{"list as text", "todo", `{"items":"[{\"content\":\"a\",\"status\":\"pending\"}]"}`, is{"items": []any{is{"content": "a", "status": "pending"}}}},
		{"nothing", "ls", ``, is{}},
		{"blank", "ls", " \n", is{}},
		{"null", "ls", `null`, is{}},
		{"blanks around", "ls", " {} \n", is{}},
		{"empty content", "write", `{"path":"a","content":""}`, is{"path": "a", "content": ""}},
		{"fraction of a second", "bash", `{"command":"ls","timeout":0.5}`, is{"command": "ls", "timeout": 0.5}},
		{"empty list", "todo", `{"items":[]}`, is{"items": []any{}}},
		{"options", "question", `{"questions":[{"question":"a?","options":["b","c"]}]}`, is{"questions": []any{is{"question": "a?", "options": []any{"b", "c"}}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := w.Prepare(tt.tool, tt.arguments)
			require.Nil(t, p.Early)
			require.Equal(t, tt.tool, p.Tool)
			require.Equal(t, tt.want, p.Args)
		})
	}
}

func TestPrepareSaysWhatIsWrong(t *testing.T) {
	w := newWorld(t, Build, nil)
	for _, tt := range []struct {
		name, tool, arguments string
		status                Status
		text                  string // is in the answer
	}{
		{"missing", "read", `{}`, Malformed, "path is missing"},
		{"missing null", "read", `{"path":null}`, Malformed, "path is missing"},
		{"empty path", "read", `{"path":" "}`, Malformed, "path is empty"},
		{"usage", "read", `{}`, Malformed, "read takes: path (required), offset, limit."},
		{"all at once", "read", `{"file_path":"a","offset":0}`, Malformed, `path is missing; offset must be at least 1, not 0; there is no argument "file_path": here it is called "path"`},
		{"wrong type", "read", `{"path":{}}`, Malformed, "path must be a string, not an object"},
		{"wrong type list", "read", `{"path":["a"]}`, Malformed, "path must be a string, not a list"},
		{"words for a number", "read", `{"path":"a","limit":"many"}`, Malformed, `limit must be an integer, not the string "many"`},
		{"fraction", "read", `{"path":"a","limit":2.5}`, Malformed, "limit must be an integer, not 2.5"},
		{"negative", "read", `{"path":"a","offset":-1}`, Malformed, "offset must be at least 1, not -1"},
		{"huge", "read", `{"path":"a","limit":1e300}`, Malformed, "limit must be an integer"},
		{"infinite", "read", `{"path":"a","limit":1e999}`, Malformed, "not valid JSON"},
		{"not a number", "read", `{"path":"a","limit":"NaN"}`, Malformed, "limit must be an integer"},
		{"one for true", "grep", `{"pattern":"a","literal":1}`, Malformed, "literal must be true or false, not 1"},
		{"camel case", "grep", `{"pattern":"a","ignoreCase":true}`, Malformed, `here it is called "ignore_case"`},
		{"camel path", "edit", `{"filePath":"a","oldString":"b","newString":"c","replaceAll":true}`, Malformed,
			`there is no argument "filePath": here it is called "path"; there is no argument "newString": here it is called "new"; ` +
				`there is no argument "oldString": here it is called "old"; there is no argument "replaceAll": here it is called "all"`},
		{"snake names", "edit", `{"path":"a","old_string":"b","new_string":"c"}`, Malformed, `here it is called "old"`},
		{"cmd", "bash", `{"cmd":"ls"}`, Malformed, `there is no argument "cmd": here it is called "command"`},
		{"run in background", "bash", `{"command":"ls","run_in_background":true}`, Malformed, `here it is called "background"`},
		{"negative wait", "bash_output", `{"id":"bg-1","wait":-1}`, Malformed, "wait must be at least 0, not -1"},
		{"no id", "bash_output", `{}`, Malformed, "id is missing"},
		{"blank id", "bash_kill", `{"id":" "}`, Malformed, "id is empty"},
		{"milliseconds", "bash", `{"command":"ls","timeout":120000}`, Malformed, "timeout must be at most 3600, not 120000"},
		{"no time", "bash", `{"command":"ls","timeout":0}`, Malformed, "timeout must be more than 0, not 0"},
		{"blank command", "bash", `{"command":" \n"}`, Malformed, "command is empty"},
		{"NUL", "bash", `{"command":"a\u0000b"}`, Malformed, "NUL"},
		{"misspelled", "read", `{"path":"a","ofset":3}`, Malformed, `did you mean "offset"?`},
		{"made up", "read", `{"path":"a","colour":3}`, Malformed, `there is no argument "colour"`},
		{"empty pattern", "grep", `{"pattern":""}`, Malformed, "pattern is empty"},
		{"empty glob", "glob", `{"pattern":""}`, Malformed, "pattern is empty"},

		{"array", "read", `["a"]`, Malformed, "must be a JSON object, not a list"},
		{"string", "read", `"a"`, Malformed, `must be a JSON object, not the string "a"`},
		{"no JSON", "read", `path=a`, Malformed, "not valid JSON"},
		{"truncated", "write", `{"path":"a","content":"abc`, Malformed, "break off after 26 bytes"},
		{"truncated says what to do", "write", `{"path":"a"`, Malformed, "smaller pieces"},
		{"place", "read", `{"path":"a" "limit":3}`, Malformed, `at byte 13, between "{\"path\":\"a\" " and "\"limit\":3}"`},
		{"two objects", "read", `{"path":"a"}{"path":"b"}`, Malformed, "one call for each object"},
		{"rubbish behind", "read", `{"path":"a"} x`, Malformed, "nothing after it"},

		{"item type", "todo", `{"items":["a"]}`, Malformed, `items[0] must be an object, not the string "a"`},
		{"items type", "todo", `{"items":"a"}`, Malformed, `items must be a list of objects, not the string "a"`},
		{"item status", "todo", `{"items":[{"content":"a","status":"done"}]}`, Malformed, `items[0].status must be one of pending, in_progress, completed, cancelled, not "done"`},
		{"item without status", "todo", `{"items":[{"content":"a"}]}`, Malformed, `items[0].status is missing`},
		{"item priority", "todo", `{"items":[{"content":"a","status":"pending","priority":"urgent"}]}`, Malformed, `priority must be one of high, medium, low`},
		{"item extra", "todo", `{"items":[{"content":"a","status":"pending","id":"1"}]}`, Malformed, `there is no argument "items[0].id"`},
		{"item blank", "todo", `{"items":[{"content":" ","status":"pending"}]}`, Malformed, `items[0].content is empty`},
		{"two in progress", "todo", `{"items":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]}`, Malformed, "only one item can be in_progress at a time, not 2"},
		{"todos", "todo", `{"todos":[]}`, Malformed, `here it is called "items"`},
		{"no questions", "question", `{"questions":[]}`, Malformed, "questions needs at least 1"},
		{"six questions", "question", `{"questions":[{"question":"a"},{"question":"a"},{"question":"a"},{"question":"a"},{"question":"a"},{"question":"a"}]}`, Malformed, "questions can hold at most 5, not 6"},
		{"blank question", "question", `{"questions":[{"question":""}]}`, Malformed, "questions[0]: question is empty"},
		{"one option", "question", `{"questions":[{"question":"a","options":["b"]}]}`, Malformed, "one option is no choice"},
		{"same options", "question", `{"questions":[{"question":"a","options":["b","b"]}]}`, Malformed, `the option "b" is there twice`},
		{"blank option", "question", `{"questions":[{"question":"a","options":["b",""]}]}`, Malformed, `an option is empty`},
		{"option objects", "question", `{"questions":[{"question":"a","options":[{"label":"b"},{"label":"c"}]}]}`, Malformed, `questions[0].options[0] must be a string, not an object`},
		{"no reason", "plan_enter", `{}`, Malformed, "reason is missing"},
		{"blank reason", "plan_enter", `{"reason":""}`, Malformed, "reason is empty"},

		{"other mode", "plan_done", `{"summary":"a"}`, Refused, "plan_done is not available in build mode: there is no plan to finish"},
		{"other mode malformed", "plan_done", `{`, Refused, "not available in build mode"},
		{"unknown", "teleport", `{}`, Unknown, "there is no tool \"teleport\"\nThe tools are: read, write, edit, ls, glob, grep, bash, bash_output, bash_kill, todo, question, plan_enter."},
		{"unknown malformed", "teleport", `{`, Unknown, "there is no tool"},
		{"habit", "cat", `{}`, Unknown, "did you mean read?"},
		{"habit in capitals", "Bash", `{}`, Unknown, "did you mean bash?"},
		{"habit in camels", "TodoWrite", `{}`, Unknown, "did you mean todo?"},
		{"habit with a word more", "read_file", `{}`, Unknown, "did you mean read?"},
		{"habit with a prefix", "functions.grep", `{}`, Unknown, "did you mean grep?"},
		{"misspelled tool", "gerp", `{}`, Unknown, "did you mean grep?"},
		{"empty tool", "", `{}`, Unknown, "there is no tool \"\"\n"},
		{"find", "find", `{}`, Unknown, "did you mean glob?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := w.Prepare(tt.tool, tt.arguments)
			require.NotNil(t, p.Early)
			require.Equal(t, tt.status, p.Early.Status)
			require.Contains(t, p.Early.Text, tt.text)
			require.Equal(t, tt.tool, p.Tool)
			require.False(t, p.Mutates)
			require.Equal(t, *p.Early, w.Run(t.Context(), p), "Run answers what Prepare found")
		})
	}
}

func TestWhatMutates(t *testing.T) {
	w := newWorld(t, Build, nil, withAll)
	for _, tt := range []struct {
		tool, arguments string
		want            bool
	}{
		{"read", `{"path":"a"}`, false},
		{"ls", `{}`, false},
		{"glob", `{"pattern":"a"}`, false},
		{"grep", `{"pattern":"a"}`, false},
		{"question", `{"questions":[{"question":"a"}]}`, false},
		{"write", `{"path":"a","content":""}`, true},
		{"edit", `{"path":"a","old":"b","new":"c"}`, true},
		{"todo", `{"items":[]}`, true},
		{"plan_enter", `{"reason":"a"}`, true},
		{"bash", `{"command":"ls | wc -l"}`, false},
		{"bash", `{"command":"ls > a"}`, true},
		{"bash", `{"command":"make"}`, true},
		{"bash", `{"command":"ls","background":true}`, true},
		{"bash_output", `{"id":"bg-1"}`, false},
		{"bash_kill", `{"id":"bg-1"}`, true},
		{"task", `{"assignment":"a"}`, true},
		{"task", `{"assignment":"a","agent":"worker"}`, true},
		{"task", `{"assignment":"a","agent":"explore"}`, false},
		{"task", `{"assignment":"a","agent":"review"}`, false},
		{"task", `{"assignment":"a","id":"child-1"}`, true},
		{"skill", `{"name":"release"}`, false},
		{"memory", `{"operation":"list"}`, false},
		{"memory", `{"operation":"read","key":"a"}`, false},
		{"memory", `{"operation":"save","key":"a","text":"b"}`, true},
		{"memory", `{"operation":"forget","key":"a"}`, true},
		{"look", `{}`, false},
		{"charge", `{}`, true},
	} {
		p := w.Prepare(tt.tool, tt.arguments)
		require.Nil(t, p.Early)
		require.Equal(t, tt.want, p.Mutates, "%s %s", tt.tool, tt.arguments)
	}
}

func TestModeDecidesAtTheCall(t *testing.T) {
	w := newWorld(t, Build, nil)
	require.Equal(t, Build, w.Mode())
	write := w.Prepare("write", `{"path":"a","content":"x"}`)
	todo := w.Prepare("todo", `{"items":[]}`)
	require.Nil(t, write.Early)
	w.SetMode(Plan)
	require.Equal(t, Refused, w.Run(t.Context(), write).Status, "prepared in another mode")
	require.Equal(t, Refused, w.Run(t.Context(), todo).Status, "prepared in another mode")
	require.NoFileExists(t, w.dir+"/a")
	require.Equal(t, Build, New(Env{}).Mode(), "the zero value")
	require.Equal(t, Unknown, w.Run(t.Context(), Prepared{Tool: "x"}).Status)
}

func FuzzPrepare(f *testing.F) {
	dir := f.TempDir()
	for _, name := range []string{"read", "todo", "question", "bash", "edit", "task", "memory", "skill", "bash_output", "x", ""} {
		for _, arguments := range []string{
			`{}`, `{"path":"a","offset":"1"}`, `{"items":[{"content":"a","status":"pending"}]}`, `{"questions":[{"question":"a","options":["b","c"]}]}`,
			`{"command":"ls"}`, `{"a`, `[`, `null`, "\xff", `{"items":"[1]"}`, `{"path":"\ud800"}`,
		} {
			f.Add(name, arguments, true)
		}
	}
	f.Fuzz(func(t *testing.T, name, arguments string, plan bool) {
		env := Env{Dir: dir, Shell: fakeShell{}, Files: nothing{}}
		if plan {
			env.Mode = Plan
		}
		withAll(&env)
		p := New(env).Prepare(name, arguments)
		if p.Tool != name {
			t.Errorf("the tool became %q", p.Tool)
		}
		if p.Early == nil {
			if _, err := json.Marshal(p.Args); err != nil {
				t.Error(err)
			}
			return
		}
		if p.Early.Text == "" || !utf8.ValidString(p.Early.Text) || p.Early.Status == OK || p.Mutates {
			t.Errorf("%+v", p.Early)
		}
	})
}
