package results

import (
	"path"
	"strings"
)

// Files tells the file of each case in the suite, as a slash path from the folder of
// the module. Cases whose plans do not say where they lie are left out.
func (r *Run) Files() map[string]string {
	all := make(map[string]string)
	for _, p := range r.Plans {
		if p.Dir == "" {
			continue
		}
		for _, c := range p.Suite {
			file := path.Join(SuiteDir(p.Dir), c.File)
			if c.File != "" && !strings.HasPrefix(file, "../") {
				all[c.Case] = file
			}
		}
	}
	return all
}
