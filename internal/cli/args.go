package cli

import (
	"slices"
	"strings"
)

// goTest is a go test command whose arguments are in order: packages first, since
// the go command takes everything behind a flag that it does not know as an
// argument of the tests.
type goTest struct {
	chdir    string // of -C, which must come first
	packages []string
	flags    []string
	rest     []string // -args and what follows
}

// Flags that take no value, of the go command and of Deeds.
var bareFlags = words(`
	a n race msan asan cover v work x buildvcs linkshared modcacherw trimpath json
	benchmem failfast fullpath short c i artifacts h help
	scoreboard dry-run`)

// Flags that take one.
var valueFlags = words(`
	C p asmflags buildmode compiler gccgoflags gcflags installsuffix ldflags mod modfile
	overlay pgo pkgdir tags toolexec covermode coverpkg exec o vet bench benchtime
	blockprofile blockprofilerate count coverprofile cpu cpuprofile fuzz fuzztime
	fuzzminimizetime list memprofile memprofilerate mutexprofile mutexprofilefraction
	outputdir parallel run shuffle skip timeout trace
	model agent repeat signal worlds limit j replay regrade resume budget max-tokens
	temperature seed reasoning base-url containment rpm retries user-model`)

func words(s string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// order sorts the arguments of go test, wherever the packages and the flags stand.
func order(args []string) goTest {
	var g goTest
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, _, joined := cutFlag(arg)
		switch {
		case name == "args":
			g.rest = args[i:]
			return g
		case name == "":
			g.packages = append(g.packages, arg)
			continue
		case !joined && !bareFlags[name] && i+1 < len(args) && (valueFlags[name] || looksLikeValue(args[i+1])):
			i++
			arg += "=" + args[i]
		}
		if name == "C" {
			_, g.chdir, _ = cutFlag(arg)
			continue
		}
		g.flags = append(g.flags, arg)
	}
	return g
}

// cutFlag cuts -name=value. The name is "" where the argument is no flag.
func cutFlag(arg string) (name, value string, joined bool) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", "", false
	}
	name, value, joined = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	return strings.TrimPrefix(name, "test."), value, joined
}

// looksLikeValue guesses about the word behind a flag that is not known: a word
// that does not look like a package is its value.
func looksLikeValue(word string) bool {
	return !strings.HasPrefix(word, "-") && word != "." && word != ".." &&
		!strings.HasPrefix(word, "./") && !strings.HasPrefix(word, "../") && !strings.Contains(word, "...")
}

// flag returns the value of the last flag of that name.
func (g goTest) flag(name string) (value string, ok bool) {
	for _, f := range slices.Backward(g.flags) {
		if n, v, _ := cutFlag(f); n == name {
			return v, true
		}
	}
	return "", false
}

// any reports whether one of the flags is given, and not as false.
func (g goTest) any(names ...string) bool {
	for _, name := range names {
		if v, ok := g.flag(name); ok && v != "false" && v != "0" {
			return true
		}
	}
	return false
}

// without drops the flags of that very spelling.
func (g goTest) without(spelling string) (goTest, bool) {
	flags := slices.DeleteFunc(slices.Clone(g.flags), func(f string) bool { return f == spelling })
	found := len(flags) < len(g.flags)
	g.flags = flags
	return g, found
}

// line is the whole command line behind "go".
func (g goTest) line() []string {
	line := []string{"test"}
	if g.chdir != "" {
		line = append(line, "-C", g.chdir)
	}
	line = append(line, g.packages...)
	line = append(line, g.flags...)
	return append(line, g.rest...)
}
