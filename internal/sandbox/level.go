package sandbox

// Unavailable says that strict containment cannot be had here, and why.
type Unavailable struct{ Reason error }

func (u *Unavailable) Error() string {
	return "strict containment is not available here: " + u.Reason.Error()
}

// Unwrap returns the reason.
func (u *Unavailable) Unwrap() error { return u.Reason }

// Hint says what can be done about it.
func (u *Unavailable) Hint() string { return hint }
