// Package evals is the suite: one contract a file, judged by what the agent does.
//
// To add a case:
//
//  1. Say in one sentence what an agent that passes has shown. That is Claim.
//  2. If its pass script needs one message with calls it belongs in core, else
//     in chain. The file read_before_edit_test.go holds TestReadBeforeEdit.
//  3. Write the smallest workspace that agrees with the request. A wrong method
//     must come to another result than the right one.
//  4. Ask for the outcome, in a user's words: neither the tool nor the trait.
//  5. Put expectations under their signals. Grade ends exactly, means loosely.
//  6. In testdata/read-before-edit.txtar write how it passes, in every honest
//     way you know, and for each expectation a way in which it fails. Package
//     internal/script documents the language.
//  7. go test ./evals/chain -run TestReadBeforeEdit -v rehearses it, offline.
//     Mutants are made of the first way to pass.
//     Silence, the right words without a deed and every mutant must fail too,
//     and silence must fail every signal. A call that is meant to fail says so
//     at the end of its line: #fails: reason.
//  8. If one survives, tighten the case. Mark a mutant harmless only if it is.
//  9. Where a one-sided agent would pass, give the case two worlds, in which the
//     same request calls for different deeds.
//  10. Play it: go test ./evals/chain -run TestReadBeforeEdit -model=M -repeat=3.
//     Read the trace of every failure before you believe it.
//  11. Write the table in README.md anew: go test ./internal/e2e -run
//     TestTableOfTheSuite -update. It rehearses the whole suite, and takes minutes.
package evals
