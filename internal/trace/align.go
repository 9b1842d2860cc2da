package trace

import (
	"regexp"
	"slices"
	"strings"
)

// How the events of a pair stand to each other.
const (
	Equal    = "equal"    // the same deed, with the same outcome
	Reworded = "reworded" // said or thought in other words
	Differs  = "differs"  // the same kind of deed, done or ended otherwise
	Left     = "left"     // only the first attempt has it
	Right    = "right"    // only the second
)

// A Pair is what stands beside each other of two attempts. A side that has nothing
// there is 0.
type Pair struct {
	A    int    `json:"event"` // by their N
	B    int    `json:"against"`
	Same string `json:"same"`
}

// An Alignment holds two attempts beside each other.
type Alignment struct {
	Pairs []Pair `json:"pairs"`
	// First is the index of the pair with which they part, -1 if they never do. Two
	// attempts never speak alike, so other words are no difference, and neither is how
	// long something took.
	First int `json:"first"`
	// Drawn are the names of the facts that each has another value of. An event that
	// differs in nothing but these is equal.
	Drawn []string `json:"drawn,omitempty"`
}

// mostPairs bounds the table of the alignment. Longer attempts are compared event by
// event where they part, which is right up to their first difference.
const mostPairs = 4 << 20

// Align puts the events of two attempts side by side, in order and as many of them as
// can be together with one like them.
func Align(a, b Trace) Alignment {
	drawn := DrawnApart(a.Head, b.Head)
	x, y := deeds(a, drawn), deeds(b, drawn)
	var pairs []Pair
	from := 0
	for from < len(x) && from < len(y) && like(x[from], y[from]) == exactly+oneTurn {
		pairs = append(pairs, Pair{A: from + 1, B: from + 1, Same: Equal})
		from++
	}
	pairs = append(pairs, middle(x, y, from)...)
	for i, p := range pairs {
		if p.A > 0 {
			pairs[i].A = a.Events[p.A-1].N
		}
		if p.B > 0 {
			pairs[i].B = b.Events[p.B-1].N
		}
	}
	return Alignment{Pairs: pairs, Drawn: drawn, First: slices.IndexFunc(pairs, func(p Pair) bool { return p.Same != Equal && p.Same != Reworded })}
}

// middle aligns what is left after the common beginning: the heaviest common
// subsequence, where weight is how like two events are.
func middle(x, y []deed, from int) []Pair {
	n, m := len(x)-from, len(y)-from
	if n*m > mostPairs {
		return inStep(x, y, from)
	}
	best := make([]int32, (n+1)*(m+1))
	at := func(i, j int) *int32 { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			if l := like(x[from+i], y[from+j]); l > 0 {
				*at(i, j) = max(*at(i, j), l+*at(i+1, j+1))
			}
		}
	}
	var pairs []Pair
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && like(x[from+i], y[from+j]) > 0 && *at(i, j) == like(x[from+i], y[from+j])+*at(i+1, j+1):
			pairs = append(pairs, pair(x, y, from+i, from+j))
			i, j = i+1, j+1
		case j == m || i < n && *at(i, j) == *at(i+1, j):
			pairs = append(pairs, Pair{A: from + i + 1, Same: Left})
			i++
		default:
			pairs = append(pairs, Pair{B: from + j + 1, Same: Right})
			j++
		}
	}
	return pairs
}

// inStep pairs the events one by one, as far as they are of a kind.
func inStep(x, y []deed, from int) []Pair {
	var pairs []Pair
	for i := from; i < len(x) || i < len(y); i++ {
		switch {
		case i < len(x) && i < len(y) && like(x[i], y[i]) > 0:
			pairs = append(pairs, pair(x, y, i, i))
			continue
		case i < len(x):
			pairs = append(pairs, Pair{A: i + 1, Same: Left})
		}
		if i < len(y) {
			pairs = append(pairs, Pair{B: i + 1, Same: Right})
		}
	}
	return pairs
}

func pair(x, y []deed, i, j int) Pair {
	p := Pair{A: i + 1, B: j + 1, Same: Differs}
	switch {
	case like(x[i], y[j]) >= exactly:
		p.Same = Equal
	case x[i].speech && x[i].ended.is(y[j].ended):
		p.Same = Reworded
	}
	return p
}

// A deed is what counts of an event beside another attempt's.
type deed struct {
	who, what string   // the agent; the kind, and the tool of a call
	how       spelling // arguments, words
	ended     spelling // status and result, less the time it took
	speech    bool     // the agent's own words
	turn      int
}

// How like two events are. That both are of one turn only tips the scales: what comes
// after an extra turn is still the same.
const (
	ofAKind int32 = 8
	sameHow int32 = 16
	sameEnd int32 = 4
	oneTurn int32 = 1
	exactly       = ofAKind + sameHow + sameEnd
)

// like weighs two events, 0 for such as have nothing in common.
func like(x, y deed) int32 {
	if x.who != y.who || x.what != y.what {
		return 0
	}
	weight := ofAKind
	if x.how.is(y.how) {
		weight += sameHow
	}
	if x.ended.is(y.ended) {
		weight += sameEnd
	}
	if x.turn == y.turn {
		weight += oneTurn
	}
	return weight
}

func deeds(t Trace, drawn []string) []deed {
	same := func(s string) string {
		if t.workspace == "" || t.workspace == "/" {
			return s
		}
		return strings.ReplaceAll(s, t.workspace, ".")
	}
	names := namesOf(t.Head.Facts, drawn)
	all := make([]deed, len(t.Events))
	for i, e := range t.Events {
		d := deed{who: e.Agent, what: e.Kind, turn: e.Turn, speech: e.Kind == "says" || e.Kind == "thinks"}
		if d.speech {
			d.what = "says"
		}
		status := e.Status
		if e.Kind == "call" || e.Kind == "served" {
			tool, _, _ := strings.Cut(e.Title, " ")
			d.what += " " + tool
			status = untimed(e.Status)
		}
		how, ended := "", ""
		for _, p := range e.Parts {
			switch p.Name {
			case "text", "arguments":
				how += "\n" + same(p.Text)
			case "result", "changed":
				ended += "\n" + same(p.Text)
			}
		}
		d.how.as, d.ended.as = same(e.Title)+how, status+timeless(ended)
		if names != nil {
			// A title is cut, and has the sizes of long texts, which go by the values.
			lead := same(e.Lead)
			if lead+how == "" {
				lead = same(e.Title)
			}
			d.how.named, d.ended.named = names.put(lead+how), status+timeless(names.put(ended))
		}
		all[i] = d
	}
	return all
}

// untimed is a status without how long it took.
func untimed(status string) string {
	if i := strings.LastIndex(status, ", "); i >= 0 && i+2 < len(status) && status[i+2] >= '0' && status[i+2] <= '9' {
		return status[:i]
	}
	return status
}

var took = regexp.MustCompile(`\b\d+(\.\d+)?( ?(ns|µs|us|ms|s)\b)`)

// timeless is a result without the durations in it, which commands like to tell. They
// are not looked for in a long one.
func timeless(result string) string {
	if len(result) > 64<<10 {
		return result
	}
	return took.ReplaceAllString(result, "0$2")
}
