package behavior

import "io/fs"

// A Decision is what a user makes of a plan, or of a wish to plan first.
type Decision string

// The decisions. The zero value is none: nothing is said about a plan.
const (
	Approved Decision = "approved"
	Declined Decision = "declined"
)

// A Turn is what the user does when the agent has ended its turn.
type Turn struct {
	// Say is what the user says, with facts in the place of their names in braces.
	Say string
	// Plan is what becomes of the plan, or of the wish to plan first, that waits for
	// a word: approving a plan begins work on it in build mode, agreeing to plan
	// first begins plan mode. Where nothing waits, the words are said and decide
	// nothing.
	Plan Decision
	// Only says after which ends of the agent's turn this is said; after another it
	// is left out, and the next turn is looked at. Empty is after any.
	Only []EndReason

	// Files are laid over the workspace before, and nobody tells the agent.
	// Removed are taken away.
	Files   fs.FS
	Removed []string
	// Fresh begins a new conversation in the same world: what is not in a file of the
	// workspace or a memory is forgotten, and the scratch folder is empty.
	Fresh bool
	// Compact has the agent compact the conversation first.
	Compact bool
}

// A Meanwhile is what happens while the agent works.
type Meanwhile struct {
	// After is the tool, and Nth the number of its calls that have succeeded, after
	// which it happens. "" is any tool, and zero the first.
	After string
	Nth   int

	// Say reaches the agent before its next message.
	Say string
	// Stop ends the agent's turn at once: what it has not begun is not begun, and
	// Say is what the user says then.
	Stop bool
	// Files and Removed change in the workspace, as for a [Turn].
	Files   fs.FS
	Removed []string
}

// A User is played by another model, which has a goal and a manner and knows
// nothing else. It speaks when the turns of the case are used up.
type User struct {
	Persona string // who it is and how it speaks
	Goal    string // what it wants, and what it knows
	Turns   int    // how often it speaks at most (8)
}

// A Word is what the agent hears from its user.
type Word struct {
	Text string
	// Plan is what became of the plan, or of the wish to plan first.
	Plan Decision
	// Mode is the mode in which the agent goes on; "" leaves it as it is.
	Mode Mode
	// Fresh begins a new conversation, and Compact asks for the old one to be
	// compacted first.
	Fresh, Compact bool
	// Stop ends the turn that is under way; Text begins the next.
	Stop bool
}
