package shell

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds how many words {a,b}{c,d} may make.
const maxBraces = 64

// A piece is a part of a word whose expansion is one string.
type piece struct {
	text  string
	known bool
	split bool // an unquoted expansion: blanks in it separate words
	glob  bool // unquoted, and a pattern for file names
	tilde bool // unquoted, and begins like a home directory
}

// fields expands a word into the words that the command is given.
func (w *walker) fields(word *syntax.Word) []Word {
	split := &syntax.Word{Parts: word.Parts}
	if !syntax.SplitBraces(split) {
		return w.split(w.pieces(word.Parts, false))
	}
	var out []Word
	n := 0
	for one, err := range expand.BracesSeq(nil, split) {
		if n++; err != nil || n > maxBraces {
			return []Word{{Text: spelled(word)}}
		}
		out = append(out, w.split(w.pieces(one.Parts, false))...)
	}
	return out
}

// single expands a word that stays one word: a value or the target of a
// redirection.
func (w *walker) single(word *syntax.Word) Word { return w.joined(word.Parts) }

func (w *walker) joined(parts []syntax.WordPart) Word {
	out := Word{Known: true}
	var b strings.Builder
	for i, p := range w.pieces(parts, false) {
		b.WriteString(p.text)
		out.Known = out.Known && p.known && !(i == 0 && p.tilde)
	}
	out.Text = b.String()
	return out
}

// split joins pieces into words, at the blanks of unquoted expansions.
func (w *walker) split(pieces []piece) []Word {
	var out []Word
	var b strings.Builder
	known, begun, apart := true, false, false
	end := func() {
		if begun {
			out = append(out, Word{Text: b.String(), Known: known, apart: apart})
		}
		b.Reset()
		known, begun, apart = true, false, false
	}
	_, ownIFS := w.vars["IFS"]
	for i, p := range pieces {
		known = known && p.known && !p.glob && !(i == 0 && p.tilde)
		if !p.split || ownIFS {
			if p.split { // into what, only bash knows
				known, apart = false, true
			}
			b.WriteString(p.text)
			begun = true
			continue
		}
		ok := known
		for j, f := range strings.FieldsFunc(p.text, blank) {
			if j > 0 || len(p.text) > 0 && blank(rune(p.text[0])) {
				end()
				known = ok
			}
			b.WriteString(f)
			begun = true
		}
		if n := len(p.text); n > 0 && blank(rune(p.text[n-1])) {
			end()
		}
	}
	end()
	return out
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// globs reports whether unquoted text is a pattern for file names.
func globs(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		case '[':
			if strings.IndexByte(s[i:], ']') > 0 {
				return true
			}
		}
	}
	return false
}

// pieces expands the parts of a word one by one.
func (w *walker) pieces(parts []syntax.WordPart, quoted bool) []piece {
	var out []piece
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if quoted {
				out = append(out, piece{text: unescape(p.Value, "$`\"\\\n"), known: true})
				continue
			}
			out = append(out, piece{
				text:  unescape(p.Value, ""),
				known: true,
				glob:  globs(p.Value),
				tilde: strings.HasPrefix(p.Value, "~"),
			})
		case *syntax.SglQuoted:
			out = append(out, w.singleQuoted(p))
		case *syntax.DblQuoted:
			if len(p.Parts) == 0 {
				out = append(out, piece{known: true})
			}
			out = append(out, w.pieces(p.Parts, true)...)
		case *syntax.ParamExp:
			value, ok := w.vars[simple(p)]
			if !ok {
				out = append(out, piece{text: spelled(p)})
				continue
			}
			out = append(out, piece{text: value.Text, known: true, split: !quoted, glob: !quoted && globs(value.Text)})
		default:
			out = append(out, piece{text: spelled(p)})
		}
	}
	return out
}

// singleQuoted expands '…' and $'…'.
func (w *walker) singleQuoted(p *syntax.SglQuoted) piece {
	if !p.Dollar {
		return piece{text: p.Value, known: true}
	}
	text, err := expand.Literal(nil, &syntax.Word{Parts: []syntax.WordPart{p}})
	if err != nil {
		return piece{text: spelled(p)}
	}
	return piece{text: text, known: true}
}

// simple is the name in $name and ${name}, "" for anything more.
func simple(p *syntax.ParamExp) string {
	if p.Param == nil || p.Excl || p.Length || p.Width || p.IsSet || p.Index != nil || p.Slice != nil ||
		p.Repl != nil || p.Names != 0 || p.Exp != nil || p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0 {
		return ""
	}
	return p.Param.Value
}

// unescape takes out the backslashes that quote: before any character, or within
// double quotes only before some. A newline that is quoted vanishes.
func unescape(s, before string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (before == "" || strings.IndexByte(before, s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// spelled is the source text of a node, as the printer writes it.
func spelled(n syntax.Node) string {
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, n); err != nil {
		return "$"
	}
	return b.String()
}
