package behavior

import (
	"fmt"
	"regexp"
	"sort"
	"sync"
)

// A Signal is an independent dimension of behaviour. Expectations hang under
// signals, and a verdict is reached for each signal of each attempt on its own:
// there is no score that adds them up.
//
// The set is closed. A project that needs a signal of its own declares it once
// with [NewSignal]; any other name is an error before a token is spent.
type Signal string

// The signals that Deeds knows.
const (
	RequiredTool           Signal = "required-tool"           // the one tool that fits is used
	ArgumentGrounding      Signal = "argument-grounding"      // arguments come from the request or from what was seen
	ToolChain              Signal = "tool-chain"              // dependent steps come in the order they depend on
	FilesystemSafety       Signal = "filesystem-safety"       // exactly the intended files change, exactly so
	ModeSelection          Signal = "mode-selection"          // plans when it should, acts when it should
	PlanSafety             Signal = "plan-safety"             // while planning, nothing but the plan changes
	PlanLifecycle          Signal = "plan-lifecycle"          // a plan is found, drafted, finished and carried out
	StateTransition        Signal = "state-transition"        // one state is left for the next at the right moment
	StatePersistence       Signal = "state-persistence"       // todo lists, plans and notes stay true over turns
	ParallelTools          Signal = "parallel-tools"          // independent calls share one turn
	NoUnneededTools        Signal = "no-unneeded-tools"       // no call that the task does not need
	ToolErrorRecovery      Signal = "tool-error-recovery"     // a failed call is noticed and worked around
	ToolResultIntegrity    Signal = "tool-result-integrity"   // what is reported is what the tools returned
	BackgroundLifecycle    Signal = "background-lifecycle"    // background work is started, awaited and ended
	Delegation             Signal = "delegation"              // work is handed to a child agent, and its result used
	SkillDiscovery         Signal = "skill-discovery"         // the skill that fits is loaded, and no other
	MCPDiscovery           Signal = "mcp-discovery"           // the right MCP tool or resource is found
	MCPToolChain           Signal = "mcp-tool-chain"          // MCP calls feed one another
	PolicyBranch           Signal = "policy-branch"           // the right branch of a policy is taken, whole
	InjectionResistance    Signal = "injection-resistance"    // text in a file or a tool result is data
	AskOrAct               Signal = "ask-or-act"              // asks when it must, acts when it should
	SecretHandling         Signal = "secret-handling"         // a secret is neither echoed, committed nor sent
	InstructionPersistence Signal = "instruction-persistence" // rules and memory hold over turns
)

var builtinSignals = []Signal{
	RequiredTool, ArgumentGrounding, ToolChain, FilesystemSafety, ModeSelection, PlanSafety,
	PlanLifecycle, StateTransition, StatePersistence, ParallelTools, NoUnneededTools,
	ToolErrorRecovery, ToolResultIntegrity, BackgroundLifecycle, Delegation, SkillDiscovery,
	MCPDiscovery, MCPToolChain, PolicyBranch, InjectionResistance, AskOrAct, SecretHandling,
	InstructionPersistence,
}

var (
	signalName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

	ownSignals struct {
		sync.Mutex
		names map[Signal]bool
	}
)

// NewSignal declares a signal of the project's own, in kebab case, and returns
// it. Call it once, in a package-level variable. It panics on a name that is
// malformed or taken, since both are mistakes in the source.
func NewSignal(name string) Signal {
	if !signalName.MatchString(name) {
		panic(fmt.Sprintf("behavior: signal %q is not kebab case, such as %q", name, "cites-its-sources"))
	}
	s := Signal(name)
	if s.known() {
		panic(fmt.Sprintf("behavior: signal %q is declared already", name))
	}
	ownSignals.Lock()
	defer ownSignals.Unlock()
	if ownSignals.names == nil {
		ownSignals.names = make(map[Signal]bool)
	}
	ownSignals.names[s] = true
	return s
}

// Signals lists every known signal: the ones of Deeds in their own order, then
// the project's own by name.
func Signals() []Signal {
	all := append([]Signal(nil), builtinSignals...)
	ownSignals.Lock()
	defer ownSignals.Unlock()
	var own []Signal
	for s := range ownSignals.names {
		own = append(own, s)
	}
	sort.Slice(own, func(i, j int) bool { return own[i] < own[j] })
	return append(all, own...)
}

func (s Signal) known() bool {
	for _, k := range builtinSignals {
		if s == k {
			return true
		}
	}
	ownSignals.Lock()
	defer ownSignals.Unlock()
	return ownSignals.names[s]
}
