package tools

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
)

const (
	nearMatches = 5     // how many are named
	nearVisits  = 50000 // how many entries are looked at
)

// near lists up to five paths of the folder that a missing place might have
// meant: those of the same base name, and those a small slip away.
func (p place) near() []string {
	type match struct {
		path     string
		distance int
	}
	base := strings.ToLower(path.Base(p.name))
	slip := min(2, len(base)/3)
	var found []match
	visits := 0
	p.at(".").walk(context.Background(), func(name string, info fs.FileInfo) bool {
		b := strings.ToLower(path.Base(name))
		d := 0
		if b != base {
			// Most names are too far away to be worth measuring.
			if diff := len(b) - len(base); diff > slip || -diff > slip || len(b) > 255 {
				visits++
				return visits < nearVisits
			}
			d = distance(b, base)
		}
		if d <= slip {
			found = append(found, match{name, d})
		}
		visits++
		return visits < nearVisits
	})
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(
			cmp.Compare(a.distance, b.distance),
			cmp.Compare(strings.Count(a.path, "/"), strings.Count(b.path, "/")),
			cmp.Compare(a.path, b.path),
		)
	})
	var names []string
	for _, m := range found[:min(len(found), nearMatches)] {
		names = append(names, p.at(m.path).String())
	}
	return names
}
