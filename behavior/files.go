package behavior

import "sort"

// diffFiles lists the paths at which two trees differ, sorted.
func diffFiles(a, b Files) []string {
	var paths []string
	for p, f := range a {
		if g, ok := b[p]; !ok || !f.Same(g) {
			paths = append(paths, p)
		}
	}
	for p := range b {
		if _, ok := a[p]; !ok {
			paths = append(paths, p)
		}
	}
	sort.Strings(paths)
	return paths
}
