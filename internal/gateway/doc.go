// Package gateway stands between an agent and a model. It is one HTTP server on
// loopback for a whole process, with one base URL for each session, and it is
// the only place where the real key lives, where provider faults are told apart
// from behaviour, and where traffic is recorded exactly.
//
// An agent speaks the OpenAI chat protocol to its [Session]; the session asks an
// [Upstream]: [Live] is a real endpoint, [Recording] an earlier session, and the
// script package has one that plays a script. An answer is read whole and
// checked before the agent sees a byte of it, so that a stream which broke off
// can be asked for again without the agent noticing.
//
// What can go wrong upstream is a closed list of [FaultKind]s, each with one
// consequence: it stops the run, it voids the attempt, or it is the agent's own
// limit.
//
// # Limits over processes
//
// `go test` runs one process a package. A [Limiter] given a directory holds its
// limits over all processes that were given the same one, by means of file
// locks, which the kernel drops when a process dies. It works on Linux, macOS,
// the BSDs and Windows; elsewhere [NewLimiter] refuses a directory.
package gateway
