package tools

// Names lists the names of the built-in tools, in the order in which they are
// advertised.
func Names() []string {
	var names []string
	for _, t := range builtins() {
		names = append(names, t.name)
	}
	return names
}
