package viewer

import (
	"strings"

	"github.com/deeds-evals/deeds/internal/trace"
)

// shortDiff is how many lines a difference may have and still be shown unasked.
const shortDiff = 40

// changed adds the files. Those of two attempts are paired by path.
func (d *document) changed() {
	var paths []string
	found := make(map[string][2]*trace.File)
	for i, t := range d.of {
		if t == nil {
			continue
		}
		for j := range t.Files {
			f := &t.Files[j]
			both, known := found[f.Path]
			if !known {
				paths = append(paths, f.Path)
			}
			both[i] = f
			found[f.Path] = both
		}
	}
	words := "files"
	if len(paths) == 0 {
		words = "no file changed"
	}
	d.files = d.section(words)
	for _, p := range paths {
		n := node{kind: file, up: -1, folds: true, open: true}
		inner := node{kind: body}
		for i, f := range found[p] {
			if f == nil {
				continue
			}
			n.sides[i] = &side{label: "", text: newText(f.Path), style: ofChange(f.Change), status: f.Change}
			in := &side{text: newText(f.Diff), diff: true}
			if f.Diff == "" {
				in = &side{text: newText(f.Note), style: faint}
			}
			if in.text.s != "" {
				inner.sides[i] = in
				n.open = n.open && strings.Count(in.text.s, "\n") < shortDiff
			}
		}
		n.folds = inner.sides != [2]*side{}
		inner.up = d.add(n)
		if n.folds {
			d.add(inner)
		}
	}
}

func ofChange(change string) style {
	switch change {
	case "created":
		return green
	case "removed":
		return red
	}
	return yellow
}
