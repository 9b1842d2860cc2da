package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

var hashPattern = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

func isHash(s string) bool { return hashPattern.MatchString(s) }

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
