package agent

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/spf13/afero"

	"github.com/deeds-evals/deeds/internal/tools"
)

// The system prompt is made of these files and of nothing else.
//
//go:embed prompts/*.md
var promptFiles embed.FS

var prompts = template.Must(template.New("").ParseFS(promptFiles, "prompts/*.md"))

// maxPlan bounds the text of a plan that is shown to the model.
const maxPlan = 32_000

// PromptDigest identifies the system prompt that this build ships: the SHA-256
// of its parts, in hex.
func PromptDigest() string {
	sum := sha256.New()
	names, err := fs.Glob(promptFiles, "prompts/*.md")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range names {
		text, err := promptFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		fmt.Fprintf(sum, "%s\x00%d\x00%s", name, len(text), text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// promptData is what the parts of the prompt can say.
type promptData struct {
	Dir   string
	Date  string
	Plan  *planText // an approved plan, in build mode
	Todos []tools.Todo
	tools map[string]bool
}

type planText struct{ Path, Text string }

// Has reports whether the agent has a tool: the prompt speaks of no other.
func (d promptData) Has(tool string) bool { return d.tools[tool] }

// systemPrompt renders the system prompt for the turn that begins. It is the
// same throughout the turn.
func (s *Session) systemPrompt() (Message, error) {
	d := promptData{
		Dir: s.config.Tools.Dir, Date: s.config.Date,
		Todos: s.tools.Todos(), tools: make(map[string]bool),
	}
	for _, spec := range s.tools.Specs() {
		d.tools[spec.Name] = true
	}
	parts := []string{"system.md", "build.md"}
	if s.tools.Mode() == tools.Plan {
		parts[1] = "plan.md"
	} else if p := s.config.Plan; p != nil && p.Approved {
		text, err := readPlan(s.config.Tools.Files, p.Path)
		if err != nil {
			return Message{}, err
		}
		d.Plan = &planText{Path: p.Path, Text: text}
		parts = append(parts, "approved.md")
	}
	if len(d.Todos) > 0 {
		parts = append(parts, "todos.md")
	}
	var text []string
	for _, part := range parts {
		var b bytes.Buffer
		if err := prompts.ExecuteTemplate(&b, part, d); err != nil {
			return Message{}, fmt.Errorf("write the system prompt: %w", err)
		}
		text = append(text, strings.TrimSpace(b.String()))
	}
	return Message{Role: System, Text: strings.Join(text, "\n\n")}, nil
}

// readPlan reads the text of a plan file.
func readPlan(files afero.Fs, name string) (string, error) {
	if files == nil {
		return "", fmt.Errorf("read the plan %s: there are no files", name)
	}
	b, err := afero.ReadFile(files, path.Clean(name))
	if err != nil {
		return "", fmt.Errorf("read the approved plan: %w", err)
	}
	text := strings.ToValidUTF8(string(b), "\uFFFD")
	if len(text) > maxPlan {
		text = strings.ToValidUTF8(text[:maxPlan], "") + "\n\n(The plan goes on: read the file for the rest.)"
	}
	return strings.TrimSpace(text), nil
}
