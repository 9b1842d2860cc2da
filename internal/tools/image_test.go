package tools

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadImages(t *testing.T) {
	var asPNG, asJPEG, asGIF bytes.Buffer
	plain := image.NewGray(image.Rect(0, 0, 7, 5))
	require.NoError(t, png.Encode(&asPNG, plain))
	require.NoError(t, jpeg.Encode(&asJPEG, plain, nil))
	require.NoError(t, gif.Encode(&asGIF, plain, nil))
	webp := "RIFF\x10\x00\x00\x00WEBPVP8L\x04\x00\x00\x00\x2f\x00\x00\x00"
	w := newWorld(t, Plan, files{
		"a.png": asPNG.String(), "a.jpg": asJPEG.String(), "a.gif": asGIF.String(), "a.webp": webp, "named.txt": asPNG.String(),
		"cut.jpg": asJPEG.String()[:20], "cut.png": asPNG.String()[:20], "sound.wav": "RIFF\x10\x00\x00\x00WAVEfmt ",
	})
	for _, tt := range []struct{ path, mime, data, what string }{
		{"a.png", "image/png", asPNG.String(), "a PNG image of 7 × 5 pixels"},
		{"a.jpg", "image/jpeg", asJPEG.String(), "a JPEG image of 7 × 5 pixels"},
		{"a.gif", "image/gif", asGIF.String(), "a GIF image of 7 × 5 pixels"},
		{"a.webp", "image/webp", webp, "a WebP image"},
		{"named.txt", "image/png", asPNG.String(), "a PNG image of 7 × 5 pixels"},
	} {
		require.Equal(t, Outcome{
			Status: OK, Text: fmt.Sprintf("%s is %s (%d bytes), shown with this answer", tt.path, tt.what, len(tt.data)),
			Images: []Image{{MIME: tt.mime, Data: []byte(tt.data)}},
		}, w.call("read", is{"path": tt.path}))
	}
	for _, path := range []string{"cut.jpg", "cut.png"} {
		out := w.call("read", is{"path": path})
		require.Equal(t, Failed, out.Status)
		require.Contains(t, out.Text, ", and is broken (20 bytes): ")
		require.Empty(t, out.Images)
	}
	require.Equal(t, "sound.wav is binary data (16 bytes), not text; read cannot show it", w.call("read", is{"path": "sound.wav"}).Text)
	require.NoError(t, os.Truncate(filepath.Join(w.dir, "a.png"), maxImage))
	require.Len(t, w.call("read", is{"path": "a.png"}).Images, 1)
	require.NoError(t, os.Truncate(filepath.Join(w.dir, "a.png"), maxImage+1))
	require.Equal(t, Outcome{Status: Failed, Text: "a.png is a PNG image (5242881 bytes), larger than 5 MiB; read cannot show it"}, w.call("read", is{"path": "a.png"}))
}

// utf16File encodes a text by hand, for characters of one unit.
func utf16File(mark, text string) string {
	var b strings.Builder
	b.WriteString(mark)
	for _, r := range text {
		low, high := byte(r), byte(r>>8)
		if mark == "\xfe\xff" {
			low, high = high, low
		}
		b.Write([]byte{low, high})
	}
	return b.String()
}

func TestUTF16(t *testing.T) {
	for name, mark := range map[string]string{"LE": "\xff\xfe", "BE": "\xfe\xff"} {
		t.Run(name, func(t *testing.T) {
			kept := "\n(the file was and stays UTF-16 " + name + " text)"
			w := newWorld(t, Build, files{
				"a.txt": utf16File(mark, "één\r\ntwo €\r\n"), "odd.txt": utf16File(mark, "ab") + "c", "half.txt": utf16File(mark, "a\ud7ff") + strings.Repeat("\xd8", 2),
				"nul.txt": utf16File(mark, "a\x00b"), "mark.txt": mark,
			})
			require.Equal(t, "1\téén\n2\ttwo €\n(lines end in CRLF)\n(the file is UTF-16 "+name+" text, shown decoded)", w.call("read", is{"path": "a.txt"}).Text)
			require.Equal(t, "a.txt:2:two €", w.call("grep", is{"pattern": "€"}).Text)
			out := w.call("edit", is{"path": "a.txt", "old": "two €", "new": "2 😀"})
			require.Equal(t, OK, out.Status, out.Text)
			require.True(t, strings.HasSuffix(out.Text, kept), out.Text)
			require.Equal(t, []string{"a.txt"}, out.Changed)
			require.Equal(t, "1\téén\n2\t2 😀\n(lines end in CRLF)\n(the file is UTF-16 "+name+" text, shown decoded)", w.call("read", is{"path": "a.txt"}).Text)
			require.True(t, strings.HasPrefix(w.content("a.txt"), utf16File(mark, "één\r\n2 ")))

			out = w.call("write", is{"path": "a.txt", "content": "new\n"})
			require.True(t, strings.HasSuffix(out.Text, kept), out.Text)
			require.Equal(t, utf16File(mark, "new\n"), w.content("a.txt"))
			require.Equal(t, "a.txt has exactly this content already; nothing was changed", w.call("write", is{"path": "a.txt", "content": "new\n"}).Text)

			for _, path := range []string{"odd.txt", "half.txt"} {
				before := w.content(path)
				require.Equal(t, Outcome{Status: Failed, Text: path + " is UTF-16 " + name + " text with units that stand for no character; edit would damage it, so change it with bash"},
					w.call("edit", is{"path": path, "old": "a", "new": "b"}))
				require.Equal(t, before, w.content(path))
				require.Contains(t, w.call("read", is{"path": path}).Text, "\uFFFD")
			}
			require.Equal(t, "nul.txt is binary data (8 bytes), not text; read cannot show it", w.call("read", is{"path": "nul.txt"}).Text)
			require.Equal(t, "(mark.txt is empty)", w.call("read", is{"path": "mark.txt"}).Text)
		})
	}
	w := newWorld(t, Build, files{"utf32": "\xff\xfe\x00\x00a\x00\x00\x00"})
	require.Equal(t, "utf32 is UTF-32 text (8 bytes), not text; read cannot show it", w.call("read", is{"path": "utf32"}).Text)
}
