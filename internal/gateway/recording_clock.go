package gateway

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Span is from when to when something went on. The zero Span never was; one without
// an end still goes on.
type Span struct{ From, To time.Time }

// blur is how far beside a span a time still belongs to it: most are told to the
// minute, and no two clocks agree.
const blur = time.Minute

// meets reports whether the span and what lies between from and to have a moment in
// common.
func (s Span) meets(from, to time.Time) bool {
	return !s.From.IsZero() && !to.Before(s.From.Add(-blur)) && !from.After(s.end().Add(blur))
}

func (s Span) end() time.Time {
	if s.To.IsZero() {
		return time.Now()
	}
	return s.To
}

// told reports whether a match of telling is a time of the span. A year that is not
// told is one of the span's.
func (s Span) told(m []string) bool {
	for _, year := range []int{s.From.UTC().Year(), s.end().UTC().Year()} {
		if from, to, ok := between(m, year); ok && s.meets(from, to) {
			return true
		}
	}
	return false
}

// telling finds times as tools tell them, by the clock of a sandbox, which is UTC: as
// ls and date do, in the forms of ISO 8601, and in seconds since 1970. Another time
// zone is not known here. Only a time with seconds has a year behind it: after that of a
// listing comes the name of a file, which may be 2031.tsv.
var telling = regexp.MustCompile(`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) {1,2}(\d\d:\d\d)(?::\d\d(?: UTC)?(?: (\d{4})\b)?(?: \+0000)?)?` +
	`|\b(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:[.,]\d+)?)?(?:Z| ?\+00:?00)?)?` +
	`|\b(\d{10})(?:\.\d+)?\b`)

// running finds how long a command has been running, as the built-in agent is told it.
var running = regexp.MustCompile(`\b(running for )[0-9.]+ s\b`)

// took finds how long a command took, where the words around it say that it is that and
// nothing else: as bash's time tells it, go test, and the test runners of Python.
var took = regexp.MustCompile(`(?m)(^(?:real|user|sys)\s+)\d+m\d+\.\d+s$` +
	`|(^(?:ok|FAIL) *\t\S+\t)\d+\.\d+s` +
	`|(^ *--- (?:PASS|FAIL|SKIP): \S+ \()\d+\.\d+s\b` +
	`|(^Ran \d+ tests? in )\d+\.\d+s$` +
	`|(\b\d+ (?:passed|failed|skipped|errors?)\b.* in )\d+\.\d+s\b`)

// timeless takes the times of some spans out of a text: what a file listing says of a
// file that was just written is another thing each time, and so is how long a command
// took. Any other time is left as it is, for it means something.
func timeless(text string, spans ...Span) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	text = running.ReplaceAllString(text, "${1}[time]")
	text = took.ReplaceAllString(text, "$1$2$3$4$5[time]")
	return telling.ReplaceAllStringFunc(text, func(told string) string {
		m := telling.FindStringSubmatch(told)
		for _, s := range spans {
			if s.told(m) {
				return "[time]"
			}
		}
		return told
	})
}

// between is what lies between the first and the last moment that a match of telling
// may mean. A year that is not told is the given one.
func between(m []string, year int) (from, to time.Time, ok bool) {
	var err error
	length := time.Minute
	switch {
	case m[1] != "":
		if m[4] != "" {
			year, _ = strconv.Atoi(m[4]) // four digits
		}
		from, err = time.Parse("Jan 2 15:04 2006", m[1]+" "+m[2]+" "+m[3]+" "+strconv.Itoa(year))
	case m[6] != "":
		from, err = time.Parse("2006-01-02 15:04", m[5]+" "+m[6])
	case m[5] != "":
		from, err = time.Parse(time.DateOnly, m[5])
		length = 24 * time.Hour
	default:
		seconds, _ := strconv.ParseInt(m[7], 10, 64) // ten digits
		from, length = time.Unix(seconds, 0), time.Second
	}
	return from, from.Add(length), err == nil
}
