// Package evals says how a case is added.
package evals
