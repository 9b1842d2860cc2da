package shell

import (
	"fmt"
	"strings"
)

// sed allows scripts that print: no -i, no w, no e, and nothing that could be
// one of them.
func sed(args []Word) string {
	var scripts []string
	var operands []Word
	for i := 0; i < len(args); i++ {
		a := args[i]
		t := a.Text
		switch {
		case mayBeOption(a):
			return unclear(a)
		case t == "--":
			operands = append(operands, args[i+1:]...)
			i = len(args)
		case t == "--quiet", t == "--silent", t == "--regexp-extended", t == "--separate", t == "--unbuffered",
			t == "--null-data", t == "--posix", t == "--sandbox", t == "--debug", t == "--version", t == "--help":
		case strings.HasPrefix(t, "--expression="):
			scripts = append(scripts, strings.TrimPrefix(t, "--expression="))
		case t == "-" || !strings.HasPrefix(t, "-"):
			operands = append(operands, a)
		default:
			letters := strings.TrimLeft(t[1:], "nrEsuz")
			switch {
			case letters == "":
			case letters == "e" && i+1 < len(args):
				i++
				if !args[i].Known {
					return unclear(args[i])
				}
				scripts = append(scripts, args[i].Text)
			case letters[0] == 'e' && len(letters) > 1 && a.Known:
				scripts = append(scripts, letters[1:])
			default:
				return fmt.Sprintf("%s is not one of -n, -E, -r, -s, -u, -z and -e", t)
			}
		}
	}
	if len(scripts) == 0 {
		if len(operands) == 0 {
			return ""
		}
		if !operands[0].Known {
			return unclear(operands[0])
		}
		scripts = append(scripts, operands[0].Text)
	}
	for _, s := range scripts {
		if !sedPrints(s) {
			return fmt.Sprintf("the script %s may do more than print", s)
		}
	}
	return ""
}

// sedPrints reports whether a sed script holds only commands that print or
// change what is printed. It knows less of the language than sed does: what it
// cannot follow is refused.
func sedPrints(script string) bool {
	s := script
	for {
		s = strings.TrimLeft(s, " \t\n;")
		if s == "" {
			return true
		}
		var ok bool
		if s, ok = sedAddresses(s); !ok {
			return false
		}
		if s == "" {
			return false
		}
		c := s[0]
		s = s[1:]
		switch {
		case c == '{' || c == '}':
			continue
		case c == '#':
			_, s, _ = strings.Cut(s, "\n")
			continue
		case strings.IndexByte("pPdDqQ=lnNhHgGxz", c) >= 0:
			s = strings.TrimLeft(s, "0123456789 \t") // q5, l 20
		case c == 's' || c == 'y':
			if s, ok = sedSubstitution(s); !ok {
				return false
			}
		default:
			return false
		}
		if s != "" && strings.IndexByte(";\n}", s[0]) < 0 {
			return false
		}
	}
}

// sedAddresses cuts off the addresses before a command.
func sedAddresses(s string) (rest string, ok bool) {
	for {
		switch {
		case s == "":
			return "", false
		case s[0] == '/':
			if s, ok = sedUntil(s[1:], '/'); !ok {
				return "", false
			}
			s = strings.TrimLeft(s, "IM")
		case strings.IndexByte("0123456789$~+, \t!", s[0]) >= 0:
			s = s[1:]
		default:
			return s, true
		}
	}
}

// sedSubstitution cuts off /pattern/replacement/flags.
func sedSubstitution(s string) (rest string, ok bool) {
	if s == "" || s[0] == '\n' || s[0] == '\\' || s[0] >= 0x80 {
		return "", false
	}
	delimiter := s[0]
	if s, ok = sedUntil(s[1:], delimiter); !ok {
		return "", false
	}
	if s, ok = sedUntil(s, delimiter); !ok {
		return "", false
	}
	return strings.TrimLeft(s, "gpiI0123456789 \t"), true
}

// sedUntil cuts off text up to a delimiter that no backslash quotes. Within a
// bracket expression sed and we might see different ends: one that holds the
// delimiter is refused.
func sedUntil(s string, delimiter byte) (rest string, ok bool) {
	bracket := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == delimiter:
			return s[i+1:], !bracket
		case s[i] == '[':
			bracket = true
		case s[i] == ']':
			bracket = false
		}
	}
	return "", false
}
