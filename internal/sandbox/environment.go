package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// gitConfig is git's configuration in a box: an identity that is nobody's, so that
// a commit works and tells nothing of the host.
const gitConfig = `[user]
	name = dev
	email = dev@localhost
[init]
	defaultBranch = main
[advice]
	detachedHead = false
`

// originPath is where a workspace may bring the remote of its repository along. Its
// configuration can name it by no other path, and git finds that in the main work
// tree alone.
const originPath = ".git/origin.git"

// gitConfigFor is the configuration for a workspace. It lets linked worktrees have
// the remote too.
func gitConfigFor(work string, files fs.FS) string {
	if files == nil {
		return gitConfig
	}
	if info, err := fs.Stat(files, originPath); err != nil || !info.IsDir() {
		return gitConfig
	}
	return gitConfig + fmt.Sprintf("[url %q]\n\tinsteadOf = %s\n", filepath.ToSlash(filepath.Join(work, originPath)), originPath)
}

// environment is the whole environment of commands. Nothing of the host's passes but
// those parts of PATH that commands can see.
func environment(s contain.Spec) []string {
	return []string{
		"PATH=" + searchPath(s),
		"HOME=" + s.Home,
		"TMPDIR=" + s.Temp, // where there is a view of one's own it is /tmp too
		"PWD=" + s.Work,
		"SHELL=" + s.Shell,
		"USER=dev",
		"LOGNAME=dev",
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TERM=dumb",
		"TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
	}
}

// searchPath is the host's PATH without what lies outside of the visible
// directories, and with the usual ones at its end.
func searchPath(s contain.Spec) string {
	usual := []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}
	var dirs []string
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), usual...) {
		if !filepath.IsAbs(dir) || slices.Contains(dirs, dir) {
			continue
		}
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		if s.Level != contain.None && !shows(s, dir) {
			continue
		}
		dirs = append(dirs, dir)
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// shows reports whether commands can see a directory of the host.
func shows(s contain.Spec, dir string) bool {
	within := func(d, root string) bool { return d == root || strings.HasPrefix(d, root+"/") }
	for _, path := range []string{dir, real(dir)} {
		in := func(root string) bool { return within(path, root) }
		if !slices.ContainsFunc(s.Visible, in) || slices.ContainsFunc(s.Hidden, in) {
			return false
		}
	}
	return true
}

// real resolves links where that can be done.
func real(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return filepath.Clean(path)
}

// systemDirs are the directories of programs and what they need to run. No home is
// among them, and nothing that a person works in.
var systemDirs = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt",
	"/nix/store", "/gnu/store", "/run/current-system",
}

// visible lists the directories of the host that commands can see, and those below
// them that they cannot: homes, and the tree that the run itself works in.
func visible(more []string) (shown, hidden []string) {
	for _, dir := range append(slices.Clone(systemDirs), more...) {
		dir = filepath.Clean(dir)
		if _, err := os.Stat(dir); err == nil && filepath.IsAbs(dir) && dir != "/" {
			shown = append(shown, dir)
		}
	}
	var private []string
	if home, err := os.UserHomeDir(); err == nil {
		private = append(private, home)
	}
	if dir, err := os.Getwd(); err == nil {
		private = append(private, moduleRoot(dir))
	}
	for _, dir := range private {
		dir = real(dir)
		// A directory that holds programs is shown all the same: HOME=/ or /usr
		// is what some containers have.
		if !slices.Contains(shown, dir) && slices.ContainsFunc(shown, func(root string) bool { return strings.HasPrefix(dir, root+"/") }) {
			hidden = append(hidden, dir)
		}
	}
	return shown, hidden
}

// moduleRoot is the nearest directory above dir that holds a go.mod, else dir.
func moduleRoot(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			return dir
		}
	}
}

// bash is the absolute path of the shell.
func bash() string {
	for _, path := range []string{"/bin/bash", "/usr/bin/bash"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	if path, err := exec.LookPath("bash"); err == nil {
		return path
	}
	return "/bin/bash"
}
