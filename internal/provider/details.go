package provider

import (
	"bytes"
	"encoding/json"
)

// details joins the pieces of a list of reasoning details, which an endpoint
// wants back as it would have sent it whole: consecutive pieces of one detail
// are one.
type details []map[string]json.RawMessage

func (d *details) add(raw json.RawMessage) {
	var pieces []map[string]json.RawMessage
	if !present(raw) || json.Unmarshal(raw, &pieces) != nil {
		return
	}
	for _, p := range pieces {
		if p == nil {
			continue
		}
		if n := len(*d); n > 0 && sameDetail((*d)[n-1], p) {
			join((*d)[n-1], p)
		} else {
			*d = append(*d, p)
		}
	}
}

func sameDetail(a, b map[string]json.RawMessage) bool {
	return bytes.Equal(a["type"], b["type"]) && present(a["index"]) && bytes.Equal(a["index"], b["index"])
}

// join adds a piece to a detail: its texts are appended, all else is set.
func join(to, piece map[string]json.RawMessage) {
	for name, value := range piece {
		switch name {
		case "text", "summary", "data":
			var a, b text
			if json.Unmarshal(orNull(to[name]), &a) == nil && json.Unmarshal(value, &b) == nil {
				if s, err := encode(string(a + b)); err == nil {
					to[name] = s
				}
			}
		default:
			if present(value) || !present(to[name]) {
				to[name] = value
			}
		}
	}
}

// orNull is null for a value that is not there.
func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

func (d details) write() json.RawMessage {
	if len(d) == 0 {
		return nil
	}
	b, err := encode(d)
	if err != nil {
		return nil
	}
	return b
}
