package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gotest.tools/v3/golden"
)

const secretKey = "sk-not-to-be-seen-0123456789"

// An endpointStub answers as one endpoint or another does.
type endpointStub struct {
	models  string   // the list of models; "" is none
	answer  string   // to a request, as it goes out
	before  []string // what is answered first; a number is a status
	status  int      // of that; 0 is 200
	header  map[string]string
	refuses string // what is answered with 400 to a request that has it
	listed  int    // the status of the list; 0 is 200
	under   string // the path that all this is found under
	hangs   bool
	asked   *atomic.Int32 // how many requests there were
	ahead   time.Duration // of its clock
}

func (e endpointStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range e.header {
		w.Header().Set(name, value)
	}
	if e.ahead != 0 {
		w.Header().Set("Date", time.Now().Add(e.ahead).UTC().Format(http.TimeFormat))
	}
	path, ok := strings.CutPrefix(r.URL.Path, e.under)
	body, _ := io.ReadAll(r.Body)
	switch {
	case e.hangs:
		<-r.Context().Done()
	case ok && path == "/models" && e.listed != 0:
		w.WriteHeader(e.listed)
	case ok && path == "/models" && e.models != "":
		fmt.Fprintf(w, `{"data":[%s]}`, e.models)
	case !ok || path != "/chat/completions":
		http.NotFound(w, r)
	case e.refuses != "" && bytes.Contains(body, []byte(e.refuses)):
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"message":"this model does not support tools"}}`)
	case e.asked != nil && int(e.asked.Add(1)) <= len(e.before):
		answer := e.before[e.asked.Load()-1]
		if status, err := strconv.Atoi(answer); err == nil {
			w.Header().Set("Retry-After-Ms", "20")
			w.WriteHeader(status)
			answer = `{"error":{"message":"slow down"}}`
		}
		fmt.Fprint(w, answer)
	default:
		if e.status != 0 {
			w.WriteHeader(e.status)
		}
		fmt.Fprint(w, strings.ReplaceAll(e.answer, "KEY", strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
	}
}

// What endpoints answer.
const (
	aCall = `data: {"model":"NAME-2026","choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":\"notes.txt\"}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":61,"completion_tokens":12}}

data: [DONE]

`
	aPricedCall = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"path\":\"notes.txt\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":61,"completion_tokens":12,"cost":0.00012}}

`
	aBrokenCall = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"{path: notes.txt"}}]},"finish_reason":"tool_calls"}]}

`
	anotherCall = `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"open_file","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}

`
	aCallWhole    = `{"choices":[{"message":{"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"notes.txt\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":61,"completion_tokens":12}}`
	aTextCall     = `{"choices":[{"message":{"content":"<tool_call>{\"name\": \"read\", \"arguments\": {\"path\": \"notes.txt\"}}</tool_call>"},"finish_reason":"stop"}],"usage":{"prompt_tokens":61,"completion_tokens":12}}`
	streamedWords = "data: {\"choices\":[{\"delta\":{\"content\":\"I cannot.\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":61,\"completion_tokens\":3}}\n\n"
	someWords     = `{"choices":[{"message":{"content":"I cannot read files.\u001b[2J"},"finish_reason":"stop"}],"usage":{"prompt_tokens":61,"completion_tokens":12}}`
)

var (
	passing  = regexp.MustCompile(`\d+ (µs|ms)|\d+\.\d s`)
	twoHours = regexp.MustCompile(`(1h59m|2h0m)\d+s`)
)

// What is seen of an endpoint, one after the other, in one golden.
func TestDoctorOfAnEndpoint(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, tt := range []struct {
		name string
		endpointStub
		environ []string
		model   string
	}{
		{name: "all is well", endpointStub: endpointStub{models: `{"id":"NAME"},{"id":"OTHER"}`, answer: aCall,
			header: map[string]string{"X-RateLimit-Limit-Requests": "500", "X-RateLimit-Remaining-Requests": "499"}}},
		{name: "it has no list, and reports cost", endpointStub: endpointStub{answer: aPricedCall}},
		{name: "it asks for no key", endpointStub: endpointStub{answer: aCall}, environ: []string{"OPENAI_API_KEY="}},
		{name: "it does not stream", endpointStub: endpointStub{answer: aCallWhole}},
		{name: "it reports nothing, and its calls are broken", endpointStub: endpointStub{answer: aBrokenCall}},
		{name: "another tool is called", endpointStub: endpointStub{answer: anotherCall}},
		{name: "calls come as text", endpointStub: endpointStub{answer: aTextCall}},
		{name: "no call at all", endpointStub: endpointStub{answer: someWords}},
		{name: "it calls when asked a third time", endpointStub: endpointStub{answer: aCall, before: []string{someWords, someWords}}},
		{name: "one call comes as text, the others as words", endpointStub: endpointStub{answer: someWords, before: []string{aTextCall}}},
		{name: "it limits for a moment", endpointStub: endpointStub{answer: aCall, before: []string{"429", "503", "429"}}},
		{name: "it limits between two words", endpointStub: endpointStub{answer: aCall, before: []string{someWords, "429"}}},
		{name: "it limits again and again", endpointStub: endpointStub{answer: aCall, before: []string{"429", "429", "429", "429", "429", "429"}}},
		{name: "all that it says is words and limits", endpointStub: endpointStub{answer: aCall, before: []string{"429", "429", "429", someWords, "503", someWords}}},
		{name: "after words it breaks for good", endpointStub: endpointStub{answer: aCall, before: []string{streamedWords, "401"}}},
		{name: "tools are refused", endpointStub: endpointStub{answer: someWords, refuses: `"tools"`}},
		{name: "the key is refused at once", endpointStub: endpointStub{listed: 401}},
		{name: "the key is refused, and said", endpointStub: endpointStub{models: `{"id":"NAME"}`, status: 401, answer: `{"error":{"message":"Incorrect API key provided: KEY"}}`,
			header: map[string]string{"X-RateLimit-Policy": secretKey}}},
		{name: "a key is asked for", endpointStub: endpointStub{status: 401, answer: `{"error":"no key"}`}, environ: []string{"OPENAI_API_KEY="}},
		{name: "the key has a line end", environ: []string{"OPENAI_API_KEY=" + secretKey + "\n"}},
		{name: "the credit is used up", endpointStub: endpointStub{status: 402, answer: `{"error":{"message":"insufficient credits"}}`}},
		{name: "the model is misspelt", endpointStub: endpointStub{models: `{"id":"NAME"},{"id":"OTHER"}`, status: 404, answer: `{"error":{"message":"model not found"}}`}, model: "NAMEE"},
		{name: "the model is nothing like it", endpointStub: endpointStub{models: `{"id":"NAME"},{"id":"OTHER"}`, status: 404, answer: `{"error":{"message":"model not found"}}`}, model: "zzzzzzzzzz"},
		{name: "it limits for long", endpointStub: endpointStub{status: 429, answer: `{"error":{"message":"slow down"}}`, header: map[string]string{"Retry-After": "12", "X-RateLimit-Remaining-Requests": "0"}}},
		{name: "it has trouble", endpointStub: endpointStub{status: 503, answer: `{"error":{"message":"overloaded"}}`}},
		{name: "it is a web page", endpointStub: endpointStub{answer: "<html><title>Welcome</title></html>"}},
		{name: "it sends requests on", endpointStub: endpointStub{listed: 308, header: map[string]string{"Location": "https://elsewhere.example/v1/models"}}},
		{name: "it is below /v1", endpointStub: endpointStub{models: `{"id":"NAME"}`, answer: aCall, under: "/v1"}},
		{name: "its clock is another", endpointStub: endpointStub{answer: aCall, ahead: 2 * time.Hour}},
		{name: "it hangs", endpointStub: endpointStub{hangs: true}},
		{name: "no model is named", endpointStub: endpointStub{models: `{"id":"NAME"},{"id":"OTHER"}`}, model: "-"},
		{name: "scripts stand in", model: "sim:0.8,sim:0.9"},
	} {
		tt.asked = new(atomic.Int32)
		server := httptest.NewServer(tt.endpointStub)
		t.Cleanup(server.Close)
		if tt.model == "-" {
			tt.model = ""
		} else if tt.model == "" {
			tt.model = "NAME"
		}
		environ := append([]string{"OPENAI_API_KEY=" + secretKey, "OPENAI_BASE_URL=" + server.URL}, tt.environ...)
		patience := 20 * time.Second
		switch {
		case tt.hangs:
			patience = 200 * time.Millisecond
		case tt.status == 429, tt.status == 503, strings.HasPrefix(tt.answer, "<"):
			patience = 700 * time.Millisecond // shorter than the first wait
		}
		text := examine(t, &doctor{model: tt.model, patience: patience}, environ)
		require.LessOrEqual(t, int(tt.asked.Load()), mostTries, tt.name)
		text = strings.ReplaceAll(text, server.URL, "http://HOST")
		fmt.Fprintf(&all, "== %s\n%s\n", tt.name, passing.ReplaceAllString(text, "N ms"))
	}
	text := all.String()
	require.NotContains(t, text, secretKey)
	require.NotContains(t, text, "\x1b")
	golden.Assert(t, twoHours.ReplaceAllString(text, "2h"), "doctor-endpoint.golden")
}

// examine makes the checks of an endpoint alone.
func examine(t *testing.T, d *doctor, environ []string) string {
	t.Helper()
	var out bytes.Buffer
	d.c = &Config{Environ: environ, Stdout: &out, Dir: t.TempDir()}
	d.keepSecret()
	d.endpoint(context.Background())
	d.print()
	require.NotContains(t, fmt.Sprintf("%+v", d.checks), secretKey)
	return out.String()
}

// What is wrong with an address shows before anything is sent there.
func TestDoctorOfAnAddress(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(endpointStub{})
	closed.Close()
	secure := httptest.NewUnstartedServer(endpointStub{})
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // the handshake is meant to fail
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(endpointStub{})
	t.Cleanup(plain.Close)
	for base, want := range map[string]struct{ name, seen, fix string }{
		"here":                                   {"endpoint", "--base-url is no http or https address", "it looks like"},
		"ftp://127.0.0.1/v1":                     {"endpoint", "--base-url is no http or https address", "it looks like"},
		"http://127.0.0.1:1/v1/chat/completions": {"endpoint", "is the address of requests", "the base URL is http://127.0.0.1:1/v1"},
		closed.URL:                               {"endpoint", "connection refused", "start the server"},
		secure.URL:                               {"endpoint", "certificate", "check the certificate"},
		strings.Replace(plain.URL, "http:", "https:", 1):                {"endpoint", "HTTP response to HTTPS client", "it is http://"},
		"http://user:" + secretKey + "@127.0.0.1:1/v1?key=" + secretKey: {"endpoint", "http://127.0.0.1:1/v1 cannot be reached", "start the server"},
	} {
		d := &doctor{model: "NAME", baseURL: base, patience: 10 * time.Second}
		text := examine(t, d, []string{"OPENAI_API_KEY=" + secretKey})
		require.Len(t, d.checks, 2, text)
		require.Equal(t, "skip", d.checks[1].Status)
		require.Equal(t, "fail", d.checks[0].Status, text)
		require.Equal(t, want.name, d.checks[0].Name, base)
		require.Contains(t, d.checks[0].Seen, want.seen, base)
		require.Contains(t, d.checks[0].Fix, want.fix, base)
	}
	// A server with TLS that is spoken to without says so, or cuts the line off.
	for base, want := range map[string]string{
		strings.Replace(secure.URL, "https:", "http:", 1): "use https: " + secure.URL,
		"http://" + alerts(t):                             "use https://",
	} {
		d := &doctor{model: "NAME", baseURL: base, patience: 10 * time.Second}
		require.Regexp(t, "^FAIL +endpoint", examine(t, d, []string{"OPENAI_API_KEY=" + secretKey}))
		require.Contains(t, d.checks[0].Fix, want)
	}
	// Another machine gets no request without a key, and no key unencrypted without a word.
	d := &doctor{model: "NAME", baseURL: "https://models.invalid/v1", patience: time.Second}
	require.Contains(t, examine(t, d, nil), "OPENAI_API_KEY is not set")
	d = &doctor{model: "NAME", baseURL: "http://models.invalid/v1", patience: time.Second}
	require.Contains(t, examine(t, d, []string{"OPENAI_API_KEY=" + secretKey}), "is not encrypted")
}

// alerts listens, and answers whatever comes with the alert of TLS.
func alerts(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 4096))
			_, _ = c.Write([]byte("\x15\x03\x01\x00\x02\x02\x16\n"))
			c.Close()
		}
	}()
	return l.Addr().String()
}

// What a proxy refuses is not the endpoint's doing.
func TestDoctorOfAProxy(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(endpointStub{})
	closed.Close()
	forbids := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(map[string]int{http.MethodConnect: 403, http.MethodGet: 407}[r.Method])
	}))
	t.Cleanup(forbids.Close)
	for _, tt := range []struct{ base, proxy, seen, fix string }{
		{"http://models.invalid/v1", closed.URL, "cannot be reached over the proxy " + closed.URL, "it is the proxy that refuses"},
		{"https://models.invalid/v1", closed.URL, "cannot be reached over the proxy " + closed.URL, "NO_PROXY=models.invalid"},
		{"https://models.invalid/v1", forbids.URL, "Forbidden", "it is the proxy that refuses"},
		{"http://models.invalid/v1", forbids.URL, "asks who you are", "HTTP_PROXY="},
	} {
		proxy, err := url.Parse(strings.Replace(tt.proxy, "//", "//me:pass-of-proxy@", 1))
		require.NoError(t, err)
		d := &doctor{model: "NAME", baseURL: tt.base, patience: 10 * time.Second, transport: &http.Transport{Proxy: http.ProxyURL(proxy), DisableKeepAlives: true}}
		text := examine(t, d, []string{"OPENAI_API_KEY=" + secretKey})
		require.NotContains(t, text, "pass-of-proxy")
		require.NotContains(t, text, "start the server")
		last := d.checks[len(d.checks)-2]
		require.Equal(t, "fail", last.Status, text)
		require.Contains(t, last.Seen, tt.seen)
		require.Contains(t, last.Fix, tt.fix)
	}
}

// The key is not said, whatever it stands in, and whatever case it stands in.
func TestDoctorKeepsTheSecret(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(endpointStub{answer: aCall, header: map[string]string{"x-ratelimit-" + secretKey: "1"}})
	t.Cleanup(server.Close)
	m := newModule(t)
	m.environ = []string{
		"OPENAI_API_KEY=" + secretKey, "DEEDS_SEED=" + secretKey, "DEEDS_" + strings.ToUpper(secretKey) + "=1", "PATH=",
		"OPENAI_BASE_URL=" + strings.Replace(server.URL, "//", "//me:pass-of-mine@", 1), "DEEDS_REPEAT=pass-of-mine",
	}
	for _, args := range [][]string{{"doctor", "--model", "NAME"}, {"doctor", "--model", "NAME", "--json"}} {
		out, errs, _ := m.deeds(args...)
		require.Contains(t, out, "DEEDS_SEED=[redacted]")
		require.Contains(t, out, "x-ratelimit-[redacted] 1")
		for _, secret := range []string{secretKey, "pass-of-mine"} {
			require.NotContains(t, strings.ToLower(out+errs), secret)
		}
	}
}

// goEnviron is what the go command needs, and no network.
func goEnviron(t *testing.T) []string {
	t.Helper()
	environ := []string{"GOPROXY=off", "GOFLAGS=-mod=mod -buildvcs=false", "GOTOOLCHAIN=local", "GOWORK=off"}
	for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT", "SystemRoot", "LocalAppData", "USERPROFILE"} {
		if v, ok := os.LookupEnv(name); ok {
			environ = append(environ, name+"="+v)
		}
	}
	return environ
}

// deedsFolder is this checkout.
func deedsFolder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return dir
}

// checks runs the doctor, and returns what it found by name.
func (m *module) checks(t *testing.T, args ...string) (found map[string][]check, status int) {
	t.Helper()
	out, errs, status := m.deeds(append([]string{"doctor", "--json"}, args...)...)
	require.Empty(t, errs)
	found = map[string][]check{}
	for _, k := range decode(t, out)["checks"].([]any) {
		k := k.(map[string]any)
		fix, _ := k["fix"].(string)
		name := k["name"].(string)
		found[name] = append(found[name], check{name, k["status"].(string), k["seen"].(string), fix})
	}
	return found, status
}

func TestDoctorOfAMachine(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs the go command again and again")
	}
	const oneCase = "package core\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n"
	requires := "module m\n\ngo 1.26.0\n\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => "
	for name, tt := range map[string]struct {
		goMod   string
		files   map[string]string
		environ []string
		check   string
		want    check
	}{
		"well":                {goMod: requires + deedsFolder(t) + "\n", check: "suite", want: check{Status: "ok", Seen: "1 test in 1 package compile"}},
		"no module":           {goMod: "-", check: "module", want: check{Status: "fail", Seen: "there is no go.mod", Fix: "deeds init"}},
		"no requirement":      {goMod: "module m\n\ngo 1.26.0\n", check: "module", want: check{Status: "fail", Seen: "go.mod does not require " + modulePath, Fix: "deeds init"}},
		"replaced by nothing": {goMod: requires + "./gone\n", check: "module", want: check{Status: "fail", Seen: "gone", Fix: ""}},
		"no case":             {goMod: requires + deedsFolder(t) + "\n", files: map[string]string{"evals/core/a_test.go": "package core\n"}, check: "suite", want: check{Status: "fail", Seen: "there is no test in ./evals/...", Fix: "deeds init"}},
		"no folder":           {goMod: requires + deedsFolder(t) + "\n", files: map[string]string{}, check: "suite", want: check{Status: "fail", Seen: "there is no folder evals here", Fix: "deeds init"}},
		"does not compile":    {goMod: requires + deedsFolder(t) + "\n", files: map[string]string{"evals/core/a_test.go": "package core\n\nvar x int = \"\"\n"}, check: "suite", want: check{Status: "fail", Seen: "a_test.go:3:13", Fix: "go vet ./evals/..."}},
		"an unknown variable": {goMod: "-", environ: []string{"DEEDS_REPAET=3"}, check: "environment", want: check{Status: "fail", Seen: "DEEDS_REPAET is set and means nothing", Fix: "did you mean DEEDS_REPEAT?"}},
		"a leftover variable": {goMod: "-", environ: []string{"DEEDS_REPEAT=3"}, check: "environment", want: check{Status: "warn", Seen: "DEEDS_REPEAT=3 is in force", Fix: "unset DEEDS_REPEAT"}},
		"a variable for good": {goMod: "-", environ: []string{"DEEDS_MODEL=sim:1"}, check: "environment", want: check{Status: "ok", Seen: "DEEDS_MODEL"}},
		"flags everywhere":    {goMod: "-", environ: []string{"GOFLAGS=-short -timeout=1m"}, check: "go test", want: check{Status: "warn", Seen: "GOFLAGS has -short and -timeout=1m, which ends every run after 1m", Fix: "go env -w GOFLAGS="}},
		"results on a file":   {goMod: "-", environ: []string{"DEEDS_RESULTS=/dev/null/results"}, check: "results", want: check{Status: "fail", Seen: "/dev/null is no folder", Fix: "set DEEDS_RESULTS"}},
		"no go":               {goMod: "-", environ: []string{"PATH="}, check: "go", want: check{Status: "fail", Seen: "the go command is not in the PATH", Fix: "https://go.dev/dl"}},
		"no bash":             {goMod: "-", environ: []string{"PATH="}, check: "bash", want: check{Status: "fail", Seen: "not in the PATH", Fix: "install bash"}},
		"no git":              {goMod: "-", environ: []string{"PATH="}, check: "git", want: check{Status: "warn", Seen: "not in the PATH", Fix: "install git"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &module{dir: t.TempDir(), environ: append(goEnviron(t), tt.environ...)}
			if tt.goMod != "-" {
				m.write(t, "go.mod", tt.goMod)
			}
			if tt.files == nil {
				tt.files = map[string]string{"evals/core/a_test.go": oneCase}
			}
			for file, text := range tt.files {
				m.write(t, file, text)
			}
			found, status := m.checks(t)
			require.Len(t, found[tt.check], 1, found)
			got := found[tt.check][0]
			require.Equal(t, tt.want.Status, got.Status, got)
			require.Contains(t, got.Seen, tt.want.Seen)
			require.Contains(t, got.Fix, tt.want.Fix)
			if got.Status == "fail" {
				require.Equal(t, 1, status)
				require.NotEmpty(t, got.Fix)
			}
			entries, err := os.ReadDir(m.dir)
			require.NoError(t, err)
			for _, e := range entries {
				require.NotContains(t, e.Name(), "doctor", "it leaves nothing behind")
			}
		})
	}
}

func TestDoctorMisuse(t *testing.T) {
	t.Parallel()
	newModule(t).golden(t, "misuse-doctor-timeout", "doctor", "--timeout", "0s")
	newModule(t).golden(t, "misuse-doctor-argument", "doctor", "NAME")
}

// The variables that the doctor knows are those that package behavior reads.
func TestVariables(t *testing.T) {
	t.Parallel()
	for name := range variables {
		flagName := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "DEEDS_"), "_", "-"))
		if name != "DEEDS_RUN" && name != "DEEDS_RESULTS" {
			require.NotNil(t, flag.Lookup(flagName), "-%s", flagName)
			require.True(t, bareFlags[flagName] || valueFlags[flagName], flagName)
		}
	}
	flag.VisitAll(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") && f.Name != "update" {
			require.True(t, variables["DEEDS_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))], f.Name)
		}
	})
}

// The oldest Go that the doctor lets pass is the one that go.mod asks for.
func TestOldestGo(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	require.NoError(t, err)
	require.Contains(t, string(data), "\ngo "+strings.TrimPrefix(oldestGo, "go")+"\n")
}

func TestRoom(t *testing.T) {
	t.Parallel()
	free, known := room(t.TempDir())
	if runtime.GOOS == "linux" || runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		require.True(t, known)
		require.NotZero(t, free)
	}
	_, known = room(filepath.Join(t.TempDir(), "gone"))
	require.False(t, known)
}
