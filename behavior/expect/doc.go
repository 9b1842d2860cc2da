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
package expect
