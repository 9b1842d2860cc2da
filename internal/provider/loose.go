package provider

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text is a string in an answer. Where a server sends another kind of value, it
// is the JSON of that; null is "".
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 0 && b[0] == '"':
		*t = text(unquote(b))
	case present(b):
		var c bytes.Buffer
		if err := json.Compact(&c, b); err != nil {
			return err
		}
		*t = text(c.String())
	default:
		*t = ""
	}
	return nil
}

// unquote reads a JSON string, which most often is as simple as it looks.
func unquote(b []byte) string {
	if inner := b[1 : len(b)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(b, &s) // the decoder has found it valid already
	return s
}

// number is a number in an answer, also one in quotes. Anything else is none.
type number struct {
	value float64
	ok    bool
}

func (n *number) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number{f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)}
	return nil
}

// count is the number as a count: never negative, and never absurd.
func (n number) count() int {
	if !n.ok {
		return 0
	}
	return int(min(max(n.value, 0), 1<<40))
}

// present reports whether a value is there and not null.
func present(b []byte) bool { return len(b) > 0 && !bytes.Equal(b, []byte("null")) }
