package behavior

// newReplay is the source of a run that is driven by the answers of another.
func newReplay(*process) (source, error) {
	return nil, &usageError{"-replay=RUN is not here yet", ""}
}

// adoptReplay takes over what the run that -replay names was asked for.
func (p *process) adoptReplay() error { return nil }
