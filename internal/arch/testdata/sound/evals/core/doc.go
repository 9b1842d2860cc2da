// Package core holds the cases that one call settles.
package core
