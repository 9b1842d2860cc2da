// Package chain holds the cases that take more than one turn to prove: one call
// feeds the next, or shows that the one before it did what it should. One case a
// file, named for what it claims; its script stands in testdata.
package chain
