package tools

import (
	"bytes"
	"image"
	_ "image/gif"  // to tell the size of an image
	_ "image/jpeg" // the same
	_ "image/png"  // the same
	"io"
)

// maxImage is the largest image that the model is shown.
const maxImage = 5 << 20

// imageNames say in words what kind an image is, by its MIME type.
var imageNames = map[string]string{
	"image/png": "a PNG image", "image/jpeg": "a JPEG image", "image/gif": "a GIF image", "image/webp": "a WebP image",
}

// imageKind is the MIME type of a file that begins like an image which models can
// look at, or "".
func imageKind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return "image/gif"
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// image puts an image before the model. One that is broken is refused, since a
// model's endpoint would refuse the whole conversation for it.
func (p place) image(kind string, r io.Reader, size int64) Outcome {
	data, err := io.ReadAll(io.LimitReader(r, maxImage+1))
	switch {
	case err != nil:
		return failed("%s: %s", p, because(err))
	case len(data) > maxImage:
		return failed("%s is %s (%d bytes), larger than 5 MiB; read cannot show it", p, imageNames[kind], max(size, maxImage+1))
	}
	// The standard library does not know the header of WebP.
	what := imageNames[kind]
	if kind != "image/webp" {
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return failed("%s begins like %s, and is broken (%d bytes): %v; read cannot show it", p, what, len(data), err)
		}
		out := ok("%s is %s of %d × %d pixels (%d bytes), shown with this answer", p, what, config.Width, config.Height, len(data))
		out.Images = []Image{{MIME: kind, Data: data}}
		return out
	}
	out := ok("%s is %s (%d bytes), shown with this answer", p, what, len(data))
	out.Images = []Image{{MIME: kind, Data: data}}
	return out
}
