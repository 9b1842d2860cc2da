package trace

import "strings"

// Has reports whether the event holds the text, in whatever case, in its title or in any
// of its parts.
func (e Event) Has(text string) bool {
	for _, held := range e.texts() {
		if Find(held, text) >= 0 {
			return true
		}
	}
	return false
}

func (e Event) texts() []string {
	all := []string{e.Title, e.Lead, e.Status, e.Kind}
	for _, p := range e.Parts {
		all = append(all, p.Text)
	}
	return all
}

// Find is the place at which a text holds another one in whatever case, -1 if it does
// not. It copies nothing, since results can be large. Letters whose cases differ in
// length are told apart.
func Find(text, what string) int {
	if what == "" {
		return 0
	}
	begins := what[:1]
	if what[0] < 0x80 { // half of a letter has no case
		begins = strings.ToLower(begins) + strings.ToUpper(begins)
	}
	next := [2]int{-1, -1} // where either case comes next
	for from := 0; from+len(what) <= len(text); from++ {
		nearest := len(text)
		for i := range len(begins) {
			if next[i] < from {
				next[i] = len(text)
				if j := strings.IndexByte(text[from:], begins[i]); j >= 0 {
					next[i] = from + j
				}
			}
			nearest = min(nearest, next[i])
		}
		from = nearest
		if from+len(what) <= len(text) && strings.EqualFold(text[from:from+len(what)], what) {
			return from
		}
	}
	return -1
}
