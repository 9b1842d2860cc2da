package sandbox

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// maxBlob is the size up to which the content of a blob is recorded, and
	// maxBlobs how much is recorded of all blobs of a repository together.
	maxBlob  = 64 << 10
	maxBlobs = 4 << 20
	// maxText is how large the record of a repository can be.
	maxText = 32 << 20
)

// repository tells what is in a repository, in the records that the package comment
// lists. It reports false where that cannot be told, because it is no repository or
// there is no git. Work is the absolute path of the workspace.
//
// Nothing in the repository is obeyed: git is run with a directory of our own, into
// which only the head, the refs and the index are copied, and which borrows the
// objects. Configuration, hooks and attributes stay behind.
func repository(parent *os.Root, name, work string) (text string, ok bool) {
	key, keyed := keyOf(parent, name, work)
	if keyed {
		if text, ok := knownRepository(key); ok {
			return text, true
		}
	}
	if text, ok = askRepository(parent, name, work); ok && keyed {
		learnRepository(key, text)
	}
	return text, ok
}

// askRepository asks git what is in a repository.
func askRepository(parent *os.Root, name, work string) (text string, ok bool) {
	git, err := exec.LookPath("git")
	if err != nil {
		return "", false
	}
	dir, err := parent.OpenRoot(name)
	if err != nil {
		return "", false
	}
	defer dir.Close()
	temp, err := os.MkdirTemp("", "r-")
	if err != nil {
		return "", false
	}
	defer os.RemoveAll(temp)
	g := &gitDir{git: git, dir: temp, objects: filepath.Join(dir.Name(), "objects")}
	text, err = g.tell(dir, work)
	if err != nil || len(text) > maxText {
		return "", false
	}
	return text, true
}

// looksBare reports whether a directory holds what makes a repository.
func looksBare(parent *os.Root, name string) bool {
	info, err := parent.Lstat(filepath.Join(name, "HEAD"))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	for _, sub := range []string{"objects", "refs"} {
		if info, err := parent.Lstat(filepath.Join(name, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// tell writes the record of a repository.
func (g *gitDir) tell(dir *os.Root, work string) (string, error) {
	head, err := readSmall(dir, "HEAD")
	if err != nil {
		return "", err
	}
	for _, sub := range []string{"objects", "refs"} {
		if info, err := dir.Lstat(sub); err != nil || !info.IsDir() {
			return "", fmt.Errorf("there is no directory %s", sub)
		}
	}
	if !plainObjects(dir) {
		return "", fmt.Errorf("its objects are not all its own")
	}
	refs, err := references(dir)
	if err != nil {
		return "", err
	}
	if err := g.prepare(dir, refs); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "HEAD %s\n", word(head))
	for _, p := range underway(dir) {
		fmt.Fprintf(&b, "pending %s\n", p)
	}
	tellSettings(&b, dir)

	tips := []string{head}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		value := refs[name]
		tips = append(tips, value)
		if isHash(value) {
			fmt.Fprintf(&b, "ref %s %s\n", value, word(name))
		} else {
			fmt.Fprintf(&b, "symref %s\t%s\n", word(name), word(strings.TrimPrefix(value, "ref: ")))
		}
	}
	index, err := g.ask("", "ls-files", "-z", "--stage")
	if err != nil {
		return "", err
	}
	for entry := range strings.SplitSeq(index, "\x00") {
		if about, name, ok := strings.Cut(entry, "\t"); ok {
			fmt.Fprintf(&b, "index %s\t%s\n", about, word(name))
		}
	}
	for _, w := range worktrees(dir, work) {
		fmt.Fprintf(&b, "worktree %s\t%s\n", word(w.path), word(w.head))
		tips = append(tips, w.head)
	}
	for _, s := range stashes(dir) {
		fmt.Fprintf(&b, "stash %s\t%s\n", s.hash, word(s.message))
		tips = append(tips, s.hash)
	}
	if err := g.tellObjects(&b, tips); err != nil {
		return "", err
	}
	return b.String(), nil
}

// word is a name that a line of a record can hold.
func word(s string) string {
	plain := utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == '"' || r == '\\'
	})
	if plain {
		return s
	}
	return strconv.Quote(s)
}

// An object is one of git's objects.
type object struct {
	hash, kind string
	size       int64
}

// tellObjects records the commits that tips lead to, and everything else that is in
// the store.
func (g *gitDir) tellObjects(b *strings.Builder, tips []string) error {
	reached, err := g.reached(tips)
	if err != nil {
		return err
	}
	changes, err := g.changes(reached)
	if err != nil {
		return err
	}
	store, err := g.store()
	if err != nil {
		return err
	}
	size := make(map[string]object, len(store))
	for _, o := range store {
		size[o.hash] = o
	}

	// What is told, in its order, and what git is asked for.
	type line struct {
		verb string
		object
	}
	var (
		lines   []line
		asked   []string
		commits = make(map[string]bool)
	)
	tell := func(verb string, o object) {
		lines = append(lines, line{verb, o})
		if verb != "large" {
			asked = append(asked, o.hash)
		}
	}
	for _, c := range reached {
		if _, ok := size[c.hash]; !ok {
			return fmt.Errorf("commit %s is not in the store", c.hash)
		}
		commits[c.hash] = true
		tell("commit", size[c.hash])
	}
	room := int64(maxBlobs)
	for _, kind := range []string{"commit", "tag", "blob"} {
		for _, o := range store {
			switch {
			case o.kind != kind || commits[o.hash]:
			case kind == "commit":
				tell("lost", o)
			case kind == "blob" && (o.size > maxBlob || o.size > room):
				tell("large", o)
			case kind == "blob":
				room -= o.size
				tell("blob", o)
			default:
				tell(kind, o)
			}
		}
	}
	contents, err := g.contents(asked)
	if err != nil {
		return err
	}
	for _, l := range lines {
		fmt.Fprintf(b, "%s %s %d\n", l.verb, l.hash, l.size)
		if l.verb == "large" {
			continue
		}
		b.WriteString(contents[l.hash])
		b.WriteByte('\n')
		if l.verb == "commit" {
			b.WriteString(changes[l.hash])
		}
	}
	return nil
}

// A node is a commit of the history.
type node struct{ hash, parent string }

// reached lists the commits that hashes lead to, children first.
func (g *gitDir) reached(tips []string) ([]node, error) {
	tips = slices.DeleteFunc(slices.Clone(tips), func(s string) bool { return !isHash(s) })
	if len(tips) == 0 {
		return nil, nil
	}
	slices.Sort(tips)
	text, err := g.ask(strings.Join(slices.Compact(tips), "\n")+"\n", "rev-list", "--stdin", "--ignore-missing", "--topo-order", "--parents")
	if err != nil {
		return nil, err
	}
	var nodes []node
	for l := range strings.Lines(text) {
		fields := append(strings.Fields(l), "")
		nodes = append(nodes, node{fields[0], fields[1]})
	}
	return nodes, nil
}

// changes tells what each commit did against its first parent.
func (g *gitDir) changes(commits []node) (map[string]string, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	var ask strings.Builder
	for _, c := range commits {
		ask.WriteString(strings.TrimSpace(c.hash+" "+c.parent) + "\n")
	}
	text, err := g.ask(ask.String(), "diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff")
	if err != nil {
		return nil, err
	}
	changes := make(map[string]string, len(commits))
	commit := ""
	for parts := strings.Split(text, "\x00"); len(parts) > 1; {
		about := strings.Fields(strings.TrimPrefix(parts[0], ":"))
		if len(about) == 1 {
			commit, parts = about[0], parts[1:]
			continue
		}
		if len(about) != 5 {
			return nil, fmt.Errorf("git diff-tree says %q", parts[0])
		}
		changes[commit] += fmt.Sprintf("change %s %s %s\t%s\n", about[4], about[1], about[3], word(parts[1]))
		parts = parts[2:]
	}
	return changes, nil
}

// store lists all objects, by hash.
func (g *gitDir) store() ([]object, error) {
	text, err := g.ask("", "cat-file", "--batch-check", "--batch-all-objects")
	if err != nil {
		return nil, err
	}
	var all []object
	for l := range strings.Lines(text) {
		var o object
		if _, err := fmt.Sscan(l, &o.hash, &o.kind, &o.size); err != nil {
			return nil, fmt.Errorf("git cat-file says %q", l)
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b object) int { return cmp.Compare(a.hash, b.hash) })
	return all, nil
}

// contents reads objects.
func (g *gitDir) contents(hashes []string) (map[string]string, error) {
	contents := make(map[string]string, len(hashes))
	if len(hashes) == 0 {
		return contents, nil
	}
	text, err := g.ask(strings.Join(hashes, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for text != "" {
		var o object
		head, rest, _ := strings.Cut(text, "\n")
		if _, err := fmt.Sscan(head, &o.hash, &o.kind, &o.size); err != nil || o.size < 0 || int64(len(rest)) <= o.size {
			return nil, fmt.Errorf("git cat-file says %q", head)
		}
		contents[o.hash], text = rest[:o.size], rest[o.size+1:]
	}
	return contents, nil
}
