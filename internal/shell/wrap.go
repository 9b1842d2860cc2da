package shell

import (
	"slices"
	"strings"
)

// A wrapper is a command that runs the command given as its arguments.
type wrapper struct {
	values   string   // short options that take the next word as a value
	longs    []string // long options that do
	assigns  bool     // NAME=VALUE words may come first
	operands int      // words that come before the command
	queries  string   // short options with which nothing is run
}

var wrappers = map[string]wrapper{
	"builtin":  {},
	"busybox":  {},
	"chroot":   {operands: 1},
	"command":  {queries: "vV"},
	"doas":     {values: "Cu"},
	"env":      {values: "uCa", longs: []string{"--unset", "--chdir", "--argv0"}, assigns: true},
	"exec":     {values: "a"},
	"flock":    {values: "wE", longs: []string{"--timeout", "--wait", "--conflict-exit-code"}, operands: 1},
	"ionice":   {values: "cnpPu", longs: []string{"--class", "--classdata"}},
	"nice":     {values: "n", longs: []string{"--adjustment"}},
	"nohup":    {},
	"setsid":   {},
	"stdbuf":   {values: "ioe", longs: []string{"--input", "--output", "--error"}},
	"sudo":     {values: "CDRTUghprtu", longs: []string{"--user", "--group", "--host", "--prompt", "--chdir", "--chroot"}, assigns: true},
	"time":     {values: "fo", longs: []string{"--format", "--output"}},
	"timeout":  {values: "ks", longs: []string{"--kill-after", "--signal"}, operands: 1},
	"unbuffer": {},
	"xargs": {values: "aEILPdns", longs: []string{
		"--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var",
	}},
}

var shells = []string{"ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"}

// nested walks what a command runs in its turn. The function stdin gives what
// the command reads, if the script holds it.
func (w *walker) nested(words []Word, stdin func() (Word, bool)) {
	name := Command{Words: words}.Name()
	switch {
	case slices.Contains(shells, name):
		script, kind := shellScript(words)
		if kind == fromStdin {
			script, _ = stdin()
		}
		if kind == fromStdin || kind == fromArgument {
			w.script(script.Text, name, true)
		}
	case name == "eval":
		w.script(join(words[1:]), name, false)
	case name == "trap":
		if len(words) > 2 && !strings.HasPrefix(words[1].Text, "-") {
			w.script(words[1].Text, name, false)
		}
	case name == "watch":
		_, rest := skipOptions(words[1:], wrapper{values: "n", longs: []string{"--interval"}})
		w.script(join(rest), name, true)
	case name == "su":
		for i, x := range words {
			if (x.Text == "-c" || x.Text == "--command") && i+1 < len(words) {
				w.script(words[i+1].Text, name, true)
			}
		}
	case name == "find":
		for _, inner := range findCommands(words) {
			w.run(inner, name)
		}
	default:
		if wrap, ok := wrappers[name]; ok {
			if inner := wrap.inner(name, words); len(inner) > 0 {
				w.run(inner, name)
			}
		}
	}
}

// run notes a command that another one runs.
func (w *walker) run(words []Word, by string) {
	if w.inner >= maxInner {
		w.err = errTooLarge
		return
	}
	defer func(was string, inner int) { w.by, w.inner = was, inner }(w.by, w.inner)
	w.by, w.inner = by, w.inner+1
	w.emit(Command{Words: words})
	w.nested(words, func() (Word, bool) { return Word{}, false })
}

func join(words []Word) string {
	var texts []string
	for _, x := range words {
		texts = append(texts, x.Text)
	}
	return strings.Join(texts, " ")
}

// inner is the command that a wrapper runs; none if it only tells something.
func (wrap wrapper) inner(name string, words []Word) []Word {
	options, rest := skipOptions(words[1:], wrap)
	for _, o := range options {
		if len(o.Text) > 1 && o.Text[1] != '-' && strings.ContainsAny(o.Text, wrap.queries) {
			return nil
		}
	}
	if wrap.assigns {
		for len(rest) > 0 && assignment(rest[0].Text) {
			rest = rest[1:]
		}
	}
	if len(rest) <= wrap.operands {
		return nil
	}
	rest = rest[wrap.operands:]
	switch name {
	case "xargs":
		return xargsCommand(options, rest)
	case "flock":
		if rest[0].Text == "-c" && len(rest) > 1 {
			return []Word{{Text: "sh", Known: true}, rest[0], rest[1]}
		}
	}
	return rest
}

// skipOptions divides words into leading options, with their values, and what
// comes after them.
func skipOptions(words []Word, wrap wrapper) (options, rest []Word) {
	i := 0
	for i < len(words) {
		t := words[i].Text
		if !strings.HasPrefix(t, "-") {
			break
		}
		i++
		if t == "--" {
			return words[:i-1], words[i:]
		}
		if takesValue(t, wrap) && i < len(words) {
			i++
		}
	}
	return words[:i], words[i:]
}

// takesValue reports whether an option takes the next word as its value.
func takesValue(option string, wrap wrapper) bool {
	if strings.HasPrefix(option, "--") {
		// They can be abbreviated.
		return slices.ContainsFunc(wrap.longs, func(l string) bool { return strings.HasPrefix(l, option) })
	}
	for i, c := range option[1:] {
		if strings.ContainsRune(wrap.values, c) {
			return i == len(option)-2 // else the rest of the word is the value
		}
	}
	return false
}

// assignment reports whether a word has the form NAME=VALUE.
func assignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return false
	}
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// xargsCommand is the command of xargs with what it adds: its input in place of
// a mark, or behind the arguments.
func xargsCommand(options, words []Word) []Word {
	mark := ""
	for i, o := range options {
		switch {
		case o.Text == "-I" && i+1 < len(options):
			mark = options[i+1].Text
		case o.Text == "-i" || o.Text == "--replace":
			mark = "{}"
		case strings.HasPrefix(o.Text, "-I"), strings.HasPrefix(o.Text, "-i"):
			mark = o.Text[2:]
		case strings.HasPrefix(o.Text, "--replace="):
			mark = strings.TrimPrefix(o.Text, "--replace=")
		}
	}
	if mark == "" {
		return append(slices.Clone(words), Word{})
	}
	return placeholders(words, mark)
}

func placeholders(words []Word, mark string) []Word {
	out := slices.Clone(words)
	for i := range out {
		if strings.Contains(out[i].Text, mark) {
			out[i].Known = false
		}
	}
	return out
}

// findCommands are the commands that find runs.
func findCommands(words []Word) [][]Word {
	var all [][]Word
	for i := 1; i < len(words); i++ {
		switch words[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(words) && words[end].Text != ";" && (words[end].Text != "+" || words[end-1].Text != "{}") {
				end++
			}
			if end > i+1 {
				all = append(all, placeholders(words[i+1:end], "{}"))
			}
			i = end
		}
	}
	return all
}

// A source says where a shell has its script from.
type source int

const (
	fromArgument source = iota // bash -c SCRIPT
	fromFile                   // bash FILE
	fromStdin                  // bash
	fromNowhere                // bash --version
)

// shellScript finds the script of a shell in its arguments.
func shellScript(words []Word) (Word, source) {
	command := false
	for i := 1; i < len(words); i++ {
		t := words[i].Text
		switch {
		case t == "--" || t == "-":
			return operand(words[i+1:], command)
		case t == "--rcfile" || t == "--init-file":
			i++
		case t == "--version" || t == "--help":
			return Word{}, fromNowhere
		case strings.HasPrefix(t, "--"):
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			if strings.ContainsRune(t, 'c') {
				command = true
			}
			i += strings.Count(t, "o") + strings.Count(t, "O")
			if strings.ContainsRune(t, 's') {
				return Word{}, fromStdin
			}
		default:
			return operand(words[i:], command)
		}
	}
	return operand(nil, command)
}

func operand(words []Word, command bool) (Word, source) {
	switch {
	case len(words) > 0 && command:
		return words[0], fromArgument
	case len(words) > 0:
		return words[0], fromFile
	case command:
		return Word{}, fromNowhere
	}
	return Word{}, fromStdin
}
