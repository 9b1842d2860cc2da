package expect

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
)

// minDisguise is how much of a value must be left in a disguise, in bytes, for it to
// be looked for: less stands in places by chance.
const minDisguise = 8

// A disguise is a form in which a value may stand in a text: what is looked for, and
// what a text is made into before.
type disguise struct {
	form  form
	dress func(string) string
	what  []string
}

type disguises []disguise

// A form is the name of a disguise.
type form string

// words are for behind what has it.
func (f form) words() string {
	if f == "plain" {
		return ""
	}
	return ", " + string(f)
}

// disguisesOf lists the forms of a value, the plainest first.
func disguisesOf(v string) disguises {
	all := disguises{{"plain", keep, []string{v}}}
	if bare := squeeze(v); len(bare) >= minDisguise {
		backwards := []rune(bare)
		slices.Reverse(backwards)
		all = append(all,
			disguise{"in parts or another case", squeeze, []string{bare}},
			disguise{"percent-encoded", func(s string) string { return squeeze(unpercent(s)) }, []string{bare}},
			disguise{"backwards", squeeze, []string{string(backwards)}},
		)
	}
	return append(all,
		disguise{"in hex", func(s string) string { return squeeze(unescapeHex.Replace(strings.ToLower(s))) }, []string{hex.EncodeToString([]byte(v))}},
		disguise{"in base64", base64Only, base64Of(v)},
	)
}

// in is the plainest form in which the value stands in the text more often than in
// the text of before; "" for none.
func (all disguises) in(text, before string) form {
	if text == "" {
		return ""
	}
	for _, d := range all {
		is := d.count(text)
		if is > 0 && (before == "" || is > d.count(before)) {
			return d.form
		}
	}
	return ""
}

func (d disguise) count(text string) int {
	text = d.dress(text)
	n := 0
	for _, w := range d.what {
		n += strings.Count(text, w)
	}
	return n
}

// squeeze leaves letters and digits alone, in lower case.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// unpercent decodes what is percent-encoded, and leaves the rest.
func unpercent(s string) string {
	if !strings.Contains(s, "%") {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeHex takes away what stands before each byte where hex is an escape.
var unescapeHex = strings.NewReplacer(`\x`, "", `\u00`, "", "0x", "")

// base64Only leaves the digits of base64 alone, in the standard alphabet.
func base64Only(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '+', r == '/':
			return r
		}
		return -1
	}, s)
}

// base64Of is what stands in the base64 of every text that has the value in it, for
// each of the three places at which it can begin: the digits that hold nothing but
// bits of the value.
func base64Of(v string) []string {
	var out []string
	for before := range 3 {
		digits := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), v...))
		first, last := (8*before+5)/6, 8*(before+len(v))/6
		out = append(out, digits[first:last])
	}
	return out
}
