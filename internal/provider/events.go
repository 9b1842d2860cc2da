package provider

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxAnswer bounds an answer: one that is larger is a server gone wild.
const maxAnswer = 256 << 20

var (
	doneMarker = []byte("[DONE]")
	errorStart = []byte(`{"error":`)
)

// events reads a server's answer and gives it back as go-openai understands it
// in full: one line "data: JSON" for each event and nothing else. On the way it
// drops comments and blank lines, joins an event that spans several lines, keeps
// a last line that has no end, and accepts plain JSON, one value or many, from
// servers that do not stream.
type events struct {
	r     *bufio.Reader
	line  []byte // what was not read yet of the line that goes out
	plain *json.Decoder
	began bool
	done  bool // the end marker was seen
	err   error

	data []byte // the data of the event that is being read
	kind string // its name
}

// newEvents reads at most limit bytes of an answer.
func newEvents(r io.Reader, limit int64) *events {
	return &events{r: bufio.NewReaderSize(&bounded{r, limit}, 16<<10)}
}

// bounded is a reader that fails behind its limit.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("%w: it is too large", ErrGarbled)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

func (e *events) Read(p []byte) (int, error) {
	for len(e.line) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		if !e.began {
			e.begin()
			continue
		}
		if e.plain != nil {
			e.nextValue()
		} else {
			e.nextLine()
		}
	}
	n := copy(p, e.line)
	e.line = e.line[n:]
	return n, nil
}

// begin finds out whether the answer is a stream of events or plain JSON.
func (e *events) begin() {
	e.began = true
	for {
		c, err := e.r.ReadByte()
		if err != nil {
			e.err = err
			return
		}
		switch c {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // blanks and a byte order mark
			continue
		case '{', '[':
			e.plain = json.NewDecoder(io.MultiReader(bytes.NewReader([]byte{c}), e.r))
		case '<':
			rest, _ := e.r.Peek(min(512, e.r.Buffered())) // what is there; to wait for more is not worth it
			e.err = garbled("the server sent a web page", append([]byte{c}, rest...))
		default:
			e.err = e.r.UnreadByte()
		}
		return
	}
}

// nextValue passes the next value of plain JSON on.
func (e *events) nextValue() {
	var v json.RawMessage
	err := e.plain.Decode(&v)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		e.err = fmt.Errorf("%w: %w", ErrGarbled, err)
	case err != nil:
		e.err = err
	default:
		e.emit(v)
	}
}

// nextLine takes the next line of the stream in.
func (e *events) nextLine() {
	line, err := e.readLine()
	if err != nil {
		// The last line may lack its end. An event that makes no sense yet was
		// cut, and is left out.
		e.err = err
		e.field(line)
		return
	}
	if len(line) == 0 {
		e.dispatch()
		return
	}
	e.field(line)
}

// readLine reads a line without its end. With an error, the line is what there
// was before it.
func (e *events) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := e.r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return bytes.TrimRight(line, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// field takes a line "name: value" in.
func (e *events) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "event":
		e.kind = string(bytes.TrimSpace(value))
	case "data":
		value = bytes.TrimSpace(value)
		if len(e.data) > 0 {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
		// Many servers leave the blank line out, so that an event ends where it
		// makes sense.
		if bytes.Equal(e.data, doneMarker) || bytes.HasSuffix(e.data, []byte("}")) && json.Valid(e.data) {
			e.dispatch()
		}
	}
}

// dispatch passes the event on that was read.
func (e *events) dispatch() {
	data, kind := e.data, e.kind
	e.data = e.data[:0]
	if len(data) == 0 {
		return
	}
	e.kind = ""
	if bytes.Equal(data, doneMarker) {
		e.done, e.err = true, io.EOF
		return
	}
	if kind == "error" && !hasError(data) {
		data = fmt.Appendf(nil, `{"error":%s}`, asJSON(data))
	}
	e.emit(data)
}

// emit makes the line that goes out.
func (e *events) emit(data []byte) {
	line := append(make([]byte, 0, len(data)+16), "data: "...)
	if bytes.HasPrefix(data, errorStart) {
		// go-openai keeps such an event for itself, and loses half of it. With a
		// blank it lets it pass.
		line, data = append(line, "{ "...), data[1:]
	}
	start := len(line)
	line = append(line, data...)
	for i, c := range line[start:] {
		if c == '\n' {
			line[start+i] = ' ' // between the tokens of JSON, where both are the same
		}
	}
	e.line = append(line, '\n')
}

func hasError(data []byte) bool {
	var v struct{ Error json.RawMessage }
	return json.Unmarshal(data, &v) == nil && present(v.Error)
}

// asJSON returns data if it is JSON, else a JSON string of it.
func asJSON(data []byte) []byte {
	if json.Valid(data) {
		return data
	}
	s, _ := json.Marshal(string(data)) // a string has a JSON form
	return s
}
