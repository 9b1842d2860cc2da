// Package contain runs commands where they can do no harm. It keeps one init
// process per box: the running binary, started again under the name "init", which
// shuts itself in, then starts commands on request, reaps what they leave behind
// and ends all of it.
//
// The package's init function is the way in: a process that was started as such an
// init never reaches main. It costs any other process one look at its arguments.
//
// Containment is Linux only. Elsewhere [Launch] and [Probe] return an error.
package contain
