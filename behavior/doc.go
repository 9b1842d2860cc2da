// Package behavior judges an agent by what it does, never by what it says.
//
// A case is an ordinary test. It says in which world an agent is put, what it is
// asked, and what must be seen afterwards:
//
//	func TestReadBeforeEdit(t *testing.T) {
//		var (
//			read = expect.Call("read").On("settings.txt")
//			edit = expect.Call("edit").On("settings.txt")
//		)
//		behavior.Run(t, behavior.Case{
//			Claim:  "A bounded edit is grounded in the file and changes only what was asked.",
//			Files:  fixtures.Txtar("-- settings.txt --\nchannel=draft\nkeep=this\n"),
//			Prompt: "Switch the channel in settings.txt from draft to published.",
//			Expect: behavior.BySignal{
//				behavior.ToolChain: {read.Before(edit)},
//				behavior.FilesystemSafety: {expect.Changed(behavior.Tree{
//					"settings.txt": "channel=published\nkeep=this\n",
//				})},
//			},
//		})
//	}
//
// [Run] plays it. Without -model nothing is asked of any model: scripts beside the
// case stand in for one, some of which must pass and some of which must fail, so
// that the case itself is tested first. With -model=M a real agent loop is driven
// in a world of its own, and every attempt leaves [Evidence]: the timeline of
// messages, calls and modes, and the files before and after. [Grade] turns
// evidence into verdicts. It is pure, so old evidence can be graded again.
//
// # The first minutes
//
//	go test ./evals/...                     rehearse: offline and free
//	go test ./evals/... -model=M -repeat=3  play a model
//	deeds show                              what happened in the first attempt that failed
//
// docs/case.md writes a case, step by step, and docs/failure.md reads a failure.
//
// # Surroundings
//
// [Case.Turns] is what the user does when the agent has ended its turn: says more,
// answers a question, approves or declines a plan, begins a new conversation; files
// may change before, and nobody tells the agent. [Case.Meanwhile] is what happens
// while it works, [Case.User] a user that another model plays. [Case.Tools] and
// [Case.Servers] stand in for systems the agent works with, and keep a ledger: what
// reached them is on record by itself, and outranks what the agent says of it. [Case.Faults] go wrong on
// purpose. [Case.Draws] are facts that every attempt has others of. [World] and
// [Variant] play the same contract in other surroundings.
//
// What an agent of one's own does not take part in, such as a second turn, makes an
// attempt void as unsupported: neither passed nor failed.
//
// # Outcomes
//
// An expectation passes, fails, or cannot be judged. A signal fails if one of its
// expectations does. An attempt passes if nothing failed, and is void if something
// other than the agent broke: then it proves nothing, is played again at most
// twice, and is never green. A limit that the agent met is a fail, whatever it had
// done until then. [Reason] lists every cause.
//
// A case that is attempted several times passes when all attempts do. Two of three
// is instability, and no partial pass.
//
// # Agents
//
// Without [Case.Agent] the built-in agent is tested, a complete coding agent. Any
// value with a Run method is another [Agent]: it is given a [Task], with the
// workspace, a contained shell and the address of a model, and notes what it does
// as [Event] values in canonical form. examples/agent is a whole module with one.
//
// # Flags
//
//	-model=NAME[,NAME…]  play these models; none is a rehearsal
//	-base-url=URL        where they answer (OPENAI_BASE_URL), with OPENAI_API_KEY
//	-repeat=N            attempts per unit (1)
//	-signal=a,b          only cases with these signals, which alone decide red or green
//	-worlds=a,b          only these worlds
//	-limit=N             only the first N cases of each package
//	-j=N                 attempts in flight, over all packages of the run (8)
//	-dry-run             say what would be played
//	-budget=USD, -max-tokens=N
//	                     start no more attempts once the run has used that much
//	-scoreboard          three attempts of each unit, published if all were made
//	-resume=RUN          go on with a run: play what has neither passed nor failed
//	-replay=RUN          drive the agent again by the answers of that run
//	-regrade=RUN         judge the evidence of that run by the cases of today
//	-temperature, -seed, -reasoning
//	                     passed to the model
//	-model=sim:RATE      the scripts stand in for a model, as those of a rehearsal do, and
//	                     an attempt passes with that probability, by -seed: sim:0.8,
//	                     sim:0.1..0.9 for units that differ, sim:0.8+chain/refund/big=0.3
//	                     for other rates of some. It is recorded and never published
//	-user-model=NAME     plays simulated users (the model under test)
//	-containment=LEVEL   none, best or strict
//	-retries=N, -rpm=N   how often a request is sent again, and requests a minute
//
// A test binary that links this package has these flags, attempts in parallel
// beyond the number of processors (-parallel), and an end at once, with status 2,
// where -run selects no test of the suite at all. In any other program the package
// does nothing by itself.
//
// Packages come before them: go test ./evals/... -model=M. Each has a twin in the
// environment, such as DEEDS_MODEL, that an explicit flag overrides.
package behavior
