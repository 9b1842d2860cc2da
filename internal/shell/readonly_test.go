package shell

import (
	"strings"
	"testing"
)

func TestReadOnlyLetsInspectionPass(t *testing.T) {
	for _, script := range []string{
		"", "# nothing", "ls", "ls -la src/", "/bin/ls", "pwd && ls; cat a | head -3 || true", "cat *.go", `cat "$f" $X ~/x`,
		"grep -rn 'rm -rf' . | sort | uniq -c | sort -rn -k1,1 | head", "grep -rn a . 2>/dev/null", "ls > /dev/null 2>&1", "ls &>/dev/null", "wc -l < a",
		`echo "a > b; rm x"`, "echo 'rm -rf x'", "cat <<E\nrm x\nE\n", "cat <<< rm",
		"find . -name '*.go' -type f -newer a -print0 | xargs -0 grep -l x", "find . -maxdepth 2 -not -path './.git/*'", "find *",
		"for f in *.go; do wc -l $f; head -1 \"$f\"; done", "while IFS= read -r l; do echo $l; done < f", "if [ -f a ]; then cat a; else ls; fi",
		"[[ -d a ]] && (cd a && ls)", "{ ls; pwd; }", "case $X in a) ls;; esac", "! grep a b", "echo $((1+2))",
		"echo $(git rev-parse HEAD)", "cat `ls`", "diff <(ls a) <(ls b)", "X=a; cat $X", "X=$(ls); echo $X", "f() { cat $1; }; f a",
		"export LC_ALL=C; sort a", "LC_ALL=C sort -u -t o -k2 a", "LANG=C ls", "GIT_PAGER=cat git log",
		"sed -n '1,20p' f", "sed -n 5p f", "sed -n '/^func /,/^}/p' f", "sed 's/a/b/g' f", "sed -E -e 's|/a|w|' -e 1d f", "sed -ne '$=' f", "sed -n '/x/{p;q}' f",
		"sed '/^#/!d' f", "sed -n '10q;p' f",
		"uniq -c a", "uniq", "uniq -f 1 a", "date", "date +%F", "date -u -d yesterday +%s", "file a", "stat -c %s a", "tree -L 2", "du -sh .", "env", "env LC_ALL=C sort a",
		"type ls", "command -v go", "which go", "go --version", "python3 --version", "timeout 5 grep a b", "time ls", "command ls", "nice ls",
		"bash -c 'ls | wc -l'", "bash --version", "xargs -n1 echo < a", "seq 3", "printf '%s\\n' a", "test -f a", "rg -n 'x' -g '*.go'", "jq . a.json",
		"git status", "git status --short", "git log --oneline -5", "git log -p -- a", "git diff HEAD~1", "git diff --stat", "git diff --output-indicator-new=x", "git show HEAD:a",
		"git branch", "git branch -a", "git branch -vv", "git branch --show-current", "git branch --list 'a*'", "git branch --contains HEAD",
		"git ls-files '*.go'", "git rev-parse --show-toplevel", "git blame -L 1,3 a", "git grep -n x", "git -C a --no-pager log", "git stash list", "git remote -v",
		"git tag", "git tag -l 'v*'", "git tag -n3 --list", "git config --get user.name", "git config --list", "git worktree list", "git reflog", "git --version",
		"git describe --tags", "git shortlog -sn", "git cat-file -p HEAD", "git submodule status", "git",
	} {
		if ok, why := ReadOnly(script); !ok || why != "" {
			t.Errorf("%s\n\tis refused: %s", script, why)
		}
	}
}

func TestReadOnlyRefusesWhatDoesMore(t *testing.T) {
	for _, script := range []string{
		"rm x", "ls; rm x", "ls && rm x", "false || rm x", "ls | tee x", "ls | xargs rm", "(rm x)", "{ rm x; }", "if rm x; then ls; fi", "for i in a; do rm $i; done",
		"while rm x; do :; done", "case a in a) rm x;; esac", "[[ -f $(rm x) ]]", "echo $(rm x)", "echo `rm x`", `echo "$(rm x)"`, "cat <(rm x)", "ls > >(tee x)", "echo $(($(rm x)))",
		"cat <<E\n$(rm x)\nE\n", "X=$(rm x)", "echo ${X:-$(rm x)}", "f() { rm x; }; f", "ls() { rm x; }; ls", "f() { $1 x; }; f rm",
		"touch x", "mkdir x", "mv a b", "cp a b", "ln -s a b", "chmod +x a", "dd of=x", "truncate -s0 x", "install a b", "patch", "tar xf a", "curl x", "wget x",
		"python3 -c 1", "node x", "go build", "make", "npm i", "./ls", "../ls", "/tmp/ls", "bin/ls", "./x --version", "vi x", "less x",
		"echo a > x", "echo a >> x", "> x", "ls >| x", "ls &> x", "ls >& x", "ls 2> err", "ls > $X", "ls <> x", "ls > /dev/sda", "{ ls; } > x", "while :; do ls; done > x", "[[ a ]] > x",
		"ls &", "coproc ls", "sudo ls", "nohup ls", "exec ls", "eval ls", ". x", "source x", "trap ls EXIT", "kill 1", "su -c ls", "ssh h ls", "watch ls",
		"$X", "$X ls", `"$(which rm)" x`, "X=rm; $X y", `X='rm y'; $X`, "r'm' x", `\rm x`, "command rm x", "builtin rm", "env rm x", "env A=1 rm x", "env -S 'rm x'", "env PATH=. ls", "env $X ls",
		"timeout 5 rm x", "timeout --kill 5 10 rm x", "nice -n 5 rm x", "time rm x", "command time -o x ls", "xargs sh -c 'rm x'", "xargs -I{} sh -c 'cat {}'", "ls | xargs sort", "xargs -n 1 rm", "busybox rm",
		"bash -c 'rm x'", "bash x", "bash", "sh -s < x", "bash -c \"$X\"", "bash -c 'if'", "bash <<E\nrm x\nE\n", "bash -c 'bash -c \"rm x\"'", "echo 'rm x' | bash",
		"PATH=. ls", "PATH=.; ls", "export PATH=.", "GIT_EXTERNAL_DIFF=x git diff", "LD_PRELOAD=x ls", "PAGER=x git log", "BASH_ENV=x bash -c ls",
		"find . -delete", "find . -exec rm {} +", `find . -exec cat {} \;`, "find . -ok rm {} +", "find . -execdir cat {} +", "find . -fprint x", "find . -fls x", "find . $X", "find . -fprintf x y",
		"sort -o a a", "sort -uo a a", "sort a -oa", "sort --output=a a", "sort --out a a", "sort --compress-program=x a", "sort $X", "ls | xargs sort -u",
		"uniq a b", "uniq -c a b", "uniq $X", "uniq -f 1 a b", "date -s x", "date --set x", "date 01010000", "tree -o x", "file -C", "file -bC", "file --comp", "rg --pre x a", "rg --pre=x a",
		"sed -i s/a/b/ x", "sed -n -i p x", "sed -i.bak p x", "sed -ni p x", "sed --in-place p x", "sed --in p x", "sed -n 'w x' f", "sed 's/a/b/w x' f", "sed 's/a/rm/e' f", "sed '1e rm x' f", "sed e f",
		"sed -f x f", "sed -n '/a/w x' f", "sed -e p -e 'w x' f", "sed 's/[/]/w/;w x' f", "sed -n '1{p;w x\n}' f", "sed -s --file=x f", "sed 'a\\\nx' f", "sed $X f", "sed -n \"$X\" f", "sed 'W x' f", "sed 's/a/b/gw x' f", "sed 's,a,b,;w x' f",
		"awk '{print}' f", "awk 1", "perl -ne 1",
		"git commit -m x", "git add .", "git checkout a", "git reset --hard", "git push", "git pull", "git fetch", "git clean -fd", "git stash", "git stash pop", "git stash drop", "git apply x", "git init", "git rebase", "git merge a",
		"git branch x", "git branch -d x", "git branch -D x", "git branch -m a b", "git branch --set-upstream-to=a", "git branch x --contains", "git branch -f a b", "git branch --edit-description",
		"git tag v1", "git tag -d v1", "git tag -a v1 -m x", "git config user.name x", "git config --unset a.b", "git config --add a.b c", "git config -e", "git config set a.b c", "git remote add a b", "git remote remove a", "git remote update", "git worktree add x", "git reflog expire --all", "git submodule update",
		"git log --output=x", "git diff --output x", "git diff --out=x", "git show --o=x", "git grep -O x", "git grep -Ovi x", "git grep --open x", "git -c alias.x='!rm y' x", "git -c core.pager=x log", "git --config-env=a=b log", "git --exec-path=. status",
		"git diff --ext-diff", "git $X", "git log $X", "git x", "git -C $X; log", "git symbolic-ref HEAD x", "git update-index --refresh", "git notes add", "git bisect start",
		"if", "echo 'a",
	} {
		if ok, why := ReadOnly(script); ok || why == "" {
			t.Errorf("%s\n\tpasses", script)
		}
	}
}

func TestReasonSaysWhatIsWrongAndWhatIsAllowed(t *testing.T) {
	for script, want := range map[string]string{
		"ls && rm x":    "rm is not on the list of commands that only inspect. Allowed are: ls,",
		"ls > x":        "it would write to x. Allowed",
		"sed -i p x":    "sed: -i is not one of",
		"git commit":    "git: git commit is not one of the git commands that only show",
		"git branch x":  "git: branch: x would be made; add --list",
		"git stash pop": "git: stash: pop does more than show",
		"git stash":     "git: stash: does more than show",
		"sort $X":       "sort: what $X stands for is not known beforehand; spell it out",
		"$X":            "what $X runs is not known",
		"ls &":          "it would run in the background",
		"awk 1":         "awk can write files",
		"./ls":          "./ls is a program of its own",
		"if":            "syntax error",
	} {
		if _, why := ReadOnly(script); !strings.HasPrefix(why, want) {
			t.Errorf("%s\n\tgot  %s\n\twant %s…", script, why, want)
		}
	}
}

func BenchmarkReadOnly(b *testing.B) {
	script := "cd src && for f in *.go; do grep -n 'func' \"$f\" | head -3; done; git log --oneline -5 | cat; X=a; [ -f $X ] && sed -n '1,5p' $X; " +
		"find . -name '*.md' | xargs wc -l | sort -rn | head; ls; pwd; echo $(git rev-parse HEAD)"
	for b.Loop() {
		ReadOnly(script)
	}
}
