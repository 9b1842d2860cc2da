package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/deeds-evals/deeds/fixtures"
)

const plain = "text/plain"

// addDocuments gives a server the resources of the stub, and lets the stub know of
// what is read, and of what is asked for in vain.
func (st *stand) addDocuments(server *sdk.Server) {
	for _, r := range st.Server.Resources {
		r.MIME = mime(r)
		server.AddResource(&sdk.Resource{URI: r.URI, Name: r.Name, Description: r.About, MIMEType: r.MIME}, st.document(r))
	}
	for _, t := range st.Server.Templates {
		server.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: t.URI, Name: t.Name, Description: t.About, MIMEType: plain}, st.family(t))
	}
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			res, err := next(ctx, method, req)
			if asked, ok := req.GetParams().(*sdk.ReadResourceParams); ok && method == "resources/read" {
				st.tell(asked.URI, res, err)
			}
			return res, err
		}
	})
}

func mime(r fixtures.Resource) string {
	switch {
	case r.MIME != "":
		return r.MIME
	case r.Data != nil:
		return "application/octet-stream"
	}
	return plain
}

// document reads one resource.
func (st *stand) document(r fixtures.Resource) sdk.ResourceHandler {
	return func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c := &sdk.ResourceContents{URI: r.URI, MIMEType: r.MIME}
		if r.Data != nil {
			c.Blob = r.Data
		} else {
			c.Text = st.fill(r.Text)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}, nil
	}
}

// family reads the resources of a template.
func (st *stand) family(t fixtures.Template) sdk.ResourceHandler {
	return func(_ context.Context, req *sdk.ReadResourceRequest) (result *sdk.ReadResourceResult, err error) {
		if !st.enter() {
			return nil, internal("the server is closing")
		}
		defer st.asked.Done()
		defer func() {
			if recover() != nil {
				result, err = nil, internal("internal error")
			}
		}()
		values, err := match(t.URI, req.Params.URI)
		if err != nil {
			return nil, err
		}
		text, found := t.Read(values)
		if !found {
			return nil, sdk.ResourceNotFoundError(req.Params.URI)
		}
		c := &sdk.ResourceContents{URI: req.Params.URI, MIMEType: plain, Text: st.fill(text)}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}, nil
	}
}

// match gives the values of a template's variables in a URI that it matches.
func match(template, uri string) (map[string]string, error) {
	t, err := uritemplate.New(template)
	if err != nil {
		return nil, err
	}
	values := make(map[string]string)
	for name, v := range t.Match(uri) {
		values[name] = v.String()
	}
	return values, nil
}

// tell lets the stub know what came of a read.
func (st *stand) tell(uri string, res sdk.Result, err error) {
	if st.Read == nil || !st.enter() {
		return
	}
	defer st.asked.Done()
	var text []string
	if read, ok := res.(*sdk.ReadResourceResult); ok && err == nil {
		for _, c := range read.Contents {
			if c.Blob != nil {
				text = append(text, fmt.Sprintf("(%d bytes of %s)", len(c.Blob), c.MIMEType))
			} else {
				text = append(text, c.Text)
			}
		}
	}
	st.Read(uri, strings.Join(text, "\n"), err == nil)
}

// fill puts the facts in their places.
func (st *stand) fill(text string) string {
	pairs := make([]string, 0, 2*len(st.Facts))
	for name, value := range st.Facts {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
