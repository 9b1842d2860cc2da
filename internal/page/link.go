package page

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/deeds-evals/deeds/results"
)

// link is the fragment that opens an attempt: #attempt=chain/refund/big/07/model/2. It
// is made of names alone, so that it opens the same attempt in the report of any run.
// Every name is one step; one that is empty is _.
func link(s results.Slot, agents bool) string {
	var steps []string
	for _, step := range strings.Split(s.Case, "/") {
		steps = append(steps, escape(step))
	}
	model := escape(s.Model)
	if agents {
		model += "@" + escape(s.Agent)
	}
	steps = append(steps, escape(s.World), escape(s.Variant), model, fmt.Sprint(s.Attempt))
	return "#attempt=" + strings.Join(steps, "/")
}

// URL is the link, which no template needs to look at again.
func (s *slot) URL() template.URL { return template.URL(s.Link) }

// URL is the link to the attempt, "" where it is not on the page.
func (e extreme) URL() template.URL { return template.URL(e.Link) }

// escape leaves alone what no browser rewrites and no reader stumbles over.
func escape(name string) string {
	const harmless = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.:_"
	switch name {
	case "":
		return "_"
	case "_":
		return "%5F"
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if strings.IndexByte(harmless, name[i]) >= 0 {
			b.WriteByte(name[i])
			continue
		}
		fmt.Fprintf(&b, "%%%02X", name[i])
	}
	return b.String()
}
