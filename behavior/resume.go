package behavior

// adoptResume takes over what the run that -resume names was asked for.
func (p *process) adoptResume() error { return nil }
