package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deeds-evals/deeds/internal/tools"
)

// most bounds a list that a server gives, lest it never ends.
const most = 5000

// Extras lists the tools that the server has now. With an error come the tools as
// they were listed last: a call of one says then what is wrong, where a tool that
// is gone would say nothing.
func (c *Client) Extras(ctx context.Context) ([]tools.Extra, error) {
	listed, err := c.list(ctx)
	return c.extras(listed, make(map[string]bool)), err
}

// Tools are the tools of all clients, and the one for their resources. They are
// listed at the same time; of a server that does not answer there are those that
// it had.
func Tools(ctx context.Context, clients []*Client) []tools.Extra {
	listed := make([][]*sdk.Tool, len(clients))
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() { listed[i], _ = c.list(ctx) })
	}
	all.Wait()
	var extras []tools.Extra
	taken := make(map[string]bool)
	for i, c := range clients {
		extras = append(extras, c.extras(listed[i], taken)...)
	}
	if r, ok := Resources(clients); ok {
		extras = append(extras, r)
	}
	return extras
}

// list asks for the tools, by name, each once.
func (c *Client) list(ctx context.Context) ([]*sdk.Tool, error) {
	var listed []*sdk.Tool
	err := c.do(ctx, func(ctx context.Context, s *sdk.ClientSession) error {
		listed = nil
		if able := s.InitializeResult().Capabilities; able == nil || able.Tools == nil {
			return nil
		}
		for t, err := range s.Tools(ctx, nil) {
			if err != nil {
				return err
			}
			if t != nil && t.Name != "" {
				listed = append(listed, t)
			}
			if len(listed) == most {
				break
			}
		}
		return nil
	})
	if err != nil {
		return c.known(), err
	}
	byName := func(a, b *sdk.Tool) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortStableFunc(listed, byName)
	listed = slices.CompactFunc(listed, func(a, b *sdk.Tool) bool { return a.Name == b.Name })
	c.mu.Lock()
	c.tools = listed
	c.mu.Unlock()
	return slices.Clone(listed), nil
}

// extras makes the server's tools the agent's. One that does not say that it only
// reads is taken to write.
func (c *Client) extras(listed []*sdk.Tool, taken map[string]bool) []tools.Extra {
	extras := make([]tools.Extra, 0, len(listed))
	for _, t := range listed {
		name := t.Name
		extras = append(extras, tools.Extra{
			Spec: tools.Spec{
				Name:        wireName(c.name, name, taken),
				Description: cmp.Or(t.Description, t.Title, fmt.Sprintf("The tool %s of the server %s.", name, c.name)),
				Parameters:  parameters(t.InputSchema),
			},
			Mutates: t.Annotations == nil || !t.Annotations.ReadOnlyHint,
			Run: func(ctx context.Context, args map[string]any) tools.Outcome {
				return c.call(ctx, name, args)
			},
		})
	}
	return extras
}

// parameters is the schema as JSON; a tool that has none takes no arguments.
func parameters(schema any) json.RawMessage {
	if b, err := json.Marshal(schema); err == nil && string(b) != "null" {
		return b
	}
	return json.RawMessage(`{"type":"object","properties":{}}`)
}
