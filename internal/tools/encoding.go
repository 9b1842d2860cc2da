package tools

import (
	"bytes"
	endian "encoding/binary"
	"unicode/utf16"
)

// An encoding is how a text file holds its characters.
type encoding string

// The encodings. Those but the first are told by the byte order mark that a file
// begins with, and kept when the file is changed.
const (
	utf8Text encoding = ""
	utf16LE  encoding = "UTF-16 LE text"
	utf16BE  encoding = "UTF-16 BE text"
)

// marks are the byte order marks.
var marks = map[encoding]string{utf16LE: "\xff\xfe", utf16BE: "\xfe\xff"}

// order is how the bytes of a unit of UTF-16 lie.
func (e encoding) order() interface {
	endian.ByteOrder
	endian.AppendByteOrder
} {
	if e == utf16BE {
		return endian.BigEndian
	}
	return endian.LittleEndian
}

// encodingOf tells the encoding of a file that begins like this.
func encodingOf(head []byte) encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")): // the mark of UTF-32
		return utf8Text
	case bytes.HasPrefix(head, []byte(marks[utf16LE])):
		return utf16LE
	case bytes.HasPrefix(head, []byte(marks[utf16BE])):
		return utf16BE
	}
	return utf8Text
}

// A decoded file is its text with the encoding that it is to be written in again.
type decoded struct {
	text     string
	encoding encoding
	// lossy says that encoding the text does not give the file again.
	lossy bool
}

// decode reads a file as text. Bytes without a mark are taken as they are.
func decode(file []byte) decoded {
	d := decoded{encoding: encodingOf(file)}
	if d.encoding == utf8Text {
		d.text = string(file)
		return d
	}
	body := file[len(marks[d.encoding]):]
	units := make([]uint16, 0, len(body)/2)
	for ; len(body) > 1; body = body[2:] {
		units = append(units, d.encoding.order().Uint16(body))
	}
	d.text = string(utf16.Decode(units))
	if len(body) > 0 {
		d.text += "\uFFFD" // half a unit
	}
	d.lossy = !bytes.Equal(d.encode(d.text), file)
	return d
}

// encode renders another text in the encoding of the file.
func (d decoded) encode(text string) []byte {
	if d.encoding == utf8Text {
		return []byte(text)
	}
	b := []byte(marks[d.encoding])
	for _, unit := range utf16.Encode([]rune(text)) {
		b = d.encoding.order().AppendUint16(b, unit)
	}
	return b
}

// kept is what to say of the encoding after the file was changed.
func (d decoded) kept() string {
	if d.encoding == utf8Text {
		return ""
	}
	return "\n(the file was and stays " + string(d.encoding) + ")"
}
