package expect

import "slices"

// At is err, seen in these events: what a function given to [That] returns where it
// knows which they are. They are indexes in the Timeline of the evidence that it was
// given; reports mark them. The words stay those of err. At of nil is nil, and an error
// that wraps or joins others has their events too.
func At(err error, events ...int) error {
	if err == nil {
		return nil
	}
	return &seen{err, slices.Clone(events)}
}

// seen is an error with the events that it was seen in.
type seen struct {
	error
	events []int
}

func (s *seen) Unwrap() error { return s.error }

// pointed are the events that an error was seen in, less those that are not there.
func (t *trace) pointed(err error) []int {
	var events []int
	switch e := err.(type) {
	case *seen:
		for _, i := range e.events {
			if i >= 0 && i < len(t.Timeline) {
				events = append(events, i)
			}
		}
		return append(events, t.pointed(e.error)...)
	case interface{ Unwrap() error }:
		return t.pointed(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			events = append(events, t.pointed(one)...)
		}
	}
	return events
}
