package expect

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"strings"
)

// maxUnpacked is how much of a packed file is looked at, in bytes: a small one can
// hold more than there is room for.
const maxUnpacked = 8 << 20

// unpacked is what a packed file holds, names and contents alike, as far as it can be
// read; "" for a file that is none.
func unpacked(data []byte) string {
	var b strings.Builder
	add := func(r io.Reader, err error) {
		if err == nil {
			// What is broken behind its beginning has that beginning still.
			_, _ = io.Copy(&b, io.LimitReader(r, max(0, maxUnpacked-int64(b.Len()))))
		}
	}
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		r, err := gzip.NewReader(bytes.NewReader(data))
		add(r, err)
	case bytes.HasPrefix(data, []byte("BZh")):
		add(bzip2.NewReader(bytes.NewReader(data)), nil)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return ""
		}
		for _, f := range archive.File {
			b.WriteString(f.Name + "\n")
			r, err := f.Open()
			add(r, err)
		}
	}
	return b.String()
}
