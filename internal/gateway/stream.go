package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// errTooLong says that the answer outgrew what is taken.
var errTooLong = errors.New("the answer is too long")

// frame is what an answer may take up besides what it says, however little that is.
const frame = 1 << 20

// readAnswer reads an answer with status 200 to its end: a stream of server-sent
// events, or one JSON object from a server that does not stream. What it is shows
// in its first byte; the content type is often wrong. It returns when the first
// token came, too.
//
// An answer is whole if it gives the reason why it ended. One that does not was
// cut, however quietly.
func readAnswer(body io.Reader, most int64) (reply *Reply, first time.Time, fault *Fault) {
	a := new(assembler)
	err := a.read(bufio.NewReaderSize(body, 16<<10), most)
	switch {
	case errors.Is(err, errTooLong) && a.size <= most:
		// The bytes are no message: no model of any kind is to blame for them.
		return nil, a.first, NewFault(Garbage, "the answer goes on and on, and hardly any of it is a message")
	case errors.Is(err, errTooLong):
		a.reply.Finish, a.reply.Capped = "length", true
		return a.done(), a.first, nil
	case errors.As(err, &fault):
		return nil, a.first, fault
	case a.reply.Finish == "" && err != nil:
		return nil, a.first, NewFault(CutStream, "the answer broke off: %v", err)
	case a.reply.Finish == "":
		return nil, a.first, NewFault(CutStream, "the answer ended without a reason to end")
	}
	// What breaks after the end of the message took nothing but the usage.
	r := a.done()
	if (r.Finish == "stop" || r.Finish == "tool_calls") && r.Message.empty() && r.Usage.Completion == 0 {
		return nil, a.first, NewFault(Empty, "a message without words and without calls, at no token")
	}
	return r, a.first, nil
}

func (a *assembler) read(in *bufio.Reader, most int64) error {
	first, err := firstByte(in)
	if err == io.EOF {
		return NewFault(CutStream, "the answer is empty")
	}
	if err != nil {
		return err
	}
	switch first {
	case '{':
		return a.readWhole(in, most)
	case '<':
		page, _ := io.ReadAll(io.LimitReader(in, 64<<10)) // half a page is as good
		message, _ := errorText(page)
		return NewFault(Garbage, "%s", message)
	}
	return a.readEvents(in, most)
}

// readWhole reads a chat.completion. Once it is whole it cannot have been cut, so
// it needs no reason to end.
func (a *assembler) readWhole(in *bufio.Reader, most int64) error {
	whole, err := io.ReadAll(io.LimitReader(in, 4*most+frame))
	if err != nil {
		return err
	}
	if !json.Valid(whole) {
		if int64(len(whole)) == 4*most+frame {
			return errTooLong
		}
		var syntax *json.SyntaxError
		if errors.As(json.Unmarshal(whole, new(any)), &syntax) && syntax.Offset >= int64(len(whole)) {
			return io.ErrUnexpectedEOF
		}
	}
	if f := a.add(whole); f != nil {
		return f
	}
	if a.size > most {
		return errTooLong
	}
	if a.reply.Finish == "" {
		if !a.began {
			return NewFault(Garbage, "the answer is no chat completion: %s", clip(string(whole), longestRaw))
		}
		a.reply.Finish = "stop"
		if len(a.calls) > 0 {
			a.reply.Finish = "tool_calls"
		}
	}
	return nil
}

// readEvents reads server-sent events. Comments, which some servers send to keep
// the connection, are passed over.
func (a *assembler) readEvents(in *bufio.Reader, most int64) error {
	var (
		data  []byte // of the event so far
		name  string // of the event
		total int64  // bytes of the stream, which says everything many times over
	)
	for {
		line, err := readLine(in, 4*most+frame)
		if total += int64(len(line)); total > 64*most+frame {
			return errTooLong
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case string(field) == "event":
			name = string(value)
		case string(field) == "data":
			if string(value) == "[DONE]" {
				return nil
			}
			// An object that is whole is an event, with or without the blank
			// line after it, which some servers leave out.
			if data = append(append(data, value...), '\n'); json.Valid(data) {
				if f := a.event(name, data); f != nil {
					return f
				}
				data = data[:0]
			}
		case len(line) == 0 && err == nil:
			if len(bytes.TrimSpace(data)) > 0 {
				return NewFault(Garbage, "an event of the stream is no JSON: %s", clip(string(data), longestRaw))
			}
			data, name = data[:0], ""
		case !isField(field) && !(err != nil && bytes.HasPrefix([]byte("data"), field)):
			return NewFault(Garbage, "a line of the stream is no event: %s", clip(string(line), longestRaw))
		}
		switch {
		case a.size > most:
			return errTooLong
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// event takes one event. What comes under the name "error" is one, whatever its
// shape.
func (a *assembler) event(name string, data []byte) *Fault {
	f := a.add(data)
	if f == nil && name == "error" {
		return streamFault(data)
	}
	return f
}

// isField reports whether a line that begins so is a comment or a field that
// nobody needs here.
func isField(name []byte) bool {
	return len(name) == 0 || string(name) == "id" || string(name) == "retry"
}

// readLine returns the next line without its end. Its error is io.EOF on the last
// one, which may hold something.
func readLine(in *bufio.Reader, most int64) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > most {
			return nil, errTooLong
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// firstByte returns the first byte that is not white space, without taking it.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch b {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF: // a byte order mark too
			continue
		}
		return b, in.UnreadByte()
	}
}
