package board

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/results"
)

//go:embed style.css
var css string

//go:embed page.html
var page string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"inert": inert.Line,
	"says":  func(r results.Retirement) string { return inert.Line(Says(r)) },
	"times": times,
}).Parse(page))

// HTML is the page in one file. It asks the network for nothing and runs no script: its
// policy forbids both, and allows the one style sheet by its hash.
func (p Page) HTML() ([]byte, error) {
	sum := sha256.Sum256([]byte(css))
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, struct {
		Page
		Style  template.CSS
		Policy string
	}{p, template.CSS(css), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"})
	return b.Bytes(), err
}
