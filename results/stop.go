package results

import "time"

// StopFile is the name of the file that marks a run as stopped.
const StopFile = "stopped.json"

// A Stop says that a run was stopped before every slot was played.
type Stop struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}
