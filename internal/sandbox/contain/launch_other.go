//go:build !linux

package contain

import (
	"errors"
	"os"
)

// ErrGone says that the init has ended, and everything with it.
var ErrGone = errors.New("the process that holds the commands has ended")

// errLinux is what every function here has to say.
var errLinux = errors.New("containment needs Linux")

// An Init is the init process of a box; there is none on this system.
type Init struct{}

// A Command is a bash that was started.
type Command struct{}

// Launch returns an error on this system.
func Launch(Spec) (*Init, error) { return nil, errLinux }

// Gone is never closed on this system.
func (*Init) Gone() <-chan struct{} { return nil }

// Start returns an error on this system.
func (*Init) Start(string, *os.File) (*Command, error) { return nil, errLinux }

// Close does nothing on this system.
func (*Init) Close() error { return nil }

// Exit delivers nothing on this system.
func (*Command) Exit() <-chan int { return nil }

// Kill returns an error on this system.
func (*Command) Kill() error { return errLinux }
