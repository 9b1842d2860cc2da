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
// A turn in these words is a message of the agent; the user's turns are counted by
// [InTurn], which puts any expectation to one of them, and by [Spoken]. What a stub
// was asked is its own record, [Served], and what the agent called is [Call]: where
// an answer was lost on the way, the two differ. A repository is looked into with
// [Git].
package expect
