package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// extraTool makes a tool of one that is not built in.
func extraTool(e Extra) *tool {
	shape := parseSchema(e.Parameters)
	t := &tool{
		name:       e.Name,
		text:       e.Description,
		args:       shape.fields,
		open:       shape.open,
		parameters: e.Parameters,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			out := e.Run(ctx, a)
			out.Text = head(out.Text)
			return out
		},
	}
	if len(t.parameters) == 0 {
		t.parameters = json.RawMessage(`{"type":"object"}`)
	}
	if e.Mutates {
		t.only, t.mutates = Build, always
		t.elsewhere = "it may change something, and nothing is changed while you plan."
	}
	return t
}

// head is the beginning of a text, as much as one answer may hold.
func head(text string) string {
	if len(text) <= maxBytes {
		return text
	}
	return fmt.Sprintf("%s\n(only the first %d KiB of %d bytes are shown)", strings.ToValidUTF8(text[:maxBytes], ""), maxBytes>>10, len(text))
}

// A jsonSchema is the part of JSON Schema by which the arguments of a tool that is
// not built in are checked. Whatever else a schema says is for the tool to check.
type jsonSchema struct {
	Type                 any                   `json:"type"` // a name, or a list of names
	Properties           map[string]jsonSchema `json:"properties"`
	Required             []string              `json:"required"`
	Enum                 []any                 `json:"enum"`
	Items                json.RawMessage       `json:"items"`
	AdditionalProperties any                   `json:"additionalProperties"`
}

// parseSchema reads the schema of arguments. One that cannot be read allows anything.
func parseSchema(schema json.RawMessage) field {
	var s jsonSchema
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return field{kind: object, open: true}
	}
	f := s.field("")
	f.kind = object
	return f
}

// field is the schema as the field of that name.
func (s jsonSchema) field(name string) field {
	f := field{name: name, kind: s.kind(), signed: true}
	for _, v := range s.Enum {
		text, isText := v.(string)
		switch {
		case f.kind == anyKind:
		case isText:
			f.enum = append(f.enum, text)
		default:
			f.enum = append(f.enum, quote(v))
		}
	}
	f.open = s.AdditionalProperties != false
	for p := range s.Properties {
		f.fields = append(f.fields, s.Properties[p].field(p))
		f.fields[len(f.fields)-1].required = slices.Contains(s.Required, p)
	}
	// A map has no order; what is required comes first, in the order of the schema.
	place := func(name string) int {
		if i := slices.Index(s.Required, name); i >= 0 {
			return i
		}
		return len(s.Required)
	}
	slices.SortFunc(f.fields, func(a, b field) int {
		if d := place(a.name) - place(b.name); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	var item jsonSchema
	if len(s.Items) > 0 && json.Unmarshal(s.Items, &item) == nil {
		of := item.field("")
		f.item = &of
	}
	return f
}

// kind is the one type that a value can have beside null, or anyKind.
func (s jsonSchema) kind() kind {
	var names []string
	switch t := s.Type.(type) {
	case string:
		names = append(names, t)
	case []any:
		for _, n := range t {
			if n != "null" {
				names = append(names, fmt.Sprint(n))
			}
		}
	}
	known := []kind{text, integer, number, boolean, list, object}
	if len(names) == 1 && slices.Contains(known, kind(names[0])) {
		return kind(names[0])
	}
	return anyKind
}
