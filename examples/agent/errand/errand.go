// Package errand is a small agent that runs errands in a folder: it reads, writes
// and runs commands there until the model that it asks has nothing more to call.
//
// It knows nothing of any evaluation. What makes it one that can be evaluated is
// what makes it a decent program: the address of the model, the folder and the shell
// are given to it, and it tells whoever asks what it does.
package errand

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Config is what a [Runner] works with.
type Config struct {
	// BaseURL is where the model answers, in the OpenAI chat protocol, and Key what
	// is sent there.
	BaseURL, Key, Model string
	// Desk is what the errands are run on.
	Desk Desk
	// More are tools beside its own.
	More []Tool
	// Observe is told of every step, in order. Nil is nobody.
	Observe func(Step)
}

// A Step is one thing that the runner did: it has either said something, or made a
// call.
type Step struct {
	Began    time.Time
	Message  int // counts the model's messages from 1; calls have the number of theirs
	Said     string
	Thought  string
	Finished string // why the model ended the message, as the endpoint said it
	Call     *Call
}

// A Call is one call of a tool.
type Call struct {
	ID        string
	Tool      string
	Arguments string         // as the model sent them
	Args      map[string]any // nil where they are no JSON object
	Result
}

// A Result is what became of a call.
type Result struct {
	Text   string
	Fault  Fault
	Status *int // exit status of a command line
}

// A Fault says what was wrong with a call. The zero value is nothing.
type Fault string

// The faults.
const (
	Failed       Fault = "failed"        // the tool ran, and it did not work
	BadArguments Fault = "bad arguments" // not what the tool takes
	NoSuchTool   Fault = "no such tool"
)

// A Runner runs errands in one conversation.
type Runner struct {
	config  Config
	tools   []Tool
	history []message
	said    int
}

// New returns a runner that has not been told anything yet.
func New(c Config) *Runner {
	r := &Runner{config: c, tools: append(tools(), c.More...)}
	if r.config.Observe == nil {
		r.config.Observe = func(Step) {}
	}
	r.Forget()
	return r
}

const instructions = `You run errands in the user's working folder, with the tools you have.
Look before you change anything, change what was asked for and nothing else, and
say in one or two sentences what you did.`

// Forget begins a new conversation.
func (r *Runner) Forget() { r.history = []message{{Role: "system", Content: instructions}} }

// Ask says something to the runner, and returns what it says when it is done.
func (r *Runner) Ask(ctx context.Context, words string) (answer string, err error) {
	r.history = append(r.history, message{Role: "user", Content: words})
	for {
		began := time.Now()
		choice, err := r.complete(ctx)
		if err != nil {
			return "", err
		}
		r.said++
		r.history = append(r.history, choice.Message)
		r.config.Observe(Step{Began: began, Message: r.said, Said: choice.Message.Content, Thought: choice.Message.Reasoning, Finished: choice.Finish})
		if len(choice.Message.Calls) == 0 {
			return choice.Message.Content, nil
		}
		for _, wanted := range choice.Message.Calls {
			began := time.Now()
			call := r.carryOut(ctx, wanted)
			if err := ctx.Err(); err != nil {
				return "", err
			}
			r.config.Observe(Step{Began: began, Message: r.said, Call: &call})
			r.history = append(r.history, message{Role: "tool", CallID: call.ID, Content: call.Text})
		}
	}
}

// carryOut does what the model wants, and says what came of it, mistakes of the model
// included: it is to learn of them.
func (r *Runner) carryOut(ctx context.Context, wanted wantedCall) Call {
	c := Call{ID: wanted.ID, Tool: wanted.Function.Name, Arguments: wanted.Function.Arguments}
	if err := json.Unmarshal([]byte(c.Arguments), &c.Args); err != nil || c.Args == nil {
		c.Args = nil
		c.Result = Result{Text: "the arguments are no JSON object", Fault: BadArguments}
		return c
	}
	var names []string
	for _, t := range r.tools {
		if t.Name == c.Tool {
			c.Result = t.Do(ctx, r.config.Desk, c.Args)
			return c
		}
		names = append(names, t.Name)
	}
	c.Result = Result{Text: fmt.Sprintf("there is no tool %s; there are %s", c.Tool, strings.Join(names, ", ")), Fault: NoSuchTool}
	return c
}
