package results

import "slices"

// InWorlds is the run as if it had been planned and played in these worlds alone: the
// branches of a policy are compared one by one. The record itself stays as it is.
func (r *Run) InWorlds(worlds ...string) *Run {
	part := *r
	part.Plans = slices.Clone(r.Plans)
	for i := range part.Plans {
		var slots []Slot
		for _, s := range part.Plans[i].Slots {
			if slices.Contains(worlds, s.World) {
				slots = append(slots, s)
			}
		}
		part.Plans[i].Slots = slots
	}
	part.Attempts = nil
	for _, a := range r.Attempts {
		if slices.Contains(worlds, a.World) {
			part.Attempts = append(part.Attempts, a)
		}
	}
	return &part
}

// Worlds lists the worlds of the run's slots, in the order in which they were planned.
// Cases without worlds have none.
func (r *Run) Worlds() []string {
	var worlds []string
	for _, s := range r.Slots() {
		if s.World != "" && !slices.Contains(worlds, s.World) {
			worlds = append(worlds, s.World)
		}
	}
	return worlds
}
