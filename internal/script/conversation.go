package script

import (
	"encoding/json"
	"fmt"
)

// Of returns the messages of one speaker: of a child, or of the agent itself if
// child is 0.
func Of(messages []Message, child int) []Message {
	var own []Message
	for _, m := range messages {
		if m.Child == child {
			own = append(own, m)
		}
	}
	return own
}

// Children is how many children the calls of the script start.
func Children(messages []Message) int {
	n := 0
	for _, m := range messages {
		for _, c := range m.Calls {
			if m.Child == 0 && c.starts() {
				n++
			}
		}
	}
	return n
}

// A conversation is what one speaker says from one first word of its user on.
type conversation struct {
	child    int // 0 is the agent itself
	before   int // how many messages of the agent belong to earlier conversations
	messages []Message
}

// conversations takes a script apart: first the agent's conversations, in order,
// of which there is always one, then those of its children.
func conversations(messages []Message) (all []conversation, own int) {
	all = []conversation{{}}
	for i, m := range Of(messages, 0) {
		if m.Fresh && i > 0 {
			all = append(all, conversation{before: i})
		}
		last := &all[len(all)-1]
		last.messages = append(last.messages, m)
	}
	own = len(all)
	most := Children(messages)
	for _, m := range messages {
		most = max(most, m.Child)
	}
	for child := 1; child <= most; child++ {
		all = append(all, conversation{child: child, messages: Of(messages, child)})
	}
	return all, own
}

// callID names call number i of message number step, both counted from 0. No other
// call of the script has the name.
func (c conversation) callID(step, i int) string {
	if c.child > 0 {
		return fmt.Sprintf("c%d_%d_%d", c.child, step+1, i+1)
	}
	return fmt.Sprintf("call_%d_%d", c.before+step+1, i+1)
}

// message names a message for its author, who counts from 1.
func (c conversation) message(step int) string {
	if c.child > 0 {
		return fmt.Sprintf("child %d, message %d", c.child, step+1)
	}
	return fmt.Sprintf("message %d", c.before+step+1)
}

// starts reports whether the call starts a child: it gives an assignment, goes on
// with no earlier child, and is not meant to fail.
func (c Call) starts() bool {
	return c.Tool == "task" && !c.IsRaw && c.Fails == "" && c.text("id") == "" && c.text("assignment") != ""
}

// text is the argument of that name, if it is a string.
func (c Call) text(name string) string {
	for _, a := range c.Args {
		var s string
		if a.Name == name && json.Unmarshal(a.Value, &s) == nil {
			return s
		}
	}
	return ""
}
