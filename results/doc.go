// Package results is the record of what was played, and what can be said of it: the
// format and its reader, and on top of them comparisons, floors, sizes, gates, baselines
// and the scoreboard. Nothing in it runs an agent or judges an attempt.
//
//	info, err := results.Find("results", "3f9c1a") // by id or short id; Last is the last one
//	run, err := results.Load(info.Dir)
//	for _, slot := range run.Slots() {
//		fmt.Println(slot.Case, slot.Attempt, slot.Outcome)
//	}
//
// An [Arm] is one model over one or more runs. [Compare] holds two of them against each
// other, [Noise] one against itself, [PlanPower] says beforehand what could show, and
// [Gate] decides. docs/statistics.md has the formulas.
//
//	base, err := results.NewArm("before", []*results.Run{run}, "")
//	candidate, err := results.NewArm("after", []*results.Run{later}, "")
//	found, err := results.Compare(base, candidate, results.CompareOptions{})
//	for _, row := range found.Signals {
//		fmt.Println(row.Name, row.Delta, row.PHolm, row.Verdict)
//	}
//
// # Where it lies
//
// Results lie in $DEEDS_RESULTS, which counts from the module's folder if it is
// relative, else in results/ beside the nearest writable go.mod. Each run, which is
// one invocation of go test with however many packages and models, has a folder:
//
//	runs/<time>-<short id>/                 20261129T224301Z-3f9c1a, in UTC
//	    plan-<package>[.n].json             a [Plan]
//	    attempts-<package>[.n].jsonl        one [Attempt] a line
//	    evidence/<case>/<world>/<model>/<attempt>[.<play>[.n]].json.zst
//	    stopped.json                        a [Stop], if the run was stopped
//
// Beside runs lie what is committed: baselines/<name>.json, the plans and slimmed
// attempts of saved runs, see [SaveBaseline]; scoreboard/<key>.json, an [Entry] for each
// agent, model and settings; and SCOREBOARD.md, which is rendered from them.
//
// The folder's name is the run's id. Anything else in it, and every name that begins
// with a point, is of use only while the run goes on.
//
// A plan is written before anything runs, and again for what is added later or when
// the run is resumed: the slots of all plans together are the slots of the run.
//
// A line of attempts is appended and synced when the attempt has ended. A file has
// one writer at a time. A writer that finds no newline at the end of its file, where
// a killed one left half a line, begins with one.
//
// In the path of an evidence file every byte but ASCII letters, digits, '-', '_'
// and inner '.' is written as % and two hexadecimal digits, an empty name is "_", a
// long one is cut and ends in 16 digits of its SHA-256, and a variant follows the
// world behind a '+'. Readers need not know: the path is in the attempt's line. An
// evidence file is one zstd frame that holds the JSON of a behavior.Evidence.
//
// # Names and values
//
// The names of the JSON fields are those in the tags of [Plan], [Attempt] and the
// types they are made of. An outcome is "pass", "fail" or "void"; that of a signal or
// a verdict is "pass", "fail" or "n/a". Times are RFC 3339 in UTC, durations are in
// milliseconds, costs in US dollars and absent where they are not known. A verdict's
// events are indexes into the timeline of the evidence, from 0.
//
// # How it counts
//
// A [Slot] is a planned attempt. Its result is that of its first play that passed or
// failed; plays after that one are rerolls and never count. A slot whose plays were
// all void is void, one without any was not run, and neither is a pass or a fail.
//
// A [Unit] is a case in one world and variant, played by one model in one agent. It
// passes, for one signal or over all, when each of its slots passed, and fails when
// one failed. While one of them is void or was not run, the unit is not measured.
//
// # Versions
//
// Plans and lines have the [Schema] that they were written in. A reader takes every
// schema up to its own and ignores fields that it does not know; what has a later
// schema is left out and said to be. New fields do not make a new schema, a new
// meaning of a field does. testdata holds a record of every schema there ever was.
//
// What cannot be read is never silently dropped: see [Run] for what is said of it.
package results
