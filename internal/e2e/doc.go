// Package e2e plays the whole suite against scripted endpoints: the test
// binaries of the cases, as go test would start them, talk to a server on this
// machine whose model is honest, lazy, wrong, destructive or broken. It has tests
// and nothing else.
package e2e
