package tools

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// A tail takes any amount of output and keeps the end of it, in bounded memory.
type tail struct {
	mu     sync.Mutex
	kept   []byte
	bytes  int64 // written in all
	lines  int64 // newlines written in all
	closed bool
}

// Write never fails. What is written after the tail was closed is lost.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return len(p), nil
	}
	t.bytes += int64(len(p))
	t.lines += int64(bytes.Count(p, []byte("\n")))
	n := len(p)
	if n >= maxBytes {
		// One byte more than is shown, to see whether it was cut within a line.
		t.kept = append(t.kept[:0], p[max(n-maxBytes-1, 0):]...)
		if n > maxBytes {
			return n, nil
		}
	} else {
		t.kept = append(t.kept, p...)
	}
	if len(t.kept) > 2*maxBytes {
		t.kept = t.kept[:copy(t.kept, t.kept[len(t.kept)-maxBytes-1:])]
	}
	return n, nil
}

// close returns what was kept, and takes no more.
func (t *tail) close() string {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	return t.text()
}

// text returns what is kept, and says first what is not.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bytes == 0 {
		return "(no output)"
	}
	shown := t.kept
	if len(shown) > maxBytes {
		shown = shown[len(shown)-maxBytes:]
		// Begin at a line, unless that would cost too much.
		if before := t.kept[len(t.kept)-maxBytes-1]; before != '\n' {
			if i := bytes.IndexByte(shown, '\n'); i >= 0 && i < maxBytes/8 {
				shown = shown[i+1:]
			}
		}
	}
	shown = lastLines(shown, maxLines)
	note := ""
	if dropped := t.bytes - int64(len(shown)); dropped > 0 {
		lines := t.lines - int64(bytes.Count(shown, []byte("\n")))
		note = fmt.Sprintf("(the first %d bytes of %d are left out, %d lines; redirect to a file to see them)\n", dropped, t.bytes, lines)
	}
	return note + strings.TrimSuffix(strings.ToValidUTF8(string(shown), "\uFFFD"), "\n")
}

// lastLines cuts text to its last n lines; the newline at its end begins none.
func lastLines(text []byte, n int) []byte {
	end := len(text)
	if end > 0 && text[end-1] == '\n' {
		end--
	}
	for ; n > 0; n-- {
		i := bytes.LastIndexByte(text[:end], '\n')
		if i < 0 {
			return text
		}
		end = i
	}
	return text[end+1:]
}
