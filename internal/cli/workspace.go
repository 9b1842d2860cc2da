package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// leftOut is the go.work in force in a module's folder, if it leaves that module out: go
// test does not find its packages then. It is "" otherwise.
func (c *Config) leftOut(ctx context.Context, dir string) string {
	out, err := c.goTool(ctx, dir, "env", "GOWORK")
	file := strings.TrimSpace(string(out))
	if err != nil || file == "" || file == "off" {
		return ""
	}
	var work struct{ Use []struct{ DiskPath string } }
	if out, err = c.goTool(ctx, dir, "work", "edit", "-json", file); err != nil || json.Unmarshal(out, &work) != nil {
		return "" // go test says what is wrong with it
	}
	home, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	if slices.ContainsFunc(work.Use, func(u struct{ DiskPath string }) bool {
		at := filepath.FromSlash(u.DiskPath)
		if !filepath.IsAbs(at) {
			at = filepath.Join(filepath.Dir(file), at)
		}
		used, err := os.Stat(at)
		return err == nil && os.SameFile(used, home)
	}) {
		return ""
	}
	return file
}
