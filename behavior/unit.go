package behavior

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"sort"
	"strings"
	"testing/fstest"

	"github.com/deeds-evals/deeds/fixtures"
)

// A unit is case / world / variant: what is scored, paired and counted.
type unit struct {
	id      string // folder and test name in kebab case
	c       Case
	world   string
	variant string
	first   bool // of the variants: the one that is rehearsed in full

	mode      Mode
	asks      string  // the prompt before the facts are put in
	layers    []fs.FS // of files, the later over the earlier
	turns     []Turn
	meanwhile []Meanwhile
	faults    []Fault
	tools     []fixtures.Tool
	servers   []fixtures.Server
	known     map[string]string // the facts that are not drawn
	draws     map[string]Draw

	// What an attempt has: see [unit.drawn].
	seed   uint64
	prompt string
	facts  map[string]string
}

// units lists the units of a case, worlds first, in the order they are written,
// as the rehearsal meets them: as attempt 0.
func (c Case) units(id string) []unit {
	all := c.plainUnits()
	for i := range all {
		all[i].id = id
		all[i] = all[i].drawn(0)
	}
	return all
}

// plainUnits lists the units before anything is drawn.
func (c Case) plainUnits() []unit {
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
			u := unit{
				c: c, world: w.Name, variant: v.Name, first: i == 0,
				mode: Build, asks: c.Prompt, layers: []fs.FS{c.Files, w.Files},
				turns: c.Turns, meanwhile: c.Meanwhile,
				faults:  slices.Concat(c.Faults, w.Faults),
				tools:   overlay(c.Tools, w.Tools, func(t fixtures.Tool) string { return t.Name }),
				servers: overlay(c.Servers, w.Servers, func(s fixtures.Server) string { return s.Name }),
				known:   merged(c.Facts, w.Facts, v.Facts), draws: merged(c.Draws, w.Draws, v.Draws),
			}
			if c.Mode != "" {
				u.mode = c.Mode
			}
			if w.Mode != "" {
				u.mode = w.Mode
			}
			if v.Prompt != "" {
				u.asks = v.Prompt
			}
			if w.Turns != nil {
				u.turns = w.Turns
			}
			if w.Meanwhile != nil {
				u.meanwhile = w.Meanwhile
			}
			all = append(all, u)
		}
	}
	return all
}

// drawn is the unit as attempt n meets it: what is drawn has its values.
func (u unit) drawn(n int) unit {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%d", u.id, u.world, u.variant, n)
	u.seed = h.Sum64()
	u.facts = maps.Clone(u.known)
	for _, name := range sortedKeys(u.draws) {
		u.facts[name] = u.draws[name].draw(u.random(name))
	}
	u.prompt = expand(u.asks, u.facts)
	return u
}

// fresh are the words with which the user begins new conversations, what is drawn by
// its name.
func (u unit) fresh() (words []string) {
	for _, t := range u.turns {
		if t.Fresh {
			words = append(words, expand(t.Say, u.known))
		}
	}
	return words
}

// random is a stream of the attempt's own for one purpose: another purpose more
// moves no other stream.
func (u unit) random(purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(u.seed, h.Sum64()))
}

// overlay lays b over a by name: what has a name of a's replaces it in its place.
func overlay[T any](a, b []T, name func(T) string) []T {
	out := slices.Clone(a)
	for _, x := range b {
		if i := slices.IndexFunc(out, func(y T) bool { return name(y) == name(x) }); i >= 0 {
			out[i] = x
			continue
		}
		out = append(out, x)
	}
	return out
}

// merged is one map of several, the later over the earlier. It is never nil.
func merged[V any](layers ...map[string]V) map[string]V {
	out := make(map[string]V)
	for _, m := range layers {
		maps.Copy(out, m)
	}
	return out
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
		if err := copyInto(tree, fixtures.Expand(layer, u.facts)); err != nil {
			return nil, err
		}
	}
	if u.c.Skills != nil {
		skills := make(linkedFS)
		if err := copyInto(skills, fixtures.Expand(u.c.Skills, u.facts)); err != nil {
			return nil, err
		}
		for p, f := range skills {
			tree[path.Join(skillFolder, p)] = f
		}
	}
	if d := u.c.Draft; d != nil {
		tree["plans/"+d.Name+".md"] = &fstest.MapFile{Data: []byte(expand(d.Text, u.facts)), Mode: 0o644}
	}
	return tree, nil
}

// skillFolder is where an agent finds its skills.
const skillFolder = ".agents/skills"

// copyInto copies a tree.
func copyInto(tree linkedFS, from fs.FS) error {
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
		tree[p] = &fstest.MapFile{Data: data, Mode: info.Mode(), ModTime: info.ModTime()}
		return nil
	})
}

// linkedFS is a tree in memory that keeps links as links.
type linkedFS = fstest.MapFS

// sortedKeys lists the keys of a map of names, sorted.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
