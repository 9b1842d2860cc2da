// Deeds judges an agent by what it does, never by what it says.
//
//	go test ./evals/...                rehearses the cases, offline
//	go test ./evals/... -model=NAME    plays a model
//	deeds show                         shows what happened
//
// `deeds help` lists the verbs.
package main

import (
	"os"

	"github.com/deeds-evals/deeds/internal/cli"
)

func main() { os.Exit(cli.Main()) }
