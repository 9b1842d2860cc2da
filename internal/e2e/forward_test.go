package e2e

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"testing"

	"github.com/stretchr/testify/require"
)

// forward stands for an endpoint that takes any key: it passes requests on with
// the key that the server behind it wants.
func forward(t *testing.T, address, key string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = u.Scheme, u.Host
		r.Out.URL.Path = path.Join(u.Path, path.Base(path.Dir(r.In.URL.Path)), path.Base(r.In.URL.Path))
		r.Out.Header.Set("Authorization", "Bearer "+key)
	}}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}
