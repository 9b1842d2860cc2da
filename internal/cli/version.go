package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/results"
)

func versionCommand(c *Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := version()
			if asJSON {
				return printJSON(c.Stdout, map[string]any{"version": v, "go": runtime.Version(), "schema": results.Schema})
			}
			_, err := fmt.Fprintf(c.Stdout, "deeds %s, %s, record format %d\n", v, runtime.Version(), results.Schema)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// version is the version of the module, or the commit that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown origin"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if commit == "" {
		return "(devel)"
	}
	return commit + dirty
}

// builtAt is the commit that this command was built from, "" if that is not known or
// says too little, because something was not committed.
func builtAt() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return cleanCommit(info.Settings)
}

func cleanCommit(settings []debug.BuildSetting) string {
	commit, clean := "", false
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			clean = s.Value == "false"
		}
	}
	if !clean {
		return ""
	}
	return commit
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misuse(fmt.Sprintf("`%s` takes no argument, and %q is one", cmd.CommandPath(), args[0]),
		fmt.Sprintf("`%s --help` says what it takes", cmd.CommandPath()))
}
