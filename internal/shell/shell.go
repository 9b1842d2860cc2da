// Package shell says what a bash script would run, without running it.
//
// It looks at the parsed script, so that neither quotes nor comments nor
// here-documents fool it: echo "rm -rf x" runs echo and nothing else.
package shell

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Script is what a bash script would run.
type Script struct {
	// Commands holds every simple command that may run, in the order of the
	// script: of a pipeline, a list, a subshell, a group, a loop and every branch
	// of a condition; of a command or process substitution, before the command
	// whose words it makes; of a function, at each place that calls it; and of a
	// command that runs another, after that command: bash -c, sh -c, eval, trap,
	// env, sudo, doas, command, builtin, exec, time, nice, ionice, nohup, setsid,
	// stdbuf, timeout, flock, chroot, busybox, unbuffer, xargs, watch, su -c,
	// find -exec and its kin, and a shell that reads a here-document. What a
	// shell reads from a pipe or a file, and what ssh runs elsewhere, is not
	// followed.
	//
	// A loop counts once, and branches are not judged: what is listed may run,
	// and what is not listed does not.
	Commands []Command

	// evaluates is what [evaluates] says of the script.
	evaluates string
}

// A Command is one simple command.
type Command struct {
	// Words are the name and its arguments, after expansion as far as that can
	// be told. A redirection that stands alone or on a group or loop, and an
	// assignment that stands alone, are commands without words.
	Words []Word
	// Redirects are the redirections from and to files. Here-documents and
	// duplications of file descriptors, such as 2>&1, are none.
	Redirects []Redirect
	// Assigns are the assignments that stand before the words, or are made by
	// export, declare, local, readonly and typeset.
	Assigns []Assign
	// Background says that the script does not wait for the command, which was
	// started with & or as a coprocess.
	Background bool
	// By names the command or the function that runs this one, such as "sudo",
	// "xargs" or "bash"; it is empty for what the script itself runs.
	By string
	// Function says that the command is a call of a function of the script.
	Function bool

	surely bool // it is that function, and not perhaps a command of that name
}

// A Word is one word of a command.
type Word struct {
	// Text is the word without its quotes. Expansions that could not be
	// resolved stand in it as they are spelled, such as $HOME/bin or *.go.
	Text string
	// Known says that Text is exactly what the command is given. A word that
	// is not known may also stand for none or several.
	Known bool

	apart bool // it is split into words at other places than blanks
}

// An Access is what a redirection does with its file.
type Access string

// The kinds of access.
const (
	Read   Access = "read"   // <
	Write  Access = "write"  // >, >|, &>, >& and <>
	Append Access = "append" // >> and &>>
)

// A Redirect is a redirection from or to a file.
type Redirect struct {
	Target Word
	Access Access
}

// An Assign is an assignment to a variable.
type Assign struct {
	Name  string
	Value Word
}

// Name is the base name of the command that is run, "" where it has no words or
// the first is not known.
func (c Command) Name() string {
	if len(c.Words) == 0 || !c.Words[0].Known {
		return ""
	}
	return path.Base(c.Words[0].Text)
}

// String shows the command as one line, words apart by spaces, without quotes.
func (c Command) String() string {
	var parts []string
	for _, a := range c.Assigns {
		parts = append(parts, a.Name+"="+a.Value.Text)
	}
	if c.declares() {
		parts = nil // they are among the words
	}
	for _, w := range c.Words {
		parts = append(parts, w.Text)
	}
	for _, r := range c.Redirects {
		op := map[Access]string{Read: "<", Write: ">", Append: ">>"}[r.Access]
		parts = append(parts, op+r.Target.Text)
	}
	return strings.Join(parts, " ")
}

// Limits on what is looked at. Scripts that models write stay far below.
const (
	maxScript   = 128 << 10 // bytes
	maxNesting  = 10000     // brackets in one another
	maxInner    = 8         // scripts within scripts, such as bash -c 'bash -c …'
	maxCommands = 10000
	maxSteps    = 100000 // statements looked at, functions counted at each call
)

var errTooLarge = errors.New("the script is too large to follow")

// Parse reads a script. The error is for one that bash would not parse either,
// or that is too large to follow.
func Parse(script string) (s Script, err error) {
	defer func() {
		// The parser is not ours, and must not end the program on strange input.
		if r := recover(); r != nil {
			s, err = Script{}, fmt.Errorf("the script cannot be parsed: %v", r)
		}
	}()
	file, err := parse(script)
	if err != nil {
		return Script{}, err
	}
	w := newWalker(file)
	if w.stmts(file.Stmts); w.err != nil {
		return Script{}, w.err
	}
	return Script{Commands: w.commands, evaluates: evaluates(file)}, nil
}

func parse(script string) (*syntax.File, error) {
	if len(script) > maxScript || nesting(script) > maxNesting {
		return nil, errTooLarge
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil {
		var lang syntax.LangError
		if errors.As(err, &lang) {
			return nil, fmt.Errorf("this is not bash: %w", err)
		}
		return nil, fmt.Errorf("syntax error: %w", err)
	}
	return file, nil
}

// nesting is how deep the brackets of a script can nest at most: the parser
// descends into each, and a stack that runs out ends the program. Keywords nest
// too, but a script of the size that is looked at has too few of them.
func nesting(script string) int {
	depth, deepest := 0, 0
	for _, c := range []byte(script) {
		switch c {
		case '(', '{', '[':
			depth++
			deepest = max(deepest, depth)
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}
