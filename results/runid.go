package results

import (
	"regexp"
	"time"
)

// timeFormat is the first part of a run's id. It sorts as it reads.
const timeFormat = "20060102T150405Z"

var runID = regexp.MustCompile(`^\d{8}T\d{6}Z-[A-Za-z0-9][A-Za-z0-9._-]*$`)

// RunID returns the id of a run, which is the name of its folder as well:
// 20261129T224301Z-3f9c1a.
func RunID(created time.Time, short string) string {
	return created.UTC().Format(timeFormat) + "-" + short
}

// IsRunID reports whether a name has the form of a run's id.
func IsRunID(name string) bool {
	if !runID.MatchString(name) {
		return false
	}
	_, err := time.Parse(timeFormat, name[:len(timeFormat)])
	return err == nil
}

// ShortID returns the part of a run's id after the time: 3f9c1a.
func ShortID(id string) string {
	if !IsRunID(id) {
		return id
	}
	return id[len(timeFormat)+1:]
}

// idTime returns the time in a run's id.
func idTime(id string) time.Time {
	if !IsRunID(id) {
		return time.Time{}
	}
	t, err := time.Parse(timeFormat, id[:len(timeFormat)])
	if err != nil {
		return time.Time{}
	}
	return t
}
