package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
)

// redactJSON passes the text of every string in a JSON document through redact,
// names included. Text that redact leaves alone stays as it was to the byte, be it
// invalid UTF-8 or half a surrogate pair. The content of files, which is base64
// under the name "data", is redacted as what it stands for.
//
// The strings are redacted and not the document, since a secret with a quote or a
// backslash in it is spelled otherwise there, and what takes its place must not
// break the document.
func redactJSON(doc []byte, redact func([]byte) []byte) []byte {
	if redact == nil {
		return doc
	}
	if !json.Valid(doc) {
		return redact(doc)
	}
	var (
		out  []byte // nil until something changes
		kept int    // how much of doc is in out
		name []byte // the last name, or other string
	)
	for i := 0; i < len(doc); i++ {
		if doc[i] != '"' {
			continue
		}
		end := stringEnd(doc, i)
		text := unquote(doc[i:end])
		if clean := redactText(text, name, redact); !bytes.Equal(clean, text) {
			out = append(out, doc[kept:i]...)
			out = append(out, quote(clean)...)
			kept = end
		}
		name = text
		i = end - 1
	}
	if out == nil {
		return doc
	}
	return append(out, doc[kept:]...)
}

func redactText(text, name []byte, redact func([]byte) []byte) []byte {
	// redact may write over what it is given.
	clean := redact(bytes.Clone(text))
	if string(name) != "data" || !bytes.Equal(clean, text) {
		return clean
	}
	content, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return clean
	}
	if c := redact(bytes.Clone(content)); !bytes.Equal(c, content) {
		return base64.StdEncoding.AppendEncode(nil, c)
	}
	return clean
}

// stringEnd returns the index after the string that begins at i.
func stringEnd(doc []byte, i int) int {
	for i++; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}

func unquote(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return inner
	}
	return []byte(s)
}

func quote(text []byte) []byte {
	b, err := encode(string(text), "")
	if err != nil {
		return []byte(`""`) // a string always encodes
	}
	return bytes.TrimSuffix(b, []byte("\n"))
}
