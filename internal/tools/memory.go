package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/afero"
)

// memoryFolder is where notes lie in the home folder.
const memoryFolder = ".agents/memory"

// maxMemory is the longest note that is kept.
const maxMemory = 16 << 10

// memoryKey is what a note may be called.
var memoryKey = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// A Memory is a note that outlives the conversation, as it is listed.
type Memory struct {
	Key   string
	First string // its first line that says something
}

// Memories lists the notes that lie in a home folder, sorted by key. A note that
// cannot be read is listed with the reason in the place of its first line.
func Memories(files afero.Fs) ([]Memory, error) {
	entries, err := afero.ReadDir(files, memoryFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the memory cannot be read: %s", because(err))
	}
	var all []Memory
	for _, info := range entries {
		key, isNote := strings.CutSuffix(info.Name(), ".md")
		if !isNote || !memoryKey.MatchString(key) || !info.Mode().IsRegular() {
			continue
		}
		m := Memory{Key: key}
		b, err := readWhole(files, path.Join(memoryFolder, info.Name()))
		if err != nil {
			m.First = fmt.Sprintf("(cannot be read: %s)", because(err))
		}
		for line := range strings.Lines(strings.ToValidUTF8(string(b), "\uFFFD")) {
			if m.First = shorten(strings.TrimSpace(line), 120); m.First != "" {
				break
			}
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Memory) int { return strings.Compare(a.Key, b.Key) })
	return all, nil
}

// notePath is where the note of a key lies in the home folder.
func notePath(key string) string { return path.Join(memoryFolder, key+".md") }

func memoryTool() *tool {
	return &tool{
		name: "memory",
		text: "Keep notes that outlive this conversation: what the user wants always, and facts that were hard to find; never a secret. " +
			"save writes a note whole, and replaces one of the same key; read shows one; list names all; forget removes one.",
		plan:  "In plan mode it only reads and lists.",
		needs: func(env *Env) bool { return env.Memory != nil },
		args: []field{
			{name: "operation", kind: text, required: true, enum: []string{"save", "read", "list", "forget"}},
			{name: "key", kind: text, about: "of the note, such as test-command; not for list"},
			{name: "text", kind: text, about: "what to save, in Markdown, at most 16 KiB; its first line is what is listed"},
		},
		check: checkMemory,
		forbid: func(s *Set, mode Mode, a args) string {
			if mode != Plan || !changesMemory(a) {
				return ""
			}
			return "nothing was changed: in plan mode memory only reads and lists"
		},
		mutates: changesMemory,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			switch key := a.text("key"); a.text("operation") {
			case "save":
				return s.remember(key, a.text("text"))
			case "read":
				return s.recall(key)
			case "forget":
				return s.forget(key)
			}
			return s.memories()
		},
	}
}

func changesMemory(a args) bool {
	return a.text("operation") == "save" || a.text("operation") == "forget"
}

func checkMemory(a args) error {
	operation, key := a.text("operation"), a.text("key")
	switch {
	case operation == "list" && (a.has("key") || a.has("text")):
		return errors.New("list takes no key and no text")
	case operation == "list":
		return nil
	case key == "":
		return fmt.Errorf("%s needs a key", operation)
	case len(key) > 64 || !memoryKey.MatchString(key):
		return fmt.Errorf("key must be words in lower case with hyphens between, at most 64 bytes, such as test-command, not %q", shorten(key, 80))
	case operation != "save" && a.has("text"):
		return fmt.Errorf("%s takes no text", operation)
	case operation != "save":
		return nil
	case strings.TrimSpace(a.text("text")) == "":
		return errors.New("save needs a text; forget removes a note")
	case len(a.text("text")) > maxMemory:
		return fmt.Errorf("text is longer than 16 KiB: %d bytes", len(a.text("text")))
	}
	return nil
}

func (s *Set) remember(key, text string) Outcome {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	before, err := readWhole(s.env.Memory, notePath(key))
	if err == nil && string(before) == text {
		return ok("the note %s says exactly this already", key)
	}
	replaced := err == nil
	if err := s.env.Memory.MkdirAll(memoryFolder, 0o755); err != nil {
		return failed("the note %s cannot be saved: %s", key, because(err))
	}
	if err := afero.WriteFile(s.env.Memory, notePath(key), []byte(text), 0o644); err != nil {
		return failed("the note %s cannot be saved: %s", key, because(err))
	}
	if replaced {
		return ok("replaced the note %s (%s), which said:\n%s", key, size(text), strings.TrimSuffix(string(before), "\n"))
	}
	return ok("saved the note %s (%s)", key, size(text))
}

func (s *Set) recall(key string) Outcome {
	b, err := readWhole(s.env.Memory, notePath(key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.noNote(key)
	case err != nil:
		return failed("the note %s cannot be read: %s", key, because(err))
	case len(b) > maxBytes:
		return failed("the note %s is too long to be shown: %d bytes", key, len(b))
	}
	return ok("%s", strings.TrimSuffix(string(b), "\n"))
}

func (s *Set) forget(key string) Outcome {
	err := s.env.Memory.Remove(notePath(key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.noNote(key)
	case err != nil:
		return failed("the note %s cannot be removed: %s", key, because(err))
	}
	return ok("removed the note %s", key)
}

func (s *Set) memories() Outcome {
	all, err := Memories(s.env.Memory)
	switch {
	case err != nil:
		return failed("%v", err)
	case len(all) == 0:
		return ok("(there are no notes)")
	}
	var rows []string
	for _, m := range all {
		rows = append(rows, m.Key+": "+m.First)
	}
	return ok("%s", strings.Join(rows, "\n"))
}

// noNote is the outcome for a key without a note.
func (s *Set) noNote(key string) Outcome {
	all, err := Memories(s.env.Memory)
	if err != nil {
		return failed("%v", err)
	}
	var keys []string
	for _, m := range all {
		keys = append(keys, m.Key)
	}
	return failed("there is no note %s%s", key, others(key, keys, "notes"))
}
