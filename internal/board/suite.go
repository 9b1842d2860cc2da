package board

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/suite"
	"github.com/deeds-evals/deeds/results"
)

// Today reads the suites that the entries are about, and their judge, from the source
// of the module in a folder. A folder that holds no case, or a file that is no Go, is an
// error: cases would seem to be gone that are only being edited.
func Today(module string, entries []*results.Entry) ([]results.Suite, error) {
	var dirs []string
	for _, e := range entries {
		for _, dir := range e.Dirs() {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) == 0 {
		return nil, nil
	}
	slices.Sort(dirs)
	grader, err := graderOf(module)
	if err != nil {
		return nil, fmt.Errorf("read the grader of today: %w", err)
	}
	var suites []results.Suite
	for _, dir := range dirs {
		s, err := read(module, dir)
		if err != nil {
			return nil, fmt.Errorf("read the suite of today: %w", err)
		}
		s.Grader = grader
		suites = append(suites, s)
	}
	return suites, nil
}

func read(module, dir string) (results.Suite, error) {
	folder := filepath.Join(module, filepath.FromSlash(dir))
	files, err := filepath.Glob(filepath.Join(folder, "*", "*_test.go"))
	if err != nil {
		return results.Suite{}, err
	}
	for _, file := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution); err != nil {
			return results.Suite{}, err
		}
	}
	cases, err := suite.Read(folder)
	if err != nil {
		return results.Suite{}, err
	}
	if len(cases) == 0 {
		return results.Suite{}, fmt.Errorf("there is no case in %s", dir)
	}
	return Suite(dir, "", cases), nil
}

// Suite is a suite as results takes it: the slash path of its folder from the module's,
// its grader, and its cases.
func Suite(dir, grader string, cases []suite.Case) results.Suite {
	s := results.Suite{Dir: dir, Grader: grader}
	for _, c := range cases {
		s.Cases = append(s.Cases, results.SuiteCase{Case: c.ID, File: c.Folder + "/" + c.File, Digest: c.Digest})
	}
	return s
}

// graderOf is the digest of the sources of package behavior that the module builds with.
func graderOf(module string) (string, error) {
	cmd := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/deeds-evals/deeds/behavior")
	cmd.Dir = module
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("go list: %s", strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return "", err
	}
	return suite.Grader(os.DirFS(strings.TrimSpace(string(out))))
}
