package arch

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// home is the home directory of a person, or of root. Those of nobody in
// particular are fine in an example.
var home = regexp.MustCompile(`(?:/home/|/Users/|[A-Z]:\\Users\\)([A-Za-z][\w.-]*)|/root/(?:go|src|work|projects?|\.)[\w./-]*`)

var nobody = []string{"user", "you", "me", "dev", "agent", "runner", "name", "NAME"}

// Machine lists names that belong to this machine: where the module and the
// go command keep their files, and the registries it is set up to ask.
func Machine(dir string) (names []string, err error) {
	cmd := exec.Command("go", "env", "GOMODCACHE", "GOCACHE", "GOPROXY", "GONOSUMDB", "GOSUMDB")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	fields := strings.FieldsFunc(string(out), func(r rune) bool { return strings.ContainsRune("\n,| +", r) })
	for _, field := range append(fields, dir) {
		switch u, err := url.Parse(field); {
		case err == nil && u.Host != "" && !strings.HasSuffix(u.Host, ".golang.org"):
			names = append(names, u.Host)
		// A path of one element, such as /src, is too short to be anyone's.
		case filepath.IsAbs(field) && strings.Count(filepath.Clean(field), string(filepath.Separator)) > 1:
			names = append(names, filepath.Clean(field))
		}
	}
	return names, nil
}

// MachineNames says which files under dir name a machine: one of the given names,
// or somebody's home directory.
func MachineNames(dir string, files, names []string) (violations []string, err error) {
	for _, file := range files {
		info, err := os.Lstat(filepath.Join(dir, file))
		if err != nil || !info.Mode().IsRegular() {
			continue // removed, or a link: git tracks more than lies here
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, err
		}
		for n, line := range bytes.Split(data, []byte("\n")) {
			if name := machineName(string(line), names); name != "" {
				violations = append(violations, fmt.Sprintf("%s:%d names a place of one machine: %s", file, n+1, name))
			}
		}
	}
	return violations, nil
}

func machineName(line string, names []string) string {
	for _, name := range names {
		if strings.Contains(line, name) {
			return name
		}
	}
	for _, match := range home.FindAllStringSubmatch(line, -1) {
		if match[1] == "" || !slices.Contains(nobody, match[1]) {
			return match[0]
		}
	}
	return ""
}

// Tracked lists the files of the repository at dir, by slash path: those that git
// tracks or would track. In a copy without a repository it is every file.
func Tracked(dir string) ([]string, error) {
	cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = dir
	if out, err := cmd.Output(); err == nil {
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
	}
	var files []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		files = append(files, filepath.ToSlash(rel))
		return err
	})
	return files, err
}
