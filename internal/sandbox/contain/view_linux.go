package contain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// devices are the nodes of /dev that a command finds.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// A view is the file system of a box in the making: an empty one on which only what
// may be seen is put.
type view struct {
	root int // its top directory
}

// buildView gives this process a file system of its own and leaves the host's.
func buildView(spec Spec) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := unix.Mount("tmpfs", spec.Root, "tmpfs", unix.MS_NOSUID, "mode=0755,size=4m"); err != nil {
		return fmt.Errorf("mounting an empty root: %w", err)
	}
	root, err := unix.Open(spec.Root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening the empty root: %w", err)
	}
	v := view{root}
	defer unix.Close(root)

	steps := []func(Spec) error{v.temp, v.system, v.users, v.proc, v.dev, v.box, v.empty}
	for _, step := range steps {
		if err := step(spec); err != nil {
			return err
		}
	}
	if err := unix.MountSetattr(root, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("making the root read-only: %w", err)
	}
	if err := unix.Chdir(spec.Root); err != nil {
		return fmt.Errorf("entering the root: %w", err)
	}
	// The old root comes to lie over the new one, and goes.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the host's root: %w", err)
	}
	return unix.Chdir("/")
}

// system shows the host's system directories, read-only.
func (v view) system(spec Spec) error {
	for _, dir := range spec.Visible {
		info, err := os.Lstat(dir)
		if err != nil {
			continue
		}
		if info.Mode()&os.ModeSymlink != 0 {
			if err := v.copyLink(dir); err != nil {
				return err
			}
			continue
		}
		if err := v.bind(dir, dir, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV); err != nil {
			return err
		}
	}
	for _, dir := range spec.Hidden {
		for _, root := range spec.Visible {
			if !strings.HasPrefix(dir, root+"/") {
				continue
			}
			if _, err := os.Lstat(dir); err != nil {
				continue
			}
			if err := unix.Mount("tmpfs", spec.Root+dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_RDONLY, "mode=0755,size=0"); err != nil {
				return fmt.Errorf("hiding %s: %w", dir, err)
			}
		}
	}
	return nil
}

// users replaces the host's lists of users and groups, and its name.
func (v view) users(spec Spec) error {
	uid, gid := spec.UID, spec.UID
	if spec.Mapped {
		uid, gid = os.Getuid(), os.Getgid()
	}
	files := map[string]string{
		"/etc/passwd":   fmt.Sprintf("root:x:0:0:root:/root:/bin/bash\ndev:x:%d:%d::%s:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n", uid, gid, spec.Home),
		"/etc/group":    fmt.Sprintf("root:x:0:\ndev:x:%d:\nnogroup:x:65534:\n", gid),
		"/etc/hostname": "localhost\n",
		"/etc/hosts":    "127.0.0.1 localhost\n::1 localhost\n",
	}
	for path, text := range files {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		// A file of the private root, laid over the host's.
		name := "." + filepath.Base(path)
		fd, err := unix.Openat(v.root, name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_CLOEXEC, 0o644)
		if err != nil {
			// O_PATH descriptors are as good as any other for openat.
			return fmt.Errorf("writing %s: %w", path, err)
		}
		_, err = unix.Write(fd, []byte(text))
		if err := errors.Join(err, unix.Fchmod(fd, 0o644), unix.Close(fd)); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		if err := v.bindOver(spec.Root+"/"+name, spec.Root+path); err != nil {
			return fmt.Errorf("laying over %s: %w", path, err)
		}
		if err := unix.Unlinkat(v.root, name, 0); err != nil {
			return fmt.Errorf("tidying the root: %w", err)
		}
	}
	return nil
}

// proc shows the processes of the box, and no others.
func (v view) proc(spec Spec) error {
	if err := unix.Mkdirat(v.root, "proc", 0o755); err != nil {
		return fmt.Errorf("making /proc: %w", err)
	}
	if err := unix.Mount("proc", spec.Root+"/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("mounting a private /proc: %w", err)
	}
	return nil
}

// dev makes a /dev of harmless nodes.
func (v view) dev(spec Spec) error {
	for _, name := range devices {
		path := "/dev/" + name
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if err := v.bind(path, path, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC); err != nil {
			return err
		}
	}
	dev, err := v.open("/dev")
	if err != nil {
		return err
	}
	defer unix.Close(dev)
	links := map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
	for name, target := range links {
		if err := unix.Symlinkat(target, dev, name); err != nil {
			return fmt.Errorf("making /dev/%s: %w", name, err)
		}
	}
	for _, name := range []string{"shm", "pts"} {
		if err := unix.Mkdirat(dev, name, 0o755); err != nil {
			return fmt.Errorf("making /dev/%s: %w", name, err)
		}
	}
	if err := unix.Mount("tmpfs", spec.Root+"/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=256m"); err != nil {
		return fmt.Errorf("mounting /dev/shm: %w", err)
	}
	// Terminals of the box's own; nothing is lost where the kernel will not.
	if unix.Mount("devpts", spec.Root+"/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620") == nil {
		if err := unix.Symlinkat("pts/ptmx", dev, "ptmx"); err != nil {
			return fmt.Errorf("making /dev/ptmx: %w", err)
		}
	}
	return nil
}

// boxAttrs are the attributes of the mounts that can be written to.
const boxAttrs = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV

// temp shows the box's temporary directory where programs look for one. It comes
// first, because anything else may lie below it.
func (v view) temp(spec Spec) error {
	for _, dir := range []string{"/tmp", "/var/tmp"} {
		if err := v.bind(spec.Temp, dir, boxAttrs); err != nil {
			return err
		}
	}
	return nil
}

// box shows the parts of the box where they are.
func (v view) box(spec Spec) error {
	// The directory of the box holds nothing else here and takes nothing else,
	// though it may lie in one that does.
	fd, err := v.open(spec.World)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Mount("tmpfs", spec.Root+spec.World, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=64k"); err != nil {
		return fmt.Errorf("mounting the directory of the box: %w", err)
	}
	world, err := v.open(spec.World)
	if err != nil {
		return err
	}
	defer unix.Close(world)
	for _, dir := range []string{spec.Temp, spec.Home, spec.Work} {
		if err := v.bind(dir, dir, boxAttrs); err != nil {
			return err
		}
	}
	if err := unix.MountSetattr(world, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("closing the directory of the box: %w", err)
	}
	return nil
}

// empty makes the directories that programs expect to be there.
func (v view) empty(Spec) error {
	for _, dir := range []string{"/run", "/var/lib", "/var/cache", "/home", "/mnt"} {
		fd, err := v.open(dir)
		if err != nil {
			return err
		}
		_ = unix.Close(fd)
	}
	return nil
}

// bind shows a file or directory of the host, with attributes, at a path of the view.
func (v view) bind(from, to string, attrs uint64) error {
	tree, err := unix.OpenTree(unix.AT_FDCWD, from, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return fmt.Errorf("taking %s: %w", from, err)
	}
	defer unix.Close(tree)
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attrs}); err != nil {
		return fmt.Errorf("restricting %s: %w", from, err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(tree, &st); err != nil {
		return fmt.Errorf("looking at %s: %w", from, err)
	}
	open := v.open
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		open = v.openFile
	}
	target, err := open(to)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	if err := unix.MoveMount(tree, "", target, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
		return fmt.Errorf("showing %s: %w", to, err)
	}
	return nil
}

// bindOver lays one file over another, read-only.
func (v view) bindOver(from, to string) error {
	tree, err := unix.OpenTree(unix.AT_FDCWD, from, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	return unix.MoveMount(tree, "", unix.AT_FDCWD, to, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// copyLink makes a symbolic link like one of the host's: /bin where it is usr/bin.
func (v view) copyLink(path string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return err
	}
	dir, err := v.open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	if err := unix.Symlinkat(target, dir, filepath.Base(path)); err != nil && err != unix.EEXIST {
		return fmt.Errorf("linking %s: %w", path, err)
	}
	return nil
}

// open opens a directory of the view, and makes it and its parents if need be. It
// follows no link: what a command left behind in the box must not lead it astray.
func (v view) open(path string) (int, error) {
	at, err := unix.Openat(v.root, ".", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if err != nil {
			break
		}
		if name == "" {
			continue
		}
		if e := unix.Mkdirat(at, name, 0o755); e != nil && e != unix.EEXIST && e != unix.EROFS && e != unix.EACCES {
			err = e
			break
		}
		next, e := unix.Openat(at, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		_ = unix.Close(at)
		at, err = next, e
	}
	if err != nil {
		return -1, fmt.Errorf("making %s: %w", path, err)
	}
	return at, nil
}

// openFile is open for a file.
func (v view) openFile(path string) (int, error) {
	dir, err := v.open(filepath.Dir(path))
	if err != nil {
		return -1, err
	}
	defer unix.Close(dir)
	fd, err := unix.Openat(dir, filepath.Base(path), unix.O_CREAT|unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return -1, fmt.Errorf("making %s: %w", path, err)
	}
	return fd, nil
}
