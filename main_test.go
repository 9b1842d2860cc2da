package main

import (
	"flag"
	"testing"
)

// Flags that stand before the packages make go test take the packages for arguments
// and test this folder, which has no case: green, and nothing played.
func TestFlagsStandBehindThePackages(t *testing.T) {
	if flag.NArg() > 0 || flag.Lookup("model").Value.String() != "" {
		t.Fatalf("deeds: no case is here, and %q was taken for arguments\nhint: flags stand behind the packages: go test ./evals/... -model=NAME", flag.Args())
	}
}
