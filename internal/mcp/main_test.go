package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// child is set in a process that is to be a server on its standard input and
// output: an honest one, or one that is broken in the way it says.
const child = "MCP_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(child) {
	case "":
		os.Exit(m.Run())
	case "honest":
		_ = foreign().Run(context.Background(), &sdk.StdioTransport{})
	case "silent":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "junk":
		fmt.Println("Listening on port 3000!")
	}
}

// command is the test binary as such a server.
func command(t *testing.T, as string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), child+"="+as)
	return cmd
}

// foreign is a server that does what a stub does not: it answers with all kinds of
// content, a page at a time, and with errors as other libraries word them.
func foreign() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "foreign", Version: "1"}, &sdk.ServerOptions{PageSize: 2})
	tool := func(name string, content []sdk.Content, isError bool) {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return &sdk.CallToolResult{Content: content, IsError: isError}, nil
			})
	}
	text := func(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }
	tool("two", append(text("one"), text("two")...), false)
	tool("nothing", nil, false)
	tool("picture", []sdk.Content{&sdk.ImageContent{MIMEType: "image/png", Data: []byte("png")}}, false)
	tool("sound", []sdk.Content{&sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("wave")}}, false)
	tool("link", []sdk.Content{&sdk.ResourceLink{URI: "doc://a", Name: "A", MIMEType: "text/plain", Description: "the\nfirst"}}, false)
	tool("embedded", []sdk.Content{
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "doc://a", Text: "inside"}},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "doc://b", MIMEType: "image/gif", Blob: []byte("gif")}},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "doc://c", Blob: []byte("12345")}},
	}, false)
	tool("failing", text("out of stock"), true)
	tool("python.unknown", text("Unknown tool: python.unknown"), true)
	tool("python.invalid", text("Input validation error: 'n' is a required property"), true)
	tool("script.unknown", text("MCP error -32602: Tool script.unknown not found"), true)
	tool("script.invalid", text("MCP error -32602: Input validation error: Invalid arguments for tool x"), true)
	s.AddTool(&sdk.Tool{Name: "shape", Title: "Shapes", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{StructuredContent: map[string]any{"sides": 3}}, nil
		})
	s.AddTool(&sdk.Tool{Name: "slow", InputSchema: map[string]any{"type": "object"}},
		func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second): // nobody told it
			}
			return nil, errors.New("too late")
		})
	s.AddTool(&sdk.Tool{Name: "exit", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			os.Exit(3)
			return nil, nil
		})
	for i := range 5 {
		s.AddResource(&sdk.Resource{URI: fmt.Sprintf("doc://%d", i), Name: "doc"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: fmt.Sprintf("document %d", i)}}}, nil
		})
	}
	return s
}

// overHTTP serves a server with sessions and event streams, as most do.
func overHTTP(t *testing.T, s *sdk.Server) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(srv.Close)
	return srv
}

func dial(t *testing.T, name, url string) *Client {
	t.Helper()
	c, err := Dial(t.Context(), name, url)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// call runs the tool of that name.
func call(t *testing.T, extras []tools.Extra, name string, args map[string]any) tools.Outcome {
	t.Helper()
	for _, e := range extras {
		if e.Name == name {
			out := e.Run(t.Context(), args)
			require.NotEmpty(t, out.Text)
			return out
		}
	}
	require.Fail(t, "there is no tool "+name)
	return tools.Outcome{}
}

func extras(t *testing.T, c *Client) []tools.Extra {
	t.Helper()
	all, err := c.Extras(t.Context())
	require.NoError(t, err)
	return all
}

func toolNames(all []tools.Extra) []string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name
	}
	return names
}

// soon fails unless a condition becomes true. It asks from the goroutine it was
// called in, so that goroutines can be counted.
func soon(t *testing.T, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	require.Fail(t, "it does not come about")
}
