package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/deeds-evals/deeds/internal/inert"
)

func doctorCommand(c *Config) *cobra.Command {
	var (
		d      doctor
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what a run needs, and say how to mend it",
		Long: `Check what a run needs, and say how to mend what is missing: Go and the module, the
suite, the sandbox, the disk, and what the environment sets. Nothing is changed.

With a model, the endpoint is asked one tiny thing, with a tool, over the very
gateway that a run uses: whether it can be reached, takes the key, knows the model,
calls tools, streams, and reports usage. That is one request a model, and it may cost
what one costs. A model that answers in words is asked up to three times, and a fault
that may pass, such as a rate limit, is waited out as in a run: six requests at most,
and two more where the endpoint refuses something. The key is never printed.

The exit status is 1 if a check fails. What was not checked says why.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.c = c
			return d.run(cmd.Context(), asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.model, "model", "", "the model to ask (default: DEEDS_MODEL)")
	f.StringVar(&d.baseURL, "base-url", "", "where it answers (default: DEEDS_BASE_URL, OPENAI_BASE_URL)")
	f.DurationVar(&d.patience, "timeout", time.Minute, "how long an answer is waited for, and a fault that may pass")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// A check is one thing that was looked at.
type check struct {
	Name string `json:"name"`
	// Status is "ok", "warn", "fail", or "skip" for what was not checked.
	Status string `json:"status"`
	Seen   string `json:"seen"`
	Fix    string `json:"fix,omitempty"`
}

// A doctor makes the checks one after the other.
type doctor struct {
	c              *Config
	model, baseURL string
	patience       time.Duration
	checks         []check
	flags          []string          // GOFLAGS
	transport      http.RoundTripper // to the endpoint; nil is the usual one
	broken         bool              // the suite cannot be looked at without what failed
	// redact takes the key out of whatever is said.
	redact func(string) string
}

func (d *doctor) note(name, status, seen, fix string) {
	if d.redact != nil {
		seen, fix = d.redact(seen), d.redact(fix)
	}
	d.checks = append(d.checks, check{name, status, seen, fix})
}

func (d *doctor) ok(name, format string, args ...any) {
	d.note(name, "ok", fmt.Sprintf(format, args...), "")
}
func (d *doctor) skip(name, format string, args ...any) {
	d.note(name, "skip", fmt.Sprintf(format, args...), "")
}

// count is how many checks have a status.
func (d *doctor) count(status string) (n int) {
	for _, k := range d.checks {
		if k.Status == status {
			n++
		}
	}
	return n
}

func (d *doctor) run(ctx context.Context, asJSON bool) error {
	if d.patience <= 0 {
		return misuse(fmt.Sprintf("--timeout=%s leaves no time for an answer", d.patience), "--timeout 1m")
	}
	ctx, stop := d.c.interruptible(ctx)
	defer stop()
	d.keepSecret() // before anything is said
	d.machine(ctx)
	d.suite(ctx)
	d.place()
	d.environment()
	d.endpoint(ctx)
	if ctx.Err() != nil {
		return &fault{what: "the checks were interrupted", code: 2}
	}
	status := 0
	if d.count("fail") > 0 {
		status = 1
	}
	if asJSON {
		err := printJSON(d.c.Stdout, map[string]any{
			"checks": d.checks, "status": status,
			"ok": d.count("ok"), "warn": d.count("warn"), "fail": d.count("fail"), "skip": d.count("skip"),
		})
		if err != nil {
			return err
		}
		return ended(status)
	}
	d.print()
	return ended(status)
}

func (d *doctor) print() {
	width := 0
	for _, k := range d.checks {
		width = max(width, len(k.Name))
	}
	for _, k := range d.checks {
		// A status stands in words, and never in its colour alone.
		word, style := k.Status, faint
		switch k.Status {
		case "ok":
			style = green
		case "warn":
			style = yellow
		case "fail":
			word, style = "FAIL", red
		case "skip":
			word = "-"
		}
		fmt.Fprintf(d.c.Stdout, "%s  %-*s  %s\n", style.paint(d.c.Colour, fmt.Sprintf("%-4s", word)), width, k.Name, inert.Line(k.Seen))
		if k.Fix != "" {
			fmt.Fprintf(d.c.Stdout, "      %*s  fix: %s\n", width, "", inert.Line(k.Fix))
		}
	}
	parts := []string{fmt.Sprintf("%d ok", d.count("ok"))}
	if n := d.count("warn"); n > 0 {
		parts = append(parts, count(n, "warning", "warnings"))
	}
	if n := d.count("fail"); n > 0 {
		parts = append(parts, red.paint(d.c.Colour, fmt.Sprintf("%d failed", n)))
	}
	if n := d.count("skip"); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not checked", n))
	}
	fmt.Fprintf(d.c.Stdout, "\n%s\n", strings.Join(parts, ", "))
}

// shown is a URL without what may be a secret in it.
func shown(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return "a URL that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
