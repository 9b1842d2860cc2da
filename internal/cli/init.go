package cli

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/overview"
)

// The files that init writes. They are no Go files here, so that nothing compiles them
// but the tests, in the modules that they were written into.
//
//go:embed init/*.tmpl
var initFiles embed.FS

// A founding says what is to be written, and where.
type founding struct {
	dir      string // "" is the module that the working directory lies in
	path     string // of a new module
	folder   string // of the case
	agent    string
	workflow string
	deeds    string // the folder of Deeds, for replace
	force    bool
	tidy     bool
	asJSON   bool
}

func initCommand(c *Config) *cobra.Command {
	var f founding
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a suite: a first case, its script, a workflow",
		Long: `Begin a suite in a module of your own: a first case with its script, a workflow for
CI, and what keeps raw evidence out of the repository. What comes of it passes
` + "`go test`" + ` at once, offline.

Without DIR it is the module that the working directory lies in. A folder without a
go.mod becomes a module. With --agent own the case is about an agent of your own,
and a small one that works stands where yours belongs; with none there is no case.

Files that exist are kept as they are, unless --force is given. Deeds is not
published yet: go.mod replaces it by the folder that this command was built from,
or by that of --deeds.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse(fmt.Sprintf("`deeds init` takes one folder, and %q is one too many", args[1]), "`deeds init --help` says what it takes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				f.dir = args[0]
			}
			return c.init(cmd, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.folder, "package", "evals/core", "the folder of the case, in the module")
	flags.StringVar(&f.agent, "agent", "builtin", "the agent of the case: builtin, own or none")
	flags.StringVar(&f.workflow, "workflow", "github", "the workflow for CI: github, gitlab or none")
	flags.StringVar(&f.path, "module", "", "the path of a new module (default: from the folder's name)")
	flags.StringVar(&f.deeds, "deeds", "", "the folder of Deeds (default: the one that it was built from)")
	flags.BoolVar(&f.force, "force", false, "replace files that exist and say something else")
	flags.BoolVar(&f.tidy, "tidy", true, "run go mod tidy in the end")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

// A written is a file that init is about, and what became of it.
type written struct {
	Path string `json:"path"`
	// State is "created", "replaced", "changed", "unchanged" or "kept": it is there and
	// says something else.
	State string `json:"state"`
}

// A foundation is what init did.
type foundation struct {
	Module string    `json:"module"`
	Dir    string    `json:"dir"`
	Files  []written `json:"files"`
	Notes  []string  `json:"notes"`
	Next   []string  `json:"next"`
}

func (c *Config) init(cmd *cobra.Command, f founding) error {
	if err := f.check(); err != nil {
		return err
	}
	h, err := c.homeOf(cmd.Context(), f)
	if err != nil {
		return err
	}
	if h.name, err = packageName(h.dir, f.folder); err != nil {
		return err
	}
	if below := h.below(); f.workflow != "none" && (strings.Contains(below, "${{") || strings.ContainsFunc(below, unicode.IsControl)) {
		return misuse(fmt.Sprintf("no workflow can name the folder %q", below), "--workflow none writes none")
	}
	files, notes, err := h.files(f)
	if err != nil {
		return err
	}
	done := foundation{Module: h.module, Dir: h.dir, Files: []written{}, Notes: append(h.notes, notes...), Next: []string{}}
	if err := c.found(cmd.Context(), h, f, files, &done); err != nil {
		return err
	}
	if slices.ContainsFunc(done.Files, func(w written) bool { return w.State == "kept" }) {
		done.Notes = append(done.Notes, "what is kept says something else than init would write: --force replaces it")
	}
	// Without a case nothing may need Deeds yet, and tidying would take it out again.
	tidied := f.agent == "none"
	if f.tidy && !tidied {
		if err := c.tidy(cmd.Context(), h.dir); err != nil {
			done.Notes = append(done.Notes, fmt.Sprintf("go mod tidy failed, so that go.sum is not whole yet: %v", err))
		} else {
			tidied = true
		}
	}
	done.Next = h.next(c, f, tidied, c.leftOut(cmd.Context(), h.dir) != "")
	if f.asJSON {
		return printJSON(c.Stdout, done)
	}
	return done.print(c)
}

// found writes go.mod and the files, or nothing.
func (c *Config) found(ctx context.Context, h *home, f founding, files []draft, done *foundation) error {
	s, made, err := newStage(h.top)
	if err != nil {
		return inTheWay(c.shorten(h.top), err)
	}
	defer removeFolders(made)
	defer s.close()
	for _, file := range files {
		if err := s.add(file.name, file.text, f.force); err != nil {
			return inTheWay(file.name, err)
		}
	}
	// The files are worth nothing without go.mod.
	state, err := c.require(ctx, h, f)
	if err != nil {
		return err
	}
	done.Files = append(done.Files, written{c.shorten(filepath.Join(h.dir, "go.mod")), state})
	if err := s.commit(); err != nil {
		return &fault{what: fmt.Sprintf("a file cannot be put in its place: %v", err), hint: "run it again: what stands is kept", code: 1, is: err}
	}
	for _, file := range s.staged {
		done.Files = append(done.Files, written{c.fromHere(filepath.Join(h.top, filepath.FromSlash(file.name))), file.state})
	}
	return nil
}

func (d *foundation) print(c *Config) error {
	fmt.Fprintf(c.Stdout, "module     %s in %s\n", inert.Line(d.Module), inert.Line(c.shorten(d.Dir)))
	for _, w := range d.Files {
		style := normal
		switch w.State {
		case "created", "changed", "replaced":
			style = green
		case "kept":
			style = yellow
		}
		fmt.Fprintf(c.Stdout, "%s%s\n", style.paint(c.Colour, fmt.Sprintf("%-11s", w.State)), inert.Line(w.Path))
	}
	for _, n := range d.Notes {
		fmt.Fprintf(c.Stdout, "note       %s\n", strings.ReplaceAll(inert.Text(n), "\n", "\n           "))
	}
	for i, n := range d.Next {
		word := ""
		if i == 0 {
			word = "next"
		}
		fmt.Fprintf(c.Stdout, "%-11s%s\n", word, inert.Line(n))
	}
	return nil
}

func (f *founding) check() error {
	for _, choice := range []struct {
		flag, value string
		of          []string
	}{
		{"agent", f.agent, []string{"builtin", "own", "none"}},
		{"workflow", f.workflow, []string{"github", "gitlab", "none"}},
	} {
		if !slices.Contains(choice.of, choice.value) {
			last := len(choice.of) - 1
			all := strings.Join(choice.of[:last], ", ") + " or " + choice.of[last]
			return misuse(fmt.Sprintf("--%s=%s is none of those there are", choice.flag, choice.value), didYouMean(choice.value, choice.of, "it is "+all))
		}
	}
	f.folder = path.Clean(filepath.ToSlash(f.folder))
	switch why := unfit(f.folder); {
	case f.folder == ".", f.folder == "..", strings.HasPrefix(f.folder, "../"), path.IsAbs(f.folder):
		return misuse(fmt.Sprintf("--package=%s is no folder below the module", f.folder), "--package evals/core")
	case why != "":
		return misuse(fmt.Sprintf("--package=%s %s", f.folder, why), "--package evals/core")
	}
	return nil
}

// packageName is the name of the package in a folder: the one that its files have, else
// one made of the folder's name.
func packageName(dir, folder string) (string, error) {
	at := filepath.Join(dir, filepath.FromSlash(folder))
	files, err := os.ReadDir(at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", inTheWay(folder, err)
	}
	program := ""
	for _, file := range files {
		if built, err := build.Default.MatchFile(at, file.Name()); err != nil || !built || !strings.HasSuffix(file.Name(), ".go") {
			continue // such as what go run makes files with
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(at, file.Name()), nil, parser.PackageClauseOnly)
		switch {
		case err != nil:
		case tree.Name.Name != "main":
			return tree.Name.Name, nil
		default:
			program = file.Name()
		}
	}
	if program != "" {
		return "", misuse(fmt.Sprintf("--package=%s is the folder of a program: %s is of package main, and a folder has one package", folder, program),
			"cases have a folder of their own: --package evals/core")
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		if r >= 'A' && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return -1
	}, path.Base(folder))
	if !token.IsIdentifier(name) || name == "main" {
		return "", misuse(fmt.Sprintf("no package can be named after the folder %s", folder), "--package evals/core")
	}
	return name, nil
}

// fromHere shows a path from the working directory if it lies near it: a workflow stands
// at the top of its repository, and the module may lie below.
func (c *Config) fromHere(path string) string {
	rel, err := filepath.Rel(c.Dir, path)
	if err != nil || strings.HasPrefix(filepath.ToSlash(rel), "../../../") {
		return path
	}
	return rel
}

// A draft is a file to be written, by its slash path from the top.
type draft struct{ name, text string }

// files are what is to be written beside go.mod.
func (h *home) files(f founding) (all []draft, notes []string, err error) {
	p := h.filling(f)
	add := func(name, tmpl string) {
		var text string
		if text, err = p.fill(tmpl); err == nil {
			all = append(all, draft{name, text})
		}
	}
	if f.agent != "none" {
		folder := p.At(f.folder)
		add(path.Join(folder, "port_is_looked_up_test.go"), "case.go.tmpl")
		if err == nil && f.agent == "own" {
			add(path.Join(folder, "agent_test.go"), "agent.go.tmpl")
		}
		if err == nil {
			add(path.Join(folder, "testdata", "port-is-looked-up.txtar"), "script.txtar.tmpl")
		}
	}
	if err == nil {
		add(p.At("results/.gitignore"), "gitignore.tmpl")
	}
	switch {
	case err != nil:
	case f.workflow == "github":
		add(".github/workflows/evals.yml", "github.yml.tmpl")
	case f.workflow == "gitlab":
		name := ".gitlab-ci.yml"
		if h.foreign(name) {
			name = ".gitlab/evals.yml"
			notes = append(notes, "there is a .gitlab-ci.yml: add to it\ninclude:\n  - local: .gitlab/evals.yml")
		}
		add(name, "gitlab.yml.tmpl")
	}
	return all, notes, err
}

// foreign reports whether a file at the top is there that init did not write.
func (h *home) foreign(name string) bool {
	data, err := os.ReadFile(filepath.Join(h.top, name))
	return err == nil && !bytes.Contains(data, []byte("evals rehearsal:"))
}

// A filling is what the templates are filled with.
type filling struct {
	Name    string // of the package
	Package string // its folder
	Suite   string // the folder of all packages of cases
	Module  string // the module's folder from the top, "" at the top
	Own     bool
	// Checkout is where Deeds is cloned from in CI, "" where go.mod names a version.
	Checkout string
	Ref      string // the commit of it, "" if it is not known
	Version  string
	GitLab   bool
}

func (h *home) filling(f founding) filling {
	p := filling{Name: h.name, Package: f.folder, Suite: path.Dir(f.folder), Module: h.below(), Own: f.agent == "own", GitLab: f.workflow == "gitlab"}
	if p.Suite == "." {
		p.Suite = f.folder
	}
	if p.Version = h.version; p.Version == "" {
		p.Checkout = modulePath
		// Another clone may be at another commit.
		if f.deeds == "" || h.source == builtFrom() {
			p.Ref = builtAt()
		}
	}
	return p
}

// InModule is a path in the module, from the top, as a scalar of YAML is written.
func (p filling) InModule(name string) string { return scalar(p.At(name)) }

// Folder is the folder of the module, as YAML has it.
func (p filling) Folder() string { return scalar(p.Module) }

// Enter is the command that changes to it, as YAML has it.
func (p filling) Enter() string {
	folder := p.Module
	if strings.HasPrefix(folder, "-") {
		folder = "./" + folder
	}
	return scalar("cd " + overview.Quote(folder))
}

// plainScalar is what YAML takes for a text without being told, whatever stands around.
var plainScalar = regexp.MustCompile(`^[A-Za-z./][A-Za-z0-9._/-]*( [A-Za-z0-9._/-]+)*/?$`)

// scalar writes a text so that YAML reads the same: in quotes where it may be anything
// else, and JSON's are YAML's.
func scalar(text string) string {
	if plainScalar.MatchString(text) && !yamlWords[strings.ToLower(text)] {
		return text
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // of a text
	return strings.TrimSuffix(b.String(), "\n")
}

// yamlWords are those that some YAML does not take for texts.
var yamlWords = words(`true false yes no on off y n null . .nan .inf`)

// At is a path in the module, from the top.
func (p filling) At(name string) string {
	if p.Module == "" {
		return name
	}
	return p.Module + "/" + name
}

// Install installs the command in CI.
func (p filling) Install() string {
	switch {
	case p.Version != "":
		return "go install " + modulePath + "@" + p.Version
	case p.GitLab:
		return `go -C "$CI_PROJECT_DIR/.deeds" install .`
	}
	return `go -C "$GITHUB_WORKSPACE/.deeds" install .`
}

func (p filling) fill(name string) (string, error) {
	// Workflows are full of braces.
	t, err := template.New(name).Delims("[[", "]]").ParseFS(initFiles, "init/*.tmpl")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.ExecuteTemplate(&b, name, p)
	return b.String(), err
}

// next says what to type.
func (h *home) next(c *Config, f founding, tidied, leftOut bool) []string {
	var next []string
	if h.dir != filepath.Clean(c.Dir) {
		next = append(next, "cd "+overview.Quote(c.shorten(h.dir)))
	}
	if leftOut {
		next = append(next, "go work use .") // go test finds no package of it before
	}
	if !tidied {
		next = append(next, "go mod tidy")
	}
	if _, err := os.Stat(filepath.Join(h.dir, "vendor", "modules.txt")); err == nil {
		next = append(next, "go mod vendor")
	}
	suite := "./" + h.filling(f).Suite + "/..."
	run := "deeds run -model=NAME"
	if suite != "./evals/..." {
		run = "deeds run " + suite + " -model=NAME"
	}
	return append(next, "go test "+suite, "deeds doctor --model NAME", run)
}
