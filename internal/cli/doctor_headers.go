package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

var limitHeader = regexp.MustCompile(`(?i)ratelimit|rate-limit|^retry-after`)

// skew is how far two clocks may be apart: a date has no fractions, and takes its time.
const skew = 30 * time.Second

// farApart is how far apart they are where more than the times on record goes wrong:
// keys, certificates and signed requests have an hour of their own.
const farApart = time.Hour

// limits shows what the endpoint says of its limits.
func (d *doctor) limits(p *patient) {
	var all []string
	spent := ""
	header := p.witness.header()
	for name, values := range header {
		if !limitHeader.MatchString(name) || len(values) == 0 {
			continue
		}
		all = append(all, strings.ToLower(name)+" "+values[0])
		if strings.Contains(strings.ToLower(name), "remaining") && strings.TrimSpace(values[0]) == "0" {
			spent = strings.ToLower(name)
		}
	}
	slices.Sort(all)
	switch {
	case len(all) == 0:
		d.ok("limits", "the endpoint says nothing of its limits")
	case spent != "":
		d.note("limits", "warn", firstOf(all, 8), spent+" is 0: give -rpm=N and a smaller -j, or wait")
	default:
		d.ok("limits", "%s", firstOf(all, 8))
	}
}

// clock compares the endpoint's clock with this machine's.
func (d *doctor) clock(p *patient) {
	apart, known := p.witness.apart()
	switch {
	case !known:
		d.skip("clock", "the endpoint does not say what time it has")
	case apart.Abs() > skew:
		status, way := "warn", "behind"
		if apart.Abs() > farApart {
			status = "fail"
		}
		if apart < 0 {
			way = "ahead of"
		}
		d.note("clock", status, fmt.Sprintf("this machine is %s %s the endpoint: records have the wrong time", apart.Abs().Round(time.Second), way), "set the clock: timedatectl set-ntp true")
	default:
		d.ok("clock", "within %s of the endpoint's", max(time.Second, apart.Abs().Round(time.Second)))
	}
}

// firstOf lists the first of many.
func firstOf(all []string, most int) string {
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}
