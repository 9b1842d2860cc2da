package mcp

import (
	"context"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deeds-evals/deeds/fixtures"
)

// A Stub is a stand-in, with those who decide what it answers. Its functions may
// be called from several goroutines at once.
type Stub struct {
	// Server is what stands in. A dead one answers every request with status 503.
	Server fixtures.Server
	// Tools are the tools that there are now; it is asked at every request. Nil:
	// those of Server.
	Tools func() []fixtures.Tool
	// Call answers a call whose tool exists and whose arguments fit; others are
	// turned away before. A failure is a result that says so. A lost answer is an
	// internal error of the protocol with the answer's text: to the client the call
	// failed in a way of which it cannot know whether it took effect. That is told
	// rather than done by breaking the connection, which clients wait for and retry
	// each in a way of its own.
	Call func(ctx context.Context, tool string, args map[string]any) fixtures.Answer
	// Read is told of each resource that was asked for, what of it was given, and
	// whether there is one. Nil: nobody is.
	Read func(uri, text string, found bool)
	// Facts stand in resources in the place of their names in braces.
	Facts map[string]string
}

// A stand is a stub that is being served.
//
// It keeps no sessions: every request is answered by a server of its own, made of
// what there is at that time. Thus nothing is left of a client that never said
// good-bye, and a tool that comes later is there for the next one who asks. The
// price is that nobody is told of it; a client has to list the tools again.
type stand struct {
	Stub
	ctx    context.Context // ends when it is closed
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	asked  sync.WaitGroup // questions to the stub that are not answered yet
}

// enter begins a question to the stub, unless it is too late for one. Each that
// was begun ends by asked.Done.
func (st *stand) enter() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.closed {
		return false
	}
	st.asked.Add(1)
	return true
}

// leave lets no more questions begin, and waits until the last one is answered.
func (st *stand) leave() {
	st.cancel()
	st.mu.Lock()
	st.closed = true
	st.mu.Unlock()
	st.asked.Wait()
}

func (st *stand) serve(w http.ResponseWriter, r *http.Request) {
	server := st.server()
	if server == nil {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := st.within(r.Context())
	defer cancel()
	handler := sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, PropagateRequestCancellation: true},
	)
	handler.ServeHTTP(w, r.WithContext(ctx))
}

// within is ctx, cancelled no later than the stand is closed.
func (st *stand) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(st.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}

// server makes the server of one request, nil if the stand is closed.
func (st *stand) server() *sdk.Server {
	if !st.enter() {
		return nil
	}
	defer st.asked.Done()
	now := st.Server.Tools
	if st.Tools != nil {
		now = st.Tools()
	}
	// What it can do does not hang on what there is at the moment: a client asks
	// for that once.
	able := &sdk.ServerCapabilities{}
	if len(st.Server.Tools)+len(now) > 0 {
		able.Tools = &sdk.ToolCapabilities{}
	}
	if len(st.Server.Resources)+len(st.Server.Templates) > 0 {
		able.Resources = &sdk.ResourceCapabilities{}
	}
	server := sdk.NewServer(&sdk.Implementation{Name: st.Server.Name, Version: "1.0.0"}, &sdk.ServerOptions{Capabilities: able})
	for _, t := range now {
		sdk.AddTool(server, &sdk.Tool{
			Name:        t.Name,
			Description: t.About,
			InputSchema: t.Schema(),
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: !t.Writes},
		}, st.handler(t.Name))
	}
	st.addDocuments(server)
	return server
}

// handler answers calls of a tool by asking the stub.
func (st *stand) handler(tool string) sdk.ToolHandlerFor[map[string]any, any] {
	return func(ctx context.Context, _ *sdk.CallToolRequest, args map[string]any) (result *sdk.CallToolResult, _ any, err error) {
		if !st.enter() {
			return nil, nil, internal("the server is closing")
		}
		defer st.asked.Done()
		defer func() {
			// Nothing that a stub does wrong may take the process with it.
			if recover() != nil {
				result, err = nil, internal("internal error")
			}
		}()
		ctx, cancel := st.within(ctx)
		defer cancel()
		if args == nil {
			args = map[string]any{}
		}
		answer := st.Call(ctx, tool, args)
		if answer.Lost {
			return nil, nil, internal(answer.Text)
		}
		return &sdk.CallToolResult{
			Content: []sdk.Content{&sdk.TextContent{Text: answer.Text}},
			IsError: answer.Error,
		}, nil, nil
	}
}

func internal(text string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text}
}
