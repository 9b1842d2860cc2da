package expect

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Repo is a repository as the evidence has it, whatever git keeps it in.
type Repo struct {
	// Head is the commit that is checked out, "" where there is none yet, and Branch
	// the branch, "" where none is: "main".
	Head, Branch string
	// Pending is what is under way: "merge", "cherry-pick", "revert", "rebase" or
	// "bisect"; or "".
	Pending string

	Refs      map[string]string // by full name: a commit or tag, or "ref: NAME"
	Index     []Staged          // in git's order
	Worktrees map[string]string // linked ones, by path: their heads as git has them
	Stash     []Stashed         // the newest first
	Config    string
	Hooks     map[string]string // by name

	// Commits are those that the head, refs, worktrees and stashes lead to, and Lost
	// those to which nothing leads any more, both by id.
	Commits, Lost map[string]Commit
	// Blobs are the contents of files, reachable or not, by id. Large ones are left
	// out.
	Blobs map[string]string

	order []string          // of the commits, children first
	tags  map[string]string // annotated ones, by id: what they are on
	large []string          // the ids of the blobs that were left out
}

// A Commit is one commit with its files: path to the id of a blob.
type Commit struct {
	ID      string
	Parents []string
	Author  string // "Name <address>"
	Message string // without blank lines at its end
	Files   map[string]string
}

// Staged is one entry of the index. Stage is not 0 in a conflict.
type Staged struct {
	Mode, Blob string
	Stage      int
	Path       string
}

// Stashed is one entry of the stash.
type Stashed struct{ Commit, Message string }

// New lists the commits that are reachable now and were not before, those of the
// stash included, parents before children.
func (r Repo) New(before Repo) []Commit {
	var out []Commit
	for _, id := range slices.Backward(r.order) {
		if _, was := before.Commits[id]; !was {
			out = append(out, r.Commits[id])
		}
	}
	return out
}

// Content is the content of a file in a commit, and whether the commit has the file
// and its content is on record.
func (r Repo) Content(c Commit, path string) (string, bool) {
	id, ok := c.Files[path]
	if !ok {
		return "", false
	}
	content, ok := r.Blobs[id]
	return content, ok
}

// At is the commit of that name: "HEAD", a branch, a tag, a full ref or an id.
func (r Repo) At(name string) (Commit, bool) {
	id := name
	if name == "HEAD" {
		id = r.Head
	} else {
		for _, space := range []string{"refs/heads/", "refs/tags/", ""} {
			if v := r.resolve(space + name); v != "" {
				id = v
				break
			}
		}
	}
	if on, annotated := r.tags[id]; annotated {
		id = on
	}
	c, ok := r.Commits[id]
	return c, ok
}

// Reaches reports whether the commit to is the commit from or one of its ancestors.
func (r Repo) Reaches(from, to string) bool {
	seen := make(map[string]bool)
	for next := []string{from}; len(next) > 0; {
		id := next[len(next)-1]
		next = next[:len(next)-1]
		if id == to {
			return true
		}
		if !seen[id] {
			seen[id] = true
			next = append(next, r.Commits[id].Parents...)
		}
	}
	return false
}

// resolve follows a ref to what it leads to; "" where it leads nowhere.
func (r Repo) resolve(ref string) string {
	for range 5 {
		v := r.Refs[ref]
		target, symbolic := strings.CutPrefix(v, "ref: ")
		if !symbolic {
			return v
		}
		ref = target
	}
	return ""
}

// maxTreeEntries bounds what the files of all commits come to: a history can be made
// up that is small on record and has no end when it is written out.
const maxTreeEntries = 1 << 18

// parseRepo reads the records in which a snapshot lists a repository.
func parseRepo(text string) (Repo, error) {
	r := Repo{
		Refs: make(map[string]string), Worktrees: make(map[string]string), Hooks: make(map[string]string),
		Commits: make(map[string]Commit), Lost: make(map[string]Commit), Blobs: make(map[string]string), tags: make(map[string]string),
	}
	changes := make(map[string][]treeChange) // by commit
	commit, head := "", ""
	for text != "" {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return Repo{}, errors.New("it breaks off in the middle of a line")
		}
		text = rest
		kind, line, _ := strings.Cut(line, " ")
		var body string
		switch kind {
		case "config", "hook", "commit", "lost", "tag", "blob":
			size := line[strings.LastIndexByte(line, ' ')+1:]
			n, err := strconv.Atoi(size)
			if err != nil || n < 0 || n >= len(text) || text[n] != '\n' {
				return Repo{}, fmt.Errorf("a %s has no such size as %s", kind, show(size))
			}
			body, text = text[:n], text[n+1:]
			line = strings.TrimSpace(strings.TrimSuffix(line, size))
		}
		if err := r.record(kind, line, body); err != nil {
			return Repo{}, err
		}
		switch kind {
		case "HEAD":
			head = unquoted(line)
		case "commit", "lost":
			commit = line
		case "change":
			c, err := parseChange(line)
			if err != nil {
				return Repo{}, err
			}
			changes[commit] = append(changes[commit], c)
		}
	}
	if head == "" {
		return Repo{}, errors.New("it has no HEAD")
	}
	if ref, ok := strings.CutPrefix(head, "ref: "); ok {
		r.Branch, r.Head = strings.TrimPrefix(ref, "refs/heads/"), r.resolve(ref)
	} else {
		r.Head = head
	}
	return r, r.fill(changes)
}

// record takes one record in that stands by itself.
func (r *Repo) record(kind, line, body string) error {
	switch kind {
	case "HEAD", "change":
	case "large":
		id, _, _ := strings.Cut(line, " ")
		r.large = append(r.large, id)
	case "pending":
		r.Pending = line
	case "config":
		r.Config = body
	case "hook":
		name, _, _ := cutLast(line, " ")
		r.Hooks[unquoted(name)] = body
	case "ref":
		value, name, ok := strings.Cut(line, " ")
		if !ok {
			return fmt.Errorf("a ref has no name: %s", show(line))
		}
		r.Refs[unquoted(name)] = value
	case "symref":
		name, target, ok := strings.Cut(line, "\t")
		if !ok {
			return fmt.Errorf("a ref leads nowhere: %s", show(line))
		}
		r.Refs[unquoted(name)] = "ref: " + unquoted(target)
	case "tag":
		object, _, _ := strings.Cut(body, "\n")
		r.tags[line] = strings.TrimPrefix(object, "object ")
	case "index":
		about, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 {
			return fmt.Errorf("an entry of the index is cut off: %s", show(line))
		}
		stage, err := strconv.Atoi(fields[2])
		if err != nil {
			return fmt.Errorf("an entry of the index has no such stage as %s", show(fields[2]))
		}
		r.Index = append(r.Index, Staged{Mode: fields[0], Blob: fields[1], Stage: stage, Path: unquoted(path)})
	case "worktree":
		path, head, _ := strings.Cut(line, "\t")
		r.Worktrees[unquoted(path)] = unquoted(head)
	case "stash":
		id, message, _ := strings.Cut(line, "\t")
		r.Stash = append(r.Stash, Stashed{Commit: id, Message: unquoted(message)})
	case "commit":
		if _, twice := r.Commits[line]; twice {
			return fmt.Errorf("the commit %s is listed twice", show(line))
		}
		r.Commits[line] = parseCommit(line, body)
		r.order = append(r.order, line)
	case "lost":
		r.Lost[line] = parseCommit(line, body)
	case "blob":
		r.Blobs[line] = body
	default:
		return fmt.Errorf("it has a record that is not known: %s", show(kind))
	}
	return nil
}

// fill works out the files of each commit from those of its first parent.
func (r *Repo) fill(changes map[string][]treeChange) error {
	room := maxTreeEntries
	for _, id := range slices.Backward(r.order) {
		c := r.Commits[id]
		if c.Files = r.filesOf(c, changes[id]); len(c.Files) > room {
			return errors.New("its history has more files than can be looked at")
		}
		room -= len(c.Files)
		r.Commits[id] = c
	}
	for _, id := range slices.Sorted(maps.Keys(r.Lost)) {
		c := r.Lost[id]
		if len(changes[id]) > 0 {
			c.Files = r.filesOf(c, changes[id])
			r.Lost[id] = c
		}
		if room -= len(c.Files); room < 0 {
			return errors.New("its history has more files than can be looked at")
		}
	}
	return nil
}

func (r *Repo) filesOf(c Commit, changes []treeChange) map[string]string {
	files := make(map[string]string)
	if len(c.Parents) > 0 {
		maps.Copy(files, r.Commits[c.Parents[0]].Files)
	}
	for _, ch := range changes {
		if ch.status == "D" {
			delete(files, ch.path)
			continue
		}
		files[ch.path] = ch.blob
	}
	return files
}

// A treeChange is what a commit did to one file.
type treeChange struct{ status, blob, path string }

func parseChange(line string) (treeChange, error) {
	about, path, ok := strings.Cut(line, "\t")
	fields := strings.Fields(about)
	if !ok || len(fields) != 3 {
		return treeChange{}, fmt.Errorf("a change is cut off: %s", show(line))
	}
	return treeChange{status: fields[0], blob: fields[2], path: unquoted(path)}, nil
}

// parseCommit reads a commit as git keeps it: headers, an empty line, the message.
func parseCommit(id, object string) Commit {
	headers, message, _ := strings.Cut(object, "\n\n")
	c := Commit{ID: id, Message: strings.TrimRight(message, "\n")}
	for line := range strings.SplitSeq(headers, "\n") {
		name, value, _ := strings.Cut(line, " ")
		switch name {
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			if end := strings.LastIndexByte(value, '>'); end >= 0 {
				value = value[:end+1]
			}
			c.Author = value
		}
	}
	return c
}

// unquoted is a name as it is, from a record that quotes the strange ones.
func unquoted(s string) string {
	if strings.HasPrefix(s, `"`) {
		if plain, err := strconv.Unquote(s); err == nil {
			return plain
		}
	}
	return s
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
