package overview

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/deeds-evals/deeds/internal/inert"
)

// A Failure is an attempt that did not pass, with what is to be said of it.
type Failure struct {
	Attempt
	Signals  []string
	Text     string // the message of the failure, with the command that shows more
	Evidence string
}

// A Digest is what goes into Markdown besides the overview.
type Digest struct {
	Failures []Failure
	// Unread is how many more there are.
	Unread  int
	History *History
	// Command is what is typed in place of deeds.
	Command string
	// Most is how many bytes are written; 0 is Summary.
	Most int
}

// Summary is how much GitHub takes of the summary of a step, less what else the step
// may say.
const Summary = 1<<20 - 1<<14

// Markdown shows the overview to whoever reads a pull request. Nothing that an agent
// wrote is Markdown in it, and never more is written than is taken.
func (o *Overview) Markdown(w io.Writer, d Digest) error {
	most := d.Most
	if most == 0 {
		most = Summary
	}
	p := &pad{left: most - 200} // for the sentence on what was left out
	s := Style{Command: d.Command}
	p.add(fmt.Sprintf("### Deeds: run %s\n\n%s\n\n", code(o.Run), code(o.about())))
	p.add(o.markdownTable())
	for i := range o.Arms {
		p.add(o.markdownArm(&o.Arms[i]))
	}
	p.add(o.markdownNotes())
	if d.History != nil {
		p.add(d.History.markdown())
	}
	p.add("Next:\n" + fence(s.command(o.Next)))
	left := d.Unread
	for i, f := range d.Failures {
		if !p.add(f.markdown()) {
			left += len(d.Failures) - i
			break
		}
	}
	if left > 0 {
		p.b.WriteString(fmt.Sprintf("%s more did not pass: %s lists them.\n", count(left, "attempt"), code(s.command("deeds show "+o.Run))))
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A pad takes blocks of text as long as there is room for them whole.
type pad struct {
	b    strings.Builder
	left int
}

func (p *pad) add(block string) bool {
	if len(block) > p.left {
		return false
	}
	p.left -= len(block)
	p.b.WriteString(block)
	return true
}

// markdownTable has a row a signal and a column a model.
func (o *Overview) markdownTable() string {
	if len(o.Arms) == 0 {
		return "Nothing was planned: no case matched.\n\n"
	}
	var names []string
	rows := make(map[string][]string)
	for i := range o.Arms {
		for _, row := range o.Arms[i].table()[1:] {
			name := row[0].text
			if rows[name] == nil {
				rows[name] = make([]string, len(o.Arms))
				if name != WholeUnit {
					names = append(names, name)
				}
			}
			rows[name][i] = mark(row[1].colour) + " " + row[1].text + " (" + row[2].text + ")"
		}
	}
	head, line := []string{"signal"}, []string{"---"}
	for _, a := range o.Arms {
		head, line = append(head, coded(a.who())), append(line, "---")
	}
	table := [][]string{head, line}
	for _, name := range append(names, WholeUnit) {
		table = append(table, append([]string{coded(name)}, rows[name]...))
	}
	return markdownRows(table) + "\n" + legend + "; in brackets the share that is not at odds with them, at 95 %.\n\n"
}

func (a *Arm) who() string { return who(a.Model, a.Agent) }

// who names a model, and its agent if it is not the built-in one: a run may have the
// same model in several.
func who(model, agent string) string {
	if agent == "" || agent == "builtin" {
		return model
	}
	return model + " in " + agent
}

// mark says in a sign and not by colour alone how a row stands.
func mark(colour string) string {
	switch colour {
	case green:
		return "✓"
	case red:
		return "✗"
	}
	return "?"
}

// coded is a code span in a table, which a bar would end all the same. Readers do not
// agree on whether a bar with two backslashes before it is escaped, so that there is none.
func coded(text string) string {
	if text == "" {
		return ""
	}
	return bars.Replace(code(text))
}

var bars = strings.NewReplacer(`\|`, `\\x7c`, "|", `\|`)

func markdownRows(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}

// markdownArm says what became of the attempts of a model, and which units to look at.
func (o *Overview) markdownArm(a *Arm) string {
	const most = 20
	text := fmt.Sprintf("**%s**: %s. %s.\n\n", code(a.who()), code(o.attempts(a)), code(a.spent()))
	table := [][]string{{"unit", "", "attempts", "signals"}, {"---", "---", "---", "---"}}
	for _, list := range []struct {
		name  string
		units []Unit
	}{{"failing", a.Failing}, {"split", a.Splits}, {"void", a.Voided}} {
		for i, u := range list.units {
			if i == most {
				table = append(table, []string{"and " + count(len(list.units)-most, "unit") + " more", list.name, "", ""})
				break
			}
			about := strings.Join(u.Signals, ", ")
			if len(u.Reasons) > 0 {
				about = strings.TrimPrefix(about+" ("+strings.Join(u.Reasons, ", ")+")", " ")
			}
			table = append(table, []string{coded(u.name()), list.name, coded(tally(u.Outcomes)), coded(about)})
		}
	}
	if len(table) > 2 {
		text += markdownRows(table) + "\n"
	}
	return text
}

// markdownNotes says what is not as it should be with the run itself.
func (o *Overview) markdownNotes() string {
	var b strings.Builder
	note := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "- %s: %s\n", name, code(text))
		}
	}
	note("not played", strings.Join(o.Missing, ", "))
	note("stopped", o.Stopped)
	if o.Torn > 0 {
		note("torn", count(o.Torn, "line")+" dropped")
	}
	for _, p := range o.Problems {
		note("problem", p)
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

func (h *History) markdown() string {
	if len(h.Runs) < 2 || len(h.Trends) == 0 {
		return ""
	}
	head, line := []string{"signal", "model", "trend"}, []string{"---", "---", "---"}
	for _, r := range h.Runs {
		head, line = append(head, r.date()), append(line, "---")
	}
	table := [][]string{head, line}
	for _, t := range h.Trends {
		row := []string{coded(t.Signal), coded(who(t.Model, t.Agent)), t.Spark()}
		for _, p := range t.Points {
			row = append(row, p.String())
		}
		table = append(table, row)
	}
	return fmt.Sprintf("<details><summary>The last %s of these models</summary>\n\n%s\n%s.\n\n</details>\n\n", count(len(h.Runs), "run"), markdownRows(table), legend)
}

// markdown folds one failure.
func (f Failure) markdown() string {
	text := fmt.Sprintf("<details><summary>%s %s: %s", tagged(f.Name()), tagged(who(f.Model, f.Agent)), tagged(f.Outcome))
	if len(f.Signals) > 0 {
		text += ": " + tagged(strings.Join(f.Signals, ", "))
	}
	text += "</summary>\n\n"
	text += fence(f.Text)
	if f.Evidence != "" {
		text += "Evidence: " + code(f.Evidence) + "\n\n"
	}
	return text + "</details>\n\n"
}

// tagged is code inside of HTML, where there is no Markdown.
func tagged(text string) string { return "<code>" + html.EscapeString(inert.Line(text)) + "</code>" }

// code is text in a code span. Everything that an agent, a model or a record has a hand
// in is put into one: elsewhere GitHub finds users, issues, commits and addresses in it,
// also where they are written with entities.
func code(text string) string {
	text = inert.Line(text)
	ticks := strings.Repeat("`", longest(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// fence is text in a block of code that nothing in it can end.
func fence(text string) string {
	text = inert.Text(text)
	ticks := strings.Repeat("`", max(3, longest(text)+1))
	return ticks + "text\n" + strings.TrimRight(text, "\n") + "\n" + ticks + "\n\n"
}

// longest is the longest row of back quotes in a text.
func longest(text string) int {
	most, n := 0, 0
	for _, r := range text {
		if r != '`' {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}
