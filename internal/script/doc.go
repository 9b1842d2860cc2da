// Package script holds the model that stands in for a real one: what it says is
// written in a file beside the case.
//
// A script file is a txtar archive. The text before its first section is a
// comment, in which lines of the form
//
//	harmless drop 2.1: the file is read again later
//
// mark mutants that may survive, with the reason. The names of the sections are
//
//	-- pass --                       the case passes
//	-- pass @big: another way --     the same in one world, with a note
//	-- fail tool-chain,plan-safety -- exactly these signals fail
//	-- fail tool-chain @big: why --
//
// and may come more than once. A section is a list of messages of the assistant,
// with blank lines between them. The lines of a message are
//
//	# a comment
//	think Let me look first.
//	say Several lines of say or think
//	say are joined by a newline.
//	read path=notes.txt limit=20
//	write path=a.txt content="one\ntwo\n"
//	grep pattern=`func \w+`
//	todo items=[{"content":"look","status":"pending"}]
//	edit {"path": "a.txt", "old": "x", "new": "y"}
//	read !{"path": broken
//	bash command="go test ./..." #optional: only looks whether it worked
//	edit path=a.txt old=y new=z #fails: there is no y
//
// A value is JSON if it begins with a double quote, "[" or "{", or is a JSON
// number, true, false or null. In back quotes it is a raw string, which may hold
// line ends. Anything else is a bare word up to the next blank. What follows "!"
// is sent as it stands, for arguments that are broken on purpose.
//
// In text and in string values ${REGEX} becomes what REGEX finds in the newest
// tool result that it matches: its first group, else the whole match. Braces
// within REGEX must be balanced or escaped; \${ is a plain ${. A bare value that
// holds ${…} is read again once it is known, so that amount=${total (\d+)} is a
// number. In quotes, amount="${total (\\d+)}" or in back quotes, it is a string.
//
// A message with calls is followed by the next one when their results have
// arrived. A message without calls ends the turn, and the next one answers what
// the user says then.
package script
