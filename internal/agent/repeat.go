package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/tools"
)

// maxRepeats is how often the same call may follow itself.
const maxRepeats = 3

// A repeatGuard refuses a call that only repeats the ones before it: a model
// that is caught in a loop is told so, where it would else spend all its turns.
type repeatGuard struct {
	last  string
	times int
}

// refuse takes note of a call, and refuses it if it is one repetition too many.
func (g *repeatGuard) refuse(c ToolCall) (tools.Outcome, bool) {
	key := c.Name + "\x00" + canonical(c.Arguments)
	if key != g.last {
		g.last, g.times = key, 0
	}
	g.times++
	if g.times <= maxRepeats {
		return tools.Outcome{}, false
	}
	return tools.Outcome{
		Status: tools.Refused,
		Text: fmt.Sprintf("Not run: this is the same %s call with the same arguments for the %dth time in a row, and it would "+
			"only give the same result. Use the results above. If they are not what you need, change the arguments or use "+
			"another tool; if nothing is left to try, end your turn and say what is missing.", c.Name, g.times),
	}, true
}

// canonical writes arguments so that those that mean the same are the same:
// without spaces, and with sorted keys.
func canonical(arguments string) string {
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return strings.TrimSpace(arguments)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return strings.TrimSpace(arguments)
	}
	return b.String()
}
