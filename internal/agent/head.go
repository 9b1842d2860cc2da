package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/frontmatter"
	"github.com/deeds-evals/deeds/internal/tools"
)

// A head is the front matter of a file of rules: what it is about, and when it counts.
type head struct {
	Description string
	Always      bool
	Globs       []string
}

// readHead takes the front matter off a text. The error says what is wrong with it and
// what would be right, for the user and for the model alike.
func readHead(text string) (h head, body string, err error) {
	values, body, err := frontmatter.Parse(text)
	if err != nil {
		return head{}, "", fmt.Errorf("%w; a file of rules takes description: TEXT, always: true and globs: [\"*.go\"]", err)
	}
	for name, value := range values {
		ok := true
		switch name {
		case "description":
			h.Description, ok = value.Text()
		case "always":
			h.Always, ok = value.Bool()
		case "globs":
			h.Globs, ok = globs(value)
		default:
			return head{}, "", fmt.Errorf("line %d: %s is not known; there are description, always and globs", value.Line(), name)
		}
		if !ok {
			return head{}, "", fmt.Errorf("line %d: the value of %s does not fit; it takes description: TEXT, always: true and globs: [\"*.go\"]", value.Line(), name)
		}
	}
	h.Description = strings.Join(strings.Fields(h.Description), " ")
	if !h.Always && len(h.Globs) == 0 && h.Description == "" {
		return head{}, "", errors.New("its front matter says neither always: true, nor globs, nor a description, so that it never counts")
	}
	return h, body, nil
}

// globs reads a list of globs, and reports whether it is one.
func globs(value frontmatter.Value) (all []string, ok bool) {
	list, ok := value.List()
	for _, v := range list {
		glob, plain := v.Text()
		ok = ok && plain && tools.ValidGlob(glob)
		all = append(all, glob)
	}
	return all, ok
}

// matches reports whether a file is one that the rules are for.
func (h head) matches(name string) bool {
	for _, glob := range h.Globs {
		if tools.MatchGlob(glob, name) {
			return true
		}
	}
	return false
}
