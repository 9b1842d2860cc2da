package shell

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Allowed tells a model what [ReadOnly] lets pass.
const Allowed = "ls, cat, head, tail, wc, grep, rg, find, stat, file, du, sort, uniq, cut, tr, diff, sed -n and their like, " +
	"git status, log, diff, show, branch, blame and other git commands that only show, " +
	"joined by pipes, && and ; and without redirection into files."

// ReadOnly reports whether a script only inspects: whether every command that it
// would run is on a list of commands that read and print, with no option that
// writes, and nothing is redirected into a file. If not, the reason says what is
// in the way, and what is allowed instead.
//
// It keeps an honest agent from acting by mistake, and errs on the side of no.
// What contains a hostile one is the sandbox: text that arithmetic finds in a file
// and evaluates, a file named like an option that a pattern finds, and what the
// configuration of a repository makes git run are not seen here.
func ReadOnly(script string) (bool, string) {
	s, err := Parse(script)
	if err != nil {
		return false, err.Error()
	}
	if s.evaluates != "" {
		return false, s.evaluates + ". Allowed are: " + Allowed
	}
	for _, c := range s.Commands {
		if err := inspects(c); err != nil {
			return false, err.Error() + ". Allowed are: " + Allowed
		}
	}
	return true, ""
}

// inspects says why a command is more than inspection.
func inspects(c Command) error {
	for _, r := range c.Redirects {
		if r.Access != Read && !(r.Target.Known && slices.Contains(sinks, r.Target.Text)) {
			return fmt.Errorf("it would write to %s", r.Target.Text)
		}
	}
	for _, a := range c.Assigns {
		if telling(a.Name) && !harmless(a) {
			return fmt.Errorf("setting %s may change what runs", a.Name)
		}
	}
	switch {
	case c.Background:
		return errors.New("it would run in the background")
	case len(c.Words) == 0 || c.Function && c.surely:
		return nil
	case !c.Words[0].Known:
		return fmt.Errorf("what %s runs is not known beforehand", c.Words[0].Text)
	}
	name, args := c.Words[0].Text, c.Words[1:]
	if dir, base := path.Split(name); dir != "" {
		if !slices.Contains(systemDirs, path.Clean(dir)) {
			return fmt.Errorf("%s is a program of its own", name)
		}
		name = base
	}
	rule, ok := inspectors[name]
	switch {
	case !ok && len(args) == 1 && args[0].Known && args[0].Text == "--version":
		return nil
	case !ok && name == "awk":
		return errors.New("awk can write files and run programs; use grep, cut or sed -n")
	case !ok:
		return fmt.Errorf("%s is not on the list of commands that only inspect", name)
	case rule == nil:
		return nil
	}
	if why := rule(args); why != "" {
		return fmt.Errorf("%s: %s", name, why)
	}
	return nil
}

// sinks can be written to without writing a file.
var sinks = []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"}

var systemDirs = []string{"/bin", "/usr/bin", "/usr/local/bin"}

// telling reports whether programs take what to run from the variable.
func telling(name string) bool {
	switch name {
	case "PATH", "ENV", "IFS", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "SHELL", "PS4", "PROMPT_COMMAND", "HOME", "CDPATH",
		"GCONV_PATH", "XDG_CONFIG_HOME":
		return true
	}
	for _, prefix := range []string{"LD_", "GIT_", "BASH", "LESS", "PERL", "RIPGREP_", "SHELLOPTS"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// harmless reports whether an assignment is one of the usual ones to a telling
// variable: IFS for read, and a pager that does not wait.
func harmless(a Assign) bool {
	return a.Value.Known && (a.Name == "IFS" || strings.HasSuffix(a.Name, "PAGER") && a.Value.Text == "cat")
}

// A rule says why a command with these arguments would do more than inspect.
type rule func(args []Word) string

// inspectors are the commands that read and print; a nil rule has nothing to say
// against any arguments.
var inspectors = map[string]rule{
	// of bash
	":": nil, "break": nil, "cd": nil, "continue": nil, "echo": nil, "exit": nil, "false": nil, "popd": nil, "pushd": nil,
	"pwd": nil, "return": nil, "shift": nil, "true": nil, "type": nil,
	"[": testRule, "test": testRule, "printf": printfRule, "read": readRule, "set": setRule, "unset": unsetRule,
	"declare": declareRule(false), "local": declareRule(false), "readonly": declareRule(false), "typeset": declareRule(false),
	"export": declareRule(true),

	// of text
	"b2sum": nil, "base64": nil, "cat": nil, "cksum": nil, "cmp": nil, "column": nil, "comm": nil, "cut": nil, "diff": nil,
	"egrep": nil, "expand": nil, "fgrep": nil, "fmt": nil, "fold": nil, "grep": nil, "head": nil, "hexdump": nil, "join": nil,
	"jq": nil, "md5sum": nil, "nl": nil, "od": nil, "paste": nil, "rev": nil, "sha1sum": nil, "sha256sum": nil,
	"sha512sum": nil, "strings": nil, "tac": nil, "tail": nil, "tr": nil, "unexpand": nil, "wc": nil, "zcat": nil,
	"rg":   without("", "--pre", "--hostname-bin"),
	"sed":  sed,
	"sort": sortRule,
	"uniq": uniq,

	// of files
	"basename": nil, "df": nil, "dirname": nil, "du": nil, "ls": nil, "readlink": nil, "realpath": nil, "stat": nil,
	"which": nil,
	"file":  without("C", "--compile"),
	"find":  find,
	"tree":  without("oR", "--output"),

	// of the system
	"arch": nil, "expr": nil, "groups": nil, "id": nil, "nproc": nil, "printenv": nil, "ps": nil, "seq": nil, "sleep": nil,
	"tty": nil, "uname": nil, "uptime": nil, "whoami": nil,
	"date": date,

	"git": git,

	// of other commands, each of which is looked at in its turn
	"builtin": nil, "command": nil, "nice": nil, "ionice": nil, "stdbuf": nil, "timeout": nil, "xargs": nil,
	"env":  env,
	"time": without("o", "--output"),
	"bash": shellRule, "dash": shellRule, "sh": shellRule,
}

// without makes a rule that forbids short options by letter, wherever they stand
// in a cluster, and long ones, however abbreviated.
func without(short string, long ...string) rule {
	return func(args []Word) string {
		for _, a := range args {
			if mayBeOption(a) {
				return unclear(a)
			}
			if a.Text == "--" {
				return ""
			}
			if forbidden(a.Text, short, long) {
				return fmt.Sprintf("%s does more than inspect", a.Text)
			}
		}
		return ""
	}
}

func forbidden(arg, short string, long []string) bool {
	if !strings.HasPrefix(arg, "--") {
		return len(arg) > 1 && arg[0] == '-' && short != "" && strings.ContainsAny(arg[1:], short)
	}
	name, _, _ := strings.Cut(arg, "=")
	for _, l := range long {
		if len(name) > 2 && (strings.HasPrefix(l, name) || strings.HasPrefix(name, l+"-")) {
			return true
		}
	}
	return false
}

// mayBeOption reports whether a word that is not known may turn out to be an
// option. A pattern or a path that begins with a letter does not.
func mayBeOption(w Word) bool {
	return !w.Known && (w.apart || w.Text == "" || strings.IndexByte("$`{<>-", w.Text[0]) >= 0)
}

func unclear(w Word) string {
	if w.Text == "" {
		return "what it is given is not known beforehand"
	}
	return fmt.Sprintf("what %s stands for is not known beforehand; spell it out", w.Text)
}

func find(args []Word) string {
	for _, a := range args {
		if mayBeOption(a) {
			return unclear(a)
		}
		switch a.Text {
		case "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls":
			return a.Text + " does more than inspect"
		}
	}
	return ""
}

// sortRule forbids -o, alone or in a cluster such as -uo; the letters behind an
// option that takes a value are that value.
func sortRule(args []Word) string {
	for _, a := range args {
		if mayBeOption(a) {
			return unclear(a)
		}
		if forbidden(a.Text, "", []string{"--output", "--compress-program"}) {
			return a.Text + " does more than inspect"
		}
		if len(a.Text) < 2 || a.Text[0] != '-' || a.Text[1] == '-' {
			continue
		}
		for _, c := range a.Text[1:] {
			if c == 'o' {
				return a.Text + " writes a file"
			}
			if strings.ContainsRune("ktST", c) {
				break
			}
		}
	}
	return ""
}

// uniq writes to its second operand.
func uniq(args []Word) string {
	operands := 0
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.Known:
			return unclear(a)
		case a.Text == "-f" || a.Text == "-s" || a.Text == "-w":
			i++
		case a.Text == "-" || !strings.HasPrefix(a.Text, "-"):
			operands++
		}
	}
	if operands > 1 {
		return "its second file is written"
	}
	return ""
}

// date sets the clock when told to.
func date(args []Word) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case !a.Known && mayBeOption(a):
			return unclear(a)
		case strings.HasPrefix(a.Text, "+"):
		case a.Text == "-d" || a.Text == "-r" || a.Text == "-f":
			i++
		case !strings.HasPrefix(a.Text, "-"), forbidden(a.Text, "s", []string{"--set"}):
			return "it can set the clock; only a +FORMAT and options that print are allowed"
		}
	}
	return ""
}

// env runs a command, which is looked at itself, with variables that are not.
func env(args []Word) string {
	options, rest := skipOptions(args, wrappers["env"])
	for _, a := range options {
		if mayBeOption(a) {
			return unclear(a)
		}
		if forbidden(a.Text, "S", []string{"--split-string"}) {
			return a.Text + " hides what runs"
		}
	}
	for _, a := range rest {
		name, _, _ := strings.Cut(a.Text, "=")
		switch {
		case mayBeOption(a):
			return unclear(a)
		case !assignment(a.Text):
			return ""
		case telling(name):
			return fmt.Sprintf("setting %s may change what runs", name)
		}
	}
	return ""
}

// shellRule allows a shell only a script that was looked at, and before it only
// options that do not make it read files or run otherwise.
func shellRule(args []Word) string {
	script, kind := shellScript(append([]Word{{Text: "sh", Known: true}}, args...))
	switch {
	case kind == fromNowhere:
		return ""
	case kind != fromArgument:
		return "it may run anything that a file or its input holds"
	case !script.Known:
		return unclear(script)
	}
	for i := 0; i < len(args) && strings.ContainsAny(first(args[i].Text), "-+"); i++ {
		t := args[i].Text
		switch {
		case !args[i].Known:
			return unclear(args[i])
		case t == "--", t == "-":
			i = len(args)
		case t == "--norc", t == "--noprofile":
		case strings.HasPrefix(t, "--"), strings.Trim(t[1:], "ceuxvfno") != "", strings.Count(t, "o") > 1:
			return fmt.Sprintf("%s is not one of -c, -e, -u, -x, -v, -f, -n and -o", t)
		case strings.Contains(t, "o"):
			if i++; i < len(args) && !safeOption(args[i]) {
				return fmt.Sprintf("-o %s may change what runs", args[i].Text)
			}
		}
	}
	inner, err := Parse(script.Text)
	switch {
	case err != nil:
		return err.Error()
	case inner.evaluates != "":
		return inner.evaluates
	}
	return ""
}

// first is the first byte of a string, or nothing.
func first(s string) string { return s[:min(len(s), 1)] }
