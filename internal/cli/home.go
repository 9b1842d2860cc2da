package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// modulePath is the path of Deeds as a module.
const modulePath = "github.com/deeds-evals/deeds"

// A home is the module that a suite is begun in.
type home struct {
	dir    string // of its go.mod
	module string // its path
	exists bool   // and has a go.mod
	has    bool   // and requires Deeds already
	top    string // of its repository, or dir
	// source is the folder of Deeds, "" if it is not known; version is that of a release.
	source, version string
	name            string // of the package of the first case
	notes           []string
}

// homeOf finds the module, or says where it is to be.
func (c *Config) homeOf(ctx context.Context, f founding) (*home, error) {
	h := &home{dir: c.Dir}
	if f.dir != "" {
		h.dir = c.abs(f.dir)
	}
	if info, err := os.Stat(h.dir); err == nil && !info.IsDir() {
		return nil, misuse(h.dir+" is no folder", "name one that is, or that need not exist yet")
	}
	for dir := h.dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			h.dir, h.exists = dir, true
			break
		}
		if f.dir != "" || dir == filepath.Dir(dir) {
			break // a folder that was named is to be the module
		}
	}
	h.top = repositoryOf(h.dir)
	if h.exists {
		m, err := c.goMod(ctx, h.dir)
		if err != nil {
			return nil, err
		}
		if h.module = m.Module.Path; h.module == modulePath {
			return nil, misuse("this is the module of Deeds itself", "`go doc ./evals` says how a case is added to its suite; name another folder: deeds init DIR")
		}
		if f.path != "" && f.path != h.module {
			return nil, misuse(fmt.Sprintf("--module=%s, and the module in %s is %s", f.path, h.dir, h.module), "leave --module out")
		}
		for _, r := range m.Require {
			h.has = h.has || r.Path == modulePath
			if r.Path == modulePath && r.Version != unpublished {
				h.version = r.Version
			}
		}
		for _, r := range m.Replace {
			if r.Old.Path == modulePath {
				h.version = "" // whatever it is, CI has not got it
			}
		}
	} else if h.module = f.path; h.module == "" {
		h.module = "example.com/" + plainName(filepath.Base(h.dir))
	} else if h.module == modulePath {
		return nil, misuse("--module="+modulePath+" is the path of Deeds itself", "a module that requires it has another path: --module example.com/NAME")
	}
	if !h.has || f.deeds != "" {
		if err := h.findDeeds(c, f); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// unpublished is the version of a module that is only ever replaced.
const unpublished = "v0.0.0"

// findDeeds finds what go.mod is to name: a release, or a folder.
func (h *home) findDeeds(c *Config, f founding) error {
	if f.deeds != "" {
		dir := c.abs(f.deeds)
		if !isDeeds(dir) {
			return misuse(fmt.Sprintf("--deeds=%s is not the folder of Deeds: its go.mod is not that of %s", f.deeds, modulePath), "clone it, and name the clone")
		}
		h.source, h.version = dir, ""
		return nil
	}
	if v := version(); strings.HasPrefix(v, "v") && !strings.Contains(v, "-") && !strings.Contains(v, "+") {
		h.version = v
		return nil
	}
	if dir := builtFrom(); isDeeds(dir) {
		h.source = dir
		return nil
	}
	return misuse("the folder that this command was built from is not there any more, and Deeds is not published yet",
		"name a clone of it: deeds init --deeds ../deeds")
}

// builtFrom is the folder of the source, as the compiler was told of it.
func builtFrom() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

func isDeeds(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	line, _, _ := strings.Cut(string(data), "\n")
	return err == nil && strings.TrimSpace(line) == "module "+modulePath
}

// repositoryOf is the top of the repository that a folder lies in, or the folder.
func repositoryOf(dir string) string { return cmp.Or(above(dir, ".git"), dir) }

// below is the slash path of the module from the top of its repository.
func (h *home) below() string {
	rel, err := filepath.Rel(h.top, h.dir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// plainName makes an element of a module path of a folder's name.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || oddInPath(r) {
			return '-'
		}
		return r
	}, strings.ToLower(name))
	if name = strings.Trim(name, "-._~+"); name == "" {
		return "evals"
	}
	return name
}

// A goMod is what `go mod edit -json` says.
type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct{ Path, Version string }
	Replace []struct {
		Old, New struct{ Path, Version string }
	}
}

func (c *Config) goMod(ctx context.Context, dir string) (goMod, error) {
	var m goMod
	out, err := c.goTool(ctx, dir, "mod", "edit", "-json")
	if err != nil {
		return m, &fault{what: fmt.Sprintf("go.mod in %s cannot be read: %v", dir, err), code: 2, is: err}
	}
	return m, json.Unmarshal(out, &m)
}

// require makes the module one that requires Deeds, and says what became of go.mod.
func (c *Config) require(ctx context.Context, h *home, f founding) (state string, err error) {
	if h.exists && h.has && f.deeds == "" {
		return "unchanged", nil
	}
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		return "", &fault{what: err.Error(), hint: "name a folder that can be made", code: 2, is: err}
	}
	file := filepath.Join(h.dir, "go.mod")
	before, err := os.ReadFile(file)
	state = "changed"
	if err != nil {
		state = "created"
		if _, err := c.goTool(ctx, h.dir, "mod", "init", h.module); err != nil {
			return "", misuse(fmt.Sprintf("no module %s can be made: %v", h.module, err), "give it another path: --module example.com/NAME")
		}
	}
	edit := []string{"mod", "edit", "-require=" + modulePath + "@" + unpublished}
	if h.version != "" {
		edit[2] = "-require=" + modulePath + "@" + h.version
	} else {
		edit = append(edit, "-replace="+modulePath+"="+nearby(h.dir, h.source))
	}
	if _, err := c.goTool(ctx, h.dir, edit...); err != nil {
		if state == "created" {
			_ = os.Remove(file)
		}
		return "", &fault{what: fmt.Sprintf("go.mod cannot be changed: %v", err), hint: "nothing else was", code: 1, is: err}
	}
	if after, err := os.ReadFile(file); err == nil && bytes.Equal(before, after) {
		state = "unchanged"
	}
	return state, nil
}

// nearby is how go.mod names a folder: from its own, if that is near.
func nearby(from, to string) string {
	rel, err := filepath.Rel(from, to)
	if err != nil || strings.HasPrefix(filepath.ToSlash(rel), "../../../") {
		return to
	}
	if rel = filepath.ToSlash(rel); strings.HasPrefix(rel, "../") {
		return rel
	}
	return "./" + rel
}

// tidy completes go.mod and go.sum.
func (c *Config) tidy(ctx context.Context, dir string) error {
	_, err := c.goTool(ctx, dir, "mod", "tidy")
	return err
}

// goTool runs the go command in a folder, and returns what it printed. Its error is
// what it complained of.
func (c *Config) goTool(ctx context.Context, dir string, args ...string) ([]byte, error) {
	tool, err := c.lookGo()
	if err != nil {
		return nil, err
	}
	ctx, stop := c.interruptible(ctx)
	defer stop()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir, cmd.Env = dir, with(c.Environ, "PWD="+dir)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, errors.New("interrupted")
		}
		if text := strings.TrimSpace(errs.String()); text != "" {
			return out.Bytes(), errors.New(text)
		}
		return out.Bytes(), err
	}
	return out.Bytes(), nil
}

// interruptible is a context that ends when the user interrupts the command: signals
// are caught for the sake of go test, and would do nothing else.
func (c *Config) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if c.Interrupts != nil {
		go func() {
			select {
			case <-c.Interrupts:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	return ctx, cancel
}
