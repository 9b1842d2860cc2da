package behavior

// newSimulation is the source of a run whose models are called sim:RATE.
func newSimulation(*process) (source, error) {
	return nil, &usageError{"-model=sim:RATE is not here yet", ""}
}
