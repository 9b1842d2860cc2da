package behavior

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Package flag answers an argument that it cannot read with a list of every flag there
// is, forty lines of it, once for each package. What is wrong stands above them, where
// nobody looks. So the mistake is told in a sentence here, and the list is kept for who
// asks for help. A test binary that has a Usage of its own keeps that.
func init() {
	if !testing.Testing() {
		return
	}
	told := &mistakes{out: os.Stderr, known: definedFlags}
	flag.CommandLine.SetOutput(told)
	all := flag.Usage
	flag.Usage = func() {
		if !told.any {
			all()
		}
	}
}

// mistakes is where package flag writes to. It puts a sentence in the place of the ones
// that package flag has for a flag that it cannot read.
type mistakes struct {
	out   io.Writer
	known func() []string
	any   bool // one was told
}

var (
	undefinedFlag = regexp.MustCompile(`^flag provided but not defined: -(.*)\n$`)
	flagAlone     = regexp.MustCompile(`^flag needs an argument: -(.*)\n$`)
	badFlag       = regexp.MustCompile(`^(?:bad flag syntax:|invalid (?:boolean )?value) .*\n$`)
)

func (m *mistakes) Write(p []byte) (int, error) {
	var mistake *usageError
	if found := undefinedFlag.FindSubmatch(p); found != nil {
		name := strings.TrimPrefix(string(found[1]), "test.")
		mistake = &usageError{"there is no flag -" + name, nearestOr(name, m.known(), "`go doc github.com/deeds-evals/deeds/behavior` lists those of Deeds, `go help testflag` those of go test", "-")}
	} else if found := flagAlone.FindSubmatch(p); found != nil {
		mistake = &usageError{fmt.Sprintf("-%s stands without its value", found[1]), fmt.Sprintf("write -%s=%s", found[1], exampleOf(string(found[1])))}
	} else if badFlag.Match(p) {
		mistake = &usageError{strings.ReplaceAll(string(bytes.TrimSpace(p)), "-test.", "-"), "flags are written -name=value"}
	}
	if mistake == nil {
		return m.out.Write(p)
	}
	m.any = true
	if _, err := fmt.Fprintln(m.out, mistake.Error()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// definedFlags lists the flags of this test binary, as they are typed.
func definedFlags() []string {
	var names []string
	flag.VisitAll(func(f *flag.Flag) { names = append(names, strings.TrimPrefix(f.Name, "test.")) })
	return names
}
