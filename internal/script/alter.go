package script

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"
)

// alter returns another value of the same type, and false if there is none.
func alter(value json.RawMessage) (json.RawMessage, bool) {
	switch value[0] {
	case '"':
		var s string
		if json.Unmarshal(value, &s) != nil {
			return nil, false
		}
		return encode(alterString(s)), true
	case 't':
		return json.RawMessage("false"), true
	case 'f':
		return json.RawMessage("true"), true
	case 'n':
		return nil, false
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil || len(list) == 0 {
			return nil, false
		}
		return alterFirst(list)
	case '{':
		return alterObject(value)
	}
	return alterNumber(string(value))
}

// alterString makes a string that could stand there too: another file of the same
// kind, another last line, another last word.
func alterString(s string) string {
	body, end := strings.TrimRight(s, "\n"), ""
	end = s[len(body):]
	ext := path.Ext(body)
	if body == "" {
		return "other" + end
	}
	if ext != "" && ext != body && len(ext) > 1 && !strings.ContainsAny(body, " \t\n") && !strings.ContainsAny(ext, "}/") {
		return strings.TrimSuffix(body, ext) + "-2" + ext + end
	}
	return body + "-2" + end
}

func alterNumber(s string) (json.RawMessage, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n < 1<<62 {
		return json.RawMessage(strconv.FormatInt(n+1, 10)), true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f+1 == f {
		return nil, false
	}
	return json.RawMessage(strconv.FormatFloat(f+1, 'g', -1, 64)), true
}

// alterFirst alters the first element that can be altered.
func alterFirst(list []json.RawMessage) (json.RawMessage, bool) {
	for i, v := range list {
		if other, ok := alter(v); ok {
			list[i] = other
			b, err := json.Marshal(list)
			return b, err == nil
		}
	}
	return nil, false
}

// alterObject alters the first value that can be altered, and keeps the order of
// the keys.
func alterObject(value json.RawMessage) (json.RawMessage, bool) {
	args, ok := (&parser{errs: new(errorList)}).object("", value)
	if !ok {
		return nil, false
	}
	for i, a := range args {
		if other, ok := alter(a.Value); ok {
			args[i].Value = other
			c := Call{Args: args}
			return json.RawMessage(c.arguments(func(s string) string { return s })), true
		}
	}
	return nil, false
}
