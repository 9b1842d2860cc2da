package script

import "slices"

// The rehearsal plays more than what a case's author wrote. What it plays is made
// here from the pass script. None of these functions changes its argument. A
// player of what they make may run out: that says nothing about the case.

// Silence is the script of a model that says nothing at all.
func Silence() []Message { return []Message{{}} }

// Prose keeps the agent's closing words and drops every deed: the messages without
// calls, one for each turn of the user. Where a conversation ends with a call, what
// was said beside it stays. No child is started, so none says anything.
func Prose(m []Message) []Message {
	var words []Message
	all, own := conversations(m)
	for i, conv := range all[:own] {
		begun := len(words)
		for _, msg := range conv.messages {
			if len(msg.Calls) == 0 {
				words = append(words, Message{Say: msg.Say})
			}
		}
		if n := len(conv.messages); n > 0 && len(conv.messages[n-1].Calls) > 0 {
			say := conv.messages[n-1].Say
			if say == "" {
				say = "Done."
			}
			words = append(words, Message{Say: say})
		}
		if len(words) == begun {
			words = append(words, Message{Say: "Done."})
		}
		words[begun].Fresh = i > 0
	}
	return words
}

// Truncate drops the last message of the agent that has a call which may not be left
// out, with the children that it starts; its closing words stay. It returns false if
// there is no such message.
func Truncate(m []Message) ([]Message, bool) {
	for i, msg := range slices.Backward(m) {
		if msg.Child == 0 && len(msg.Calls) > 0 && !msg.Optional() {
			return sketch(m).replace(i).messages(), true
		}
	}
	return nil, false
}
