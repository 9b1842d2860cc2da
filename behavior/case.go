package behavior

import (
	"io/fs"
	"time"

	"github.com/deeds-evals/deeds/fixtures"
)

// A Mode is the agent's mode of work.
type Mode string

// The modes. The zero value means [Build].
const (
	Build Mode = "build" // it may act
	Plan  Mode = "plan"  // it may look, and write the plan file
)

// A Case is one contract: a situation, a request, and what must be seen.
// Every zero field means something; only Claim, Prompt and Expect must be set.
type Case struct {
	// Claim says in one sentence what an agent that passes has shown.
	Claim string

	// Files is the workspace that the agent starts in. Nil is an empty one.
	Files fs.FS
	// Mode is the mode that the agent starts in.
	Mode Mode
	// Draft is a plan that exists already: a draft in plan mode, an approved
	// plan in build mode.
	Draft *Draft
	// Todos is the todo list that the agent finds.
	Todos []Todo

	// Prompt is what the user asks. "{name}" stands for the fact of that name.
	Prompt string

	// Turns are what the user does after each turn of the agent, one after the
	// other. When they are used up, User speaks, if there is one.
	Turns []Turn
	// Meanwhile is what happens while the agent works.
	Meanwhile []Meanwhile
	// User is a simulated user. Nil is none.
	User *User

	// Skills are folders with a SKILL.md each, which the agent finds as its skills.
	Skills fs.FS
	// Tools are what the agent has beside its own, and Servers what it reaches over
	// MCP.
	Tools   []fixtures.Tool
	Servers []fixtures.Server
	// Faults go wrong between the agent and its tools.
	Faults []Fault
	// Background says how long commands and their ends are waited for.
	Background Background

	// Facts are values that prompts, files, scripts, stubs and expectations refer to
	// by name. Draws are facts that are drawn anew for each attempt.
	Facts map[string]string
	Draws map[string]Draw
	// Worlds are the forced surroundings the case is played in, one after the
	// other. None means one world, the case as it stands.
	Worlds []World
	// Variants are pinned draws of the case. None means one.
	Variants []Variant

	// Expect holds the expectations under their signals.
	Expect BySignal

	// Limits bound the agent. A case sets one only if the default does not fit.
	Limits Limits
	// Agent is the agent under test. Nil means the one that -agent names.
	Agent Agent
}

// BySignal holds expectations under the signals they speak for.
type BySignal map[Signal][]Expectation

// A World is one set of forced surroundings of a case. What it sets is laid over
// the case's own.
type World struct {
	Name      string            // kebab case, unique in the case
	Files     fs.FS             // laid over the case's files, path by path
	Mode      Mode              // instead of the case's, if set
	Facts     map[string]string // laid over the case's facts
	Draws     map[string]Draw   // laid over the case's draws
	Turns     []Turn            // instead of the case's, if set
	Meanwhile []Meanwhile       // instead of the case's, if set
	Faults    []Fault           // in addition to the case's
	Tools     []fixtures.Tool   // laid over the case's, by name
	Servers   []fixtures.Server // laid over the case's, by name
	Expect    BySignal          // in addition to the case's expectations
}

// A Variant is one pinned draw of a case: other names, numbers, words, and the
// same contract.
type Variant struct {
	Name   string            // kebab case, unique in the case
	Prompt string            // instead of the case's, if set
	Facts  map[string]string // laid over the world's facts
	Draws  map[string]Draw   // laid over the world's draws
}

// A Draft is a plan file that the agent finds under plans/ in its workspace.
type Draft struct {
	Name     string // the file is plans/<Name>.md
	Text     string
	Approved bool // the user has approved it: it is to be carried out
}

// A Tree is a set of files by slash path, for expectations about what the files
// should be. [Absent] as content says that the file must not exist.
type Tree map[string]string

// Absent stands in a [Tree] for a file that does not exist.
const Absent = "\x00absent"

// Background bounds how long an agent waits for what it runs in the background.
// Zero fields are the defaults, for work of ordinary length; a case with short
// commands sets short times.
type Background struct {
	Promote time.Duration // a command in the foreground goes to the background after it (60 s)
	Wait    time.Duration // the longest single wait for output (60 s)
	Idle    time.Duration // how long the end of a command is waited for when nothing else is left to do (10 s)
}
