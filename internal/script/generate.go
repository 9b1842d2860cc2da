package script

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The rehearsal plays more than what a case's author wrote. What it plays is made
// here from the pass script. None of these functions changes its argument. A
// player of what they make may run out: that says nothing about the case.

// Silence is the script of a model that says nothing at all.
func Silence() []Message { return []Message{{}} }

// Prose keeps the script's closing words and drops every deed: the messages
// without calls, one for each turn of the user. Where the last turn ends with a
// call, what was said beside it stays.
func Prose(m []Message) []Message {
	var words []Message
	for _, msg := range m {
		if len(msg.Calls) == 0 {
			words = append(words, Message{Say: msg.Say})
		}
	}
	if n := len(m); n > 0 && len(m[n-1].Calls) > 0 {
		say := m[n-1].Say
		if say == "" {
			say = "Done."
		}
		words = append(words, Message{Say: say})
	}
	if len(words) == 0 {
		words = []Message{{Say: "Done."}}
	}
	return words
}

// Truncate drops the last message that has a call which may not be left out; its
// closing words stay. It returns false if there is no such message.
func Truncate(m []Message) ([]Message, bool) {
	for i, msg := range slices.Backward(m) {
		if len(msg.Calls) > 0 && !msg.Optional() {
			return slices.Concat(m[:i], m[i+1:]), true
		}
	}
	return nil, false
}

// A Mutant is a script with one fault in it. Its name says which: messages and
// calls are counted from 1.
type Mutant struct {
	Name     string
	Messages []Message
}

// Mutants makes every script that differs from m in one of these: an action is
// dropped, two neighbouring messages with calls are swapped, one argument is
// altered, the calls of a parallel turn come one after the other. Calls that may
// be left out are neither dropped nor altered. The order is always the same.
func Mutants(m []Message) []Mutant {
	var all []Mutant
	add := func(messages []Message, format string, args ...any) {
		all = append(all, Mutant{Name: fmt.Sprintf(format, args...), Messages: messages})
	}
	for i, msg := range m {
		for j, c := range msg.Calls {
			if !c.spare() {
				add(drop(m, i, j), "drop %d.%d", i+1, j+1)
			}
		}
	}
	for i := 0; i+1 < len(m); i++ {
		if len(m[i].Calls) > 0 && len(m[i+1].Calls) > 0 && !sameCalls(m[i], m[i+1]) {
			swapped := slices.Clone(m)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			add(swapped, "swap %d %d", i+1, i+2)
		}
	}
	for i, msg := range m {
		for j, c := range msg.Calls {
			if c.spare() || c.IsRaw {
				continue
			}
			for k, a := range c.Args {
				if value, ok := alter(a.Value); ok {
					altered := slices.Clone(c.Args)
					altered[k].Value = value
					c := c
					c.Args = altered
					add(replace(m, i, replaceCall(msg, j, c)), "alter %d.%d %s", i+1, j+1, a.Name)
				}
			}
		}
	}
	for i, msg := range m {
		if len(msg.Calls) > 1 {
			add(replace(m, i, split(msg)...), "split %d", i+1)
		}
	}
	return all
}

// drop takes one call out, and its message too if it is the only one: without
// calls the message would end the turn.
func drop(m []Message, i, j int) []Message {
	if len(m[i].Calls) == 1 {
		return replace(m, i)
	}
	msg := m[i]
	msg.Calls = slices.Concat(msg.Calls[:j], msg.Calls[j+1:])
	return replace(m, i, msg)
}

// replace returns m with other messages in the place of number i.
func replace(m []Message, i int, with ...Message) []Message {
	return slices.Concat(m[:i], with, m[i+1:])
}

func replaceCall(m Message, j int, c Call) Message {
	m.Calls = slices.Clone(m.Calls)
	m.Calls[j] = c
	return m
}

// split gives each call a message of its own. The words stay with the first.
func split(m Message) []Message {
	parts := make([]Message, len(m.Calls))
	for j, c := range m.Calls {
		parts[j] = Message{Calls: []Call{c}}
	}
	parts[0].Think, parts[0].Say, parts[0].Comments = m.Think, m.Say, m.Comments
	return parts
}

func sameCalls(a, b Message) bool {
	return slices.EqualFunc(a.Calls, b.Calls, func(x, y Call) bool {
		x.Optional, y.Optional, x.Fails, y.Fails = "", "", "", ""
		return x.String() == y.String()
	})
}

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
