package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// An example is a command that somebody types, and why.
type example struct {
	why, line string
	// status is the exit status that it has in the module of the tests, where every
	// example is run.
	status int
}

// examples shows what each verb is for, in the order in which one thing leads to the
// next: what `deeds init` has written is run, read, compared and gated.
//
// NAME is a model, core/port-is-looked-up the case that `deeds init` writes, and
// before, after and again are runs that DEEDS_RUN=before … gave their names.
var examples = map[string][]example{
	"init": {
		{"begin a suite in this module: a case, its script, a workflow", "deeds init", 0},
		{"an agent of your own is what the case is about", "deeds init --agent own --package evals/mine", 0},
		{"a new module, in a folder that need not exist", "deeds init shop --module example.com/shop --workflow none", 0},
		{"nothing but the pipeline, for cases that are there already", "deeds init --agent none --workflow gitlab", 0},
	},
	"doctor": {
		{"what a rehearsal needs, and what else is set", "deeds doctor", 0},
		{"and what a live run needs: asks the model one thing", "deeds doctor --base-url http://localhost:8000/v1 --model NAME", 0},
		{"for a script", "deeds doctor --json", 0},
	},
	"run": {
		{"rehearse: offline and free", "deeds run", 0},
		{"play a model, three attempts of every unit", "deeds run -model=NAME -repeat=3", 0},
		{"what that would play, and about what it costs", "deeds run -model=NAME -repeat=3 -dry-run", 0},
		{"two models, one case", "deeds run ./evals/core -run TestPortIsLookedUp -model=NAME,OTHER", 0},
		{"a model whose truth is known: it passes half the time", "deeds run -model=sim:0.5 -seed=3 -repeat=4", 1},
		{"play what the last run has left open", "deeds run -resume=last", 1},
		{"judge the evidence of a run again, without any model", "deeds run -regrade=last", 0},
	},
	"cases": {
		{"the suite, rehearsed on the spot", "deeds cases", 0},
		{"one package of it", "deeds cases ./evals/core", 0},
		{"for a script: claims, signals, worlds, kill rates", "deeds cases --json", 0},
	},
	"runs": {
		{"the history", "deeds runs", 0},
		{"for a script", "deeds runs --json", 0},
	},
	"show": {
		{"the last run, summed up", "deeds show", 0},
		{"what happened in an attempt that failed, or else in the first", "deeds show core/port-is-looked-up", 0},
		{"one attempt of one run, with every result whole", "deeds show last core/port-is-looked-up --attempt 2 --full", 0},
		{"only what it failed for", "deeds show core/port-is-looked-up --guilty", 0},
		{"where a word turns up", "deeds show core/port-is-looked-up --find server.conf", 0},
		{"beside an attempt that passed, as far as they are alike", "deeds show core/port-is-looked-up --vs pass", 0},
		{"all of it, for a script", "deeds show last core/port-is-looked-up --json", 0},
	},
	"report": {
		{"the last run in one page, for the browser: no network, every trace in it", "deeds report --output report.html", 0},
		{"JUnit, for Jenkins, GitLab and most others", "deeds report --format junit --output junit.xml", 0},
		{"Markdown with the last five runs, as the summary of a step", "deeds report --format md --history 5", 0},
		{"marks at the lines of the expectations that were not met", "deeds report before --format annotations", 0},
		{"one page that compares two runs", "deeds report after --against before --output compared.html", 0},
	},
	"compare": {
		{"did the change make a difference?", "deeds compare before after", 0},
		{"a difference that chance does not explain, held against two runs of one model", "deeds compare before after --noise before,again", 0},
		{"the two models of one run", "deeds compare models", 0},
		{"and what must not have fallen by five points", "deeds compare before after --must-not-regress tool-chain --strict", 0},
	},
	"noise": {
		{"what runs differ by between which nothing was changed", "deeds noise before again", 0},
	},
	"power": {
		{"how many units show a rise from 30 to 45 %, at three attempts each?", "deeds power --base 0.3 --k 3 --effect 0.15", 0},
		{"what can 34 units show?", "deeds power --base 0.3 --k 3 --cases 34", 0},
		{"the same, measured in a run", "deeds power --run before --effect 0.2", 0},
	},
	"gate": {
		{"every unit of one signal passes, and nine of ten of another", "deeds gate after --need filesystem-safety=1 --need tool-chain=0.9", 0},
		{"a need that is not met", "deeds gate before --need tool-chain=0.9", 1},
		{"and nothing is worse than in a baseline", "deeds gate after --need tool-chain=0.9 --baseline main", 0},
	},
	"baseline": {
		{"keep a run under a name, in a file to commit", "deeds baseline save main before", 0},
		{"compare with it", "deeds compare main after", 0},
	},
	"baseline save": {
		{"keep a run", "deeds baseline save main before", 0},
		{"keep two of them in its place, so that it has a floor of its own", "deeds baseline save main before again --replace", 0},
	},
	"baseline list": {{"what is kept", "deeds baseline list", 0}},
	"baseline show": {{"its rates, with their intervals", "deeds baseline show main", 0}},
	"scoreboard": {
		{"publish a model, three attempts of every unit", "deeds run -model=NAME -scoreboard", 0},
		{"check every figure against the attempts behind it", "deeds scoreboard", 0},
		{"bring it up to the suite of today, and write results/SCOREBOARD.md", "deeds scoreboard --render", 0},
	},
	"version": {{"for a bug report", "deeds version", 0}},
	"help": {
		{"what a verb does", "deeds help show", 0},
		{"the same", "deeds show --help", 0},
	},
}

// illustrate gives a command and those below it their examples. help is no command of
// the root before it is run.
func illustrate(cmd, help *cobra.Command) {
	help.Example = illustration(examples["help"])
	for _, sub := range cmd.Commands() {
		if some := examples[strings.TrimPrefix(sub.CommandPath(), sub.Root().Name()+" ")]; len(some) > 0 {
			sub.Example = illustration(some)
		}
		illustrate(sub, help)
	}
}

// illustration writes examples as a shell shows them.
func illustration(some []example) string {
	var b strings.Builder
	for i, e := range some {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  # %s", e.why)
		if e.status != 0 {
			fmt.Fprintf(&b, " (exit status %d)", e.status)
		}
		fmt.Fprintf(&b, "\n  $ %s\n", e.line)
	}
	return strings.TrimRight(b.String(), "\n")
}
