package arch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/arch"
)

const root = "../.."

var rules = map[string]func(arch.Module) []string{
	"case-imports":     arch.CaseImports,
	"unaware":          arch.Unaware,
	"evals-are-leaves": arch.EvalsAreLeaves,
	"importers":        arch.Importers,
	"file-systems":     arch.FileSystems,
	"compiled-cases":   arch.CompiledCases,
	"case-folders":     arch.CaseFolders,
}

func load(t *testing.T, dir string) arch.Module {
	m, err := arch.Load(dir)
	require.NoError(t, err)
	require.Equal(t, "github.com/deeds-evals/deeds", m.Path)
	return m
}

// This repository keeps every rule.
func TestRepository(t *testing.T) {
	m := load(t, root)
	require.Greater(t, len(m.Packages), 5)
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, rule(m), strings.Join(rule(m), "\n"))
		})
	}
}

// Each rule finds what breaks it, and nothing in a module that does not.
func TestRules(t *testing.T) {
	sound, broken := load(t, "testdata/sound"), load(t, "testdata/broken")
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, rule(sound))
			golden.Assert(t, strings.Join(rule(broken), "\n")+"\n", name+".golden")
		})
	}
}

func TestLoadRefusesNothing(t *testing.T) {
	dir := t.TempDir()
	_, err := arch.Load(dir)
	require.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/empty\n"), 0o644))
	_, err = arch.Load(dir)
	require.ErrorContains(t, err, "there is no package in")
}

// No file of this repository names the machine it was written on.
func TestRepositoryNamesNoMachine(t *testing.T) {
	dir, err := filepath.Abs(root)
	require.NoError(t, err)
	files, err := arch.Tracked(dir)
	require.NoError(t, err)
	require.Contains(t, files, "go.mod")
	names, err := arch.Machine(dir)
	require.NoError(t, err)
	violations, err := arch.MachineNames(dir, files, names)
	require.NoError(t, err)
	require.Empty(t, violations, strings.Join(violations, "\n"))
}

func TestMachineNames(t *testing.T) {
	dir := t.TempDir()
	// In pieces, since this file is among those that are looked at.
	lines := []string{
		"/ho" + "me/alice/src/x.go",
		"C:" + `\Users\Alice\x`,
		"see /ro" + "ot/go/pkg/mod",
		"https://mirror.corp.example/go",
		"/ho" + "me/user/project and /Users/you, as in a manual",
		"HOME=/ro" + "ot, /ro" + "otless, /homework, $HOME/x",
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(strings.Join(lines, "\n")), 0o644))
	require.NoError(t, os.Symlink("/nowhere", filepath.Join(dir, "link")))
	files, err := arch.Tracked(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "link"}, files)

	violations, err := arch.MachineNames(dir, append(files, "removed"), []string{"mirror.corp.example"})
	require.NoError(t, err)
	require.Equal(t, []string{
		"a.txt:1 names a place of one machine: " + "/ho" + "me/alice",
		"a.txt:2 names a place of one machine: " + "C:" + `\Users\Alice`,
		"a.txt:3 names a place of one machine: " + "/ro" + "ot/go/pkg/mod",
		"a.txt:4 names a place of one machine: mirror.corp.example",
	}, violations)
}

func TestMachine(t *testing.T) {
	t.Setenv("GOPROXY", "https://mirror.corp.example/go,https://public.golang.org,direct")
	t.Setenv("GOMODCACHE", "/some/where/mod")
	dir := t.TempDir()
	names, err := arch.Machine(dir)
	require.NoError(t, err)
	require.Contains(t, names, "mirror.corp.example")
	require.Contains(t, names, "/some/where/mod")
	require.Contains(t, names, dir)
	require.NotContains(t, names, "public.golang.org")
	require.NotContains(t, names, "direct")
}
