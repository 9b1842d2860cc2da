package script

import (
	"errors"
	"fmt"
)

// An Error says what is wrong with one line of a script file.
type Error struct {
	Line    int
	Message string
	Hint    string
}

// Error gives the line, what is wrong with it, and on a line of its own what
// would be right.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d: %s\n\thint: %s", e.Line, e.Message, e.Hint)
}

// mostErrors is how many errors one Parse reports: enough to mend a file in one
// go, too few to drown the first.
const mostErrors = 10

// errorList collects errors by line.
type errorList []error

func (l *errorList) add(line int, hint, format string, args ...any) {
	*l = append(*l, &Error{Line: line, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (l errorList) err() error {
	if len(l) > mostErrors {
		rest := fmt.Errorf("and %d more", len(l)-mostErrors)
		l = append(l[:mostErrors:mostErrors], rest)
	}
	return errors.Join(l...)
}
