package expect

import (
	"path"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/shell"
)

// Command is a successful bash call that runs a program with these words. The
// command line is parsed, through pipes, lists, subshells and bash -c, so that
// neither a quoted text nor a here-document is mistaken for a command. The
// first word is the base name of the program; the others are among its
// arguments, in this order, with others before, between and after. A word and an
// argument that name one file are equal. Git's first word is its subcommand:
// what follows git's own options.
//
// A word that only the shell could resolve matches nothing. In [No] and
// [Event.AtMost], a program that is such a word cannot be ruled out, and fails.
func Command(words ...string) Event {
	words = slices.Clone(words)
	said := strings.Join(words, " ")
	noun := "run of " + plain(said)
	if len(words) == 0 {
		noun = "run of any command"
	}
	e := Event{
		where: here(), article: "a", noun: noun, label: "run " + short(said),
		kind: behavior.KindCall, tools: []string{"bash"},
		what: func(t *trace, i int) answer { return answers(t.Timeline[i].Call.Tool == "bash") },
	}
	// The program stands in a clause of its own, so that the nearest miss is one
	// that ran the program with other words.
	if len(words) > 1 {
		e = e.with(running(words[:1]))
	}
	return e.with(running(words))
}

// running narrows a pattern to command lines that run those words.
func running(words []string) clause {
	test := func(t *trace, c *behavior.Call) answer {
		p := t.parse(c.Arg("command"))
		best := no
		if !p.ok {
			best = maybe
		}
		for _, cmd := range p.commands {
			best = max(best, t.runs(cmd, words))
		}
		return best
	}
	return clause{test: onCall(test), seen: ofCall(func(t *trace, c *behavior.Call) string {
		if test(t, c) == maybe {
			return "runs what is not spelled out: " + show(c.Arg("command"))
		}
		return "runs " + show(c.Arg("command"))
	})}
}

// runs says whether the command runs a program with those words.
func (t *trace) runs(cmd shell.Command, words []string) answer {
	if len(cmd.Words) == 0 || cmd.Function {
		return no
	}
	if len(words) == 0 {
		return yes
	}
	program, args := path.Base(t.expand(words[0])), cmd.Words[1:]
	if first := cmd.Words[0]; !first.Known {
		// The base name may be spelled out all the same, as in "$BIN/check".
		if base := path.Base(first.Text); !strings.ContainsAny(base, "$`*?[{~") && strings.Contains(first.Text, "/") && base != program {
			return no
		}
		return maybe
	}
	if cmd.Name() != program {
		return no
	}
	words = words[1:]
	if program == "git" && len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		args = afterGitOptions(args)
		switch {
		case len(args) == 0:
			return no
		case !args[0].Known:
			return maybe
		case args[0].Text != t.expand(words[0]):
			return no
		}
		words, args = words[1:], args[1:]
	}
	for _, w := range words {
		w = t.expand(w)
		k := slices.IndexFunc(args, func(a shell.Word) bool {
			return a.Known && (a.Text == w || strings.Contains(a.Text, "/") && t.same(a.Text, w))
		})
		if k < 0 {
			return no
		}
		args = args[k+1:]
	}
	return yes
}

// afterGitOptions leaves out the options that stand before git's subcommand.
func afterGitOptions(args []shell.Word) []shell.Word {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix":
			args = args[1:]
		}
		if len(args) > 0 {
			args = args[1:]
		}
	}
	return args
}

// parsed is a command line and whether it was understood.
type parsed struct {
	commands []shell.Command
	ok       bool
}

// parse reads a command line, once for each check.
func (t *trace) parse(line string) parsed {
	p, ok := t.scripts[line]
	if !ok {
		script, err := shell.Parse(line)
		p = parsed{script.Commands, err == nil}
		if t.scripts == nil {
			t.scripts = make(map[string]parsed)
		}
		t.scripts[line] = p
	}
	return p
}

// named reports whether a word or a redirection of the command line names the
// file, seen from the workspace or from a folder that it went to before.
func (t *trace) named(line, file string) bool {
	dirs := []string{""}
	for _, cmd := range t.parse(line).commands {
		words := cmd.Words
		for _, r := range cmd.Redirects {
			words = append(slices.Clip(words), r.Target)
		}
		for _, w := range words {
			if !w.Known || w.Text == "" {
				continue
			}
			_, value, _ := strings.Cut(w.Text, "=") // --in=file, if=file
			for _, dir := range dirs {
				if t.at(dir, w.Text, file) || t.at(dir, value, file) {
					return true
				}
			}
		}
		if cmd.Name() == "cd" && len(cmd.Words) > 1 && cmd.Words[1].Known {
			dir := cmd.Words[1].Text
			if !path.IsAbs(dir) {
				dir = path.Join(dirs[len(dirs)-1], dir)
			}
			dirs = append(dirs, dir)
		}
	}
	return false
}

// at reports whether text, seen from dir, names the file.
func (t *trace) at(dir, text, file string) bool {
	if text == "" {
		return false
	}
	if dir != "" && !path.IsAbs(text) {
		text = path.Join(dir, text)
	}
	return t.same(text, file)
}
