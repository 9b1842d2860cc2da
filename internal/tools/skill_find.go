package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/afero"

	"github.com/deeds-evals/deeds/internal/frontmatter"
)

// skillFolder is where skills are kept in the workspace, and skillFile what each of
// them has.
const (
	skillFolder = ".agents/skills"
	skillFile   = "SKILL.md"
)

// A BrokenSkill says why a skill cannot be used.
type BrokenSkill struct {
	Path    string // slash path in the workspace
	Line    int    // from 1; 0 is the file as a whole
	Message string // what is wrong, and what to do
}

func (b *BrokenSkill) Error() string {
	if b.Line == 0 {
		return b.Path + ": " + b.Message
	}
	return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Message)
}

// FindSkills looks for the skills of a workspace, in the folders of .agents/skills,
// and returns them sorted by name, and those that cannot be used.
func FindSkills(files afero.Fs) (skills []Skill, broken []*BrokenSkill) {
	entries, err := afero.ReadDir(files, skillFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []*BrokenSkill{{Path: skillFolder, Message: because(err)}}
	}
	for _, e := range entries {
		dir := path.Join(skillFolder, e.Name())
		if info, err := files.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		if _, err := files.Stat(path.Join(dir, skillFile)); errors.Is(err, fs.ErrNotExist) {
			if other := misnamed(files, dir); other != "" {
				broken = append(broken, &BrokenSkill{Path: path.Join(dir, other), Message: "the file must be named " + skillFile + ", in capitals; rename it"})
			}
			continue // a folder for something else
		}
		skill, _, wrong := readSkill(files, dir)
		if wrong != nil {
			broken = append(broken, wrong)
			continue
		}
		skills = append(skills, skill)
	}
	slices.SortFunc(skills, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	return skills, broken
}

// misnamed finds a file that is named nearly as a skill's.
func misnamed(files afero.Fs, dir string) string {
	entries, err := afero.ReadDir(files, dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), skillFile) {
			return e.Name()
		}
	}
	return ""
}

var (
	skillName     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	skillArgument = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
)

// readSkill reads the skill of a folder: what its front matter says, and the
// instructions below it.
func readSkill(files afero.Fs, dir string) (Skill, string, *BrokenSkill) {
	name := path.Join(dir, skillFile)
	wrong := func(line int, format string, a ...any) (Skill, string, *BrokenSkill) {
		return Skill{}, "", &BrokenSkill{Path: name, Line: line, Message: fmt.Sprintf(format, a...)}
	}
	b, err := readWhole(files, name)
	switch {
	case err != nil:
		return wrong(0, "%s", because(err))
	case len(b) > maxBytes:
		return wrong(0, "it is longer than 128 KiB; put what is not always needed into other files of the folder")
	}
	values, body, err := frontmatter.Parse(strings.ToValidUTF8(string(b), "\uFFFD"))
	if err != nil {
		var broken *frontmatter.Error
		if errors.As(err, &broken) {
			return wrong(broken.Line, "%s", broken.Message)
		}
		return wrong(0, "%v", err)
	}
	skill := Skill{Dir: dir}
	folder := path.Base(dir)
	named, found := values["name"]
	if !found {
		return wrong(1, "name is missing; add the line: name: %s", folder)
	}
	switch text, plain := named.Text(); {
	case !plain || text != folder:
		return wrong(named.Line(), "name must be that of the folder: %s", folder)
	case len(folder) > 64 || !skillName.MatchString(folder):
		return wrong(named.Line(), "the name %q must be words in lower case with hyphens between, at most 64 bytes; rename the folder too", folder)
	}
	skill.Name = folder
	about, found := values["description"]
	if !found {
		return wrong(1, "description is missing; add a line that says what the skill does and when to use it")
	}
	switch text, plain := about.Text(); {
	case !plain:
		return wrong(about.Line(), "description must be text; put the value in quotes")
	case strings.TrimSpace(text) == "":
		return wrong(about.Line(), "description is empty; say what the skill does and when to use it")
	case len(text) > 1024:
		return wrong(about.Line(), "description is longer than 1024 bytes; move details into the text below")
	default:
		skill.Description = strings.Join(strings.Fields(text), " ")
	}
	if given, found := values["arguments"]; found && !given.Empty() {
		list, ok := given.List()
		if !ok {
			return wrong(given.Line(), "arguments must be a list of names, such as [file, topic]")
		}
		for _, e := range list {
			switch name, plain := e.Text(); {
			case !plain || !skillArgument.MatchString(name) || name == "ARGUMENTS" || name == "SKILL_DIR":
				return wrong(e.Line(), "%q cannot be the name of an argument; begin with a letter, and use letters, digits, - and _", name)
			case slices.Contains(skill.Arguments, name):
				return wrong(e.Line(), "the argument %s is there twice; remove one", name)
			default:
				skill.Arguments = append(skill.Arguments, name)
			}
		}
	}
	if body == "" {
		return wrong(0, "there are no instructions below the front matter; write them there")
	}
	return skill, body, nil
}
