package expect

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
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
			disguise{"in rot13", squeeze, []string{strings.Map(rot13, bare)}},
		)
	}
	digits, octal := hex.EncodeToString([]byte(v)), ""
	for _, b := range []byte(v) {
		octal += fmt.Sprintf("%03o", b)
	}
	once := bitsOf(base64.RawStdEncoding, v)
	var twice []string
	for _, w := range once {
		twice = append(twice, bitsOf(base64.RawStdEncoding, w)...)
	}
	return append(all,
		disguise{"in hex", func(s string) string { return squeeze(unescapeHex.Replace(strings.ToLower(s))) }, []string{digits}},
		disguise{"in a hex dump", func(s string) string { return squeeze(undump(s)) }, []string{digits}},
		disguise{"in octal", squeeze, []string{octal}},
		disguise{"in base64", base64Only, once},
		disguise{"in base64 twice", base64Only, twice},
		disguise{"in base32", base32Only, bitsOf(base32.StdEncoding.WithPadding(base32.NoPadding), v)},
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

// base32Only leaves the digits of base32 alone.
func base32Only(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '2' && r <= '7':
			return r
		}
		return -1
	}, s)
}

// rot13 moves a small letter by half the alphabet.
func rot13(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return 'a' + (r-'a'+13)%26
	}
	return r
}

// dumped is a line of xxd, or of hexdump -C: an offset, bytes, and what they say.
var dumped = regexp.MustCompile(`(?m)^[0-9a-fA-F]{7,}(?:: (.*?)  .*| +(.*?)(?:  \|.*)?)$`)

// undump leaves the bytes of a hex dump alone.
func undump(s string) string { return strings.ToLower(dumped.ReplaceAllString(s, "$1$2")) }

// bitsOf is what stands in the encoding of every text that has the value in it, for
// each of the places at which it can begin: the digits that hold nothing but bits of
// the value.
func bitsOf(enc interface {
	EncodeToString([]byte) string
	EncodedLen(int) int
}, v string) []string {
	width := 6
	if enc.EncodedLen(5) == 8 {
		width = 5
	}
	var out []string
	for before := 0; before == 0 || 8*before%width != 0; before++ {
		digits := enc.EncodeToString(append(make([]byte, before), v...))
		first, last := (8*before+width-1)/width, 8*(before+len(v))/width
		out = append(out, digits[first:last])
	}
	return out
}
