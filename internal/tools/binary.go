package tools

import "bytes"

// sniffed is how much of a file tells whether it is text.
const sniffed = 8000

// magic are the beginnings by which common kinds of binary files are known.
var magic = []struct{ head, what string }{
	{"\x89PNG\r\n\x1a\n", "a PNG image"},
	{"\xff\xd8\xff", "a JPEG image"},
	{"GIF87a", "a GIF image"},
	{"GIF89a", "a GIF image"},
	{"%PDF-", "a PDF document"},
	{"PK\x03\x04", "a ZIP archive"},
	{"\x1f\x8b\x08", "a gzip file"},
	{"BZh", "a bzip2 file"},
	{"\xfd7zXZ\x00", "an xz file"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"\x7fELF", "an ELF executable"},
	{"SQLite format 3\x00", "a SQLite database"},
	{"\x00asm", "a WebAssembly module"},
	{"\xff\xfe\x00\x00", "UTF-32 text"},
}

// binary says what a file is that begins like this, or "" if it is text. Bytes
// that are not UTF-8 make no binary: old encodings are still worth reading.
func binary(head []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.head)) && (m.head != "BZh" || bytes.IndexByte(head, 0) >= 0) {
			return m.what
		}
	}
	if bytes.IndexByte(head[:min(len(head), sniffed)], 0) >= 0 {
		return "binary data"
	}
	return ""
}
