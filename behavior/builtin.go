package behavior

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/deeds-evals/deeds/internal/agent"
	"github.com/deeds-evals/deeds/internal/mcp"
	"github.com/deeds-evals/deeds/internal/provider"
	"github.com/deeds-evals/deeds/internal/tools"
)

// builtin is the agent of internal/agent, seen as an [Agent] like any other: its
// own events are put into canonical form, and what needs no translation shows
// that the canonical form is its own.
type builtin struct{}

func (builtin) Run(ctx context.Context, task Task) error {
	start := time.Now()
	remotes := make([]mcp.Remote, 0, len(task.Servers))
	for _, s := range task.Servers {
		remotes = append(remotes, mcp.Remote(s))
	}
	servers := mcp.DialAll(ctx, remotes)
	defer func() {
		for _, s := range servers {
			s.Close()
		}
	}()
	used := 0 // the agent's messages in the conversations before this one
	var turns turnCount
	config := agent.Config{
		Model:     provider.New(provider.Config{BaseURL: task.BaseURL, Key: task.Key}),
		ModelName: task.Model,
		Tools: tools.Env{
			Dir:   task.Dir,
			Files: task.Files,
			Shell: task.shell,
			Watch: task.watch,
			Mode:  tools.Mode(task.Mode),
			Todos: toTools(task.Todos),

			Scratch: task.Scratch, ScratchFiles: task.scratch,
			Memory:     task.home,
			Around:     task.around,
			Background: tools.Background{Promote: task.Background.Promote, Wait: task.Background.Wait},
		},
		Plan: task.plan(),
		Limits: agent.Limits{
			Turns: task.Limits.Turns, Time: task.Limits.Time,
			Tokens: task.Limits.Tokens, Cost: task.Limits.Cost,
		},
		Window: task.Limits.Window,
		Idle:   task.Background.Idle,
		Heard:  task.heard,
		Refresh: func(ctx context.Context) []tools.Extra {
			return append(extras(task.Tools), mcp.Tools(ctx, servers)...)
		},
		Observe: func(ev agent.Event) {
			ev.Turn = turns.on(ev.Agent, ev.Turn)
			task.Record(fromAgent(ev, start))
		},
	}
	session, err := agent.NewSession(config)
	if err != nil {
		return err
	}
	for word, more := (Word{Text: task.Prompt}), true; more; word, more = task.next(ctx) {
		if word.Fresh {
			session.Close()
			used += session.Turns()
			turns.fresh()
			config.Tools.Mode, config.Tools.Todos = session.Mode(), nil
			config.Limits.Turns = max(1, task.Limits.Turns-used)
			if session, err = agent.NewSession(config); err != nil {
				return err
			}
		}
		if word.Compact {
			if err := session.Compact(ctx); err != nil {
				return err
			}
		}
		if word.Mode != "" {
			session.Enter(tools.Mode(word.Mode), task.approved(session, word))
		}
		stop, err := session.Send(ctx, word.Text)
		if err != nil {
			return err
		}
		if end := (End{EndReason(stop), ""}); end.Limited() {
			return limitMet{End{end.Reason, task.Limits.words(end.Reason)}}
		}
	}
	return nil
}

// A turnCount counts the messages of an agent and of each child on from one
// conversation to the next: a new one counts from 1, and calls its children child-1,
// child-2 … again.
type turnCount struct {
	mu           sync.Mutex
	before, last map[string]int // by child; "" is the agent
}

// on is the number of a turn over all conversations.
func (c *turnCount) on(agent string, turn int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		c.last = make(map[string]int)
	}
	turn += c.before[agent]
	c.last[agent] = max(c.last[agent], turn)
	return turn
}

// fresh begins a new conversation.
func (c *turnCount) fresh() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before = maps.Clone(c.last)
}

// next is what the user says next; a task without a user who goes on has one turn.
func (t Task) next(ctx context.Context) (Word, bool) {
	if t.Next == nil {
		return Word{}, false
	}
	return t.Next(ctx)
}

// heard is what the user has said meanwhile.
func (t Task) heard() []agent.Word {
	if t.Heard == nil {
		return nil
	}
	var words []agent.Word
	for _, w := range t.Heard() {
		words = append(words, agent.Word{Text: w.Text, Stop: w.Stop})
	}
	return words
}

// approved is the plan that a word lets the agent carry out.
func (t Task) approved(s *agent.Session, w Word) *agent.Plan {
	if w.Plan != Approved || w.Mode != Build {
		return nil
	}
	return &agent.Plan{Path: s.PlanPath(), Approved: true}
}

// words says which limit was met.
func (l Limits) words(r EndReason) string {
	switch r {
	case EndTurns:
		return fmt.Sprintf("%d turns, and the agent had not ended", l.Turns)
	case EndTime:
		return fmt.Sprintf("%s of its own time, and the agent had not ended", l.Time)
	case EndTokens:
		return fmt.Sprintf("%d tokens, and the agent had not ended", l.Tokens)
	case EndCost:
		return fmt.Sprintf("$%g, and the agent had not ended", l.Cost)
	case EndLength:
		return "the model was cut at its output limit"
	case EndRefusal:
		return "the model's content filter stopped it"
	}
	return ""
}

func (t Task) plan() *agent.Plan {
	if t.Draft == nil {
		return nil
	}
	return &agent.Plan{Path: "plans/" + t.Draft.Name + ".md", Approved: t.Draft.Approved}
}

func toTools(todos []Todo) []tools.Todo {
	var all []tools.Todo
	for _, t := range todos {
		all = append(all, tools.Todo(t))
	}
	return all
}

func fromTools(todos []tools.Todo) []Todo {
	all := make([]Todo, 0, len(todos))
	for _, t := range todos {
		all = append(all, Todo(t))
	}
	return all
}

// fromAgent puts an event of the built-in agent into canonical form.
func fromAgent(ev agent.Event, start time.Time) Event {
	out := Event{Turn: ev.Turn, Agent: ev.Agent, ID: ev.ID, At: ev.Begun.Sub(start), Text: ev.Text, State: ev.State, Exit: ev.Exit, Changed: ev.Changed}
	switch ev.Kind {
	case agent.Said:
		out.Kind = KindMessage
		out.Text, out.Reasoning, out.Stop = ev.Message.Text, ev.Message.Reasoning, ev.Message.Stop
	case agent.Called:
		out.Kind = KindCall
		out.Call = &Call{
			ID: ev.Call.ID, Tool: ev.Tool, Args: ev.Args,
			Status: Status(ev.Outcome.Status), Result: ev.Outcome.Text, Exit: ev.Outcome.Exit,
			Took: ev.Took, Changed: ev.Outcome.Changed,
		}
		if ev.Call.Name != ev.Tool {
			out.Call.RawTool = ev.Call.Name
		}
		if ev.Args == nil {
			out.Call.Raw = ev.Call.Arguments
		}
	case agent.PlanState:
		out.Kind = KindPlan
	case agent.Questioned:
		out.Kind = KindQuestion
	case agent.TodosUpdated:
		out.Kind, out.Todos = KindTodo, fromTools(ev.Todos)
	case agent.Noticed:
		out.Kind = KindNotice
	case agent.Background:
		out.Kind = KindBackground
	case agent.Child:
		out.Kind = KindChild
	case agent.SkillLoaded:
		out.Kind = KindSkill
	case agent.RuleFound:
		out.Kind = KindRule
	case agent.Compacted:
		out.Kind = KindCompaction
	default:
		out.Kind, out.Text = KindNotice, fmt.Sprintf("an event of an unknown kind, %q: %s", ev.Kind, ev.Text)
	}
	return out
}
