package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/board"
	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/safefile"
	"github.com/deeds-evals/deeds/results"
)

// scoreboardFlags are what the scoreboard is asked for.
type scoreboardFlags struct {
	render          bool
	html            string
	asJSON          bool
	retire, because string
}

func scoreboardCommand(c *Config) *cobra.Command {
	var f scoreboardFlags
	cmd := &cobra.Command{
		Use:   "scoreboard",
		Short: "Check the scoreboard, and show it",
		Long: `Check the scoreboard, and show it.

Every figure is computed anew from the attempts in results/scoreboard, those are held
against the runs that are still on record, and the suite is read from source: what
was published under another case or grader is stale, and does not count. What
disagrees is listed, and the status is 1. Where no model was published it is 2.

--render brings the entries up to the suite of today, and writes results/SCOREBOARD.md.
--retire takes an entry's result off, and keeps its score and the reason on the page.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return c.scoreboard(f) },
	}
	cmd.Flags().BoolVar(&f.render, "render", false, "bring it up to today's suite, and write the page")
	cmd.Flags().StringVar(&f.html, "html", "", "write one HTML page to this file")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&f.retire, "retire", "", "take the result of the entry of this key off")
	cmd.Flags().StringVar(&f.because, "because", "", "why it is retired")
	return cmd
}

func (c *Config) scoreboard(f scoreboardFlags) error {
	if (f.retire == "") != (strings.TrimSpace(f.because) == "") {
		return misuse("--retire and --because go together", `deeds scoreboard --retire KEY --because "the endpoint served another model"`)
	}
	root, err := c.root()
	if err != nil {
		return err
	}
	entries, err := results.Entries(root)
	if err != nil {
		return &fault{what: err.Error(), hint: "the files in results/scoreboard are committed: git has what they were", code: 1, is: err}
	}
	if len(entries) == 0 {
		return &fault{what: "no model was published under " + root, hint: "`deeds run -model=NAME -scoreboard` plays the suite three times and publishes", code: 2}
	}
	if f.retire != "" {
		if err := c.retire(root, f, entries); err != nil {
			return err
		}
	}
	module, err := moduleAbove(c.Dir)
	if err != nil {
		return err
	}
	today, err := board.Today(module, entries)
	if err != nil {
		return &fault{what: err.Error(), hint: "change to the module whose suite was played", code: 2, is: err}
	}
	if f.render {
		if _, err := results.Refresh(root, today); err != nil {
			return err
		}
	}
	if f.render || f.retire != "" {
		if err := board.Render(root); err != nil {
			return err
		}
	}
	if entries, err = results.Entries(root); err != nil {
		return err
	}
	wrong, err := results.VerifyBoard(root, entries, today)
	if err != nil {
		return err
	}
	rendered, err := board.Rendered(root, entries)
	if err != nil {
		return err
	}
	if !rendered {
		wrong = append(wrong, board.File+" is not what the entries render to")
	}
	return c.showBoard(f, board.New(entries), wrong)
}

// retire takes a result off the scoreboard.
func (c *Config) retire(root string, f scoreboardFlags, entries []*results.Entry) error {
	e, err := results.Retire(root, f.retire, f.because, c.Now())
	if errors.Is(err, results.ErrNoEntry) {
		keys := make([]string, len(entries))
		for i, e := range entries {
			keys[i] = e.Key
		}
		return misuse(fmt.Sprintf("the scoreboard has no entry %q", f.retire), didYouMean(f.retire, keys, "`deeds scoreboard` shows the keys"))
	}
	if err != nil {
		return err
	}
	if !f.asJSON {
		fmt.Fprintf(c.Stdout, "retired %s\n\n", inert.Line(e.Key))
	}
	return nil
}

// showBoard prints the page, or what disagrees.
func (c *Config) showBoard(f scoreboardFlags, page board.Page, wrong []string) error {
	if f.html != "" && len(wrong) == 0 {
		data, err := page.HTML()
		if err != nil {
			return err
		}
		if err := safefile.Write(c.abs(f.html), data); err != nil {
			return err
		}
	}
	if f.asJSON {
		if wrong == nil {
			wrong = []string{}
		}
		if err := printJSON(c.Stdout, map[string]any{"entries": page.Lines, "disagreements": wrong}); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		if !f.asJSON {
			fmt.Fprintf(c.Stdout, "the scoreboard is not what it is made of:\n")
			for _, w := range wrong {
				fmt.Fprintf(c.Stdout, "  %s\n", inert.Line(w))
			}
			fmt.Fprintln(c.Stdout, "\nwhat the suite has become, `deeds scoreboard --render` writes down; the rest is for git to tell")
		}
		return exitStatus(1)
	}
	if f.asJSON {
		return nil
	}
	return c.printBoard(page)
}

func (c *Config) printBoard(page board.Page) error {
	cells := [][]string{{"RANK", "MODEL", "AGENT", "SCORE", "95 %", "CERTIFIED", "STALE", "REROLLS", "RETIRED", "KEY"}}
	for _, l := range page.Lines {
		cells = append(cells, []string{
			l.Place(), l.Name(), l.Agent, l.Score(), l.Interval(), l.Certified(),
			fmt.Sprint(len(l.Aggregates.Stale)), fmt.Sprint(l.Aggregates.Rerolls), fmt.Sprint(len(l.Retired)), l.Key,
		})
	}
	if err := table(c.Stdout, cells); err != nil {
		return err
	}
	for _, l := range page.Lines {
		if l.Aggregates.Certified && l.Why == "" {
			continue
		}
		fmt.Fprintf(c.Stdout, "\n%s\n", inert.Line(l.Key))
		if l.Why != "" {
			fmt.Fprintf(c.Stdout, "  unranked: %s\n", inert.Line(l.Why))
		}
		for _, why := range l.Aggregates.Why {
			fmt.Fprintf(c.Stdout, "  not certified: %s\n", inert.Line(why))
		}
	}
	return nil
}

// moduleAbove is the folder of the nearest go.mod in a folder or above it.
func moduleAbove(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", misuse("there is no go.mod in this folder or above it", "change to the module whose suite was played")
		}
	}
}
