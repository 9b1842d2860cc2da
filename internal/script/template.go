package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

const templateHint = `${REGEX} is a Go regular expression with balanced braces; a plain ${ is written \${`

// A part of a template is text, or a pattern to look for.
type part struct {
	text    string
	pattern *regexp.Regexp
}

// parseTemplate takes text apart at its ${REGEX}.
func parseTemplate(s string) ([]part, error) {
	var (
		parts []part
		text  strings.Builder
	)
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			text.WriteString(s)
			break
		}
		if i > 0 && s[i-1] == '\\' {
			text.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		n := closing(s[i+2:])
		if n < 0 {
			return nil, fmt.Errorf("${ is not closed in %q", clip(s[i:]))
		}
		source := s[i+2 : i+2+n]
		pattern, err := regexp.Compile(source)
		if err != nil {
			return nil, fmt.Errorf("${%s} is no regular expression: %w", clip(source), err)
		}
		if source == "" {
			return nil, fmt.Errorf("${} in %q looks for nothing", clip(s))
		}
		text.WriteString(s[:i])
		parts = append(parts, part{text: text.String()}, part{pattern: pattern})
		text.Reset()
		s = s[i+2+n+1:]
	}
	return append(parts, part{text: text.String()}), nil
}

// closing finds the brace that closes s, or returns -1.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		case '\n':
			return -1
		}
	}
	return -1
}

func checkTemplate(s string) error {
	if !strings.Contains(s, "${") {
		return nil
	}
	_, err := parseTemplate(s)
	return err
}

// expand fills in s from what was heard, the newest last. It returns the patterns
// that none of it matches, which stay in the text as they are.
func expand(s string, heard []string) (text string, unmatched []string) {
	if !strings.Contains(s, "${") {
		return s, nil
	}
	parts, err := parseTemplate(s)
	if err != nil {
		return s, []string{s}
	}
	var b strings.Builder
	for _, p := range parts {
		if p.pattern == nil {
			b.WriteString(p.text)
			continue
		}
		found, ok := find(p.pattern, heard)
		if !ok {
			found = "${" + p.pattern.String() + "}"
			unmatched = append(unmatched, found)
		}
		b.WriteString(found)
	}
	return b.String(), unmatched
}

func find(pattern *regexp.Regexp, heard []string) (string, bool) {
	for _, text := range slices.Backward(heard) {
		if m := pattern.FindStringSubmatch(text); m != nil {
			return m[min(1, len(m)-1)], true
		}
	}
	return "", false
}

// matches reports whether a template may have become the text, and holds whether it
// may have become a part of it. Whatever a pattern found, it is as good as any.
func matches(template, text string) bool { return alike(template, `^\s*`, `\s*$`).MatchString(text) }

func holds(text, template string) bool { return alike(template, "", "").MatchString(text) }

// alike is the template as a pattern for its outcome.
func alike(template, before, after string) *regexp.Regexp {
	parts, err := parseTemplate(strings.TrimSpace(template))
	if err != nil {
		parts = []part{{text: template}}
	}
	var b strings.Builder
	b.WriteString("(?s)" + before)
	for _, p := range parts {
		if p.pattern != nil {
			b.WriteString(".*")
		}
		b.WriteString(regexp.QuoteMeta(p.text))
	}
	return regexp.MustCompile(b.String() + after)
}

// mapStrings applies f to every string value in a JSON value, keys aside, and
// keeps the order of the keys.
func mapStrings(value json.RawMessage, f func(string) (string, error)) (json.RawMessage, error) {
	if !bytes.Contains(value, []byte(`"`)) {
		return value, nil
	}
	var out bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(value))
	if err := mapValue(d, &out, f); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func mapValue(d *json.Decoder, out *bytes.Buffer, f func(string) (string, error)) error {
	d.UseNumber()
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		out.WriteRune(rune(t))
		for first := true; d.More(); first = false {
			if !first {
				out.WriteByte(',')
			}
			if t == '{' {
				key, err := d.Token()
				if err != nil {
					return err
				}
				name, _ := key.(string)
				out.Write(encode(name))
				out.WriteByte(':')
			}
			if err := mapValue(d, out, f); err != nil {
				return err
			}
		}
		closer, err := d.Token()
		if err != nil {
			return err
		}
		if c, ok := closer.(json.Delim); ok {
			out.WriteRune(rune(c))
		}
	case string:
		s, err := f(t)
		if err != nil {
			return err
		}
		out.Write(encode(s))
	case json.Number:
		out.WriteString(t.String())
	case bool:
		fmt.Fprintf(out, "%t", t)
	case nil:
		out.WriteString("null")
	}
	return nil
}

// encode returns the string as JSON, with no more escapes than it needs.
func encode(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(strings.ToValidUTF8(s, "\ufffd")) // a string cannot fail to encode
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
