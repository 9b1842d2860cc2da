package gateway

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// shortestSecret is the length in bytes from which a value is kept secret. What
// is shorter is a placeholder such as "EMPTY" or "ollama", and taking it out of
// every text would do more harm than good.
const shortestSecret = 8

// redacted stands where a secret was.
const redacted = "[redacted]"

// A Redactor takes secrets out of text by their exact value: as they are, in
// Base64 at any alignment and in either alphabet, in hexadecimal digits, percent-encoded or escaped as in
// JSON, in whole or in part. The zero value takes nothing out.
type Redactor struct {
	secrets [][]byte
	encoded [][]byte // in Base64 and hexadecimal digits
}

// NewRedactor returns a redactor of the given secrets. Values of less than 8
// bytes are taken for placeholders and left alone.
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		r.secrets = append(r.secrets, []byte(s))
		digits := hex.EncodeToString([]byte(s))
		r.encoded = append(r.encoded, []byte(digits), []byte(strings.ToUpper(digits)))
		for shift := range 3 {
			std := base64Core([]byte(s), shift)
			r.encoded = append(r.encoded, std)
			if url := toURL(std); !bytes.Equal(url, std) {
				r.encoded = append(r.encoded, url)
			}
		}
	}
	return r
}

// Redact returns data without the secrets. It returns data itself if there are
// none in it, and never changes it.
func (r *Redactor) Redact(data []byte) []byte {
	if r == nil {
		return data
	}
	for _, s := range r.secrets {
		data = redactSpelled(data, s)
	}
	for _, e := range r.encoded {
		if bytes.Contains(data, e) {
			data = bytes.ReplaceAll(data, e, []byte(redacted))
		}
	}
	return data
}

// RedactString is [Redactor.Redact] for a string.
func (r *Redactor) RedactString(s string) string {
	if r == nil || len(r.secrets) == 0 {
		return s
	}
	return string(r.Redact([]byte(s)))
}

// base64Core returns the characters that stand in any Base64 text that holds the
// secret shift bytes after the beginning of a group of three. The characters at
// the edges, which depend on what is around the secret, are left out.
func base64Core(secret []byte, shift int) []byte {
	b := append(make([]byte, shift), secret...)
	text := []byte(base64.RawStdEncoding.EncodeToString(b))
	if len(b)%3 != 0 {
		text = text[:len(text)-1]
	}
	return text[(shift*8+5)/6:]
}

func toURL(std []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(std, []byte("+"), []byte("-")), []byte("/"), []byte("_"))
}

// redactSpelled replaces the secret where each of its bytes stands for itself or
// is escaped.
func redactSpelled(data, secret []byte) []byte {
	if !escapes(data, secret) && !bytes.Contains(data, secret) {
		return data // as nearly always, and found out many times as fast
	}
	var out []byte
	kept := 0 // data up to here is in out
	for i := 0; i < len(data); {
		if c := data[i]; c != secret[0] && c != '%' && c != '\\' && c != '+' {
			i++
			continue
		}
		n := spelled(data[i:], secret)
		if n == 0 {
			i++
			continue
		}
		out = append(append(out, data[kept:i]...), redacted...)
		i += n
		kept = i
	}
	if kept == 0 {
		return data
	}
	return append(out, data[kept:]...)
}

// escapes reports whether something in data may be an escape of a byte of secret.
func escapes(data, secret []byte) bool {
	return bytes.IndexByte(data, '%') >= 0 || bytes.IndexByte(data, '\\') >= 0 ||
		bytes.IndexByte(data, '+') >= 0 && bytes.IndexByte(secret, ' ') >= 0
}

// spelled returns the length of the secret at the beginning of data, or 0.
func spelled(data, secret []byte) int {
	i := 0
	for _, want := range secret {
		n := spelledByte(data[i:], want)
		if n == 0 {
			return 0
		}
		i += n
	}
	return i
}

// spelledByte returns how many bytes spell want at the beginning of data, or 0.
func spelledByte(data []byte, want byte) int {
	if len(data) == 0 {
		return 0
	}
	if data[0] == '\\' && len(data) >= 2 {
		if data[1] == want && bytes.IndexByte([]byte(`"\/`), want) >= 0 {
			return 2
		}
		if data[1] == 'u' && len(data) >= 6 && data[2] == '0' && data[3] == '0' && isHex(data[4:6], want) {
			return 6
		}
	}
	switch {
	case data[0] == want:
		return 1
	case data[0] == '%' && len(data) >= 3 && isHex(data[1:3], want):
		return 3
	case data[0] == '+' && want == ' ':
		return 1
	}
	return 0
}

func isHex(digits []byte, want byte) bool {
	const all = "0123456789abcdef"
	return digits[0]|0x20 == all[want>>4]|0x20 && digits[1]|0x20 == all[want&15]|0x20
}
