package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A kind is a JSON Schema type.
type kind string

const (
	text    kind = "string"
	integer kind = "integer"
	number  kind = "number"
	boolean kind = "boolean"
	list    kind = "array"
	object  kind = "object"
	anyKind kind = ""
)

// A field describes one argument. What the model is told and what is checked
// both come from it, so that they cannot differ.
type field struct {
	name     string
	kind     kind
	about    string
	required bool
	min, max float64  // of a number, or of the length of a list; a max of 0 is none
	above    bool     // of a number: it must be more than min
	signed   bool     // of a number: there is no min
	enum     []string // JSON, unless the kind is text
	item     *field   // of a list; nil is anything
	fields   []field  // of an object
	open     bool     // of an object: it may have others
}

// args are arguments that conform to the fields of their tool.
type args map[string]any

func (a args) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a args) flag(name string) bool {
	b, _ := a[name].(bool)
	return b
}

func (a args) has(name string) bool {
	_, ok := a[name]
	return ok
}

// int returns an integer argument, or what it is when left out.
func (a args) int(name string, absent int) int {
	if f, ok := a[name].(float64); ok {
		return int(f)
	}
	return absent
}

func (a args) float(name string, absent float64) float64 {
	if f, ok := a[name].(float64); ok {
		return f
	}
	return absent
}

// most is the largest integer that an argument of a built-in tool can be, and exact
// the largest that any can be.
const (
	most  = 1 << 31
	exact = 1 << 53
)

// schema renders fields as the JSON Schema of an object, in their own order.
func schema(fields []field) json.RawMessage {
	var b bytes.Buffer
	writeSchema(&b, field{kind: object, fields: fields})
	return json.RawMessage(b.Bytes())
}

func writeSchema(b *bytes.Buffer, f field) {
	fmt.Fprintf(b, `{"type":%s`, quote(string(f.kind)))
	if f.about != "" {
		fmt.Fprintf(b, `,"description":%s`, quote(f.about))
	}
	if len(f.enum) > 0 {
		fmt.Fprintf(b, `,"enum":%s`, quote(f.enum))
	}
	low, high := "minimum", "maximum"
	switch {
	case f.kind == list:
		low, high = "minItems", "maxItems"
	case f.above:
		low = "exclusiveMinimum"
	}
	if f.above || f.min != 0 {
		fmt.Fprintf(b, `,%q:%s`, low, quote(f.min))
	}
	if f.max != 0 {
		fmt.Fprintf(b, `,%q:%s`, high, quote(f.max))
	}
	if f.item != nil {
		b.WriteString(`,"items":`)
		writeSchema(b, *f.item)
	}
	if f.kind == object {
		b.WriteString(`,"properties":{`)
		required := []string{}
		for i, p := range f.fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(p.name) + ":")
			writeSchema(b, p)
			if p.required {
				required = append(required, p.name)
			}
		}
		fmt.Fprintf(b, `},"required":%s,"additionalProperties":false`, quote(required))
	}
	b.WriteByte('}')
}

// quote renders what always can be rendered as JSON.
func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}

// conform checks given arguments against fields, and puts right what can be
// meant in one way only: "21" and 21.0 for an integer, "true" for a boolean, a
// list written out as a string, null for an optional argument left out. It says
// everything that is wrong at once, so that one more try is enough.
func conform(of field, given map[string]any) (args, []string) {
	out, wrong := conformObject(of, given, "")
	return out, wrong
}

func conformObject(of field, given map[string]any, at string) (map[string]any, []string) {
	fields := of.fields
	out := make(map[string]any)
	var wrong []string
	for _, f := range fields {
		v := given[f.name]
		if v == nil {
			if f.required {
				wrong = append(wrong, fmt.Sprintf("%s%s is missing", at, f.name))
			}
			continue
		}
		c, bad := conformValue(f, v, at+f.name)
		wrong = append(wrong, bad...)
		if len(bad) == 0 {
			out[f.name] = c
		}
	}
	var extra []string
	for name := range given {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			extra = append(extra, name)
		}
	}
	sort.Strings(extra)
	for _, name := range extra {
		if of.open {
			out[name] = given[name]
			continue
		}
		wrong = append(wrong, unexpected(fields, at, name))
	}
	return out, wrong
}

func conformValue(f field, v any, at string) (any, []string) {
	bad := func() (any, []string) {
		return nil, []string{fmt.Sprintf("%s must be %s, not %s", at, f.wanted(), kindOf(v))}
	}
	switch f.kind {
	case text:
		s, ok := v.(string)
		switch n := v.(type) {
		case float64, bool:
			s, ok = quote(n), true // 34 for "34"
		}
		if !ok {
			return bad()
		}
		if len(f.enum) > 0 && !slices.Contains(f.enum, s) {
			return nil, []string{fmt.Sprintf("%s must be one of %s, not %q", at, strings.Join(f.enum, ", "), shorten(s, 40))}
		}
		return s, nil
	case boolean:
		switch v {
		case true, "true":
			return true, nil
		case false, "false":
			return false, nil
		}
		return bad()
	case integer, number:
		n, ok := v.(float64)
		if s, isText := v.(string); isText {
			p, err := strconv.ParseFloat(s, 64)
			n, ok = p, err == nil && !math.IsInf(p, 0) && !math.IsNaN(p)
		}
		limit := float64(most)
		if f.signed {
			limit = exact
		}
		if !ok || f.kind == integer && (n != math.Trunc(n) || math.Abs(n) > limit) {
			return bad()
		}
		switch {
		case len(f.enum) > 0 && !slices.Contains(f.enum, quote(n)):
			return nil, []string{fmt.Sprintf("%s must be one of %s, not %v", at, strings.Join(f.enum, ", "), n)}
		case f.above && n <= f.min:
			return nil, []string{fmt.Sprintf("%s must be more than %v, not %v", at, f.min, n)}
		case !f.signed && n < f.min:
			return nil, []string{fmt.Sprintf("%s must be at least %v, not %v", at, f.min, n)}
		case f.max != 0 && n > f.max:
			return nil, []string{fmt.Sprintf("%s must be at most %v, not %v", at, f.max, n)}
		}
		return n, nil
	case list:
		return conformList(f, v, at)
	case object:
		m, ok := v.(map[string]any)
		if !ok {
			return bad()
		}
		return pair(conformObject(f, m, at+"."))
	}
	return v, nil
}

func conformList(f field, v any, at string) (any, []string) {
	l, ok := v.([]any)
	if s, isText := v.(string); isText {
		ok = json.Unmarshal([]byte(s), &l) == nil && l != nil
	}
	if !ok {
		return nil, []string{fmt.Sprintf("%s must be %s, not %s", at, f.wanted(), kindOf(v))}
	}
	n := float64(len(l))
	switch {
	case n < f.min:
		return nil, []string{fmt.Sprintf("%s needs at least %v", at, f.min)}
	case f.max != 0 && n > f.max:
		return nil, []string{fmt.Sprintf("%s can hold at most %v, not %v", at, f.max, n)}
	}
	out := make([]any, 0, len(l))
	var wrong []string
	for i, e := range l {
		if f.item == nil {
			out = append(out, e)
			continue
		}
		c, bad := conformValue(*f.item, e, fmt.Sprintf("%s[%d]", at, i))
		wrong = append(wrong, bad...)
		out = append(out, c)
		if len(wrong) > 10 {
			break // enough to see what is the matter
		}
	}
	return out, wrong
}

func pair(m map[string]any, wrong []string) (any, []string) { return m, wrong }

// wanted names the kind of a field in words.
func (f field) wanted() string {
	switch f.kind {
	case text:
		return "a string"
	case integer:
		return "an integer"
	case number:
		return "a number"
	case boolean:
		return "true or false"
	case list:
		switch {
		case f.item != nil && f.item.kind == object:
			return "a list of objects"
		case f.item != nil && f.item.kind == text:
			return "a list of strings"
		}
		return "a list"
	}
	return "an object"
}

// kindOf names what was given instead.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %q", shorten(v, 40))
	case float64, bool:
		return fmt.Sprint(v)
	case []any:
		return "a list"
	}
	return "an object"
}

// synonyms are the names that other agents give to our arguments, in snake case.
// A call that uses one is not run, but told the name here.
var synonyms = map[string]string{
	"file": "path", "file_path": "path", "filepath": "path", "filename": "path", "file_name": "path",
	"absolute_path": "path", "relative_path": "path", "dir": "path", "dir_path": "path", "directory": "path",
	"directory_path": "path", "folder": "path", "target_file": "path", "paths": "path", "cwd": "path",
	"old_string": "old", "old_str": "old", "old_text": "old", "search": "old",
	"new_string": "new", "new_str": "new", "new_text": "new", "replace": "new", "replacement": "new",
	"replace_all": "all", "global": "all",
	"contents": "content", "file_text": "content", "text": "content", "data": "content", "body": "content",
	"run_in_background": "background", "is_background": "background", "bash_id": "id", "shell_id": "id", "task_id": "id",
	"description": "assignment", "instructions": "assignment", "agent_type": "agent", "subagent_type": "agent", "role": "agent",
	"skill": "name", "skill_name": "name", "args": "arguments", "action": "operation", "op": "operation", "name": "key", "value": "text", "note": "text",
	"cmd": "command", "script": "command", "code": "command", "timeout_ms": "timeout", "timeout_seconds": "timeout",
	"start": "offset", "start_line": "offset", "line": "offset", "from": "offset",
	"max": "limit", "max_results": "limit", "head_limit": "limit", "count": "limit", "lines": "limit",
	"query": "pattern", "regex": "pattern", "regexp": "pattern", "glob_pattern": "pattern",
	"include": "glob", "file_pattern": "glob", "include_pattern": "glob",
	"case_insensitive": "ignore_case", "i": "ignore_case", "fixed_strings": "literal",
	"context_lines": "context", "c": "context",
	"todos": "items", "tasks": "items", "plan": "summary", "title": "content", "task": "content", "state": "status",
	"header": "question", "prompt": "question", "choices": "options", "why": "reason", "message": "reason",
}

// unexpected answers an argument that a tool does not have.
func unexpected(fields []field, at, name string) string {
	known := func(n string) bool {
		return slices.ContainsFunc(fields, func(f field) bool { return f.name == n })
	}
	s := strings.TrimLeft(snake(name), "_")
	for _, meant := range []string{synonyms[s], s} {
		if known(meant) {
			return fmt.Sprintf("there is no argument %q: here it is called %q", at+shorten(name, 40), at+meant)
		}
	}
	for _, f := range fields {
		if len(f.name) > 2 && distance(shorten(s, 40), f.name) == 1 {
			return fmt.Sprintf("there is no argument %q: did you mean %q?", at+shorten(name, 40), at+f.name)
		}
	}
	return fmt.Sprintf("there is no argument %q", at+shorten(name, 40))
}

// usage reminds of the arguments that a tool does have.
func usage(name string, fields []field) string {
	var words []string
	for _, f := range fields {
		w := f.name
		if f.required {
			w += " (required)"
		}
		words = append(words, w)
	}
	if len(words) == 0 {
		return name + " takes no arguments."
	}
	return name + " takes: " + strings.Join(words, ", ") + "."
}
