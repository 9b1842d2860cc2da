package results

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Retire takes what an entry has off the scoreboard: its rows are emptied, and their
// score, when it was, what they were by digest, and the reason stay in the entry's
// history. The runs that they came from are never drawn in again.
func Retire(root, key, because string, now time.Time) (*Entry, error) {
	if because = strings.TrimSpace(because); because == "" {
		return nil, fmt.Errorf("retire %s: a reason is needed, and stays on the page", key)
	}
	entries, unlock, err := openBoard(root)
	if err != nil {
		return nil, err
	}
	defer unlock()
	i := slices.IndexFunc(entries, func(e *Entry) bool { return e.Key == key })
	if i < 0 {
		return nil, fmt.Errorf("retire %s: %w", key, ErrNoEntry)
	}
	e := entries[i]
	if len(e.Rows) == 0 {
		return nil, fmt.Errorf("retire %s: it has no rows", key)
	}
	a := Aggregate(e)
	runs := make(map[string]bool)
	for _, r := range e.Rows {
		for _, p := range r.Plays {
			runs[p.Run] = true
		}
	}
	e.Retired = append(e.Retired, Retirement{
		At: now.UTC(), Because: because, Units: a.Units, Credited: a.Credited, Certified: a.Certified,
		RowsSum: a.RowsSum, Runs: sorted(runs),
	})
	e.Rows = []BoardRow{}
	e.Aggregates = Aggregate(e)
	return e, save(root, []*Entry{e})
}

// Refresh brings every entry up to the suites of today: rows of cases that are gone are
// dropped and counted, and what is stale by now is so on record.
func Refresh(root string, today []Suite) ([]*Entry, error) {
	entries, unlock, err := openBoard(root)
	if err != nil {
		return nil, err
	}
	defer unlock()
	for i, e := range entries {
		entries[i] = e.against(anyCase, e.its(today)...)
		entries[i].Aggregates = Aggregate(entries[i])
	}
	return entries, save(root, entries)
}

// its are the suites that the entry is about, of those of today.
func (e *Entry) its(today []Suite) []Suite {
	dirs := e.Dirs()
	return slices.DeleteFunc(slices.Clone(today), func(s Suite) bool { return !slices.Contains(dirs, s.Dir) })
}
