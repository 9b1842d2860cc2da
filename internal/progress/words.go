package progress

import (
	"fmt"
	"strconv"
	"time"
)

// short writes a number in at most six characters: "950", "34.5k", "1.2M".
func short(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// dollars writes a cost. Where it is not known of every attempt, it is said to be
// more.
func dollars(cost float64, whole bool) string {
	text := fmt.Sprintf("$%.2f", cost)
	if cost < 0.995 {
		text = fmt.Sprintf("$%.3f", cost)
	}
	if !whole {
		text += " and more"
	}
	return text
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
