// Package evals judges errand by what it does: the adapter that shows it to Deeds,
// and the cases, one a file.
package evals
