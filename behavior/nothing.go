package behavior

import (
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
)

// Nothing passes by not happening. go test is content with a -run that selects no
// test at all; a run against a model is not. No test would say so, as none runs,
// so the question is asked before package testing starts. A pattern that selects
// a case of a sibling package is let through: that package answers for it.
func init() {
	if !testing.Testing() {
		return
	}
	dir, err := os.Getwd()
	if err != nil {
		return
	}
	if what := selectsNothing(os.Args[1:], os.Getenv("DEEDS_MODEL"), dir); what != "" {
		fmt.Fprintln(os.Stderr, what)
		os.Exit(2)
	}
}

// selectsNothing says that the arguments ask to play a model in no case of the
// suite at all, or nothing.
func selectsNothing(args []string, model, dir string) string {
	run := ""
	for i, arg := range args {
		name, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		if !has && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "test.run":
			run = value
		case "model":
			model = value
		}
	}
	if model == "" || run == "" {
		return ""
	}
	suite, err := readSuite(dir)
	if err != nil || len(suite) == 0 {
		return ""
	}
	filter := newTestFilter(run, "")
	for _, c := range suite {
		if filter.selects(path.Clean(c.test)) {
			return ""
		}
	}
	return (&usageError{
		fmt.Sprintf("-run %s selects none of the %d cases of the suite", shellQuote(run), len(suite)),
		"list them with: go test ./evals/... -list .",
	}).Error()
}
