package behavior

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"sort"
	"strings"
	"testing/fstest"
	"unicode"
)

// A unit is case / world / variant: what is scored, paired and counted.
type unit struct {
	id      string // folder and test name in kebab case
	c       Case
	world   string
	variant string
	mode    Mode
	prompt  string
	facts   map[string]string
	layers  []fs.FS // of files, the later over the earlier
	first   bool    // of the variants: the one that is rehearsed in full
}

// units lists the units of a case, worlds first, in the order they are written.
func (c Case) units(id string) []unit {
	worlds := c.Worlds
	if len(worlds) == 0 {
		worlds = []World{{}}
	}
	variants := c.Variants
	if len(variants) == 0 {
		variants = []Variant{{}}
	}
	var all []unit
	for _, w := range worlds {
		for i, v := range variants {
			u := unit{id: id, c: c, world: w.Name, variant: v.Name, mode: Build, first: i == 0}
			if c.Mode != "" {
				u.mode = c.Mode
			}
			if w.Mode != "" {
				u.mode = w.Mode
			}
			u.facts = make(map[string]string)
			maps.Copy(u.facts, c.Facts)
			maps.Copy(u.facts, w.Facts)
			maps.Copy(u.facts, v.Facts)
			u.prompt = c.Prompt
			if v.Prompt != "" {
				u.prompt = v.Prompt
			}
			u.prompt = expand(u.prompt, u.facts)
			u.layers = []fs.FS{c.Files, w.Files}
			all = append(all, u)
		}
	}
	return all
}

// name is the unit's own part of a subtest's name; "" where the case has one
// unit.
func (u unit) name() string {
	return strings.Trim(u.world+"/"+u.variant, "/")
}

// workspace writes the unit's files out as one tree, facts expanded, plan
// included.
func (u unit) workspace() (fs.FS, error) {
	tree := make(linkedFS)
	for _, layer := range u.layers {
		if layer == nil {
			continue
		}
		if err := copyInto(tree, layer, u.facts); err != nil {
			return nil, err
		}
	}
	if d := u.c.Draft; d != nil {
		tree["plans/"+d.Name+".md"] = &fstest.MapFile{Data: []byte(expand(d.Text, u.facts)), Mode: 0o644}
	}
	return tree, nil
}

func copyInto(tree linkedFS, from fs.FS, facts map[string]string) error {
	return fs.WalkDir(from, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == "." {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := fs.ReadLink(from, p)
			if err != nil {
				return fmt.Errorf("the link %s cannot be read: %w", p, err)
			}
			tree[p] = &fstest.MapFile{Data: []byte(target), Mode: info.Mode(), ModTime: info.ModTime()}
			return nil
		}
		if d.IsDir() {
			tree[p] = &fstest.MapFile{Mode: info.Mode(), ModTime: info.ModTime()}
			return nil
		}
		data, err := fs.ReadFile(from, p)
		if err != nil {
			return err
		}
		if len(facts) > 0 && len(data) < 1<<20 {
			data = []byte(expand(string(data), facts))
		}
		tree[p] = &fstest.MapFile{Data: data, Mode: info.Mode(), ModTime: info.ModTime()}
		return nil
	})
}

// linkedFS is a tree in memory that keeps links as links.
type linkedFS = fstest.MapFS

// caseID makes the id of a case from the folder of its package and the name of
// its test: core and TestKnownPath become core/known-path.
func caseID(folder, test string) string {
	parts := strings.Split(test, "/")
	parts[0] = strings.TrimPrefix(parts[0], "Test")
	for i, p := range parts {
		parts[i] = toKebab(p)
	}
	return path.Join(append([]string{folder}, parts...)...)
}

// toKebab turns CamelCase, with or without runs of capitals, into kebab case.
func toKebab(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '_' || r == '-' || r == ' ':
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
			continue
		case unicode.IsUpper(r) && i > 0:
			before := runes[i-1]
			after := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if (unicode.IsLower(before) || unicode.IsDigit(before) || (unicode.IsUpper(before) && after)) && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// sortedKeys lists the keys of a map of names, sorted.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
