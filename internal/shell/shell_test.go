package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// show renders commands one a line: who runs them, then the words, unknown ones
// marked with a question mark, and & for the background.
func show(s Script) string {
	var lines []string
	for _, c := range s.Commands {
		line := ""
		if c.By != "" {
			line = c.By + ": "
		}
		var parts []string
		for _, a := range c.Assigns {
			if c.Name() != "export" && c.Name() != "declare" && c.Name() != "local" {
				parts = append(parts, a.Name+"="+mark(a.Value))
			}
		}
		for _, w := range c.Words {
			parts = append(parts, mark(w))
		}
		for _, r := range c.Redirects {
			parts = append(parts, string(r.Access)+"("+mark(r.Target)+")")
		}
		if c.Background {
			parts = append(parts, "&")
		}
		lines = append(lines, line+strings.Join(parts, " "))
	}
	return strings.Join(lines, "\n")
}

func mark(w Word) string {
	if !w.Known {
		return "?" + w.Text
	}
	return w.Text
}

func TestParseListsWhatWouldRun(t *testing.T) {
	for _, tt := range []struct {
		name, script, want string
	}{
		{"nothing", "", ""},
		{"comment", "# rm -rf x", ""},
		{"one", "rm -rf x", "rm -rf x"},
		{"quoted is data", `echo "rm -rf x"`, "echo rm -rf x"},
		{"single quotes", `echo 'a  b' "c d" e\ f \rm`, "echo a  b c d e f rm"},
		{"ansi quotes", `printf $'a\tb\x41'`, "printf a\tbA"},
		{"empty word", `test ""`, "test "},
		{"heredoc is data", "cat <<EOF > out\nrm -rf x\nEOF\n", "cat write(out)"},
		{"heredoc runs substitutions", "cat <<EOF\n$(rm x)\nEOF\n", "rm x\ncat"},
		{"quoted heredoc runs none", "cat <<'EOF'\n$(rm x)\nEOF\n", "cat"},
		{"pipe", "cat a | grep b | wc -l", "cat a\ngrep b\nwc -l"},
		{"lists", "a && b || c; d", "a\nb\nc\nd"},
		{"negation", "! a", "a"},
		{"subshell and group", "(a; b); { c; }", "a\nb\nc"},
		{"background", "a & b; (c; d) &", "a &\nb\nc &\nd &"},
		{"coproc", "coproc a", "a &"},
		{"if", "if a; then b; elif c; then d; else e; fi", "a\nb\nc\nd\ne"},
		{"while", "while a; do b; done", "a\nb"},
		{"until", "until a; do b; done", "a\nb"},
		{"for", "for f in *.go $(ls); do cat $f; done", "ls\ncat ?$f"},
		{"c for", "for ((i=0; i<$(n); i++)); do a; done", "n\na"},
		{"case", "case $(a) in x) b;; y) c;; esac", "a\nb\nc"},
		{"test clause", "[[ -f $(a) ]] && b", "a\nb"},
		{"arithmetic", "echo $((1 + $(a)))", "a\necho ?$((1 + $(a)))"},
		{"time", "time a", "a"},
		{"function not called", "f() { rm x; }", ""},
		{"function called", "f() { rm $1; }; f y", "f y\nf: rm ?$1"},
		{"function called before nested", "f() { g; }; g() { a; }; f", "f\nf: g\ng: a"},
		{"function recursion", "f() { a; f; }; f", "f\nf: a\nf: f"},
		{"function twice", "f() { a; }; f; f() { b; }", "f\nf: a\nf: b"},
		{"substitution", "echo $(rm x)", "rm x\necho ?$(rm x)"},
		{"backquotes", "echo `rm x`", "rm x\necho ?$(rm x)"},
		{"substitution in default", "echo ${A:-$(rm x)}", "rm x\necho ?${A:-$(rm x)}"},
		{"process substitution", "diff <(a) >(b)", "a\nb\ndiff ?<(a) ?>(b)"},
		{"assignment", "X=$(a)", "a\nX=?$(a)"},
		{"prefix assignment", "X=1 make", "X=1 make"},

		{"bash -c", `bash -c 'rm x && echo "$1"' name`, "bash -c rm x && echo \"$1\" name\nbash: rm x\nbash: echo ?$1"},
		{"sh -lc", `sh -lc "rm x"`, "sh -lc rm x\nsh: rm x"},
		{"bash -euo pipefail -c", `bash -euo pipefail -c 'a'`, "bash -euo pipefail -c a\nbash: a"},
		{"nested bash -c", `bash -c "sh -c 'rm x'"`, "bash -c sh -c 'rm x'\nbash: sh -c rm x\nsh: rm x"},
		{"bash -c with a variable", `bash -c "rm $X"`, "bash -c ?rm $X\nbash: rm ?$X"},
		{"bash file", "bash x.sh -c rm", "bash x.sh -c rm"},
		{"bash heredoc", "bash <<'E'\nrm x\nE\n", "bash\nbash: rm x"},
		{"bash herestring", "bash <<< 'rm x'", "bash\nbash: rm x"},
		{"bash -s heredoc", "sh -s a <<E\nrm x\nE\n", "sh -s a\nsh: rm x"},
		{"eval", "eval 'rm x'; eval a b", "eval rm x\neval: rm x\neval a b\neval: a b"},
		{"trap", "trap 'rm x' EXIT; trap - INT", "trap rm x EXIT\ntrap: rm x\ntrap - INT"},
		{"env", "env -i -u A X=1 rm y", "env -i -u A X=1 rm y\nenv: rm y"},
		{"env alone", "env X=1", "env X=1"},
		{"sudo", "sudo -u bob -E A=1 rm x", "sudo -u bob -E A=1 rm x\nsudo: rm x"},
		{"sudo bash", "sudo bash -c 'rm x'", "sudo bash -c rm x\nsudo: bash -c rm x\nbash: rm x"},
		{"command", "command rm x; command -v rm", "command rm x\ncommand: rm x\ncommand -v rm"},
		{"exec", "exec -a name rm x; exec > f", "exec -a name rm x\nexec: rm x\nexec write(f)"},
		{"nice nohup", "nohup nice -n 5 a -n", "nohup nice -n 5 a -n\nnohup: nice -n 5 a -n\nnice: a -n"},
		{"timeout", "timeout -k 5 --signal=KILL 10 a b", "timeout -k 5 --signal=KILL 10 a b\ntimeout: a b"},
		{"xargs", "ls | xargs -0 -n 1 rm -f", "ls\nxargs -0 -n 1 rm -f\nxargs: rm -f ?"},
		{"xargs mark", "ls | xargs -I{} mv {} x", "ls\nxargs -I{} mv {} x\nxargs: mv ?{} x"},
		{"xargs alone", "ls | xargs", "ls\nxargs"},
		{"find", `find . -name x -exec rm {} \; -exec grep y {} +`, "find . -name x -exec rm {} ; -exec grep y {} +\nfind: rm ?{}\nfind: grep y ?{}"},
		{"find none", "find . -delete", "find . -delete"},
		{"su", "su bob -c 'rm x'", "su bob -c rm x\nsu: rm x"},
		{"watch", "watch -n 1 rm x", "watch -n 1 rm x\nwatch: rm x"},
		{"flock", "flock l -c 'rm x'", "flock l -c rm x\nflock: sh -c rm x\nsh: rm x"},
		{"absolute name", "/bin/bash -c 'rm x'", "/bin/bash -c rm x\nbash: rm x"},

		{"redirections", "a < i > o 2>> e 2>&1 &> b >| c >&- >& d", "a read(i) write(o) append(e) write(b) write(c) write(d)"},
		{"read and write", "a <> f", "a write(f)"},
		{"redirection alone", "> f", "write(f)"},
		{"redirected loop", "while a; do b; done < in > out", "read(in) write(out)\na\nb"},
		{"unknown target", "a > $X", "a write(?$X)"},

		{"variable", "X=a; cat $X", "X=a\ncat a"},
		{"variable and", "D=tmp && rm -rf $D/x", "D=tmp\nrm -rf tmp/x"},
		{"variable in and list", "a && B=1 && echo $B", "a\nB=1\necho 1"},
		{"variable after and list", "a && B=1; echo $B", "a\nB=1\necho ?$B"},
		{"variable or", "a || B=1; echo $B", "a\nB=1\necho ?$B"},
		{"variable splits", `X="rm -rf  a"; $X; "$X"`, "X=rm -rf  a\nrm -rf a\nrm -rf  a"},
		{"variable splits inside", `X=" a b "; c${X}d`, "X= a b \nc a b d"},
		{"variable empty", `X=; $X a "$X"`, "X=\na "},
		{"variable pattern", `X='*.go'; ls $X "$X"`, "X=*.go\nls ?*.go *.go"},
		{"variable own IFS", `IFS=,; X=a,b; c $X`, "IFS=,\nX=a,b\nc ?a,b"},
		{"variable overwritten", "X=a; X=$(b); c $X", "X=a\nb\nX=?$(b)\nc ?$X"},
		{"variable appended", "X=a; X+=b; c $X", "X=a\nX=ab\nc ab"},
		{"variable from outside", `rm "$HOME/x" ${A}`, "rm ?$HOME/x ?${A}"},
		{"variable in branch", "if a; then X=1; b $X; fi; c $X", "a\nX=1\nb 1\nc ?$X"},
		{"variable same in branch", "X=1; if a; then X=1; fi; c $X", "X=1\na\nX=1\nc 1"},
		{"variable in subshell", "X=1; (X=2; a $X); b $X", "X=1\nX=2\na 2\nb 1"},
		{"variable in pipe", "X=1; X=2 | a; b $X", "X=1\nX=2\na\nb 1"},
		{"variable in loop", "X=1; for i in a b; do c $X; X=2; done; d $X", "X=1\nc ?$X\nX=2\nd ?$X"},
		{"variable of prefix", "X=1 a $X; b $X", "X=1 a ?$X\nb ?$X"},
		{"variable read", "X=1; read X; a $X", "X=1\nread X\na ?$X"},
		{"variable printf", "X=1; printf '%s' $Y; a $X; printf -v X 2; b $X", "X=1\nprintf %s ?$Y\na 1\nprintf -v X 2\nb ?$X"},
		{"variable eval", "X=1; eval X=2; a $X", "X=1\neval X=2\neval: X=2\na ?$X"},
		{"variable source", "X=1; . f; a $X", "X=1\n. f\na ?$X"},
		{"variable counted", "X=1; ((X++)); a $X; Y=2; : $((Y+=1)); b $Y", "X=1\na ?$X\nY=2\n: ?$((Y += 1))\nb ?$Y"},
		{"variable compared", "X=1; (( X == 1 )); a $X", "X=1\na 1"},
		{"variable defaulted", "X=1; : ${X:=2}; a $X; b ${X:-3}", "X=1\n: ?${X:=2}\na ?$X\nb ?${X:-3}"},
		{"variable in function", "f() { X=2; a $X; }; X=1; f; b $X", "X=1\nf\nf: X=2\nf: a 2\nb ?$X"},
		{"variable array", "X=(a b); c ${X[0]} $X", "X=?\nc ?${X[0]} ?$X"},
		{"variable exported", "export X=1 Y; a $X", "export X=1 Y\na 1"},
		{"variable declared special", "declare -i X=1; a $X", "declare -i X=1\na ?$X"},
		{"variable doubling", "X=aaaaaaaa;" + strings.Repeat("X=$X$X;", 20) + "a $X", ""},

		{"glob", `ls *.go a?b [ab] "*" \*`, "ls ?*.go ?a?b ?[ab] * *"},
		{"not a glob", "[ a ]", "[ a ]"},
		{"tilde", `ls ~/x a~ "~"`, "ls ?~/x a~ ~"},
		{"braces", "touch {a,b}.{c,d} {1..3} {x}", "touch a.c a.d b.c b.d 1 2 3 {x}"},
		{"many braces", "touch {1..99999999}", "touch ?{1..99999999}"},
		{"line continued", "rm \\\n -rf x", "rm -rf x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.script)
			require.NoError(t, err)
			if tt.want == "" && len(s.Commands) > 0 && strings.Contains(tt.name, "doubling") {
				last := s.Commands[len(s.Commands)-1]
				require.False(t, last.Words[1].Known, "a value without bounds is not followed")
				return
			}
			require.Equal(t, tt.want, show(s))
		})
	}
}

func TestParseRefusesWhatBashRefuses(t *testing.T) {
	for _, script := range []string{"if", "echo 'a", "a |", "(a", "a; done", "<", "$(", "`a"} {
		_, err := Parse(script)
		require.Error(t, err, script)
	}
}

func TestNameAndString(t *testing.T) {
	s, err := Parse("X=1 /usr/bin/env -i 'a b' < i >> o\n$X y\n> f\nexport Z=2")
	require.NoError(t, err)
	var names, lines []string
	for _, c := range s.Commands {
		names = append(names, c.Name())
		lines = append(lines, c.String())
	}
	require.Equal(t, []string{"env", "a b", "", "", "export"}, names)
	require.Equal(t, []string{"X=1 /usr/bin/env -i a b <i >>o", "a b", "$X y", ">f", "export Z=2"}, lines)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a && b | c", "f() { f; }; f", "X=$(a) b ${X:=c} > d", "cat <<E\n$(a)\nE", "bash -c \"$X\"", "find . -exec a {} \\;",
		"{a,b}{1..9}", "sed -n '1,/x/p;s/a/b/' f", "git -C x log --out", "$'\\x", "((a++)); [[ a =~ b ]]", "x=([a]=b)", "xargs -I% a %",
		"sed -n 's/[/]/x/w f'", "git branch -", "uniq -f", "date -d", "env -S", "\xff\xfe`",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		s, err := Parse(script)
		ok, why := ReadOnly(script)
		if ok != (why == "") {
			t.Errorf("ReadOnly = %v, %q", ok, why)
		}
		if err != nil && (ok || len(s.Commands) > 0) {
			t.Errorf("an error, and yet %v and %d commands", ok, len(s.Commands))
		}
	})
}
