package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/afero"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
	"github.com/deeds-evals/deeds/internal/tools"
)

// A Box is a world for one attempt. Its methods may be called at the same time.
type Box struct {
	spec     contain.Spec
	config   string  // of git, in the home directory
	fs       *rootFs // the workspace
	home     *rootFs
	temp     *rootFs
	canaries []canary
	claim    *os.File // nil where there are no claims

	reading sync.Mutex
	kept    map[*rootFs]map[string]bool // whether a snapshot keeps the content, by name

	mu     sync.Mutex
	holder holder // starts at the first command
	closed bool
}

var _ tools.Shell = (*Box)(nil)

// errClosed is what a box says after Close.
var errClosed = errors.New("the box is closed")

// New makes a box and fills its workspace.
func New(c Config) (*Box, error) {
	if err := c.Containment.check(); err != nil {
		return nil, err
	}
	level, err := Available(c.Containment)
	if err != nil {
		return nil, err
	}
	return newBox(c, contain.Level(level))
}

// newBox makes a box of a given level.
func newBox(c Config, level contain.Level) (_ *Box, err error) {
	if c.Loopback && level != contain.Namespaces && level != contain.Mounts {
		return nil, fmt.Errorf("a loopback network of its own needs namespaces, and the level here is %s", level)
	}
	parent := c.Parent
	if parent == "" {
		parent = place()
	}
	if parent, err = filepath.Abs(parent); err == nil {
		parent, err = filepath.EvalSymlinks(parent)
	}
	if err != nil {
		return nil, fmt.Errorf("finding a place for the box: %w", err)
	}
	name := c.Name
	if name == nil {
		name = randomName
	}
	uid := ordinaryUser(level)
	if uid != 0 && level == contain.Landlock && !isOpen(parent) {
		return nil, fmt.Errorf("commands run as an ordinary user, who cannot get to %s", parent)
	}
	clean(parent)
	world, err := makeWorld(parent, name)
	if err != nil {
		return nil, err
	}
	b := &Box{spec: contain.Spec{
		Level: level,
		World: world,
		Work:  filepath.Join(world, "project"),
		Home:  filepath.Join(world, "home"),
		Temp:  filepath.Join(world, "tmp"),
		Root:  filepath.Join(world, "root"),
		UID:   uid,
		Shell: bash(),
		Limits: contain.Limits{
			Processes: 768,
			FileSize:  1 << 30,
			Files:     4096,
		},
		Loopback: c.Loopback,
	}}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	b.spec.Visible, b.spec.Hidden = visible(c.Visible)
	b.spec.Env = environment(b.spec)
	b.config = gitConfigFor(b.spec.Work, c.Files)
	if b.claim, err = claim(world); err != nil {
		return nil, fmt.Errorf("claiming the box: %w", err)
	}
	if err := b.furnish(); err != nil {
		return nil, fmt.Errorf("furnishing the box: %w", err)
	}
	var links []string
	if c.Files != nil {
		if links, err = fill(b.spec.Work, c.Files, b.spec.UID); err != nil {
			return nil, fmt.Errorf("filling the workspace: %w", err)
		}
	}
	for dir, f := range map[string]**rootFs{b.spec.Work: &b.fs, b.spec.Home: &b.home, b.spec.Temp: &b.temp} {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("opening the directories of the box: %w", err)
		}
		*f = &rootFs{root: root, dir: dir, uid: b.spec.UID}
	}
	if err := checkLinks(b.fs, links); err != nil {
		return nil, fmt.Errorf("filling the workspace: %w", err)
	}
	if b.canaries, err = placeCanaries(b.spec); err != nil {
		return nil, fmt.Errorf("furnishing the box: %w", err)
	}
	return b, nil
}

// worldPrefix begins the name of every box's directory.
const worldPrefix = "w-"

// makeWorld makes the directory that everything of a box lies in.
func makeWorld(parent string, name func() string) (string, error) {
	for range 100 {
		world := filepath.Join(parent, worldPrefix+name())
		err := os.Mkdir(world, 0o700)
		if err == nil {
			return world, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("making a place for the box: %w", err)
		}
	}
	return "", fmt.Errorf("making a place for the box: every name that was drawn is taken in %s", parent)
}

// isOpen reports whether everybody can get to a directory.
func isOpen(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode()&1 == 0 {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// furnish makes the directories of the box and what lies in its home.
func (b *Box) furnish() error {
	s := b.spec
	for dir, mode := range map[string]fs.FileMode{
		s.Work: 0o755,
		s.Home: 0o755,
		s.Temp: 0o777 | fs.ModeSticky,
		s.Root: 0o755,
	} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		if err := os.Chmod(dir, mode); err != nil {
			return err
		}
	}
	config := filepath.Join(s.Home, ".gitconfig")
	if err := os.WriteFile(config, []byte(b.config), 0o644); err != nil {
		return err
	}
	if s.UID != 0 {
		for _, path := range []string{s.Work, s.Home, s.Temp, config} {
			if err := give(path, s.UID); err != nil {
				return err
			}
		}
	}
	return lend(s.World, s.UID)
}

// lend lets a user look into a directory that stays the caller's.
func lend(dir string, uid int) error {
	if uid == 0 {
		return nil
	}
	if err := os.Lchown(dir, -1, uid); err != nil {
		return err
	}
	return os.Chmod(dir, 0o750)
}

// Dir is the absolute path of the workspace.
func (b *Box) Dir() string { return b.spec.Work }

// Home is the absolute path of the home directory, beside the workspace.
func (b *Box) Home() string { return b.spec.Home }

// Env is the environment of commands, for programs other than bash that are to run
// as if in the box.
func (b *Box) Env() []string { return append([]string(nil), b.spec.Env...) }

// Fs is the workspace. Paths are relative to it, or absolute and in it. It never
// leaves the workspace, and its errors name no path outside.
func (b *Box) Fs() afero.Fs { return b.fs }

// HomeFs is the home directory, like [Box.Fs].
func (b *Box) HomeFs() afero.Fs { return b.home }

// Scratch is the absolute path of the scratch directory, beside the workspace. It is
// where commands put temporary files: TMPDIR. File tools and commands have it under
// this path at every level.
func (b *Box) Scratch() string { return b.spec.Temp }

// ScratchFs is the scratch directory, like [Box.Fs].
func (b *Box) ScratchFs() afero.Fs { return b.temp }

// Level is what holds commands in; the package comment lists the levels.
func (b *Box) Level() string { return string(b.spec.Level) }

// Strict reports whether the level is strict.
func (b *Box) Strict() bool { return b.spec.Level == contain.Namespaces }

// Start begins bash -c script in the workspace and returns at once. Output goes to
// output until the command's Wait returns. The end of ctx ends the command and all
// that descends from it.
func (b *Box) Start(ctx context.Context, script string, output io.Writer) (tools.Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h, err := b.hold()
	if err != nil {
		return nil, err
	}
	return start(ctx, h, script, output)
}

// hold returns what starts commands, and starts that first if need be.
func (b *Box) hold() (holder, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errClosed
	}
	if b.holder != nil {
		select {
		case <-b.holder.Gone():
			_ = b.holder.Close()
			b.holder = nil
		default:
			return b.holder, nil
		}
	}
	h, err := newHolder(b.spec)
	if err != nil {
		return nil, fmt.Errorf("containing commands: %w", err)
	}
	b.holder = h
	return h, nil
}

// Close ends every process of the box and removes everything in it.
func (b *Box) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	var err error
	if b.holder != nil {
		err = b.holder.Close()
	}
	for _, f := range []*rootFs{b.fs, b.home, b.temp} {
		if f != nil {
			err = errors.Join(err, f.root.Close())
		}
	}
	if e := removeAll(b.spec.World); e != nil {
		err = errors.Join(err, fmt.Errorf("removing the box: %w", e))
	}
	if b.claim != nil {
		err = errors.Join(err, b.claim.Close())
	}
	return err
}
