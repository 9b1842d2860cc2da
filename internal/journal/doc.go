// Package journal writes the record of a run while it happens: which directory it
// goes to, what was planned, and one line and one evidence file for each attempt
// that has ended. Package results documents the format and reads it.
//
// The processes of one `go test` invocation, one for each package, find the same
// directory with [Locate] and write to it side by side; no file has two writers.
// Whatever [Writer.Append] has returned for is on disk: a process that is killed
// loses only the attempts that had not ended.
package journal
