package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/junit"
	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/page"
	"github.com/deeds-evals/deeds/internal/safefile"
	"github.com/deeds-evals/deeds/results"
)

// formats are those of reports, with the ends of the names of files that are meant to
// hold one.
var formats = []struct{ name, end string }{
	{"text", ".txt"}, {"md", ".md"}, {"html", ".html"}, {"junit", ".xml"}, {"json", ".json"}, {"annotations", ""},
}

// A reporting says what to report, and how.
type reporting struct {
	format  string
	output  string
	history int
	against []string
	asJSON  bool
}

func reportCommand(c *Config) *cobra.Command {
	var r reporting
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Report a run to people and to CI",
		Long: `Report a run to people and to CI.

The formats are text; md, which is for the summary of a step of GitHub's or for a
comment; html, one file that needs no network, with every trace in it; junit, the XML
that Jenkins, GitLab and most others read; json; and annotations, which are commands of
GitHub's workflows that mark the lines of the expectations that were not met. Where
--output names a file its end settles the format.

--history follows the models through that many runs of the same kind, this one
included: text, md and json have it. --against compares in html with the same models
of another run, or of a baseline.

The exit status says whether the report was written, and nothing of the run: that is
for ` + "`deeds gate`" + `.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse(fmt.Sprintf("`deeds report` takes one run, and %q is one too many", args[1]), "--against RUN compares with another one")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			run := ""
			if len(args) == 1 {
				run = args[0]
			}
			if err := r.settle(cmd.Flags().Changed("history")); err != nil {
				return err
			}
			return c.report(run, r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.format, "format", "", "`text`, md, html, junit, json or annotations (default text)")
	f.StringVarP(&r.output, "output", "o", "", "write to a `file` instead of standard output")
	f.IntVar(&r.history, "history", 0, "follow the models through the last `N` runs (default 10 in md)")
	f.StringSliceVar(&r.against, "against", nil, "in html, compare with a `run` or a baseline")
	f.BoolVar(&r.asJSON, "json", false, "the same as --format json")
	return cmd
}

// settle settles what was not said, and refuses what does not go together.
func (r *reporting) settle(historySaid bool) error {
	if r.asJSON {
		if r.format != "" && r.format != "json" {
			return misuse("--json and --format "+r.format+" are two formats", "give one of them")
		}
		r.format = "json"
	}
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
		if r.format == "" && f.end != "" && strings.EqualFold(filepath.Ext(r.output), f.end) {
			r.format = f.name
		}
	}
	switch {
	case r.format == "" && r.output != "":
		return misuse(fmt.Sprintf("the name %q does not say which format it is to have", r.output), "--format is one of "+strings.Join(names, ", "))
	case r.format == "":
		r.format = "text"
	case !slices.Contains(names, r.format):
		return misuse(fmt.Sprintf("there is no format %q", r.format), didYouMean(r.format, names, "it is one of "+strings.Join(names, ", ")))
	}
	switch {
	case r.history < 0:
		return misuse(fmt.Sprintf("--history=%d is no number of runs", r.history), "0 follows none")
	case historySaid && !slices.Contains([]string{"text", "md", "json"}, r.format):
		return misuse("a report in "+r.format+" has no history", "text, md and json have one")
	case len(r.against) > 0 && r.format != "html":
		return misuse("--against is for html", "`deeds compare` compares as text and JSON")
	case !historySaid && r.format == "md":
		r.history = 10
	}
	return nil
}

func (c *Config) report(name string, r reporting) error {
	if f, ok := c.Stdout.(*os.File); ok && r.output == "" && r.format == "html" && term.IsTerminal(int(f.Fd())) {
		return misuse("a report in html is no text for a terminal", "--output report.html writes it to a file")
	}
	info, err := c.find(name)
	if err != nil {
		return err
	}
	run, err := results.Load(info.Dir)
	if err != nil {
		return err
	}
	if r.output == "" {
		return c.write(c.Stdout, info, run, r)
	}
	var b bytes.Buffer
	if err := c.write(&b, info, run, r); err != nil {
		return err
	}
	if err := safefile.Write(c.abs(r.output), b.Bytes()); err != nil {
		return unwritten(err, r.output)
	}
	_, err = fmt.Fprintf(c.Stdout, "written    %s (%s)\n", inert.Line(r.output), size(b.Len()))
	return err
}

// unwritten says why a report could not be written.
func unwritten(err error, file string) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err // the path in it is that of a temporary file
	}
	return &fault{what: fmt.Sprintf("the report cannot be written to %s: %v", file, err), code: 1, is: err}
}

// write writes a run in a format.
func (c *Config) write(w io.Writer, info results.RunInfo, run *results.Run, r reporting) error {
	o := overview.Of(info, run)
	switch r.format {
	case "html":
		comparisons, err := c.comparisons(run, r.against)
		if err != nil {
			return err
		}
		return page.Write(w, page.Config{Info: info, Run: run, Comparisons: comparisons})
	case "junit":
		return c.junit(run).Write(w)
	case "annotations":
		return o.Annotations(w, run, c.module())
	}
	var history *overview.History
	if r.history > 0 {
		var err error
		if history, err = c.history(o, run, r.history); err != nil {
			return err
		}
	}
	switch r.format {
	case "json":
		return printJSON(w, struct {
			*overview.Overview
			History *overview.History `json:"history,omitempty"`
		}{o, history})
	case "md":
		// More makes a page that nobody reads to its end, and that is slow to show.
		const most = 50
		failures, unread := c.failures(run, most)
		return o.Markdown(w, overview.Digest{Failures: failures, Unread: unread, History: history})
	}
	s := overview.Style{Colour: c.Colour && r.output == "", Width: columns(w), Dir: c.shorten(info.Dir)}
	if err := o.Text(w, s); err != nil || history == nil {
		return err
	}
	return history.Text(w, s)
}

// junit is the report of a run for readers of JUnit's XML.
func (c *Config) junit(run *results.Run) junit.Report {
	units := make(map[results.Unit]results.UnitResult)
	for _, u := range run.Units() {
		units[u.Unit] = u
	}
	several := len(run.Models()) > 1
	return junit.Of(junit.Source{
		Run: run, Root: c.module(),
		Explain:  func(s results.SlotResult) string { return explain(run, s, units[s.Unit()], several) },
		Evidence: func(a *results.Attempt) string { return c.evidence(run, a) },
	})
}

// evidence is the path of an attempt's evidence from the working directory.
func (c *Config) evidence(run *results.Run, a *results.Attempt) string {
	if a.Evidence == "" {
		return ""
	}
	return filepath.ToSlash(c.shorten(filepath.Join(run.Dir, filepath.FromSlash(a.Evidence))))
}

// module is the folder of the module below that of its repository, with slashes: "" for
// the same, and where there is no repository.
func (c *Config) module() string {
	module := above(c.Dir, "go.mod")
	if module == "" {
		return ""
	}
	repository := above(module, ".git")
	if repository == "" {
		return ""
	}
	rel, err := filepath.Rel(repository, module)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// above is the nearest folder from dir upwards that holds something of that name, or "".
func above(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// comparisons hold the models of a run against those of the same names elsewhere.
func (c *Config) comparisons(run *results.Run, against []string) ([]*results.Comparison, error) {
	if len(against) == 0 {
		return nil, nil
	}
	reader, err := c.arms()
	if err != nil {
		return nil, err
	}
	var all []*results.Comparison
	for _, name := range against {
		base, err := reader.run(name)
		if err != nil {
			return nil, err
		}
		found := false
		for _, model := range run.Models() {
			if !slices.Contains(base.Models(), model) {
				continue
			}
			found = true
			before, err := newArm(name, []*results.Run{base}, model)
			if err != nil {
				return nil, err
			}
			after, err := newArm(run.ID, []*results.Run{run}, model)
			if err != nil {
				return nil, err
			}
			compared, err := results.Compare(before, after, results.CompareOptions{})
			if err != nil {
				return nil, misuse(err.Error(), "")
			}
			all = append(all, compared)
		}
		if !found {
			return nil, misuse(fmt.Sprintf("%s has no model of the run: it has %s, and the run %s", name, some(base.Models()), some(run.Models())),
				"`deeds compare` holds different models against each other")
		}
	}
	return all, nil
}

// history follows the models of a run through earlier ones of its kind. n runs are
// shown with it; runs that have none of the models are passed over, up to a point.
func (c *Config) history(o *overview.Overview, run *results.Run, n int) (*overview.History, error) {
	list, err := results.List(filepath.Dir(filepath.Dir(run.Dir)))
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(i results.RunInfo) bool { return i.ID == run.ID })
	var earlier []*overview.Overview
	for i, read := at-1, 0; i >= 0 && len(earlier) < n-1 && read < 10*n; i, read = i-1, read+1 {
		before, err := results.Load(list[i].Dir)
		if err != nil {
			return nil, err
		}
		if before.Kind() != run.Kind() || !slices.ContainsFunc(before.Models(), func(m string) bool { return slices.Contains(run.Models(), m) }) {
			continue
		}
		earlier = append(earlier, overview.Of(list[i], before))
	}
	slices.Reverse(earlier)
	return o.Trace(earlier), nil
}

// size says how large a file is.
func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return count(n, "byte", "bytes")
}
