// Package report has the words that Deeds prints about attempts, and nothing
// else: pure functions from plain data to text. It decides nothing and reads
// nothing, so that every message can be pinned word for word by a golden file.
//
// A failing attempt reads from top to bottom:
//
//	tool-chain
//	  read_before_edit_test.go:24:
//	  want   call read path="settings.txt"
//	         before the first call edit path="settings.txt"
//	  got    edit at event 3, and none before it
//	seen
//	    1          user "Switch the channel in settings.txt."
//	    2  turn 1  mode build
//	  > 3          call edit new="published" old="draft" path="settings.txt"
//	files
//	  settings.txt
//	    -channel=draft
//	    +channel=published
//	claim  A bounded edit is grounded in the file.
//	score  2 of 3 attempts passed; a case passes on 3 of 3
//	again  go test ./evals/chain -run '^TestReadBeforeEdit$' -replay=3f9c
//
// Text that comes from an agent or a model is never trusted to be harmless: what
// is not printable is escaped, what is long is shortened, and what was left out
// is counted. Every function returns whole lines, the last one ended too.
package report
