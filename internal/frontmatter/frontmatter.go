// Package frontmatter reads the lines of YAML that stand at the head of a Markdown
// file, between two lines ---. People write them by hand and make the same few
// mistakes; each is told with its line and with what to write instead.
package frontmatter

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An Error says what is wrong with a file's front matter.
type Error struct {
	Line    int    // of the file, from 1
	Message string // what is wrong, and what to do
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Values are those of the front matter, by their keys.
type Values map[string]Value

// A Value is what stands behind a key.
type Value struct{ node *yaml.Node }

// Line is the line of the file in which the value begins.
func (v Value) Line() int { return v.node.Line + 1 }

// Text is the value as it stands, and whether it is a plain value and no list.
func (v Value) Text() (string, bool) {
	if v.Empty() {
		return "", true
	}
	return v.node.Value, v.node.Kind == yaml.ScalarNode
}

// Empty reports whether nothing stands behind the key.
func (v Value) Empty() bool { return v.node.Tag == "!!null" }

// Bool is the value as true or false, and whether it is one of these.
func (v Value) Bool() (value, ok bool) {
	return v.node.Value == "true", v.node.Tag == "!!bool" && (v.node.Value == "true" || v.node.Value == "false")
}

// List are the members of a list, and whether it is one.
func (v Value) List() ([]Value, bool) {
	if v.node.Kind != yaml.SequenceNode {
		return nil, false
	}
	all := make([]Value, len(v.node.Content))
	for i, n := range v.node.Content {
		all[i] = Value{n}
	}
	return all, true
}

// Parse takes the front matter off a file's text. The body is what is below it,
// without blank lines around it. The error is an [*Error].
func Parse(text string) (values Values, body string, err error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	front, body, wrong := divide(text)
	if wrong != nil {
		return nil, "", wrong
	}
	if values, wrong = read(front); wrong != nil {
		return nil, "", wrong
	}
	return values, strings.TrimSpace(body), nil
}

// divide parts the front matter of a file from what is below it.
func divide(content string) (front, body string, wrong *Error) {
	rest, found := strings.CutPrefix(content, "---\n")
	if !found {
		return "", "", &Error{Line: 1, Message: "the file must begin with front matter: a line ---, then lines of the form key: value, then a line ---"}
	}
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == "---" {
			return rest[:at], rest[at+len(line):], nil
		}
		at += len(line)
	}
	return "", "", &Error{Line: 1, Message: "the front matter has no end; put a line --- below it"}
}

// read reads the values of front matter by their keys. Lines are those of the
// front matter, from 1; in an error they are those of the file, which has one more.
func read(front string) (Values, *Error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(front), &doc); err != nil {
		return nil, explainYAML(front, err)
	}
	values := make(Values)
	if len(doc.Content) == 0 {
		return values, nil
	}
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, &Error{Line: top.Line + 1, Message: "the front matter must be lines of the form key: value"}
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		if _, twice := values[key.Value]; twice {
			return nil, &Error{Line: key.Line + 1, Message: key.Value + " is there twice; remove one"}
		}
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		values[key.Value] = Value{value}
	}
	return values, nil
}

var (
	yamlLine  = regexp.MustCompile(`line (\d+)`)
	plainPair = regexp.MustCompile(`^([A-Za-z0-9_-]+):[ \t]+(.*\S)\s*$`)
)

// explainYAML says what is wrong with front matter, and what to do. The error of YAML
// itself speaks of tokens and contexts, and sometimes of the line after.
func explainYAML(front string, err error) *Error {
	for i, line := range strings.Split(front, "\n") {
		if strings.HasPrefix(line, "\t") {
			return &Error{Line: i + 2, Message: "YAML is indented with blanks, not with tabs; replace the tab"}
		}
		m := plainPair.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch key, value := m[1], m[2]; {
		case strings.ContainsRune("|>", rune(value[0])), key == "arguments" && value[0] == '[':
		case strings.ContainsRune(`"'`, rune(value[0])):
			if end := strings.IndexByte(value[1:], value[0]); end >= 0 && end+2 < len(value) && value[end+2] == ' ' && value[end+3] != '#' {
				return &Error{Line: i + 2, Message: fmt.Sprintf("the value of %s goes on after its closing quote; put all of it in quotes: %s: %s", key, key, quoteYAML(value))}
			}
		case strings.ContainsRune("@`%&*![{", rune(value[0])):
			return &Error{Line: i + 2, Message: fmt.Sprintf("the value of %s begins with %c, which means something else in YAML; put the value in quotes: %s: %s", key, value[0], key, quoteYAML(value))}
		case strings.Contains(value, ": ") || strings.HasSuffix(value, ":"):
			return &Error{Line: i + 2, Message: fmt.Sprintf("the value of %s holds a colon, which begins another value in YAML; put the value in quotes: %s: %s", key, key, quoteYAML(value))}
		}
	}
	text := strings.TrimPrefix(strings.TrimSpace(err.Error()), "yaml: ")
	line := 1
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n + 1
		}
		if text = strings.TrimPrefix(text, m[0]+": "); strings.HasPrefix(text, "did not find expected ") {
			line++ // such an error of its parser counts from 0
		}
	}
	return &Error{Line: line, Message: "the front matter is not YAML: " + text + "; put values that hold anything but words in quotes"}
}

// quoteYAML puts a value in the quotes that need the least care.
func quoteYAML(value string) string {
	if !strings.ContainsAny(value, `"\`) {
		return `"` + value + `"`
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}
