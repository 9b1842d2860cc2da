package sim

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Parse reads the name of a simulated model. The error is one sentence.
func Parse(name string) (Model, error) {
	text, ok := strings.CutPrefix(name, Prefix)
	if !ok {
		return Model{}, fmt.Errorf("%q is no simulated model: its name does not begin with %s", name, Prefix)
	}
	parts := strings.Split(text, "+")
	m := Model{name: name}
	var err error
	if m.rates, err = parseSpan(parts[0]); err != nil {
		return Model{}, fmt.Errorf("%s: %w", name, err)
	}
	for _, part := range parts[1:] {
		o, err := parseOverride(part)
		if err != nil {
			return Model{}, fmt.Errorf("%s: %w", name, err)
		}
		for _, other := range m.overrides {
			if strings.Join(other.pattern, "/") == strings.Join(o.pattern, "/") {
				return Model{}, fmt.Errorf("%s: two rates are given for %s", name, strings.Join(o.pattern, "/"))
			}
		}
		m.overrides = append(m.overrides, o)
	}
	return m, nil
}

// parseOverride reads PATTERN=RATE.
func parseOverride(text string) (override, error) {
	// A world or a variant may have an equals sign in its name; a rate has none.
	at := strings.LastIndex(text, "=")
	if at < 1 {
		return override{}, fmt.Errorf("%q is no pattern with a rate, such as core/*=0.5", text)
	}
	o := override{pattern: strings.Split(text[:at], "/")}
	for _, level := range o.pattern {
		if _, err := path.Match(level, ""); err != nil || level == "" {
			return override{}, fmt.Errorf("%q is no pattern of folder, case, world and variant", text[:at])
		}
	}
	var err error
	o.rates, err = parseSpan(text[at+1:])
	return o, err
}

// parseSpan reads a rate, or two with two dots between them.
func parseSpan(text string) (span, error) {
	first, second, ranges := strings.Cut(text, "..")
	lo, err := parseRate(first)
	if err != nil || !ranges {
		return span{lo, lo}, err
	}
	hi, err := parseRate(second)
	if err == nil && hi < lo {
		err = fmt.Errorf("the range %s ends below its beginning", text)
	}
	return span{lo, hi}, err
}

func parseRate(text string) (float64, error) {
	if text == "" {
		return 0, fmt.Errorf("a rate is missing")
	}
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate >= 0 && rate <= 1) {
		return 0, fmt.Errorf("the rate %q is not a number from 0 to 1", text)
	}
	return rate, nil
}
