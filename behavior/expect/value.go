package expect

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/deeds-evals/deeds/behavior"
)

// defaults are the values that the tools document for what may be left out.
var defaults = map[string]map[string]any{
	"read": {"offset": 1, "limit": 2000},
	"edit": {"all": false},
	"ls":   {"path": ".", "limit": 500},
	"glob": {"path": ".", "limit": 1000},
	"grep": {"path": ".", "ignore_case": false, "literal": false, "context": 0, "limit": 100},
	"bash": {"timeout": 120, "background": false},

	"bash_output": {"wait": 0},
	"task":        {"agent": "worker"},
}

// Default is the documented default of a canonical tool's argument, and whether
// it has one: leaving the argument out is the same as giving that value.
func Default(tool, arg string) (any, bool) {
	v, ok := defaults[tool][arg]
	return v, ok
}

// with reports whether the call has the argument with that value.
func (t *trace) with(c *behavior.Call, arg string, want any) bool {
	got := c.Args[arg]
	if s, ok := want.(string); ok {
		text := t.expand(s)
		want = text
		// Facts are text, and a fact may be a number.
		if _, isNumber := got.(float64); isNumber && text != s {
			want = json.Number(text)
		}
	}
	if got == nil {
		if want == nil {
			return true
		}
		d, ok := Default(c.Tool, arg)
		if !ok {
			return false
		}
		got = d
	}
	if arg == "path" {
		a, _ := got.(string)
		b, _ := want.(string)
		if t.same(a, b) {
			return true
		}
	}
	return equal(got, want)
}

// number is an argument as a number, or the value that stands for none.
func number(arg any, none float64) float64 {
	if v, ok := normal(arg); ok {
		if n, ok := v.(json.Number); ok {
			if f, err := n.Float64(); err == nil {
				return f
			}
		}
	}
	return none
}

// argOf tells what the call has for an argument.
func argOf(c *behavior.Call, arg string) string {
	if c.Args[arg] == nil {
		return "has no " + arg
	}
	return "has " + arg + " " + show(c.Args[arg])
}

// on says whether the call is on the file.
func (t *trace) on(c *behavior.Call, file string) answer {
	if p, ok := c.Args["path"].(string); ok && p != "" {
		return answers(t.same(p, file))
	}
	switch c.Tool {
	case "ls", "glob", "grep":
		return answers(t.same(".", file))
	case "bash":
		return answers(t.named(c.Arg("command"), file))
	}
	return no
}

// placeOf tells what the call is on.
func placeOf(c *behavior.Call) string {
	if p, ok := c.Args["path"].(string); ok && p != "" {
		return "has path " + show(p)
	}
	switch c.Tool {
	case "ls", "glob", "grep":
		return "has no path, so it is on the workspace"
	case "bash":
		return "has command " + show(c.Arg("command"))
	}
	return argOf(c, "path")
}

// equal compares two values as JSON values, numbers as numbers.
func equal(a, b any) bool {
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return x == y
		}
	}
	x, ok := normal(a)
	if !ok {
		return false
	}
	y, ok := normal(b)
	return ok && equalJSON(x, y)
}

// normal is the value as decoding its JSON gives it, numbers kept as text.
func normal(v any) (any, bool) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var out any
	if d.Decode(&out) != nil {
		return nil, false
	}
	return out, true
}

func equalJSON(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		return ok && equalNumber(string(x), string(y))
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equalJSON)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, equalJSON)
	}
	return reflect.DeepEqual(a, b)
}

func equalNumber(a, b string) bool {
	if a == b {
		return true
	}
	m, errA := strconv.ParseInt(a, 10, 64)
	n, errB := strconv.ParseInt(b, 10, 64)
	if errA == nil && errB == nil {
		return m == n
	}
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	return errA == nil && errB == nil && x == y
}

// copyCall is a copy that an author's function may do with as it likes.
func copyCall(c behavior.Call) behavior.Call {
	if args, ok := copyJSON(c.Args).(map[string]any); ok {
		c.Args = args
	}
	if c.Exit != nil {
		exit := *c.Exit
		c.Exit = &exit
	}
	c.Changed = slices.Clone(c.Changed)
	return c
}

func copyJSON(v any) any {
	switch x := v.(type) {
	case map[string]any:
		if x == nil {
			return x
		}
		m := make(map[string]any, len(x))
		for k, e := range x {
			m[k] = copyJSON(e)
		}
		return m
	case []any:
		if x == nil {
			return x
		}
		l := make([]any, len(x))
		for k, e := range x {
			l[k] = copyJSON(e)
		}
		return l
	}
	return v
}
