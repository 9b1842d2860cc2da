package behavior

import (
	"context"
	"slices"
	"sync"

	"github.com/deeds-evals/deeds/fixtures"
	"github.com/deeds-evals/deeds/internal/mcp"
)

// host is where the servers of this process's cases are reached. It is there for as
// long as the process.
var host = sync.OnceValues(mcp.NewHost)

// serve opens the unit's servers for one attempt.
func (w *world) serve() error {
	if len(w.unit.servers) == 0 {
		return nil
	}
	h, err := host()
	if err != nil {
		return err
	}
	for _, s := range w.unit.servers {
		url, stop := h.Open(mcp.Stub{
			Server: s,
			Tools:  func() []fixtures.Tool { return w.office.there(s) },
			Call: func(_ context.Context, tool string, args map[string]any) fixtures.Answer {
				there := w.office.there(s)
				i := slices.IndexFunc(there, func(t fixtures.Tool) bool { return t.Name == tool })
				if i < 0 {
					return fixtures.Error("there is no tool %s", tool)
				}
				return w.office.call(s.Name, there[i], args)
			},
			Read:  func(uri, text string, found bool) { w.office.read(s.Name, uri, text, found) },
			Facts: w.unit.facts,
		})
		w.closers = append(w.closers, stop)
		server := Server{Name: s.Name, URL: url}
		if s.Stdio {
			server = Server{Name: s.Name}
			if server.Program, server.Args, server.Env, err = mcp.Stdio(url); err != nil {
				return err
			}
		}
		w.servers = append(w.servers, server)
	}
	return nil
}
