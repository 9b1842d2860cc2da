package mcp

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deeds-evals/deeds/internal/tools"
)

// Servers differ in whether they say that a tool or an argument is wrong by an
// error of the protocol or by a result. These are the words of the official
// libraries, in Go, Python and TypeScript.
var (
	saysUnknown   = regexp.MustCompile(`(?i)^(MCP error -32602: )?(unknown tool\b|tool \S+ (not found|disabled)$)`)
	saysMalformed = regexp.MustCompile(`^(validating "arguments"|(MCP error -32602: )?Input validation error\b|MCP error -32602: )`)
)

// call carries out one call of a tool, at most once.
func (c *Client) call(ctx context.Context, tool string, args map[string]any) tools.Outcome {
	if args == nil {
		args = map[string]any{} // not null
	}
	var result *sdk.CallToolResult
	err := c.do(ctx, func(ctx context.Context, s *sdk.ClientSession) (err error) {
		result, err = s.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
		return err
	})
	if err != nil {
		return c.trouble(ctx, tool, err)
	}
	var p pieces
	for _, content := range result.Content {
		p.add(content)
	}
	if p.empty() && result.StructuredContent != nil {
		p.structured(result.StructuredContent)
	}
	out := p.outcome()
	switch {
	case !result.IsError:
	case saysUnknown.MatchString(out.Text):
		out = c.unknown(tool)
	case saysMalformed.MatchString(out.Text):
		out.Status = tools.Malformed
	default:
		out.Status = tools.Failed
	}
	return out
}

// trouble is the outcome of a call that the server's tool did not answer.
func (c *Client) trouble(ctx context.Context, tool string, err error) tools.Outcome {
	if e := said(err); e != nil {
		switch {
		case e.Code == jsonrpc.CodeMethodNotFound,
			e.Code == jsonrpc.CodeInvalidParams && saysUnknown.MatchString(e.Message):
			return c.unknown(tool)
		case e.Code == jsonrpc.CodeInvalidParams:
			return tools.Outcome{Status: tools.Malformed, Text: spoken(e)}
		}
		return failed("%s", spoken(e))
	}
	if ctx.Err() != nil {
		return tools.Outcome{Status: tools.Cut, Text: "the call was cut before its end; whether it took effect is not known"}
	}
	text := err.Error()
	if u, ok := errors.AsType[*unreachable](err); ok && u.unsure {
		text += "; whether the call took effect is not known"
	}
	return failed("%s", text)
}

func (c *Client) unknown(tool string) tools.Outcome {
	text := fmt.Sprintf("the server %s has no tool %q now", c.name, tool)
	var others []string
	for _, t := range c.known() {
		if t.Name != tool {
			others = append(others, t.Name)
		}
	}
	if len(others) > 0 {
		text += "; it has " + strings.Join(others, ", ")
	}
	return tools.Outcome{Status: tools.Unknown, Text: clip(text)}
}

// spoken is what a server said by an error of the protocol.
func spoken(e *jsonrpc.Error) string {
	if strings.TrimSpace(e.Message) == "" {
		return fmt.Sprintf("the server reports error %d", e.Code)
	}
	return clip(e.Message)
}

func failed(format string, args ...any) tools.Outcome {
	return tools.Outcome{Status: tools.Failed, Text: fmt.Sprintf(format, args...)}
}
