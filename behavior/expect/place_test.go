package expect

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHomesteadFile(t *testing.T) {
	t.Parallel()
	for _, h := range []homestead{
		{module: "/src/shop", folder: "/src/shop/evals/zed"},
		{module: "shop.example/shop", folder: "shop.example/shop/evals/zed"}, // -trimpath
	} {
		for name, want := range map[string]string{
			h.folder + "/case_test.go":            "case_test.go",
			h.folder + "/helper.go":               "helper.go",
			h.folder + "/deep/helper.go":          "deep/helper.go",
			h.module + "/evals/shared/shared.go":  "../shared/shared.go",
			h.module + "/evals.go":                "../../evals.go",
			h.module + "-2/evals/shared.go":       "",
			"/go/pkg/mod/x.example/x@v1.0.0/x.go": "",
			"/usr/lib/go/src/testing/testing.go":  "",
			"testing/testing.go":                  "",
		} {
			require.Equal(t, want, h.file(name), name)
		}
	}
	require.Equal(t, "case_test.go", homestead{}.file("/elsewhere/case_test.go"))
	require.Empty(t, homestead{}.file("/elsewhere/shared.go"))
}

func TestHomesteadOf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := filepath.Join(dir, "evals", "zed")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), nil, 0o644))
	require.Equal(t, homestead{module: filepath.ToSlash(dir), folder: filepath.ToSlash(folder)}, homesteadOf(folder))
	require.Equal(t, homestead{}, homesteadOf(""))
}

// The places of expectations in a module of a user's, with helpers in other packages of
// it and in another module.
func TestPlacesInAModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles a module")
	}
	_, self, _, ok := runtime.Caller(0)
	require.True(t, ok)
	deeds := filepath.Dir(filepath.Dir(filepath.Dir(self)))
	if !filepath.IsAbs(deeds) {
		t.Skip("built with -trimpath, which hides where Deeds lies")
	}
	sums, err := os.ReadFile(filepath.Join(deeds, "go.sum"))
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(deeds, "go.mod"))
	require.NoError(t, err)
	_, needs, _ := strings.Cut(string(mod), "\nrequire")
	dir := t.TempDir()
	const helper = "\n\nimport (\n\t\"github.com/deeds-evals/deeds/behavior\"\n\t\"github.com/deeds-evals/deeds/behavior/expect\"\n)\n\n"
	for name, text := range map[string]string{
		"shop/go.mod": "module shop.example/shop\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/deeds-evals/deeds v0.0.0\n\tlib.example/lib v0.0.0\n)\n\nrequire" + needs +
			"\n\nreplace (\n\tgithub.com/deeds-evals/deeds => " + deeds + "\n\tlib.example/lib => ../lib\n)\n",
		"shop/go.sum":                 string(sums),
		"lib/go.mod":                  "module lib.example/lib\n\ngo 1.26.0\n",
		"lib/lib.go":                  "package lib" + helper + "var Ready = expect.Call(\"read\")\n\nfunc Made() behavior.Expectation { return expect.Call(\"read\") }\n",
		"shop/evals/shared/shared.go": "package shared" + helper + "var Ready = expect.Call(\"read\")\n\nfunc Made() behavior.Expectation { return expect.Call(\"read\") }\n",
		"shop/evals/zed/zed_test.go": `package zed

import (
	"os"
	"testing"

	"github.com/deeds-evals/deeds/behavior/expect"
	"lib.example/lib"
	"shop.example/shop/evals/shared"
)

func TestZed(t *testing.T) {
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, where := range []struct{ want, got string }{
		{"zed_test.go:17", expect.Call("read").Spec().Where},
		{"zed_test.go:18", lib.Made().Spec().Where},
		{"", lib.Ready.Spec().Where},
		{"../shared/shared.go:10", shared.Made().Spec().Where},
		{"../shared/shared.go:8", shared.Ready.Spec().Where},
	} {
		if where.got != where.want {
			t.Errorf("want %q, got %q", where.want, where.got)
		}
	}
}
`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	cmd := exec.Command("go", "test", "./evals/zed")
	cmd.Dir = filepath.Join(dir, "shop")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
