package tools

import (
	"context"
)

// The agents that a task can be given to.
const (
	worker  = "worker"
	explore = "explore"
	review  = "review"
)

func taskTool() *tool {
	return &tool{
		name: "task",
		text: "Give an assignment to another agent, which works on it in the same workspace and answers with a report. " +
			"It sees nothing of this conversation: the assignment says all it needs, and what to report. " +
			"explore and review only read, and run at the same time as others; worker may change files.",
		plan:  "In plan mode only explore and review can be given one.",
		needs: func(env *Env) bool { return env.Delegate != nil },
		args: []field{
			{name: "assignment", kind: text, required: true, about: "what is to be done, and what to report"},
			{name: "agent", kind: text, enum: []string{worker, explore, review}, about: "who does it (worker)"},
			{name: "id", kind: text, about: "of an earlier agent that is to go on, such as child-1; it knows what it did"},
		},
		check: notBlank("assignment"),
		forbid: func(s *Set, mode Mode, a args) string {
			if mode != Plan || !changesFiles(a) {
				return ""
			}
			return "no agent was started: in plan mode nothing is changed, so agent must be explore or review"
		},
		mutates: changesFiles,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			t := Task{Assignment: a.text("assignment"), Agent: a.text("agent"), ID: a.text("id")}
			if t.Agent == "" && t.ID == "" {
				t.Agent = worker
			}
			return s.env.Delegate(ctx, t)
		},
	}
}

// changesFiles reports whether the agent of a task may change files; one that goes on
// and is not named may be a worker.
func changesFiles(a args) bool { return a.text("agent") != explore && a.text("agent") != review }
