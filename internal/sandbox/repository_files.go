package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// underway tells what git is in the middle of.
func underway(dir *os.Root) (told []string) {
	for _, p := range []struct{ name, file string }{
		{"merge", "MERGE_HEAD"},
		{"cherry-pick", "CHERRY_PICK_HEAD"},
		{"revert", "REVERT_HEAD"},
		{"rebase", "rebase-merge"},
		{"rebase", "rebase-apply"},
		{"bisect", "BISECT_LOG"},
	} {
		if _, err := dir.Lstat(p.file); err == nil {
			told = append(told, p.name)
		}
	}
	return told
}

// tellSettings records the configuration and the hooks.
func tellSettings(b *strings.Builder, dir *os.Root) {
	if text, err := readAll(dir, "config"); err == nil {
		fmt.Fprintf(b, "config %d\n%s\n", len(text), text)
	}
	hooks, err := dir.OpenRoot("hooks")
	if err != nil {
		return
	}
	defer hooks.Close()
	names, _ := list(hooks)
	for _, name := range names {
		info, err := hooks.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(name, ".sample") {
			continue
		}
		if text, err := readAll(hooks, name); err == nil {
			fmt.Fprintf(b, "hook %s %03o %d\n%s\n", word(name), info.Mode().Perm(), len(text), text)
		}
	}
}

// A worktree is a linked worktree of a repository.
type worktree struct{ path, head string }

// worktrees lists the linked worktrees, by path.
func worktrees(dir *os.Root, work string) []worktree {
	sub, err := dir.OpenRoot("worktrees")
	if err != nil {
		return nil
	}
	defer sub.Close()
	var all []worktree
	names, _ := list(sub)
	for _, name := range names {
		file, err := readSmall(sub, filepath.Join(name, "gitdir"))
		if err != nil {
			continue
		}
		head, err := readSmall(sub, filepath.Join(name, "HEAD"))
		if err != nil {
			continue
		}
		at := filepath.Dir(file)
		if rel, err := filepath.Rel(work, at); err == nil && filepath.IsLocal(rel) {
			at = filepath.ToSlash(rel)
		}
		all = append(all, worktree{at, head})
	}
	slices.SortFunc(all, func(a, b worktree) int { return strings.Compare(a.path, b.path) })
	return all
}

// A stash is an entry of the stash list.
type stash struct{ hash, message string }

// stashes lists the stashes, the newest first.
func stashes(dir *os.Root) []stash {
	log, err := readAll(dir, filepath.Join("logs", "refs", "stash"))
	if err != nil {
		return nil
	}
	var all []stash
	for l := range strings.Lines(log) {
		about, message, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		if fields := strings.Fields(about); len(fields) > 1 && isHash(fields[1]) {
			all = append(all, stash{fields[1], message})
		}
	}
	slices.Reverse(all)
	return all
}

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
