package tools

import (
	"fmt"
	"slices"
	"strings"
)

// habits are the names that other agents give to our tools. A model that was
// trained on those calls them; it is told the name here, never served silently.
var habits = map[string]string{
	"apply_patch": "edit", "bash_command": "bash", "cat": "read", "create": "write", "create_file": "write",
	"delete_file": "bash", "dir": "ls", "exec": "bash", "execute": "bash", "exit_plan_mode": "plan_done",
	"enter_plan_mode": "plan_enter", "find": "glob", "find_files": "glob", "find_file": "glob", "list": "ls",
	"list_dir": "ls", "list_directory": "ls", "list_files": "ls", "multi_edit": "edit", "open": "read",
	"open_file": "read", "plan": "plan_enter", "replace": "edit", "rg": "grep", "ripgrep": "grep", "run": "bash",
	"run_command": "bash", "run_shell_command": "bash", "search": "grep", "search_files": "grep", "sh": "bash",
	"shell": "bash", "search_file_content": "grep", "str_replace": "edit", "str_replace_editor": "edit",
	"terminal": "bash", "update_plan": "todo", "view": "read", "ask": "question", "ask_user": "question",
	"agent": "task", "delegate": "task", "spawn_agent": "task", "subagent": "task", "bash_status": "bash_output", "shell_output": "bash_output",
	"wait": "bash_output", "kill": "bash_kill", "kill_bash": "bash_kill", "kill_shell": "bash_kill", "load_skill": "skill", "use_skill": "skill",
	"remember": "memory", "save_memory": "memory", "recall": "memory", "forget": "memory",
	"ask_user_question": "question", "ask_followup_question": "question", "file_search": "glob", "task_list": "todo",
}

// unknown answers a call to a tool that does not exist.
func (s *Set) unknown(name string) string {
	var names []string
	for _, spec := range s.Specs() {
		names = append(names, spec.Name)
	}
	text := fmt.Sprintf("there is no tool %q", shorten(name, 80))
	if near := nearestTool(name, names); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	}
	return text + "\nThe tools are: " + strings.Join(names, ", ") + "."
}

// nearestTool picks the name that was probably meant, or "".
func nearestTool(name string, names []string) string {
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		name = name[i+1:]
	}
	name = snake(name)
	if meant, ok := habits[name]; ok {
		name = meant
	}
	if slices.Contains(names, name) {
		return name
	}
	// read_file, TodoWrite and run_bash hold the name that is meant.
	for _, word := range strings.Split(name, "_") {
		if slices.Contains(names, word) {
			return word
		}
	}
	best, least := "", 3
	for _, n := range names {
		if d := distance(shorten(name, 40), n); d < least && d < len(n) {
			best, least = n, d
		}
	}
	return best
}

// snake turns FilePath and filePath into file_path.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			if i > 0 && !strings.HasSuffix(b.String(), "_") {
				b.WriteByte('_')
			}
			b.WriteRune(r + 'a' - 'A')
		case r == '-' || r == ' ':
			b.WriteByte('_')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// distance counts the edits that make one string of the other. It is meant for
// names and lines, not for texts.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j, q := range t {
			cost := diagonal
			if r != q {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}

// shorten cuts a string that is only to be recognized.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
