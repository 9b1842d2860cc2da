// Package expect is the vocabulary of expectations. A case lists them under its
// signals:
//
//	read := expect.Call("read").On("settings.txt")
//	edit := expect.Changing("settings.txt")
//
//	behavior.ToolChain:        {read.Before(edit)},
//	behavior.NoUnneededTools:  {expect.NoCall("bash")},
//	behavior.FilesystemSafety: {expect.Changed(behavior.Tree{"settings.txt": "channel=published\n"})},
//
// An [Event] is a pattern of something that happens, refined by methods that
// return copies; by itself it expects that such a thing happened at least once.
// Unless it says otherwise a pattern means a call that succeeded, by the main
// agent or by a child. Order is counted in turns: two calls of one message have
// none. "{name}" in any text given to a word stands for the fact of that name.
// What no word says is said in Go, with [That].
//
// # Which word
//
//	a tool was called                Call, Command for a program in a shell
//	a file was read, or shown        Reading, Shown, AtOnce
//	a file was changed               Changing by a call, Changed in the end
//	nothing else was touched         Changed, NothingChanged, Unchanged
//	what a file holds                FileEquals, FileMatches
//	what was committed               CommittedOnly, NothingCommitted, Git
//	one thing before another         Event.Before, InOrder, NoneBefore
//	how often                        Event.Times, Event.AtLeast, Event.AtMost
//	two things in one message        SameTurn
//	it did not happen                No, NoCall
//	a call that failed, was refused  Event.Failing, Event.Refused, Event.Attempted
//	what reached a stub              Served
//	what was told                    Answer, AnswerFact, AnswerNone
//	a secret got nowhere             Secret, NotShown
//	a mode, a plan, a question       EnterMode, StayIn, PlanReady, Asked
//	a todo list                      Todos, TodoSet, Completing
//	a child, a background command    ChildStarted, ChildEnded, Background, Overlap
//	a skill, a rule                  SkillLoaded, RuleInForce
//	only if it did this              When
//	all of these, one of these       AllOf, AnyOf
//	in the user's second turn        InTurn
//	under a name of its own          Named
//	what no word says                That, with At for the events it was seen in
//
// An expectation that an agent satisfies which does nothing says so in its comment.
// A signal that holds nothing else is refused: join the deed to it with [AllOf].
//
// # Turns
//
// A turn in these words is a message of the agent; the user's turns are counted by
// [InTurn], which puts any expectation to one of them, and by [Spoken]. What a stub
// was asked is its own record, [Served], and what the agent called is [Call]: where
// an answer was lost on the way, the two differ. A repository is looked into with
// [Git].
package expect
