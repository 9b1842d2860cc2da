package browser

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/page"
	"github.com/deeds-evals/deeds/results"
)

// shots is where pictures of the page are kept, for somebody who wants to look at it.
var shots = flag.String("shots", "", "keep pictures of the page in this `folder`")

// patience bounds every wait: a browser on a busy machine is slow, and not broken.
const patience = 30 * time.Second

// A browser is shared by all tests: each has a tab of its own in it.
var browser struct {
	sync.Once
	ctx    context.Context
	end    func()
	miss   error // there is none
	broken error // there is one, and it does not start
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if browser.end != nil {
		browser.end()
	}
	os.Exit(code)
}

// find is the browser on this machine.
func find() (string, error) {
	for _, name := range []string{os.Getenv("CHROME"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium on PATH, and CHROME does not name one")
}

func start() {
	path, err := find()
	if err != nil {
		browser.miss = err
		return
	}
	profile, err := os.MkdirTemp("", "browser-")
	if err != nil {
		browser.broken = err
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.DisableGPU, chromedp.WindowSize(1440, 900),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("no-pings", true),
		// It writes beside its profile too, wherever it thinks it is at home.
		chromedp.Env("HOME="+profile, "TMPDIR="+profile, "XDG_CONFIG_HOME="+profile, "XDG_CACHE_HOME="+profile),
		chromedp.Flag("hide-scrollbars", false), // which most people have
		chromedp.WSURLReadTimeout(patience), chromedp.ModifyCmdFunc(ownGroup),
	)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to run as root in one
	}
	ctx, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, endBrowser := chromedp.NewContext(ctx)
	browser.ctx = ctx
	browser.end = func() {
		endBrowser()
		endAllocator()
		endGroup()
		_ = os.RemoveAll(profile)
	}
	browser.broken = chromedp.Do(ctx)
}

// A tab shows one page, and remembers what it complained of and what it asked for.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	said     []string
	requests []string
}

type maker = func(root string) (results.RunInfo, *results.Run, error)

// open opens a page that has just been written.
func open(t *testing.T, make maker, most int) *tab {
	t.Helper()
	b := newTab(t)
	b.navigate(report(t, make, most), "")
	return b
}

// report writes a page.
func report(t *testing.T, make maker, most int) string {
	t.Helper()
	info, run, err := make(t.TempDir())
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(name)
	require.NoError(t, err)
	require.NoError(t, page.Write(f, page.Config{Info: info, Run: run, Most: most}))
	require.NoError(t, f.Close())
	return name
}

func newTab(t *testing.T) *tab {
	t.Helper()
	browser.Do(start)
	require.NoError(t, browser.broken)
	if browser.miss != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(browser.miss)
		}
		t.Skip(browser.miss)
	}
	ctx, end := chromedp.NewContext(browser.ctx)
	t.Cleanup(end)
	ctx, stop := context.WithTimeout(ctx, 4*patience)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, b.listen))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	// Tabs that are tested at the same time each think that they have the focus.
	_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	require.NoError(t, err)
	b.media("light", 1440, 900)
	t.Cleanup(b.quiet)
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, fmt.Sprintf("console.%v", e.Type))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		b.said = append(b.said, text)
	case *cdplog.EventEntryAdded:
		b.said = append(b.said, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// quiet checks what holds for every page, whatever was done to it: it has complained of
// nothing, asked for nothing but itself, and nothing that an agent wrote has run.
func (b *tab) quiet() {
	if b.ctx.Err() != nil {
		return
	}
	require.False(b.t, value[bool](b, "'owned' in window"), "what an agent wrote has run")
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.said, "the console is empty")
	for _, r := range b.requests {
		require.True(b.t, strings.HasPrefix(r, "file://") && strings.Contains(r, "report.html"), "the page asked for %s", r)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, steps...))
}

func (b *tab) navigate(name, fragment string) {
	b.t.Helper()
	b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: name}).String() + fragment))
}

// media sets the theme and the size of the window.
func (b *tab) media(theme string, wide, high int64, more ...*emulation.MediaFeature) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(wide, high))
	features := append([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}, more...)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
	require.NoError(b.t, err)
}

// run evaluates a statement in the page.
func (b *tab) run(js string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](js))
}

// keys presses them one by one. As with a real key, the character comes with the press,
// and does not come where a script has dealt with that.
func (b *tab) keys(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		for _, r := range key {
			events := kb.Encode(r)
			down, up := events[0], events[len(events)-1]
			for _, e := range events {
				if e.Type == kb.KeyChar {
					down.Text, down.UnmodifiedText = e.Text, e.UnmodifiedText
				}
			}
			for _, e := range []*input.DispatchKeyEventParams{down, up} {
				_, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, *e)
				require.NoError(b.t, err)
			}
		}
	}
}

// value is that of an expression in the page.
func value[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	require.NoError(b.t, err, js)
	return v
}

// wait waits until an expression in the page is true.
func (b *tab) wait(js string) {
	b.t.Helper()
	for began := time.Now(); !value[bool](b, "Boolean("+js+")"); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > patience {
			require.FailNow(b.t, "it never came to be", "%s\nat %s, where the pane says: %s", js, value[string](b, "location.hash"), value[string](b, "document.getElementById('pane').innerText.slice(0, 500)"))
		}
	}
}

// text is what an element shows.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return value[string](b, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

// units are the rows of the matrix that are shown, in their order.
func (b *tab) units() []string {
	b.t.Helper()
	return value[[]string](b, `[...document.querySelectorAll('#matrix tbody tr:not([hidden], .later) th')].map(e => e.innerText.replace(/\s+/g, ' '))`)
}

// picture keeps a picture of the page, where one is wanted.
func (b *tab) picture(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(*shots, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(*shots, cmp.Or(name, "page")+".png"), png, 0o644))
}
