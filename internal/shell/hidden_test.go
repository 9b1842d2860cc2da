package shell

import "testing"

// TestReadOnlySeesWhatIsHidden holds the ways round that were tried on it: each of
// them wrote a file or ran a program of its own, or was meant to.
func TestReadOnlySeesWhatIsHidden(t *testing.T) {
	for _, script := range []string{
		// subscripts are evaluated
		"test -v 'a[$(touch x)]'", "[ -v 'a[$(touch x)]' ]", "[[ -v 'a[$(touch x)]' ]]", "[[ 'a[$(touch x)]' -eq 0 ]]", "printf -v 'a[$(touch x)]' y", "read 'a[$(touch x)]' <<< y", "unset 'a[$(touch x)]'",
		"declare 'a[$(touch x)]=1'", "declare -i n='a[$(touch x)]'", "X='a[$(touch x)]'; echo $((X))", "X='a[$(touch x)]'; ((X))", "X='a[$(touch x)]'; echo ${s:X}", "X='a[$(touch x)]'; echo ${s[X]}", "X='a[$(touch x)]'; echo ${!X}",
		"X='$(touch x)'; echo ${X@P}",
		"X='a[$(touch x)]'; let X", "X='a[$(touch x)]'; for ((i=X;i<0;)); do ls; done", "X='a[$(touch x)]'; [[ X -gt 1 ]]", "declare -n r='a[$(touch x)]'; echo $r", "test ! -v 'a[$(touch x)]'", "[[ -R 'a[$(touch x)]' ]]", "readonly 'a[$(touch x)]=1'",
		"export 'a[$(touch x)]=1'",
		"echo $((a[$(touch x)]))", "[[ -v a[$(touch x)] ]]", "echo $[$(rm x)]",
		// names that change what runs
		"read PATH <<< /tmp; ls", "printf -v PATH %s .; ls", "for PATH in .; do ls; done", "unset PATH; : ${PATH:=.}; ls", "((PATH=1)); ls", "declare PATH=.; ls", "export \"PATH=.\"; ls",
		"declare \"PATH=.\"; ls", "X=PATH=.; export $X; ls", "unset PATH; ls", "read LD_PRELOAD <<< ./x.so; export LD_PRELOAD; ls", "read -r a BASH_ENV b <<< 'a b c'; bash -c ls", "read PS4 <<< '$(touch x)'; set -x; ls", "for PS4 in '$(touch x)'; do set -x; ls; done",
		"read 'BASH_CMDS[ls]' <<< /tmp/x; ls", "read IFS <<< Z; V=aZ-oZx; sort $V", "IFS=Z; V=aZ-oZx; sort $V", "local PATH=.; ls", "declare -n P=PATH; P=.; ls", "declare -n X=Y; Y=ls; X=rm; $Y x", "export $X; ls",
		"read $X; ls", "select PATH in .; do ls; done", "_=ls; echo rm; $_ x", "X=echo\nreadonly X\nX=ls\n$X y", "set -a; read GIT_PAGER < f; git log",
		// functions
		"ls() { rm x; }; export -f ls; bash -c ls", "set -a; ls() { rm x; }; bash -c ls", "set -o allexport; ls() { rm x; }; bash -c ls", "ls() { rm x; }; declare -fx ls; bash -c ls", "command_not_found_handle() { rm x; }; tree", "/bin/ls() { rm x; }; /bin/ls", "function /bin/ls { rm x; }; /bin/ls",
		"rm() { :; }; unset -f rm; rm x", "false && rm() { :; }; rm x", "(rm() { :; }); rm x", "rm x; rm() { :; }", "if false; then rm() { :; }; fi; rm x", "f() { rm x; }; rm() { :; }; unset -f rm; f", "rm() { :; } | cat; rm x",
		"rm() { :; } & rm x", "f() { rm() { :; }; }; rm x", "bash -c 'rm() { :; }'; rm x", "rm() { :; }; env rm x", "rm() { :; }; command rm x", "rm() { :; }; xargs rm < a", "unset rm; rm() { :; }; unset rm; rm x",
		// set
		"set -k; ls PATH=.", "set -o posix; ls", "set -o keyword; git log GIT_PAGER=x", "set -kx", "set $X",
		// shells and wrappers
		"bash --rcfile x -ic ls", "bash --init-file x -i -c ls", "bash -coo posix errexit 'rm x'", "bash -ic ls", "bash -lc ls", "bash --login -c ls", "bash -$X 'ls'",
		"bash -O extglob -c 'rm x'", "sh -c -- 'rm x'", "bash --debugger -c ls", "bash -o $X -c ls",
		"env --uns ls rm x", "env -a ls rm x", "env --argv0 ls rm x", "env --chd ls rm x", "xargs --replace rm ls", "xargs --max-lines rm ls", "xargs --del [ rm x",
		"xargs --process-slot ls rm x", "xargs --arg ls rm x", "command time --form ls rm x", "command time --f ls rm x", "stdbuf --o ls rm x", "nice --adj ls rm x", "timeout --si ls 5 rm x",
		"timeout --k ls ls rm x", "env -- rm x", "env - rm x", "env -i rm x", "nice -5 rm x", "time -p rm x", "command -- rm x",
		"ionice --classd ls rm x", "xargs -l rm", "xargs -i rm {}", "env --block-signal rm x", "env --ignore-signal=INT rm x", "stdbuf -oL -- rm x", "builtin command rm x",
		"ls | xargs -P4 -I % rm %",
		"{rm,x}", "r\\\nm x", "$'\\x72m' x", "echo {a,b}>x", "ls >&x", "ls {fd}>x", "exec {fd}>x",
		"cat < x > y", "ls 3<>x", "((echo a); (rm x))", "$((echo a); (rm x))", "!; rm x", "time { rm x; }", "ls;\u00a0rm x",
		"[[ a =~ $(rm x) ]]", "case $(rm x) in a) ;; esac", "for i in $(rm x); do ls; done", "ls <<< $(rm x)", "a=($(rm x))", "a[$(rm x)]=1", "echo ${x:=$(rm x)}",
		"echo ${x/$(rm x)}", "X='ls'; while $X y; do \\read X <<< rm; done", "X=ls; while $X y; do 'read' X <<< rm; done", "X=ls; while $X y; do printf '-v' X rm; done",
		"date --s x", "date -us x", "date -I -s x", "hostname x", "tee x", "dd of=x", "truncate -s0 x",
		"curl -o x y", "tar -xf x", "unzip x", "less x", "man x", "vim -c q", "ed x",
		"ls | ed", "find . -fprintf x %p", "sort -o x", "find . -files0-from x -delete", "rg --pre=x y", "file -m x -C", "tree -o x",
		"git -p log", "git --paginate log", "git diff --no-index --output=x a b", "git grep --open-files-in-pager=rm x", "git show --textconv x", "git cat-file --filters HEAD:a", "git cat-file --textconv HEAD:a",
		"git branch -av", "git submodule foreach rm x", "git bisect run x", "git log --ext-dif", "git log --ext", "git diff --ext-d",
		"alias ls=rm; ls", "BASH_ALIASES[ls]=rm; ls", "shopt -s expand_aliases", "hash -p /tmp/x ls; ls", "enable -f x y", "trap 'rm x' EXIT", "mapfile -C 'rm x' a",
		"readarray -C rm -c 1 a < f", "complete -C rm x", "bind -x x", "fc -e rm", "history -w x", "wait; rm x", "ls |& tee x",
		"coproc rm x", "printf '%b' x > y",
		"cat <(ls) >(tee x)", "sed --expression 'w x' f", "sed -n '\\,a,w x' f", "sed '1!w x' f", "sed 'y/a/b/;w x' f", "sed '}w x' f", "sed 's/a/b/\nw x' f",
		"sed -n 'p;w x' f", "sed '/a/Iw x' f", "sed '1~2w x' f", "sed '$w x' f", "sed '0,/a/w x' f", "sed 's/a/b/pw x' f", "sed 's/a/b/2ew' f",
		"sed -e 's/a/b/' -e 'e' f", "sed -n \"$(cat f)\" g", "sed 's//w/;#\nw x' f", "sed 'i\\\nx' f", "sed 'r f' g", "sed 'R f' g", "sed F g",
		"sed -En 's/(a)/\\1/w x' f", "sed 's/\\/w x' f", "sed 's/a\\/b/c/w x' f", "sed 'l;e' f",
		"awk 'BEGIN{system(\"rm x\")}'", "xargs env < f", "echo x | xargs -I{} {} y", "xargs -a f rm", "xargs -I{} bash -c {}", "xargs bash -c", "xargs sh",
		"find . | xargs -n1 sh -c 'rm $0'",
		"tail -f x &", "ls & rm x", "nl x | sort -T /tmp -o y", "git config --get-all x; git config x y", "cd /tmp && ./x", "export -n PATH", "declare -x PATH=.",
		"typeset -n x=PATH", "declare -gn x=PATH; x=.; ls",
		"GIT_DIR=x git status", "GIT_CONFIG_COUNT=1 git log", "env GIT_CONFIG_PARAMETERS=x git log", "env -u X GIT_EXTERNAL_DIFF=rm git diff", "env X=1 LD_PRELOAD=x ls", "nice env PATH=. ls", "RIPGREP_CONFIG_PATH=x rg y",
		"LESSOPEN='|rm x' cat y", "XDG_CONFIG_HOME=. git log", "GCONV_PATH=. ls", "HOME=. git log",
	} {
		if ok, why := ReadOnly(script); ok || why == "" {
			t.Errorf("%s\n\tpasses", script)
		}
	}
}

// TestReadOnlyIsNotAfraidOfBash holds honest scripts that look like those above.
func TestReadOnlyIsNotAfraidOfBash(t *testing.T) {
	for _, script := range []string{
		"for i in 1 2 3; do echo $((i*2)); done", "n=$(wc -l < f); echo $((n/2))", "arr=(a b); echo ${arr[0]} ${#arr[@]} ${!arr[@]}", "[[ -v HOME ]]", "[[ -v arr[0] ]]", "test -v X", "read -r a b < f",
		"while IFS=, read -r a b; do echo $a; done < f", "read -ra parts <<< 'a b'; echo ${parts[1]}", "printf -v s '%05d' 3; echo $s",
		"declare -A m; m[a]=1; echo ${m[a]}", "export LC_ALL=C; ls", "set -euo pipefail; ls", "set -e; ls", "set -x; ls", "set -- a b; echo $1", "unset X; ls",
		"bash -euc 'ls'", "bash -o pipefail -c ls", "IFS=$'\\n'; for f in $(ls); do cat \"$f\"; done", "s=abc; echo ${s:0:2} ${s%c} ${s^^}", "grep 'x$' a; echo $((1+2))", "declare -r X=1; echo $X", "readonly X=1",
		"printf \"$fmt\" a", "printf \"$x\\n\"",
		"((n++)) || true; echo $n", "for ((i=0;i<3;i++)); do echo $i; done", "[[ $(wc -l < f) -gt 3 ]] && ls", "[ \"$a\" -eq 3 ] && ls", "echo ${!LC_@}", "f() { local x=$1; cat \"$x\"; }; f a", "f() { ls; }\ng() { f; }\ng",
		"declare -p X", "export", "export -p", "declare -F", "xargs -r -n 1 wc -l < a", "xargs --max-args=1 wc < a", "xargs -d '\\n' wc < a",
		"env -i ls", "env -u X ls", "time ls", "nice -n 5 ls", "timeout -k 5 10 ls", "timeout --signal=KILL 5 ls", "git log --no-ext-diff",
		"git diff --exit-code", "git log --first-parent", "git log --format=%H", "git log --follow a", "PAGER=cat git log", "export GIT_PAGER=cat; git log", "grep -c '`' README.md",
		"sed -n 's/`//p' f", "grep 'a$(b' f",
		"count=0; for f in *.go; do count=$((count + $(wc -l < $f))); done; echo $count", "x=5; if (( x > 3 )); then ls; fi", "while read -r line; do echo \"$line\"; done < f", "mapfile_=1; ls", "read -p 'x: ' y < f", "IFS=: read -ra d <<< \"$PATH\"; ls \"${d[@]}\"",
	} {
		if ok, why := ReadOnly(script); !ok || why != "" {
			t.Errorf("%s\n\tis refused: %s", script, why)
		}
	}
}
