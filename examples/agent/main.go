// Command errand runs an errand in the current folder:
//
//	OPENAI_BASE_URL=… OPENAI_API_KEY=… errand -model=NAME "Move the greeting to Portuguese."
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"example.org/errand/errand"
)

func main() {
	model := flag.String("model", "", "the model that is asked")
	flag.Parse()
	if *model == "" || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, `errand: usage: errand -model=NAME "what is to be done"`)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runner := errand.New(errand.Config{
		BaseURL: os.Getenv("OPENAI_BASE_URL"), Key: os.Getenv("OPENAI_API_KEY"), Model: *model,
		Desk: errand.Folder("."),
		Observe: func(s errand.Step) {
			if s.Call != nil {
				fmt.Fprintf(os.Stderr, "%s %s\n", s.Call.Tool, s.Call.Arguments)
			}
		},
	})
	answer, err := runner.Ask(ctx, strings.Join(flag.Args(), " "))
	if err != nil {
		fmt.Fprintln(os.Stderr, "errand:", err)
		os.Exit(1)
	}
	fmt.Println(answer)
}
