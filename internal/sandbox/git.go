package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// gitTime is how long a question to git may take, and gitOutput how much it may
// answer. They are far more than a workspace needs: objects can be made up that
// unpack to gigabytes.
const (
	gitTime   = 30 * time.Second
	gitOutput = 64 << 20
	gitMemory = 2 << 30
)

// repository tells what is in a .git, in words that do not depend on how git stores
// it: the head, the refs, the index, and the commits with their trees and messages.
// It reports false where that cannot be told, because it is no repository or there
// is no git.
//
// Nothing in the repository is obeyed: git is run with a directory of our own, into
// which only the head, the refs and the index are copied, and which borrows the
// objects. Configuration, hooks and attributes stay behind.
func repository(parent *os.Root, name string) (text string, ok bool) {
	git, err := exec.LookPath("git")
	if err != nil {
		return "", false
	}
	dir, err := parent.OpenRoot(name)
	if err != nil {
		return "", false
	}
	defer dir.Close()
	head, err := readSmall(dir, "HEAD")
	if err != nil {
		return "", false
	}
	for _, sub := range []string{"objects", "refs"} {
		if info, err := dir.Lstat(sub); err != nil || !info.IsDir() {
			return "", false
		}
	}
	if !plainObjects(dir) {
		return "", false
	}
	refs, err := references(dir)
	if err != nil {
		return "", false
	}
	temp, err := os.MkdirTemp("", "r-")
	if err != nil {
		return "", false
	}
	defer os.RemoveAll(temp)
	g := &gitDir{git: git, dir: temp, objects: filepath.Join(dir.Name(), "objects")}
	if err := g.prepare(dir, refs); err != nil {
		return "", false
	}
	index, err := g.ask("", "ls-files", "-z", "--stage")
	if err != nil {
		return "", false
	}
	commits, err := g.commits(head, refs)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "HEAD %s\n", head)
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		fmt.Fprintf(&b, "ref %s %s\n", refs[name], name)
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(index, "\x00"), "\x00") {
		if entry != "" {
			fmt.Fprintf(&b, "index %s\n", entry)
		}
	}
	b.WriteString(commits)
	return b.String(), true
}

// plainObjects reports whether the objects of a repository are files in directories,
// and all its own: git would wait at a named pipe for as long as one lets it, and
// follow a link or a list of alternates to anywhere.
func plainObjects(dir *os.Root) bool {
	objects, err := dir.OpenRoot("objects")
	if err != nil {
		return false
	}
	defer objects.Close()
	errOther := errors.New("something else")
	err = walkRoot(objects, "", 0, func(name string, info fs.FileInfo, _ *os.Root, _ string) error {
		if !info.IsDir() && !info.Mode().IsRegular() || name == "info/alternates" {
			return errOther
		}
		return nil
	})
	return err == nil
}

// A gitDir is a git directory of our own that borrows the objects of another.
type gitDir struct {
	git, dir, objects string
}

// prepare copies what may be trusted: facts, no instructions.
func (g *gitDir) prepare(from *os.Root, refs map[string]string) error {
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	for _, hash := range refs {
		if len(hash) == 64 {
			config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
		}
	}
	files := map[string]string{"HEAD": "ref: refs/heads/none\n", "config": config}
	if data, err := readAll(from, "index"); err == nil {
		files["index"] = data
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, dir := range []string{"refs", "objects"} {
		if err := os.Mkdir(filepath.Join(g.dir, dir), 0o700); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// ask runs git and returns what it says.
func (g *gitDir) ask(input string, args ...string) (string, error) {
	cmd := exec.Command(g.git, args...)
	cmd.Dir = g.dir
	cmd.Env = []string{
		"GIT_DIR=" + g.dir,
		"GIT_OBJECT_DIRECTORY=" + g.objects,
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_NO_LAZY_FETCH=1",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_TERMINAL_PROMPT=0",
		"HOME=" + g.dir,
		"PATH=" + os.Getenv("PATH"),
		"LC_ALL=C",
	}
	out := &limitedBuffer{room: gitOutput}
	cmd.Stdin, cmd.Stdout, cmd.WaitDelay = strings.NewReader(input), out, time.Second
	if err := cmd.Start(); err != nil {
		return "", err
	}
	limitMemory(cmd.Process.Pid, gitMemory)
	alarm := time.AfterFunc(gitTime, func() { _ = cmd.Process.Kill() })
	defer alarm.Stop()
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.String(), nil
}

// A limitedBuffer takes so much and no more.
type limitedBuffer struct {
	bytes.Buffer
	room int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.room -= len(p); b.room < 0 {
		return 0, errors.New("the answer is too long")
	}
	return b.Buffer.Write(p)
}

// commits lists the commits that the head and the refs lead to.
func (g *gitDir) commits(head string, refs map[string]string) (string, error) {
	var tips []string
	for _, hash := range refs {
		tips = append(tips, hash)
	}
	if isHash(head) {
		tips = append(tips, head)
	}
	if len(tips) == 0 {
		return "", nil
	}
	slices.Sort(tips)
	return g.ask(strings.Join(slices.Compact(tips), "\n")+"\n", "rev-list", "--stdin", "--ignore-missing", "--topo-order", "--format=%H %T %P%n%an <%ae>%n%B")
}

var hashPattern = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

func isHash(s string) bool { return hashPattern.MatchString(s) }

// references reads all refs, loose over packed. A symbolic ref keeps its words.
func references(dir *os.Root) (map[string]string, error) {
	refs := make(map[string]string)
	if packed, err := readAll(dir, "packed-refs"); err == nil {
		for line := range strings.Lines(packed) {
			hash, name, ok := strings.Cut(strings.TrimSpace(line), " ")
			if ok && isHash(hash) {
				refs[name] = hash
			}
		}
	}
	sub, err := dir.OpenRoot("refs")
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	err = walkRoot(sub, "refs", 0, func(name string, info fs.FileInfo, at *os.Root, base string) error {
		if !info.Mode().IsRegular() {
			return nil
		}
		text, err := readSmall(at, base)
		if err != nil {
			return err
		}
		refs[name] = text
		return nil
	})
	return refs, err
}

// readSmall reads a file of one line.
func readSmall(dir *os.Root, name string) (string, error) {
	text, err := readAll(dir, name)
	if err != nil {
		return "", err
	}
	if len(text) > 4096 {
		return "", fmt.Errorf("%s is too long", name)
	}
	return strings.TrimSpace(text), nil
}

// readAll reads a regular file.
func readAll(dir *os.Root, name string) (string, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(err, fmt.Errorf("%s is no file", name))
	}
	b, err := io.ReadAll(io.LimitReader(f, 64<<20))
	return string(b), err
}
