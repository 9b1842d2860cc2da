package errand

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A Tool is something that the model can call.
type Tool struct {
	Name   string
	About  string
	Schema json.RawMessage // of its arguments
	Do     func(ctx context.Context, desk Desk, args map[string]any) Result
}

// tools are the runner's own.
func tools() []Tool {
	return []Tool{
		{"list_folder", "Lists a folder. The working folder itself is \".\".", schema("folder"), list},
		{"open_file", "Shows a file: the whole of it, or from the line first to the line last.", schema("file", "first?", "last?"), open},
		{"store_file", "Makes a file hold the text, which is the whole of its new content.", schema("file", "text"), store},
		{"swap_text", "Replaces a text in a file. It must stand there exactly once.", schema("file", "find", "put"), swap},
		{"run_line", "Runs a command line in the working folder.", schema("line"), run},
	}
}

func list(_ context.Context, desk Desk, args map[string]any) Result {
	all, err := desk.List(text(args, "folder"))
	if err != nil {
		return failed("%v", err)
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return cmp.Compare(a.Name(), b.Name()) })
	var names []string
	for _, info := range all {
		name := info.Name()
		if info.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return Result{Text: strings.Join(names, "\n")}
}

func open(_ context.Context, desk Desk, args map[string]any) Result {
	data, err := desk.Load(text(args, "file"))
	if err != nil {
		return failed("%v", err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	first, last := number(args, "first", 1), number(args, "last", len(lines))
	if first < 1 || first > last {
		return failed("there are no lines from %d to %d", first, last)
	}
	if first > len(lines) {
		return failed("the file has %d lines", len(lines))
	}
	return Result{Text: strings.Join(lines[first-1:min(last, len(lines))], "")}
}

func store(_ context.Context, desk Desk, args map[string]any) Result {
	if err := desk.Store(text(args, "file"), []byte(text(args, "text"))); err != nil {
		return failed("%v", err)
	}
	return Result{Text: "stored"}
}

func swap(_ context.Context, desk Desk, args map[string]any) Result {
	file, find := text(args, "file"), text(args, "find")
	data, err := desk.Load(file)
	if err != nil {
		return failed("%v", err)
	}
	if n := strings.Count(string(data), find); find == "" || n != 1 {
		return failed("that text stands %d times in %s, and must stand there once", n, file)
	}
	if err := desk.Store(file, []byte(strings.Replace(string(data), find, text(args, "put"), 1))); err != nil {
		return failed("%v", err)
	}
	return Result{Text: "swapped"}
}

// maxOutput bounds what the model is shown of a command's output.
const maxOutput = 32 << 10

func run(ctx context.Context, desk Desk, args map[string]any) Result {
	output, status, err := desk.Run(ctx, text(args, "line"))
	if err != nil {
		return failed("%v", err)
	}
	if len(output) > maxOutput {
		output = fmt.Sprintf("%s\n(%d bytes more)", output[:maxOutput], len(output)-maxOutput)
	}
	if output != "" && !strings.HasSuffix(output, "\n") {
		output += "\n"
	}
	r := Result{Text: fmt.Sprintf("%sexit status %d", output, status), Status: &status}
	if status != 0 {
		r.Fault = Failed
	}
	return r
}

func failed(format string, args ...any) Result {
	return Result{Text: fmt.Sprintf(format, args...), Fault: Failed}
}

// text is an argument as text, "" where there is none.
func text(args map[string]any, name string) string {
	s, _ := args[name].(string)
	return s
}

// number is an argument as a whole number.
func number(args map[string]any, name string, otherwise int) int {
	n, ok := args[name].(float64)
	if !ok {
		return otherwise
	}
	return int(n)
}

// schema describes arguments: texts, and whole numbers that may be left out.
func schema(names ...string) json.RawMessage {
	properties, required := make(map[string]any), []string{}
	for _, name := range names {
		if name, optional := strings.CutSuffix(name, "?"); optional {
			properties[name] = map[string]string{"type": "integer"}
			continue
		}
		properties[name] = map[string]string{"type": "string"}
		required = append(required, name)
	}
	data, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	return data
}
