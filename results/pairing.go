package results

import (
	"cmp"
	"slices"
	"strings"
)

// unitKeys lists the units that any of the arms has, in order.
func unitKeys(arms ...*Arm) []unitKey {
	var keys []unitKey
	for _, a := range arms {
		for i := range a.units {
			keys = append(keys, a.units[i].key)
		}
	}
	slices.SortFunc(keys, unitKey.compare)
	return slices.Compact(keys)
}

// rowKeys lists the signals and the markers that any of the arms has, in order.
// Markers that observe a fact are no quality, and not among them.
func rowKeys(arms ...*Arm) []rowKey {
	var keys []rowKey
	for _, a := range arms {
		for k := range a.rows {
			if !k.observes() {
				keys = append(keys, k)
			}
		}
	}
	slices.SortFunc(keys, rowKey.compare)
	return slices.Compact(keys)
}

// observers lists the markers that observe a fact.
func observers(arms ...*Arm) []rowKey {
	var keys []rowKey
	for _, a := range arms {
		for k := range a.rows {
			if k.observes() {
				keys = append(keys, k)
			}
		}
	}
	slices.SortFunc(keys, rowKey.compare)
	return slices.Compact(keys)
}

func (k rowKey) compare(o rowKey) int {
	return cmp.Or(cmp.Compare(k.kind, o.kind), strings.Compare(k.name, o.name))
}

// observes reports whether the row is a marker which says that a fact was seen.
func (k rowKey) observes() bool {
	rest, ok := strings.CutPrefix(k.name, "observed")
	return ok && k.kind == markerRow && rest != "" && strings.ContainsRune("_- ", rune(rest[0]))
}

// judgedApart says why attempts of a unit are not attempts of the same thing, "" if they are.
func judgedApart(units ...*armUnit) string {
	var first *judge
	for _, u := range units {
		for i := range u.judges {
			switch j := &u.judges[i]; {
			case first == nil:
				first = j
			case j.id != first.id:
				return "the case changed"
			case j.grader != first.grader:
				return "the grader changed"
			}
		}
	}
	return ""
}

// A pairedUnit is a unit in two arms, nil where an arm has nothing of it.
type pairedUnit struct {
	key             unitKey
	base, candidate *armUnit
}

// whole reports whether both arms have attempts of the unit.
func (p pairedUnit) whole() bool {
	return p.base != nil && p.candidate != nil && p.base.all().decided() > 0 && p.candidate.all().decided() > 0
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
