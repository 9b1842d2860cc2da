package shell

import (
	"fmt"
	"slices"
	"strings"
)

// gitShows are the git commands that only show; a nil rule has nothing to say
// against any arguments, but what is forbidden for all.
var gitShows = map[string]rule{
	"blame": nil, "cat-file": nil, "check-attr": nil, "check-ignore": nil, "cherry": nil, "count-objects": nil,
	"describe": nil, "diff": nil, "diff-files": nil, "diff-index": nil, "diff-tree": nil, "for-each-ref": nil,
	"log": nil, "ls-files": nil, "ls-tree": nil, "merge-base": nil, "name-rev": nil, "range-diff": nil, "rev-list": nil,
	"rev-parse": nil, "shortlog": nil, "show": nil, "show-ref": nil, "status": nil, "var": nil, "version": nil, "whatchanged": nil,

	"branch":    gitList("show-current"),
	"config":    gitConfig,
	"grep":      without("O", "--open-files-in-pager"),
	"reflog":    gitOne("", "show", "exists", "list"),
	"remote":    gitOne("", "get-url"),
	"stash":     gitOne("list", "show"),
	"submodule": gitOne("", "status", "summary"),
	"tag":       gitList(),
	"worktree":  gitOne("list"),
}

// git allows the commands that show, without options that write or that say what
// else to run.
func git(args []Word) string {
	i := 0
	for ; i < len(args); i++ {
		a := args[i]
		switch {
		case mayBeOption(a):
			return unclear(a)
		case a.Text == "--version" || a.Text == "--exec-path":
			return ""
		case a.Text == "-C" || a.Text == "--git-dir" || a.Text == "--work-tree":
			i++
			continue
		case a.Text == "--no-pager" || a.Text == "-P" || a.Text == "--no-optional-locks" || a.Text == "--literal-pathspecs" ||
			strings.HasPrefix(a.Text, "--git-dir=") || strings.HasPrefix(a.Text, "--work-tree="):
			continue
		case strings.HasPrefix(a.Text, "-"):
			return fmt.Sprintf("%s before the git command is not allowed", a.Text)
		}
		break
	}
	if i >= len(args) {
		return ""
	}
	name, rest := args[i].Text, args[i+1:]
	check, ok := gitShows[name]
	switch {
	case !ok || !args[i].Known:
		return fmt.Sprintf("git %s is not one of the git commands that only show", name)
	case slices.ContainsFunc(rest, mayBeOption):
		return unclear(rest[slices.IndexFunc(rest, mayBeOption)])
	}
	for _, a := range rest {
		if a.Text == "--" {
			break
		}
		long, _, _ := strings.Cut(a.Text, "=")
		if len(long) > 2 && strings.HasPrefix("--output", long) || len(long) > 3 && strings.HasPrefix("--ext-diff", long) ||
			len(long) > 3 && (strings.HasPrefix("--textconv", long) || strings.HasPrefix("--filters", long)) {
			return a.Text + " does more than show"
		}
	}
	if check == nil {
		return ""
	}
	if why := check(rest); why != "" {
		return name + ": " + why
	}
	return ""
}

// gitList allows branch and tag to list. Without an option that says so, a name
// makes a new one.
func gitList(more ...string) rule {
	valued := []string{"--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--sort", "--format"}
	flags := append([]string{
		"-a", "-r", "-v", "-vv", "-i", "--all", "--remotes", "--verbose", "--ignore-case",
		"--color", "--no-color", "--column", "--no-column", "--abbrev", "--no-abbrev",
	}, valued...)
	for _, m := range more {
		flags = append(flags, "--"+m)
	}
	return func(args []Word) string {
		listing := false
		var names []string
		for i := 0; i < len(args); i++ {
			long, _, inline := strings.Cut(args[i].Text, "=")
			switch {
			case long == "-l" || long == "--list" || strings.HasPrefix(long, "-n") && strings.Trim(long[2:], "0123456789") == "":
				listing = true
			case slices.Contains(valued, long):
				if !inline {
					i++
				}
			case slices.Contains(flags, long):
			case strings.HasPrefix(long, "-"):
				return long + " does more than list"
			default:
				names = append(names, args[i].Text)
			}
		}
		if len(names) > 0 && !listing {
			return fmt.Sprintf("%s would be made; add --list to look for it", names[0])
		}
		return ""
	}
}

// gitOne allows a command that has commands of its own only some of these; ""
// stands for none of them, which may be followed by options.
func gitOne(allowed ...string) rule {
	return func(args []Word) string {
		name := ""
		for _, a := range args {
			if !strings.HasPrefix(a.Text, "-") {
				name = a.Text
				break
			}
		}
		if !slices.Contains(allowed, name) {
			return strings.TrimSpace(name+" does") + " more than show"
		}
		return ""
	}
}

// gitConfig allows only what asks.
func gitConfig(args []Word) string {
	asks := false
	for _, a := range args {
		long, _, _ := strings.Cut(a.Text, "=")
		switch long {
		case "-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "get", "list":
			asks = true
		case "--global", "--local", "--system", "--worktree", "--show-origin", "--show-scope", "--name-only", "-z", "--null",
			"--includes", "--no-includes", "--type", "--default", "--bool", "--int", "--path", "--all", "-f", "--file":
		default:
			if strings.HasPrefix(long, "-") {
				return long + " does more than show"
			}
		}
		if !asks && !strings.HasPrefix(a.Text, "-") {
			break
		}
	}
	if !asks {
		return "only --get and --list are allowed"
	}
	return ""
}
