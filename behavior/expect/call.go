package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// Call is a call of any of the tools, by their canonical names; of any tool at
// all if none is named. Unless refined by a method that says how it ended, it is
// a call that succeeded.
func Call(tools ...string) Event {
	tools = slices.Clone(tools)
	noun, label := list(tools, "or")+" call", strings.Join(tools, "/")
	if len(tools) == 0 {
		noun, label = "call", "any call"
	}
	e := Event{
		where: here(), article: article(noun), noun: noun, label: label,
		kind: behavior.KindCall,
		what: func(t *trace, i int) answer {
			return answers(len(tools) == 0 || slices.Contains(tools, t.Timeline[i].Call.Tool))
		},
	}
	if e.mentions = tools; len(tools) == 1 {
		e.tools = tools
	}
	return e
}

// Reading is the moment at which the file's content reached an agent: a
// successful read of it from the beginning and without a limit, or any other
// call whose result shows every line of it that is not blank, as it was before
// the agent started or after it had ended. That call must have succeeded, or be a
// shell command that ran to its end, whatever its exit status. What write and
// edit answer is no reading.
func Reading(file string) Event {
	e := Event{
		where: here(), article: "a", noun: "reading of " + plain(file), label: "reading " + short(file),
		kind: behavior.KindCall, status: ran,
		what: func(t *trace, i int) answer {
			c := t.Timeline[i].Call
			return answers(c.Tool == "read" || c.Tool != "write" && c.Tool != "edit" && c.Result != "")
		},
		near: func(t *trace, i int) bool {
			c := t.Timeline[i].Call
			return c.Tool == "read" || t.shares(c.Result, t.expand(file)) > 0
		},
	}
	return e.with(clause{
		test: onCall(func(t *trace, c *behavior.Call) answer {
			if c.Tool == "read" && t.same(c.Arg("path"), t.expand(file)) && entire(c) {
				return yes
			}
			return answers(slices.ContainsFunc(t.linesOf(t.expand(file)), func(lines []string) bool { return shows(c.Result, lines) }))
		}),
		seen: ofCall(func(t *trace, c *behavior.Call) string {
			if c.Tool == "read" && !t.same(c.Arg("path"), t.expand(file)) {
				return placeOf(c)
			}
			return fmt.Sprintf("shows %d%% of its lines", t.shares(c.Result, t.expand(file)))
		}),
	})
}

// entire reports whether a read asked for all that one read can show.
func entire(c *behavior.Call) bool {
	offset, limit := number(c.Args["offset"], 1), number(c.Args["limit"], maxRead)
	return offset <= 1 && limit >= maxRead
}

// maxRead is the documented limit of a read that gives none.
const maxRead = 2000

// shares is how many of a hundred lines of the file a result shows, of the file
// as it was or as it became, whichever is more. Of a long file only the
// beginning is looked at.
func (t *trace) shares(result, file string) int {
	const enough = 200
	most := 0
	for _, lines := range t.linesOf(file) {
		lines, n := lines[:min(len(lines), enough)], 0
		for _, line := range lines {
			if whole(result, line) {
				n++
			}
		}
		most = max(most, 100*n/len(lines))
	}
	return most
}

// lookers are the tools that change nothing: a file that changes while one of
// them runs was changed by another.
var lookers = []string{"read", "ls", "glob", "grep", "skill", "question"}

// Changing is a call during which any of the files was created, changed or
// removed, whatever the tool and however the call ended; during which any file
// at all was if none is named. Tools that only look change nothing, even if a
// file changed while they ran. The end of a background command counts for the files
// that changed while it ran and that no call of the same agent accounts for.
//
// It rests on [behavior.Call.Changed]: of an agent that does not record it no call
// ever changes anything, and [No] of it always holds.
func Changing(files ...string) Event {
	files = slices.Clone(files)
	noun, label := "change of any file", "changing any file"
	if len(files) > 0 {
		noun, label = "change of "+list(plains(files), "or"), "changing "+short(strings.Join(files, "/"))
	}
	e := Event{
		where: here(), article: "a", noun: noun, label: label,
		kind: behavior.KindCall, also: behavior.KindBackground, status: anyStatus,
		what: func(t *trace, i int) answer {
			c := t.Timeline[i].Call
			return answers(len(changedBy(&t.Timeline[i])) > 0 && (c == nil || !slices.Contains(lookers, c.Tool)))
		},
		besides: func(t *trace) string { return t.unaccounted(files) },
	}
	if len(files) == 0 {
		return e
	}
	return e.with(clause{
		test: func(t *trace, i int) answer {
			return answers(slices.ContainsFunc(files, func(f string) bool {
				f = t.Path(t.expand(f))
				return slices.ContainsFunc(changedBy(&t.Timeline[i]), func(p string) bool { return t.Path(p) == f })
			}))
		},
		seen: func(t *trace, i int) string {
			return "changed " + clip(list(plains(changedBy(&t.Timeline[i])), "and"), maxShown)
		},
	})
}

// unaccounted says which of the files changed, any if none is named, without anything
// in the timeline that accounts for it: most likely the agent's adapter leaves that out.
func (t *trace) unaccounted(files []string) string {
	told, named := make(map[string]bool), make(map[string]bool)
	for i := range t.Timeline {
		for _, p := range changedBy(&t.Timeline[i]) {
			told[t.Path(p)] = true
		}
	}
	for _, f := range files {
		named[t.Path(t.expand(f))] = true
	}
	var lost []string
	for _, p := range t.changes() {
		if !told[p] && (len(files) == 0 || named[p]) {
			lost = append(lost, p)
		}
	}
	if len(lost) == 0 {
		return ""
	}
	return "; " + clip(list(plains(lost), "and"), maxShown) + " changed, and no call accounts for it (Call.Changed)"
}

// changedBy lists the files that an event accounts for.
func changedBy(ev *behavior.Event) []string {
	if ev.Call != nil {
		return ev.Call.Changed
	}
	return ev.Changed
}

// Shown is any call whose result shows the text: every line of it that is not
// blank, as whole words. The call must have succeeded, or be a shell command
// that ran to its end: what "cat a b" shows of b was shown, even where there is no
// a and the exit status is 1. A notice that has the text shows it too: the end of a
// background command is told to the agent, and not asked for.
func Shown(text string) Event {
	return Event{
		where: here(), article: "a", noun: "result that shows " + show(text), label: "shown " + short(text),
		kind: behavior.KindCall, also: behavior.KindNotice, status: ran,
		what: func(t *trace, i int) answer {
			if ev := t.Timeline[i]; ev.Kind == behavior.KindNotice {
				return answers(shows(ev.Text, solidLines(t.expand(text))))
			}
			return answers(shows(t.Timeline[i].Call.Result, solidLines(t.expand(text))))
		},
	}
}

func plains(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = plain(s)
	}
	return out
}
