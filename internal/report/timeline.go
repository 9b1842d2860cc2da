package report

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxEvents is how many events a timeline shows before it is folded.
	maxEvents = 40
	// around is how many events are kept on both sides of a guilty one, and at
	// either end of a folded timeline.
	around = 2
)

// timeline writes the events, the guilty ones (by index) marked with ">". A long
// timeline is folded around them, and says how much was left out.
func timeline(b *strings.Builder, events []Event, guilty map[int]bool) {
	shown := fold(events, guilty)
	if len(shown) == 0 {
		return
	}
	digits := len(strconv.Itoa(len(events)))
	turns := len("turn ") + len(strconv.Itoa(lastTurn(events)))

	writeLine(b, "seen")
	next, turn := 0, 0
	for _, i := range shown {
		gap(b, events[next:i], next, guilty)
		e := events[i]
		head := ""
		if e.Turn != turn && e.Turn > 0 {
			head = fmt.Sprintf("turn %d", e.Turn)
		}
		turn = e.Turn
		mark := " "
		if guilty[i] {
			mark = ">"
		}
		writeLine(b, fmt.Sprintf("  %s %*d  %-*s  %s", mark, digits, i+1, turns, head, e.Line()))
		next = i + 1
	}
	gap(b, events[next:], next, guilty)
}

// gap says how many events were left out; silent ones are no loss.
func gap(b *strings.Builder, left []Event, first int, guilty map[int]bool) {
	events, marked := 0, 0
	for i, e := range left {
		if guilty[first+i] {
			marked++
		}
		if !e.silent() {
			events++
		}
	}
	switch {
	case events == 0:
	case marked == events:
		writeLine(b, fmt.Sprintf("    … %s, all of them marked", count(events, "more event")))
	case marked > 0:
		writeLine(b, fmt.Sprintf("    … %s, %s of them marked", count(events, "more event"), grouped(marked)))
	default:
		writeLine(b, fmt.Sprintf("    … %s", count(events, "more event")))
	}
}

// fold picks the indexes to show: all of a short timeline, else the ends and
// what surrounds the guilty ones.
func fold(events []Event, guilty map[int]bool) []int {
	var all []int
	for i, e := range events {
		if !e.silent() || guilty[i] {
			all = append(all, i)
		}
	}
	if len(all) <= maxEvents {
		return all
	}
	keep := make([]bool, len(all))
	left := maxEvents
	take := func(k int) {
		if k >= 0 && k < len(all) && !keep[k] && left > 0 {
			keep[k] = true
			left--
		}
	}
	// The guilty come first, so that no neighbour takes a place from them.
	for k, i := range all {
		if guilty[i] {
			take(k)
		}
	}
	for d := 0; d < around; d++ {
		take(d)
		take(len(all) - 1 - d)
	}
	for d := 1; d <= around; d++ {
		for k, i := range all {
			if guilty[i] {
				take(k - d)
				take(k + d)
			}
		}
	}
	var shown []int
	for k, i := range all {
		if keep[k] {
			shown = append(shown, i)
		}
	}
	return shown
}

func lastTurn(events []Event) int {
	last := 0
	for _, e := range events {
		last = max(last, e.Turn)
	}
	return last
}
