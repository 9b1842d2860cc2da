package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
)

// A fault is an error with a hint and an exit status of its own.
type fault struct {
	what, hint string
	code       int
	is         error // what it is made of
}

func (f *fault) Error() string { return f.what }
func (f *fault) Unwrap() error { return f.is }

// misuse is a fault of whoever typed the command.
func misuse(what, hint string) error { return &fault{what: what, hint: hint, code: 2} }

// An exitStatus ends the command with that status. What there was to say was said.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exit says what went wrong, and returns the exit status.
func (c *Config) exit(err error) int {
	var (
		status exitStatus
		f      *fault
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, &f):
		c.complain(f.what, f.hint)
		return f.code
	}
	c.complain(err.Error(), "")
	return 1
}

func (c *Config) complain(what, hint string) {
	fmt.Fprintln(c.Stderr, "deeds: "+inert.Text(strings.TrimPrefix(what, "deeds: ")))
	if hint != "" {
		fmt.Fprintln(c.Stderr, "hint: "+inert.Text(hint))
	}
}
