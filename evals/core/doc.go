// Package core holds the cases that a single call settles: their pass scripts
// have one message with calls. One case a file, named for what it claims; its
// script stands in testdata.
package core
