package sandbox

// Quiet ends every process of the box and leaves its files, so that nothing
// changes them any more while they are recorded. A command that is started later
// begins afresh.
func (b *Box) Quiet() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.holder == nil {
		return nil
	}
	err := b.holder.Close()
	b.holder = nil
	return err
}
