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

// All prompts are made of these files and of nothing else.
//
//go:embed prompts/*.md
var promptFiles embed.FS

var prompts = template.Must(template.New("").ParseFS(promptFiles, "prompts/*.md"))

// maxPlan bounds the text of a plan that is shown to the model.
const maxPlan = 32_000

// PromptDigest identifies the prompts that this build ships, those of children and of
// summaries included: the SHA-256 of their parts, in hex.
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
	Dir     string
	Date    string
	Scratch string
	Git     bool      // the workspace is a repository, and there may be work in it
	Plan    *planText // an approved plan, in build mode
	Todos   []tools.Todo
	Rules   ruleTexts
	Skills  []tools.Skill
	Broken  []*tools.BrokenSkill
	Memory  []tools.Memory
	tools   map[string]bool
}

type planText struct{ Path, Text string }

// Has reports whether the agent has a tool: the prompt speaks of no other.
func (d promptData) Has(tool string) bool { return d.tools[tool] }

// prepare writes the system prompt for the turn that begins, and tells of the rules
// in it. It is the same throughout the turn, unless the conversation is compacted.
func (s *Session) prepare() error {
	d, found := s.promptData()
	parts, err := s.parts(&d)
	if err != nil {
		return err
	}
	var text []string
	for _, part := range parts {
		t, err := render(part, d)
		if err != nil {
			return err
		}
		text = append(text, t)
	}
	s.system = Message{Role: System, Text: strings.Join(text, "\n\n")}
	now := s.now()
	for i := range found {
		found[i].Begun = now
	}
	s.observe(found...)
	return nil
}

// promptData collects what the prompt says, and the events that tell of it.
func (s *Session) promptData() (d promptData, found []Event) {
	env := s.config.Tools
	d = promptData{
		Dir: env.Dir, Date: s.config.Date, Scratch: env.Scratch, Todos: s.tools.Todos(),
		Skills: env.Skills, Broken: s.broken, tools: make(map[string]bool),
	}
	for _, spec := range s.tools.Specs() {
		d.tools[spec.Name] = true
	}
	if env.Files != nil && !s.role.reads() {
		_, err := env.Files.Stat(".git")
		d.Git = err == nil
	}
	if env.Memory != nil {
		// That they cannot be read is no reason to stop: the agent itself may have put
		// something else there, and its tool says what is wrong.
		d.Memory, _ = tools.Memories(env.Memory)
	}
	d.Rules, found = s.rules.read()
	return d, found
}

// parts names the files that the prompt is made of.
func (s *Session) parts(d *promptData) ([]string, error) {
	parts := []string{"system.md", "workspace.md", "working.md"}
	switch p := s.config.Plan; {
	case s.role != "":
		parts = []string{"child-" + string(s.role) + ".md", "workspace.md", "child.md"}
	case s.tools.Mode() == tools.Plan:
		parts = append(parts, "plan.md")
	case p != nil && p.Approved:
		d.Plan = &planText{Path: p.Path, Text: readPlan(s.config.Tools.Files, p.Path)}
		parts = append(parts, "build.md", "approved.md")
	default:
		parts = append(parts, "build.md")
	}
	for _, more := range []struct {
		part string
		say  bool
	}{
		{"rules.md", d.Rules.any()},
		{"skills.md", d.Has("skill") && len(d.Skills) > 0 || len(d.Broken) > 0},
		{"memory.md", d.Has("memory") && len(d.Memory) > 0},
		{"todos.md", len(d.Todos) > 0},
	} {
		if more.say {
			parts = append(parts, more.part)
		}
	}
	return parts, nil
}

// render writes one part of the prompt.
func render(part string, data any) (string, error) {
	var b bytes.Buffer
	if err := prompts.ExecuteTemplate(&b, part, data); err != nil {
		return "", fmt.Errorf("write the prompt: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}

// readPlan reads the text of a plan file. That it cannot be read is no reason to stop:
// the agent itself may have removed it.
func readPlan(files afero.Fs, name string) string {
	if files == nil {
		return "(The file cannot be read: there are no files.)"
	}
	b, err := afero.ReadFile(files, path.Clean(name))
	if err != nil {
		return fmt.Sprintf("(The file cannot be read: %v.)", reason(err))
	}
	text := strings.ToValidUTF8(string(b), "\uFFFD")
	if len(text) > maxPlan {
		text = strings.ToValidUTF8(text[:maxPlan], "") + "\n\n(The plan goes on: read the file for the rest.)"
	}
	return strings.TrimSpace(text)
}
