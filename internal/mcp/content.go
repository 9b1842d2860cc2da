package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deeds-evals/deeds/internal/tools"
)

const maxBytes = 128 << 10

// pieces collects what a server answers with, of whatever kind.
type pieces struct {
	text   []string
	images []tools.Image
}

// add takes one piece of a tool's answer. What is neither text nor picture is
// named, lest it be missed in silence.
func (p *pieces) add(content sdk.Content) {
	switch c := content.(type) {
	case *sdk.TextContent:
		if c.Text != "" {
			p.text = append(p.text, c.Text)
		}
	case *sdk.ImageContent:
		p.images = append(p.images, tools.Image{MIME: c.MIMEType, Data: c.Data})
	case *sdk.AudioContent:
		p.omit("audio", c.MIMEType, len(c.Data))
	case *sdk.ResourceLink:
		p.text = append(p.text, "resource "+describe(c.URI, c.Name, c.MIMEType, c.Description))
	case *sdk.EmbeddedResource:
		if c.Resource != nil {
			p.resource(c.Resource)
		}
	}
}

// resource takes the contents of a resource.
func (p *pieces) resource(c *sdk.ResourceContents) {
	switch {
	case c.Blob == nil:
		p.text = append(p.text, c.Text)
	case strings.HasPrefix(c.MIMEType, "image/"):
		p.images = append(p.images, tools.Image{MIME: c.MIMEType, Data: c.Blob})
	default:
		p.omit(c.URI, c.MIMEType, len(c.Blob))
	}
}

func (p *pieces) omit(what, mime string, size int) {
	if mime == "" {
		mime = "unknown type"
	}
	p.text = append(p.text, fmt.Sprintf("(%s: %d bytes of %s, which cannot be shown)", what, size, mime))
}

func (p *pieces) structured(v any) {
	if b, err := json.Marshal(v); err == nil {
		p.text = append(p.text, string(b))
	}
}

func (p *pieces) empty() bool { return len(p.text)+len(p.images) == 0 }

// outcome is everything that was collected, as the answer of a call that went
// well.
func (p *pieces) outcome() tools.Outcome {
	text := clip(strings.Join(p.text, "\n"))
	switch {
	case strings.TrimSpace(text) != "":
	case len(p.images) > 0:
		text = fmt.Sprintf("(images: %d)", len(p.images))
	default:
		text = "(no output)"
	}
	return tools.Outcome{Status: tools.OK, Text: text, Images: p.images}
}

// clip cuts text to what a model is shown at once.
func clip(text string) string {
	if len(text) <= maxBytes {
		return text
	}
	end := maxBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s\n(the answer is %d bytes long: only its first 128 KiB are shown)", text[:end], len(text))
}
