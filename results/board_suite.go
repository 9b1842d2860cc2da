package results

import (
	"slices"
	"strings"
)

// against returns the entry as it stands under the suites of today: what their cases
// are, and without the rows of cases that are gone. Only cases for which gone holds
// may go: the source of a package that is being edited has none for a moment. The
// entry itself stays as it is.
func (e *Entry) against(gone func(id string) bool, suites ...Suite) *Entry {
	now := *e
	now.Suite, now.Rows = slices.Clone(e.Suite), slices.Clone(e.Rows)
	for _, s := range suites {
		now.Grader = s.Grader
		now.take(s, gone)
	}
	slices.SortFunc(now.Suite, func(a, b BoardCase) int { return strings.Compare(a.Case, b.Case) })
	return &now
}

// anyCase lets every case go that the source does not have.
func anyCase(string) bool { return true }

func (e *Entry) take(s Suite, gone func(id string) bool) {
	today := make(map[string]string, len(s.Cases))
	for _, c := range s.Cases {
		today[c.Case] = c.Digest
	}
	var kept []BoardCase
	removed := make(map[string]bool)
	for _, c := range e.Suite {
		digest, there := today[c.Case]
		switch {
		case there:
			c.Dir, c.Digest = s.Dir, digest
			delete(today, c.Case)
		case c.Dir == s.Dir && gone(c.Case):
			removed[c.Case] = true
			continue
		}
		kept = append(kept, c)
	}
	for _, c := range s.Cases {
		if digest, fresh := today[c.Case]; fresh {
			kept = append(kept, BoardCase{Case: c.Case, Dir: s.Dir, Digest: digest})
		}
	}
	e.Suite = kept
	before := len(e.Rows)
	e.Rows = slices.DeleteFunc(e.Rows, func(r BoardRow) bool { return removed[r.Case] })
	e.Pruned += before - len(e.Rows)
}

// plan notes the units of a case that a run has planned. A run that left some of them
// out adds to what is known, and never takes away.
func (c *BoardCase) plan(units []BoardUnit, whole bool) {
	if whole {
		c.Planned, c.Units = c.Digest, units
	} else {
		old := slices.DeleteFunc(slices.Clone(c.Units), func(u BoardUnit) bool {
			return slices.ContainsFunc(units, u.same)
		})
		c.Units = append(old, units...)
	}
	slices.SortFunc(c.Units, func(a, b BoardUnit) int {
		if n := strings.Compare(a.World, b.World); n != 0 {
			return n
		}
		return strings.Compare(a.Variant, b.Variant)
	})
}

// units are those of a case that were planned, and those that were played of it as it is
// today under today's grader, whether or not a plan has them still: what was played
// cannot be planned away.
func (e *Entry) units(c BoardCase) []BoardUnit {
	all := slices.Clone(c.Units)
	for i := range e.Rows {
		r := &e.Rows[i]
		u := BoardUnit{r.World, r.Variant, r.Signals}
		if r.Case == c.Case && r.Digest == c.Digest && r.Grader == e.Grader && !slices.ContainsFunc(all, u.same) {
			all = append(all, u)
		}
	}
	return all
}

func (u BoardUnit) same(v BoardUnit) bool { return u.World == v.World && u.Variant == v.Variant }

// Dirs lists the folders of the suites that the entry is about, in order.
func (e *Entry) Dirs() []string {
	var dirs []string
	for _, c := range e.Suite {
		if !slices.Contains(dirs, c.Dir) {
			dirs = append(dirs, c.Dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// current returns the row of a unit under today's case and grader, or the last one
// that there is, and how many others the unit has.
func (e *Entry) current(u boardUnit, digest string) (row *BoardRow, stale bool, others int) {
	for i := range e.Rows {
		r := &e.Rows[i]
		if r.unit() != u {
			continue
		}
		others++
		switch {
		case r.Digest == digest && r.Grader == e.Grader && digest != "" && e.Grader != "":
			row, stale = r, false
		case row == nil || stale:
			row, stale = r, true
		}
	}
	return row, stale, max(others-1, 0)
}
