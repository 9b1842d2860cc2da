// Package doctest keeps the documentation honest: it plays the console blocks of
// the Markdown pages and compares what they print with what the page says.
//
// A block is played if it is marked so:
//
//	```console run exit=1 env=DEEDS_REPEAT=3
//	$ go test ./evals/core \
//	>     -run TestKnownPath
//	--- FAIL: TestKnownPath (...)
//	...
//	FAIL
//	```
//
// exit is the status of the last command, the others must end with 0; env sets a
// variable and may come several times. In what a command prints, "..." stands for
// any text within a line, and for any number of lines on a line of its own. Runs
// of blanks count as one. A block without "run" is only parsed.
//
// "endpoint=NAME" in the place of "run" marks a block that needs a model: package
// e2e plays it against a scripted one of that name.
//
// Links must lead to files, and a block that names a file on its fence ("```go
// file=main.go") must stand in that file.
package doctest

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A Block is one console block of a page.
type Block struct {
	File string
	Line int // of the fence
	Run  bool
	Exit int
	Env  []string
	// Endpoint names the scripted model that the block is played against.
	Endpoint string

	Commands []Command
}

// A Command is one command of a block and what it should print.
type Command struct {
	Line int
	Text string
	Want []string
}

// Parse finds the console blocks of a page.
func Parse(file string, page []byte) ([]Block, error) {
	var (
		blocks []Block
		block  *Block
		fence  string // of the code block that is open, whatever its language
	)
	sc := bufio.NewScanner(bytes.NewReader(page))
	for n := 1; sc.Scan(); n++ {
		line := sc.Text()
		info, fenced := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		switch {
		case fenced && fence == "":
			fence = "```"
			words := strings.Fields(info)
			if len(words) == 0 || words[0] != "console" {
				continue
			}
			b, err := attributes(words[1:])
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
			b.File, b.Line = file, n
			blocks = append(blocks, b)
			block = &blocks[len(blocks)-1]
		case fenced:
			fence = ""
			if block != nil && len(block.Commands) == 0 {
				return nil, fmt.Errorf("%s:%d: a console block without a command: a command begins with \"$ \"", file, block.Line)
			}
			block = nil
		case block != nil:
			if err := block.add(n, line); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if fence != "" {
		return nil, fmt.Errorf("%s: a code block is not closed", file)
	}
	return blocks, nil
}

func attributes(words []string) (b Block, err error) {
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "run":
			b.Run = true
		case "endpoint":
			b.Endpoint = value
		case "exit":
			if b.Exit, err = strconv.Atoi(value); err != nil {
				return b, fmt.Errorf("%s is no exit status", word)
			}
		case "env":
			if !strings.Contains(value, "=") {
				return b, fmt.Errorf("%s sets no variable; write env=NAME=VALUE", word)
			}
			b.Env = append(b.Env, value)
		default:
			return b, fmt.Errorf("a console block knows run, endpoint, exit and env, not %s", word)
		}
	}
	return b, nil
}

// add takes one line of the block: a command, its continuation, or output.
func (b *Block) add(n int, line string) error {
	if text, ok := strings.CutPrefix(line, "$ "); ok {
		b.Commands = append(b.Commands, Command{Line: n, Text: text})
		return nil
	}
	if len(b.Commands) == 0 {
		return fmt.Errorf("output without a command: a command begins with \"$ \"")
	}
	c := &b.Commands[len(b.Commands)-1]
	if strings.HasSuffix(c.Text, `\`) && len(c.Want) == 0 {
		c.Text += "\n" + strings.TrimPrefix(line, "> ")
		return nil
	}
	c.Want = append(c.Want, line)
	return nil
}
