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
// In text and in string values ${REGEX} becomes what REGEX finds in the newest tool
// result, notice or word of the user that it matches, in the conversation in which it
// stands, else in what the agent was told at first, such as rules: its first group,
// else the whole match. Braces within REGEX must be balanced or escaped; \${ is a
// plain ${. A bare value that
// holds ${…} is read again once it is known, so that amount=${total (\d+)} is a
// number. In quotes, amount="${total (\\d+)}" or in back quotes, it is a string.
//
// {name} stands for the fact of that name, as everywhere in a case.
//
// A message with calls is followed by the next one when their results have
// arrived. A message without calls ends the turn, and the next one answers what
// the user says then, or a notice.
//
// A message whose first line is "child N" is said by a child: by the one that the
// script's call number N of task starts, counted from 1 over the whole section. Only
// the agent's own calls count, with an assignment and without an id, and without the
// mark #fails. The messages of one child are its whole conversation; where a later
// call of task goes on with it, by its id, the next message of the child answers. The
// agent's messages and the child's may stand in any order:
//
//	task agent=explore assignment="Find the shelf of lot 12."
//
//	child 1
//	grep pattern="lot 12"
//
//	child 1
//	say It lies on ${shelf (\w+)}.
//
//	say It lies on ${It lies on (\w+)}.
//
// Children are told apart by their assignments, which must therefore differ.
//
// A message whose first line is "fresh" is the first of a new conversation of the
// agent, which knows nothing of the one before and is begun by other words of the
// user. The messages of the agent are counted on.
//
//	summary They asked for the shelf of lot 12. It is
//	summary not found yet.
//
//	user No, the other one.
//
// A paragraph of summary lines is what a conversation of the script is answered that
// is to be compacted, which is a request without tools; with several, one after the
// other. In such a section no two messages end a turn with the same words. A
// paragraph of user lines is one word of the simulated user, in which ${REGEX} looks
// at what the agent said; they are said in their order, and then it hangs up. Where
// in the section these paragraphs stand says nothing.
//
// The names of mutants count messages and calls from 1, the agent's by themselves:
// "drop 2.1", "swap 1 2", "alter 1.1 path" and "split 1". Those of a child's messages
// count its own: "drop child 1 2.1", "swap child 1 1 2", "alter child 1 2.1 path" and
// "split child 1 2". "@WORLD" before the name means one world, and "pass 2" the
// second pass section.
package script
