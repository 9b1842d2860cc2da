package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/afero"
)

// What one answer may hold at most, of a file or of a command's output.
const (
	maxLines = 2000
	maxBytes = 128 << 10
)

var pathField = field{name: "path", kind: text, required: true, about: "relative to the workspace, or absolute"}

func readTool() *tool {
	return &tool{
		name: "read",
		text: "Read a text file, or look at a PNG, JPEG, GIF or WebP image of up to 5 MiB. Each line comes after its number and a tab. " +
			"At most 2000 lines or 128 KiB are shown at once; offset and limit select others. A directory is listed.",
		args: []field{
			pathField,
			{name: "offset", kind: integer, min: 1, about: "the line to begin at, from 1"},
			{name: "limit", kind: integer, min: 1, about: "how many lines"},
		},
		check: checkPath,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			p, err := s.resolve(a.text("path"))
			if err != nil {
				return failed("%v", err)
			}
			return p.read(a.int("offset", 1), a.int("limit", maxLines))
		},
	}
}

// checkPath refuses a path that was given and is empty.
func checkPath(a args) error {
	if a.has("path") && strings.TrimSpace(a.text("path")) == "" {
		return errors.New("path is empty")
	}
	return nil
}

func (p place) read(offset, limit int) Outcome {
	info, err := p.files.Stat(p.name)
	switch {
	case err != nil:
		return p.unreachable(err)
	case info.IsDir():
		return p.list(offset, limit)
	case !info.Mode().IsRegular():
		return failed("%s is not a regular file", p)
	}
	f, err := p.files.Open(p.name)
	if err != nil {
		return p.unreachable(err)
	}
	defer func() { _ = f.Close() }() // only read
	r := bufio.NewReaderSize(f, 64<<10)
	head, _ := r.Peek(sniffed)
	shown := page{offset: offset, limit: min(limit, maxLines)}
	if encodingOf(head) != utf8Text {
		whole, err := io.ReadAll(io.LimitReader(r, maxWhole+1))
		switch {
		case err != nil:
			return failed("%s: %s", p, because(err))
		case len(whole) > maxWhole:
			return failed("%s is %s and %v; read cannot show it", p, encodingOf(head), errTooLarge)
		}
		t := decode(whole)
		shown.encoding = t.encoding
		r = bufio.NewReaderSize(strings.NewReader(t.text), 64<<10)
		head, _ = r.Peek(sniffed)
	}
	if kind := imageKind(head); kind != "" {
		return p.image(kind, r, info.Size())
	}
	if what := binary(head); what != "" {
		return failed("%s is %s (%d bytes), not text; read cannot show it", p, what, info.Size())
	}
	if err := shown.fill(r); err != nil {
		return failed("%s: %s", p, because(err))
	}
	return shown.outcome(p.String(), limit)
}

// A page is the part of a file that one read shows.
type page struct {
	offset, limit int
	encoding      encoding

	text   bytes.Buffer
	shown  int  // lines
	cut    bool // the last line shown was too long to be shown whole
	full   bool // no more fits
	lines  int  // in the whole file
	crlf   int  // of them end in CRLF
	ends   bool // the last one ends in a newline
	broken bool // what is shown holds bytes that are no UTF-8
}

// fill reads the file to its end, so that it can be said how long it is, and
// keeps what the page shows. However long a line, it is never held whole.
func (p *page) fill(r *bufio.Reader) error {
	var line []byte // what is kept of the line at hand
	begun := false
	var last byte // before the newline
	for {
		chunk, err := r.ReadSlice('\n')
		if len(chunk) > 0 {
			begun = true
			p.ends = chunk[len(chunk)-1] == '\n'
			if room := maxBytes + 2 - len(line); room > 0 && p.wants(p.lines+1) {
				line = append(line, chunk[:min(len(chunk), room)]...)
			}
			switch {
			case len(chunk) > 1 && p.ends:
				last = chunk[len(chunk)-2]
			case !p.ends:
				last = chunk[len(chunk)-1]
			}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if begun {
			p.lines++
			if p.ends && last == '\r' {
				p.crlf++
			}
			if p.wants(p.lines) {
				p.add(line)
			}
			line, begun, last = line[:0], false, 0
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *page) wants(line int) bool {
	return line >= p.offset && p.shown < p.limit && !p.full
}

func (p *page) add(line []byte) {
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	s := string(line)
	clean := strings.ToValidUTF8(s, "\uFFFD")
	number := fmt.Sprintf("%d\t", p.lines)
	room := maxBytes - p.text.Len() - len(number) - 1
	if len(clean) > room {
		p.full = true
		if p.shown > 0 {
			return
		}
		clean, p.cut = strings.ToValidUTF8(clean[:room], ""), true
	} else if clean != s {
		p.broken = true
	}
	p.text.WriteString(number + clean + "\n")
	p.shown++
}

func (p *page) outcome(name string, asked int) Outcome {
	switch {
	case p.lines == 0 && p.offset == 1:
		return ok("(%s is empty)", name)
	case p.offset > p.lines:
		return failed("offset %d is past the end of %s, which has %s", p.offset, name, count(p.lines, "line"))
	}
	last := p.offset + p.shown - 1
	var notes []string
	if p.cut {
		notes = append(notes, fmt.Sprintf("line %d is too long: only its first %d KiB are shown; grep or bash reach the rest", last, maxBytes>>10))
	}
	switch {
	case last < p.lines:
		why := ""
		if p.full {
			why = ", as many as fit into 128 KiB"
		} else if asked > maxLines {
			why = fmt.Sprintf(", at most %d at once", maxLines)
		}
		notes = append(notes, fmt.Sprintf("lines %d to %d of %d%s; go on with offset %d", p.offset, last, p.lines, why, last+1))
	case !p.ends:
		notes = append(notes, "no newline at the end of the file")
	}
	switch {
	case p.crlf > 0 && (p.crlf == p.lines || p.crlf == p.lines-1 && !p.ends):
		notes = append(notes, "lines end in CRLF")
	case p.crlf > 0:
		notes = append(notes, fmt.Sprintf("%d of %s in CRLF, the others in LF", p.crlf, count(p.lines, "line")+" end"))
	}
	if p.broken {
		notes = append(notes, "bytes that are not UTF-8 are shown as \uFFFD")
	}
	if p.encoding != utf8Text {
		notes = append(notes, fmt.Sprintf("the file is %s, shown decoded", p.encoding))
	}
	for _, n := range notes {
		p.text.WriteString("(" + n + ")\n")
	}
	return ok("%s", strings.TrimSuffix(p.text.String(), "\n"))
}

// count says "1 line" and "2 lines".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxWhole is the largest file that is read whole. A command can make far larger
// ones faster than they can be looked at.
const maxWhole = 32 << 20

// errTooLarge says that a file is larger than that.
var errTooLarge = errors.New("larger than 32 MiB")

// load reads a whole file that is to be shown or changed as text. Of one that is too
// large it returns the description, and errTooLarge.
func (p place) load() (decoded, fs.FileInfo, error) {
	info, err := p.files.Stat(p.name)
	if err != nil {
		return decoded{}, nil, err
	}
	if !info.Mode().IsRegular() {
		return decoded{}, info, nil
	}
	if info.Size() > maxWhole {
		return decoded{}, info, errTooLarge
	}
	b, err := readWhole(p.files, p.name)
	return decode(b), info, err
}

// readWhole reads a file, unless it is or meanwhile grows too large.
func readWhole(files afero.Fs, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	b, err := io.ReadAll(io.LimitReader(f, maxWhole+1))
	if err == nil && len(b) > maxWhole {
		return nil, errTooLarge
	}
	return b, err
}
