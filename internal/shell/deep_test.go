package shell

import (
	"strings"
	"testing"
)

// No script may exhaust the stack, which would end the program and could not be
// recovered from, or take time that grows with the square of its size.
func TestDeepScriptsEndInAnAnswer(t *testing.T) {
	for _, unit := range []string{
		"(", "{ ", "$(", "`", "${a:-", "\"$(", "if ", "while ", "for i in a; do ", "case x in x) ", "f()", "f(){ ", "! ", "time ",
		"coproc ", "((", "<(", "a && ", "a | ", "a || ", "a;", "a&", "x=(", "{a,", "<<E\n", "function f ", "select i in a; do ",
		"until ", "bash -c '", "eval ", "${a[", "@(", `\`, "'", `"`, "X=$X$X;", "f(){ f;f; };", "a(){ b;b; };b(){ a;a; };a;",
	} {
		_, _ = Parse(strings.Repeat(unit, maxScript/len(unit)-1) + " x")
	}
	for _, pair := range [][2]string{{"$((", "1+("}, {"$((", "-"}, {"$((", "!"}, {"$((", "1?"}, {"$((", "a["}, {"[[ ", "! "}, {"[[ ", "("}} {
		_, _ = Parse("echo " + pair[0] + strings.Repeat(pair[1], maxScript/len(pair[1])-10))
	}
}

func TestTooLargeIsAnErrorAndNeverReadOnly(t *testing.T) {
	for name, script := range map[string]string{
		"long":   strings.Repeat("ls\n", maxScript),
		"nested": strings.Repeat("(", maxNesting+1) + "ls" + strings.Repeat(")", maxNesting+1),
		"many":   strings.Repeat("a;", maxCommands+1),
		"calls":  "a(){ b;b;b;b; }; b(){ c;c;c;c; }; c(){ d;d;d;d; }; d(){ e;e;e;e; }; e(){ f;f;f;f; }; f(){ x;x;x;x; }; a;a;a;a",
		"inner":  "eval eval eval eval eval eval eval eval eval eval eval ls",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse(script); err == nil {
				t.Error("no error")
			}
			if ok, why := ReadOnly(script); ok || why == "" {
				t.Errorf("ReadOnly = %v, %q", ok, why)
			}
		})
	}
}
