package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// longArgument is how many bytes an argument may have and still stand in the title.
const longArgument = 160

// call tells of a tool call, or of what a stub of the server of that name was asked.
func call(out *Event, c *behavior.Call, server string) {
	if c == nil {
		out.say("", "(the record has no call here)")
		out.Bad = true
		return
	}
	tool := c.Tool
	if server != "" {
		tool = server + "/" + tool
	}
	arguments(out, flat(tool), c)
	out.Status, out.Bad = flat(string(c.Status)), c.Status != behavior.OK
	if c.Exit != nil && *c.Exit != 0 {
		out.Status += fmt.Sprintf(", exit status %d", *c.Exit)
	}
	if c.Took > 0 {
		out.Status += ", " + Duration(c.Took)
	}
	out.changed(c.Changed)
	out.part("result", c.Result)
	if c.RawTool != "" && c.RawTool != c.Tool || c.Raw != "" && len(c.Args) > 0 {
		name := c.RawTool
		if name == "" {
			name = c.Tool
		}
		sent := name
		if len(c.Args) > 0 {
			sent = strings.TrimSpace(name + " " + c.Raw)
		}
		out.part("sent as", sent)
	}
}

// arguments spells them as name=value, by name. Long ones are a part of their own, and
// only their size stands in the title.
func arguments(out *Event, tool string, c *behavior.Call) {
	if len(c.Args) == 0 {
		out.say("", strings.TrimSpace(tool+" "+c.Raw))
		return
	}
	names := make([]string, 0, len(c.Args))
	for n := range c.Args {
		names = append(names, n)
	}
	slices.Sort(names)
	title, lead := []string{tool}, []string{tool}
	var long []string
	for _, n := range names {
		text, isText := c.Args[n].(string)
		spelled := value(c.Args[n])
		switch n = flat(n); {
		case isText && (strings.Contains(text, "\n") || len(text) > longArgument):
			title = append(title, n+"=("+size(text)+")")
			long = append(long, n+":\n  "+strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  "))
		case len(spelled) > longArgument:
			title = append(title, n+"=("+size(spelled)+")")
			long = append(long, n+":\n  "+spelled)
		default:
			title = append(title, n+"="+spelled)
			lead = append(lead, n+"="+spelled)
		}
	}
	out.Title, out.Lead = shorten(strings.Join(title, " ")), strings.Join(lead, " ")
	out.part("arguments", strings.Join(long, "\n"))
}

// size says how long a text is.
func size(s string) string {
	if n := strings.Count(strings.TrimRight(s, "\n"), "\n") + 1; n > 1 {
		return fmt.Sprintf("%d lines", n)
	}
	return fmt.Sprintf("%d bytes", len(s))
}

// value spells an argument as JSON, for people.
func value(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSpace(b.String())
}
