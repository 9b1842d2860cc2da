package behavior

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/tools"
)

// An office is the stubs of one attempt, and the ledger of what reached them.
type office struct {
	unit unit
	log  *timeline
	turn func() int

	mu     sync.Mutex
	past   []fixtures.Served
	broken error // a stub of the case's broke
}

// tools are the stubs that stand by themselves, as the agent is given them.
func (o *office) tools() []Tool {
	var all []Tool
	for _, t := range o.unit.tools {
		all = append(all, Tool{
			Name: t.Name, About: t.About, Schema: t.Schema(), Writes: t.Writes,
			Call: func(_ context.Context, args map[string]any) (string, bool) {
				a := o.call("", t, args)
				return a.Text, a.Error || a.Lost
			},
		})
	}
	return all
}

// there are the tools of a server that there are now.
func (o *office) there(s fixtures.Server) []fixtures.Tool {
	turn := o.turn()
	return slices.DeleteFunc(slices.Clone(s.Tools), func(t fixtures.Tool) bool { return t.From > turn })
}

// call has a stub answer, and puts it on record.
func (o *office) call(server string, t fixtures.Tool, args map[string]any) (a fixtures.Answer) {
	args = plainArgs(args)
	turn := o.turn()
	o.mu.Lock()
	defer o.mu.Unlock()
	canonical, _ := json.Marshal(args) // came from JSON
	c := fixtures.Call{
		Server: server, Tool: t.Name, Args: args, Facts: o.unit.facts, Turn: turn,
		Past: slices.Clone(o.past),
		Rand: o.unit.random("stub\x00" + server + "\x00" + t.Name + "\x00" + string(canonical)),
	}
	defer func() {
		if r := recover(); r != nil {
			o.broken = fmt.Errorf("the stub %s panicked: %v\n%s", t.Name, r, firstFrames(debug.Stack()))
			a = fixtures.Error("the tool is out of order")
		}
		o.past = append(o.past, fixtures.Served{Server: server, Tool: t.Name, Args: args, Answer: a})
		status := OK
		if a.Error {
			status = Failed
		}
		o.log.add(Event{Kind: KindServed, ID: server, Call: &Call{Tool: t.Name, Args: args, Status: status, Result: a.Text}})
	}()
	return t.Do(c)
}

// resourceTool is the name under which a document that was asked for is on record.
const resourceTool = "resource"

// read puts it on record that a document of a server was asked for.
func (o *office) read(server, uri, text string, found bool) {
	status := OK
	if !found {
		status = Failed
	}
	o.log.add(Event{Kind: KindServed, ID: server, Call: &Call{Tool: resourceTool, Args: map[string]any{"uri": uri}, Status: status, Result: text}})
}

// fault is what broke on our side, if anything did.
func (o *office) fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.broken
}

// plainArgs makes the arguments what JSON decodes to, so that a stub sees the same
// types whatever brought them.
func plainArgs(args map[string]any) map[string]any {
	out := make(map[string]any)
	if b, err := json.Marshal(args); err == nil {
		_ = json.Unmarshal(b, &out)
	}
	return out
}

// extras are the stubs as the built-in agent's tools.
func extras(all []Tool) []tools.Extra {
	var out []tools.Extra
	for _, t := range all {
		out = append(out, tools.Extra{
			Spec:    tools.Spec{Name: t.Name, Description: t.About, Parameters: t.Schema},
			Mutates: t.Writes,
			Run: func(ctx context.Context, args map[string]any) tools.Outcome {
				text, failed := t.Call(ctx, args)
				if failed {
					return tools.Outcome{Status: tools.Failed, Text: text}
				}
				return tools.Outcome{Status: tools.OK, Text: text}
			},
		})
	}
	return out
}
