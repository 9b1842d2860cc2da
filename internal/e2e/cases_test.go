package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/deeds-evals/deeds/internal/script"
)

// A knownCase is a case as the suite lists itself, with its scripts.
type knownCase struct {
	ID      string      `json:"id"`
	Claim   string      `json:"claim"`
	Signals []string    `json:"signals"`
	Worlds  []string    `json:"worlds"`
	Units   []knownUnit `json:"units"`
	script  string
}

// A knownUnit is one unit of a case. What is drawn for each attempt stands in its
// words by its name in braces, and is none of its facts.
type knownUnit struct {
	World   string            `json:"world"`
	Variant string            `json:"variant"`
	Prompt  string            `json:"prompt"`
	Fresh   []string          `json:"fresh"` // the words that begin new conversations
	Facts   map[string]string `json:"facts"`
	Draws   []string          `json:"draws"`
}

// openings are the words that the unit's conversations begin with.
func (u knownUnit) openings() []string { return append([]string{u.Prompt}, u.Fresh...) }

// learns reports whether the value of a draw can be told from what the user says
// first.
func (u knownUnit) learns(draw string) bool { return strings.Contains(u.Prompt, "{"+draw+"}") }

func (k knownCase) pkg() string  { return strings.Split(k.ID, "/")[0] }
func (k knownCase) name() string { return strings.Split(k.ID, "/")[1] }

// sections returns the case's scripts for one unit, with its facts filled in and
// what is drawn as far as it is known. A script that needs a value which nothing
// that was said holds is left out: it cannot be played from here. It is an error if
// that leaves no way to pass.
func (k knownCase) sections(u knownUnit, drawn map[string]string) ([]script.Section, error) {
	text := k.script
	for _, facts := range []map[string]string{u.Facts, drawn} {
		for name, value := range facts {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
	}
	unknown := func(draw string) string { return "unknown-" + draw }
	for _, draw := range u.Draws {
		text = strings.ReplaceAll(text, "{"+draw+"}", unknown(draw))
	}
	scripts, err := script.Parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.ID, err)
	}
	var sections []script.Section
	for _, s := range scripts.Sections {
		whole := script.Scripts{Sections: []script.Section{s}}.String()
		needs := func(draw string) bool { return !u.learns(draw) && strings.Contains(whole, unknown(draw)) }
		if (s.World == "" || s.World == u.World) && !slices.ContainsFunc(u.Draws, needs) {
			sections = append(sections, s)
		}
	}
	if firstOf(sections, script.Pass) == nil {
		return nil, fmt.Errorf("%s @%s: no pass script can be played: it names a fact that is drawn and does not stand in the prompt; let it learn the value with ${REGEX}", k.ID, u.World)
	}
	return sections, nil
}

// suite lists the cases, by rehearsing them.
var suite = sync.OnceValues(func() ([]knownCase, error) {
	dir, err := binaries()
	if err != nil {
		return nil, err
	}
	notes := filepath.Join(scratch, "notes")
	if err := os.Mkdir(notes, 0o755); err != nil {
		return nil, err
	}
	var all []knownCase
	for _, pkg := range packages {
		cmd := exec.Command(filepath.Join(dir, pkg+".test"))
		cmd.Dir = filepath.Join("..", "..", "evals", pkg)
		cmd.Env = append(cleanEnv(), "DEEDS_CASES="+notes, "CI=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the rehearsal fails: %v\n%s", err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(notes, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var cases []knownCase
		if err := json.Unmarshal(data, &cases); err != nil {
			return nil, err
		}
		for _, c := range cases {
			text, err := os.ReadFile(filepath.Join("..", "..", "evals", c.pkg(), "testdata", c.name()+".txtar"))
			if err != nil {
				return nil, err
			}
			c.script = string(text)
			all = append(all, c)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all, nil
})

// rounds shares the worlds of the suite out: each round has at most one world of
// every case, because worlds of one case may be asked for in the same words. The
// first round has no world, and is for the cases without any.
func rounds(cases []knownCase) [][]string {
	all := [][]string{nil}
	placed := make(map[string]bool)
	clash := func(round []string, world string) bool {
		return slices.ContainsFunc(cases, func(k knownCase) bool {
			return slices.Contains(k.Worlds, world) && slices.ContainsFunc(round, func(w string) bool { return slices.Contains(k.Worlds, w) })
		})
	}
	for _, k := range cases {
		for _, w := range k.Worlds {
			if placed[w] {
				continue
			}
			placed[w] = true
			n := slices.IndexFunc(all[1:], func(round []string) bool { return !clash(round, w) })
			if n < 0 {
				all = append(all, nil)
				n = len(all) - 2
			}
			all[n+1] = append(all[n+1], w)
		}
	}
	return all
}

// skipPattern leaves the cases with worlds to the starts that name one.
func skipPattern(cases []knownCase) string {
	var names []string
	for _, k := range cases {
		if len(k.Worlds) > 0 {
			names = append(names, testName(k))
		}
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// runPattern selects cases and no others.
func runPattern(cases []knownCase) string {
	var names []string
	for _, k := range cases {
		names = append(names, testName(k))
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

func testName(k knownCase) string {
	var b strings.Builder
	b.WriteString("Test")
	for _, word := range strings.Split(k.name(), "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
