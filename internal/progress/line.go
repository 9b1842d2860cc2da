package progress

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// line renders what there is to say in at most width-1 columns: the counts
// first, and of the attempts that are running the oldest, as far as it fits.
func line(s status, width int, now time.Time) string {
	parts := []string{fmt.Sprintf("%d/%d done", s.done(), max(s.Total, s.done()+len(s.Running)))}
	for _, c := range []struct {
		n    int
		word string
	}{{s.Pass, "pass"}, {s.Fail, "fail"}, {s.Void, "void"}, {len(s.Running), "running"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	if s.Tokens > 0 {
		parts = append(parts, short(s.Tokens)+" tokens")
	}
	elapsed := now.Sub(s.Start)
	clock := duration(elapsed)
	if left, ok := remaining(s, elapsed); ok {
		clock += ", about " + duration(left) + " left"
	}
	parts = append(parts, clock)
	if id, a, ok := oldest(s.Running); ok {
		parts = append(parts, strings.TrimSpace(id+" "+duration(now.Sub(a.Since))+" "+a.Text))
	}
	return fit(parts, width-1)
}

// remaining guesses how long the rest takes at the pace so far.
func remaining(s status, elapsed time.Duration) (time.Duration, bool) {
	done := s.done()
	if done == 0 || s.Total <= done || elapsed <= 0 {
		return 0, false
	}
	return time.Duration(float64(elapsed) * float64(s.Total-done) / float64(done)), true
}

// oldest is the attempt that has been running for longest.
func oldest(running map[string]attempt) (id string, a attempt, ok bool) {
	for i, b := range running {
		if !ok || b.Since.Before(a.Since) || b.Since.Equal(a.Since) && i < id {
			id, a, ok = i, b, true
		}
	}
	return id, a, ok
}

// fit joins the parts as far as they fit; the last that does not is cut.
func fit(parts []string, width int) string {
	var b strings.Builder
	left := width
	for i, part := range parts {
		if i > 0 {
			part = "  " + part
		}
		for _, r := range part {
			if !strconv.IsPrint(r) {
				r = '?'
			}
			w := columns(r)
			if left < w {
				return strings.TrimRight(b.String(), " ")
			}
			b.WriteRune(r)
			left -= w
		}
	}
	return b.String()
}

// columns is how wide a rune can be drawn. Two is right for East Asian text and
// for most pictures, and safe for the rest.
func columns(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}

// short writes a number in at most five characters: "950", "34.5k", "1.2M".
func short(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// duration writes a duration in whole seconds: "7s", "1m02s", "2h05m".
func duration(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
