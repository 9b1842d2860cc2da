// Package cli is the deeds command: its verbs, its words to the user, and its
// exit statuses.
//
// What a verb finds out goes to standard output, as text or, with --json, as one
// JSON document. Errors go to standard error as "deeds: what happened", lower case
// and without a full stop, and a line "hint: what to do" where there is something
// to do. The status is 0 if the verb did its work, 1 if it failed or found what it
// was to look for, 2 if it was misused or could not measure.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deeds-evals/deeds/internal/journal"
	"github.com/deeds-evals/deeds/results"
)

// A Config is what a command is started with.
type Config struct {
	Args           []string // without the name of the program
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Environ        []string
	Dir            string // the working directory
	Colour         bool   // Stdout is a terminal that shows colours
	Now            func() time.Time
	// Interrupts are passed on to go test. Nil leaves them to the system.
	Interrupts <-chan os.Signal
}

// Main runs the command of this process, and returns its exit status.
func Main() int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "deeds: the working directory is gone:", err)
		return 2
	}
	c := Config{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Environ: os.Environ(), Dir: dir, Now: time.Now,
		Interrupts: interrupts(),
	}
	c.Colour = colour(os.Stdout, c.getenv)
	return Run(context.Background(), c)
}

// Run runs one command, and returns its exit status.
func Run(ctx context.Context, c Config) int {
	root := newRoot(&c)
	root.SetArgs(append([]string{}, c.Args...)) // nil would mean the arguments of the process
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	return c.exit(root.ExecuteContext(ctx))
}

func newRoot(c *Config) *cobra.Command {
	root := &cobra.Command{
		Use:   "deeds",
		Short: "Judge an agent by what it does",
		Long: `Deeds judges an agent by what it does, never by what it says.

Cases are ordinary Go tests: ` + "`go test ./evals/...`" + ` rehearses them offline, and
-model=NAME plays a model. The verbs run them and read what they left behind. RUN
is the id of a run, its short id or the beginning of either; the last run is meant
where none is given.`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return notEmpty(cmd, args) },
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return noVerb(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.DisableSuggestions = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrongFlag(cmd, err, c.Args) })
	root.AddCommand(runCommand(c), casesCommand(c), runsCommand(c), showCommand(c), versionCommand(c))
	root.AddCommand(compareCommand(c), noiseCommand(c), powerCommand(c), gateCommand(c), baselineCommand(c))
	root.AddCommand(scoreboardCommand(c), reportCommand(c), doctorCommand(c), initCommand(c))
	help := helpCommand(root)
	root.SetHelpCommand(help)
	illustrate(root, help)
	return root
}

// notEmpty refuses a flag, and an argument, that stands there without its value: where
// a variable of a script is not set, a guard would be left out without a word.
func notEmpty(cmd *cobra.Command, args []string) error {
	const hint = "a variable that is not set leaves it empty: set it, or leave the flag out"
	if slices.Contains(args, "") && !cmd.DisableFlagParsing {
		return misuse("`"+cmd.CommandPath()+"` was given an argument that is empty", hint)
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); v == "" || v == "[]" {
			err = misuse("--"+f.Name+" stands without its value", hint)
		}
	})
	return err
}

func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Say what a verb does",
		RunE: func(_ *cobra.Command, args []string) error {
			root.InitDefaultCompletionCmd("completion")
			verb, rest, err := root.Find(args)
			if err != nil || verb == root && len(rest) > 0 {
				return noVerb(root, args[0])
			}
			if len(rest) > 0 && verb.HasSubCommands() {
				return misuse(fmt.Sprintf("`%s` does not know %q", verb.CommandPath(), rest[0]), didYouMean(rest[0], verbs(verb), fmt.Sprintf("`%s --help` says what it takes", verb.CommandPath())))
			}
			if len(rest) > 0 {
				return misuse(fmt.Sprintf("`deeds help` takes one verb, and %q is one too many", rest[0]), fmt.Sprintf("`%s --help` says what it takes", verb.CommandPath()))
			}
			verb.InitDefaultHelpFlag()
			return verb.Help()
		},
	}
}

func noVerb(root *cobra.Command, word string) error {
	return misuse(fmt.Sprintf("there is no verb %q", word), didYouMean(word, verbs(root), "`deeds help` lists the verbs"))
}

func verbs(root *cobra.Command) []string {
	names := []string{"completion", "help"}
	for _, v := range root.Commands() {
		if !v.Hidden && !slices.Contains(names, v.Name()) {
			names = append(names, v.Name())
		}
	}
	return names
}

func (c *Config) getenv(name string) string {
	value := ""
	for _, e := range c.Environ {
		if k, v, ok := strings.Cut(e, "="); ok && k == name {
			value = v // the last one counts, as in a child
		}
	}
	return value
}

// abs returns a path that counts from the working directory as an absolute one.
func (c *Config) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

// root returns the directory that results lie in.
func (c *Config) root() (string, error) {
	root, err := journal.Root(c.Dir, c.getenv)
	if errors.Is(err, journal.ErrNoModule) {
		return "", misuse("there is no go.mod in a writable folder here or above", "change to your module, or set DEEDS_RESULTS to the folder of the results")
	}
	if err != nil {
		return "", err
	}
	return root, c.holdsResults(root)
}

// holdsResults refuses what cannot be a folder of results because a file is in its place.
func (c *Config) holdsResults(root string) error {
	for at := filepath.Join(root, "runs"); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			hint := "move it away, or set DEEDS_RESULTS to another folder"
			if c.getenv("DEEDS_RESULTS") != "" {
				hint = "set DEEDS_RESULTS to a folder"
			}
			return misuse(c.shorten(at)+" is no folder, and results are kept in one", hint)
		case err == nil, at == filepath.Dir(at):
			return nil
		}
	}
}

// find looks a run up by name.
func (c *Config) find(name string) (results.RunInfo, error) {
	root, err := c.root()
	if err != nil {
		return results.RunInfo{}, err
	}
	if strings.ContainsAny(name, `/\`) {
		name = c.abs(name)
	}
	info, err := results.Find(root, name)
	if err == nil || !errors.Is(err, results.ErrNoRun) {
		return info, err
	}
	list, listErr := results.List(root)
	if listErr != nil {
		return results.RunInfo{}, listErr
	}
	if len(list) == 0 {
		return results.RunInfo{}, &fault{what: "no run was recorded under " + root, hint: "`deeds run -model=NAME` makes one; a rehearsal leaves no record", code: 2, is: err}
	}
	names := make([]string, 0, 2*len(list))
	for _, i := range list {
		names = append(names, i.ID, results.ShortID(i.ID))
	}
	what := fmt.Sprintf("there is no run %q", name)
	if strings.Contains(err.Error(), "fits") {
		what = strings.TrimPrefix(err.Error(), results.ErrNoRun.Error()+": ")
	}
	return results.RunInfo{}, &fault{what: what, hint: didYouMean(name, names, "`deeds runs` lists the runs"), code: 2, is: err}
}
