package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deeds-evals/deeds/internal/tools"
)

const (
	shown = 200 // resources in one list
	hints = 20  // resources named beside an error
)

// Resources is the tool mcp_resources, that lists and reads the resources of all
// servers. It names the servers that do not answer as well: a server that is just
// absent would make the model believe that there is none. Without resources and
// without trouble there is no such tool.
func Resources(clients []*Client) (tools.Extra, bool) {
	var having, down []string
	for _, c := range clients {
		has, trouble := c.state()
		if trouble != nil {
			down = append(down, fmt.Sprintf("%s (%s)", c.name, trouble.reason))
		} else if has {
			having = append(having, c.name)
		}
	}
	if len(having)+len(down) == 0 {
		return tools.Extra{}, false
	}
	about := "List or read the resources that servers offer: documents, records and other data. " +
		"Without uri it lists them with URI, name, type and description, those of one server if it is given; in a template's URI, put values for what stands in braces. " +
		"With uri it reads one; server can be left out if only one has resources."
	if len(having) > 0 {
		about += " Servers with resources: " + strings.Join(having, ", ") + "."
	}
	if len(down) > 0 {
		about += " Servers that did not answer when last asked: " + strings.Join(down, ", ") + "."
	}
	return tools.Extra{
		Spec: tools.Spec{Name: "mcp_resources", Description: about, Parameters: json.RawMessage(
			`{"type":"object","properties":{` +
				`"server":{"type":"string","description":"the server"},` +
				`"uri":{"type":"string","description":"the resource to read"}},"additionalProperties":false}`)},
		Run: func(ctx context.Context, args map[string]any) tools.Outcome {
			return resources(ctx, clients, args)
		},
	}, true
}

func resources(ctx context.Context, clients []*Client, args map[string]any) tools.Outcome {
	var given [2]string
	for i, name := range []string{"server", "uri"} {
		value, ok := args[name].(string)
		if !ok && args[name] != nil {
			return tools.Outcome{Status: tools.Malformed, Text: name + " is no string"}
		}
		given[i] = value
	}
	server, uri := given[0], given[1]
	if server != "" {
		i := slices.IndexFunc(clients, func(c *Client) bool { return c.name == server })
		if i < 0 {
			return failed("there is no server %q; there are: %s", server, names(clients))
		}
		clients = clients[i : i+1]
	}
	if uri == "" {
		return list(ctx, clients)
	}
	clients = slices.DeleteFunc(slices.Clone(clients), func(c *Client) bool {
		has, down := c.state()
		return server == "" && !has && down == nil
	})
	if len(clients) != 1 {
		return tools.Outcome{Status: tools.Malformed, Text: "uri alone does not say which server is meant; give server, too: " + names(clients)}
	}
	return clients[0].read(ctx, uri)
}

func names(clients []*Client) string {
	all := make([]string, len(clients))
	for i, c := range clients {
		all[i] = c.name
	}
	return strings.Join(all, ", ")
}

// list shows what the servers have, and which of them do not answer.
func list(ctx context.Context, clients []*Client) tools.Outcome {
	var lines, bad []string
	total, kept := 0, 0
	for _, c := range clients {
		entries, err := c.catalog(ctx)
		switch {
		case ctx.Err() != nil:
			return tools.Outcome{Status: tools.Cut, Text: "the list was cut before its end"}
		case err != nil:
			bad = append(bad, c.words(err))
			continue
		case len(entries) == 0:
			lines = append(lines, fmt.Sprintf("%s: no resources", c.name))
			continue
		}
		lines = append(lines, c.name+":")
		total += len(entries)
		entries = entries[:min(len(entries), shown-kept)]
		kept += len(entries)
		for _, e := range entries {
			lines = append(lines, "  "+e)
		}
	}
	if total > kept {
		lines = append(lines, fmt.Sprintf("(%d of %d resources are shown)", kept, total))
	}
	status := tools.OK
	if len(lines) == 0 {
		status = tools.Failed
	}
	return tools.Outcome{Status: status, Text: clip(strings.Join(append(lines, bad...), "\n"))}
}

// catalog lists the resources and the templates of the server, a line each.
func (c *Client) catalog(ctx context.Context) (entries []string, err error) {
	err = c.do(ctx, func(ctx context.Context, s *sdk.ClientSession) error {
		entries = nil
		if able := s.InitializeResult().Capabilities; able == nil || able.Resources == nil {
			return nil
		}
		for r, err := range s.Resources(ctx, nil) {
			if err != nil {
				return err
			}
			if entries = append(entries, describe(r.URI, r.Name, r.MIMEType, r.Description)); len(entries) == most {
				return nil
			}
		}
		for t, err := range s.ResourceTemplates(ctx, nil) {
			if e := said(err); e != nil && e.Code == jsonrpc.CodeMethodNotFound {
				return nil // resources without templates
			} else if err != nil {
				return err
			}
			if entries = append(entries, describe(t.URITemplate, t.Name, t.MIMEType, t.Description)+" [template]"); len(entries) == most {
				return nil
			}
		}
		return nil
	})
	return entries, err
}

// describe is a resource in one line.
func describe(uri, name, mime, about string) string {
	line := uri
	if name != "" {
		line += " " + name
	}
	if mime != "" {
		line += " (" + mime + ")"
	}
	if about != "" {
		line += ": " + about
	}
	return strings.Join(strings.Fields(line), " ")
}

// read reads one resource.
func (c *Client) read(ctx context.Context, uri string) tools.Outcome {
	var result *sdk.ReadResourceResult
	err := c.do(ctx, func(ctx context.Context, s *sdk.ClientSession) (err error) {
		result, err = s.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
		return err
	})
	switch e := said(err); {
	case e != nil && slices.Contains([]int64{jsonrpc.CodeInvalidParams, jsonrpc.CodeMethodNotFound, -32002}, e.Code):
		return c.missing(ctx, uri)
	case ctx.Err() != nil:
		return tools.Outcome{Status: tools.Cut, Text: "the read was cut before its end"}
	case err != nil:
		return failed("%s", c.words(err))
	}
	var p pieces
	for _, content := range result.Contents {
		p.resource(content)
	}
	return p.outcome()
}

// missing says that there is no such resource, and what there is.
func (c *Client) missing(ctx context.Context, uri string) tools.Outcome {
	text := fmt.Sprintf("the server %s has no resource %q", c.name, uri)
	entries, err := c.catalog(ctx)
	if err != nil || len(entries) == 0 {
		return failed("%s", clip(text))
	}
	rest := len(entries) - hints
	text += "; it has:\n" + strings.Join(entries[:min(len(entries), hints)], "\n")
	if rest > 0 {
		text += fmt.Sprintf("\n(and %d more)", rest)
	}
	return failed("%s", clip(text))
}

// words says what went wrong, in the server's words or in ours.
func (c *Client) words(err error) string {
	if e := said(err); e != nil {
		return fmt.Sprintf("the server %s reports an error: %s", c.name, spoken(e))
	}
	return err.Error()
}
