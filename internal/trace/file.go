package trace

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/diff"
)

// files tells how the workspace changed.
func files(e behavior.Evidence) []File {
	changed := e.Changed()
	all := make([]File, 0, len(changed))
	for _, p := range changed {
		before, had := e.Before[p]
		after, has := e.After[p]
		f := File{Path: p}
		switch {
		case !had:
			f.Change = "created"
		case !has:
			f.Change = "removed"
		default:
			f.Change = changeOf(before, after)
		}
		f.content(before, after)
		all = append(all, f)
	}
	return all
}

// changeOf says what else changed besides the content.
func changeOf(before, after behavior.File) string {
	switch {
	case before.Link != after.Link:
		return fmt.Sprintf("link: %s → %s", orFile(before.Link), orFile(after.Link))
	case before.Mode != after.Mode:
		return fmt.Sprintf("mode: %v → %v", before.Mode, after.Mode)
	}
	return "changed"
}

func orFile(link string) string {
	if link == "" {
		return "no link"
	}
	return link
}

// content tells the contents apart: as a difference, or by a note where there is none to
// read.
func (f *File) content(before, after behavior.File) {
	switch {
	case before.Digest != "" || after.Digest != "":
		f.Note = fmt.Sprintf("%d → %d bytes, kept by digest alone", bytesOf(before), bytesOf(after))
		return
	case !utf8.Valid(before.Data) || !utf8.Valid(after.Data):
		f.Note = fmt.Sprintf("binary, %d → %d bytes", len(before.Data), len(after.Data))
		return
	}
	text := diff.Unified(string(before.Data), string(after.Data))
	if text != "" && !strings.HasPrefix(text, "@@") {
		f.Note = strings.TrimSpace(text)
		return
	}
	f.Diff = text
}

// bytesOf is how large a file is, which a file that is kept whole does not say.
func bytesOf(f behavior.File) int64 {
	if f.Digest == "" {
		return int64(len(f.Data))
	}
	return f.Size
}
