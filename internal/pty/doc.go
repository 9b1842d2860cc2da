// Package pty opens pseudo-terminals, for tests of what is drawn on a terminal. It has them
// on Linux, where those tests are.
package pty
