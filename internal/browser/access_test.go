package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/page/sample"
	"github.com/deeds-evals/deeds/results"
)

// faint lists the texts that have less contrast than 4.5 to what is behind them, as the
// browser has computed both.
const faint = `(() => {
	const pixel = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const rgba = colour => {
		pixel.clearRect(0, 0, 1, 1);
		pixel.fillStyle = colour;
		pixel.fillRect(0, 0, 1, 1);
		return [...pixel.getImageData(0, 0, 1, 1).data];
	};
	const light = ([r, g, b]) => {
		const [x, y, z] = [r, g, b].map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * x + 0.7152 * y + 0.0722 * z;
	};
	const behind = e => {
		for (; e; e = e.parentElement) {
			const image = getComputedStyle(e).backgroundImage.match(/rgba?\([^)]*\)/); // the strongest end of a fade
			if (image) return rgba(image[0]);
			const c = rgba(getComputedStyle(e).backgroundColor);
			if (c[3] > 250) return c;
		}
		return rgba(getComputedStyle(document.body).backgroundColor);
	};
	const bad = [], seen = new Set();
	const root = document.querySelector('dialog[open]') || document.body;
	const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	for (let t = walk.nextNode(); t; t = walk.nextNode()) {
		const e = t.parentElement;
		if (!t.data.trim() || !e.checkVisibility() || e.closest('script, style, noscript, .sr, .skip')) continue;
		const fore = e.closest('text') ? getComputedStyle(e).fill : getComputedStyle(e).color;
		const back = behind(e), key = fore + back;
		if (seen.has(key)) continue;
		seen.add(key);
		const [a, b] = [light(rgba(fore)), light(back)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.push(ratio.toFixed(2) + ' ' + e.tagName + '.' + e.className + ' ' + t.data.trim().slice(0, 30));
	}
	return {bad, pairs: seen.size};
})()`

// wide lists what sticks out of the window on the right.
const wide = `[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('.wide, nav, .skip, .sr, .closed, svg') && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + '.' + e.className)`

func TestThemesAndWidths(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{390, 820, 1440} {
			name := fmt.Sprintf("%s-%d", theme, width)
			b.media(theme, width, 900)
			look := func(part string) {
				found := value[struct {
					Bad   []string
					Pairs int
				}](b, faint)
				require.Empty(t, found.Bad, "%s %s", name, part)
				require.Greater(t, found.Pairs, 3)
				require.Empty(t, value[[]string](b, wide), "%s %s", name, part)
				require.LessOrEqual(t, value[int](b, "document.scrollingElement.scrollWidth"), int(width), "%s %s", name, part)
				b.picture(name + "-" + part)
			}
			for _, section := range []string{"glance", "signals", "attempts", "models", "spread", "voids"} {
				b.run(fmt.Sprintf("document.getElementById(%q).scrollIntoView({behavior: 'instant'})", section))
				look(section)
			}
			b.run(fmt.Sprintf("location.hash = %q", failed+"&event=5"))
			opened(b)
			b.wait("document.querySelector('.event.here')")
			look("trace")
			b.keys("e")
			b.run("document.getElementById('pane-body').scrollTop = 0")
			look("open")
			b.run(fmt.Sprintf("location.hash = %q", failed+"&vs=chain/refund/big/_/opal/1"))
			b.wait("document.querySelector('.pair')")
			look("beside")
			b.run("document.getElementById('close').click()")
			closed(b)
		}
	}
}

// role is one of a node that somebody can operate.
var operable = []string{"link", "button", "searchbox", "textbox", "combobox", "DisclosureTriangle"}

// Whatever can be operated has a name, and what is said by a shape is said in words.
func TestNames(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	check := func(want map[string]string) {
		tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		require.NoError(t, err)
		found := make(map[string]bool)
		n := 0
		for _, node := range tree.Nodes {
			if node.Ignored || node.Role == nil {
				continue
			}
			role, name := plain(node.Role), plain(node.Name)
			found[role+": "+name] = true
			for _, o := range operable {
				if role == o {
					n++
					require.NotEmpty(t, strings.TrimSpace(name), "a %s has no name", role)
				}
			}
		}
		require.Greater(t, n, 10)
		for role, name := range want {
			require.True(t, found[role+": "+name], "%s: %s", role, name)
		}
	}
	check(map[string]string{
		"link": "attempt 2: void, provider", "searchbox": "find", "combobox": "signal", "heading": "Attempts", "navigation": "Sections",
		"rowheader": "chain/refund / big", "columnheader": "org/quartz 2", "group": "Outcome", "search": "Filter the attempts",
	})
	b.run(fmt.Sprintf("location.hash = %q", failed))
	opened(b)
	check(map[string]string{
		"dialog": "chain/refund", "searchbox": "Find in the trace", "combobox": "Compare with", "button": "Previous attempt", "link": "event 5", "heading": "Verdicts",
	})
	require.Equal(t, "attempt 2: fail", value[string](b, "document.querySelector('.chip[aria-current]').getAttribute('aria-label')"))
}

func plain(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

// Without scripts the tables are there, and nothing that would do nothing.
func TestWithoutScript(t *testing.T) {
	t.Parallel()
	b := newTab(t)
	_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	b.navigate(report(t, sample.Small, 0), "")
	b.picture("without-script")
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	require.NoError(t, err)
	var all []string
	for _, node := range tree.Nodes {
		if !node.Ignored && node.Role != nil {
			all = append(all, plain(node.Role)+": "+plain(node.Name))
		}
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{"rowheader: filesystem-safety", "link: attempt 2: void, provider", "rowheader: chain/refund / small", "insufficient data"} {
		require.Contains(t, text, want)
	}
	require.Contains(t, text, "Filters and traces need scripts.")
	require.NotContains(t, text, "searchbox")
	require.NotContains(t, text, "combobox")
	_, err = chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
	require.NoError(t, err)
}

func TestPrint(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	require.False(t, value[bool](b, "document.querySelector('nav').checkVisibility() || document.querySelector('.controls').checkVisibility()"))
	require.True(t, value[bool](b, "document.getElementById('matrix').checkVisibility()"))
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	require.NoError(t, err)
	require.Greater(t, len(pdf), 10000)
}

// What waits behind a button on the screen is in print, and small letters are small.
func TestPrintHasEveryUnit(t *testing.T) {
	t.Parallel()
	b := open(t, func(root string) (results.RunInfo, *results.Run, error) { return sample.Many(root, 240) }, 1)
	require.Len(t, b.units(), 60)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	require.Equal(t, 80, value[int](b, "[...document.querySelectorAll('#matrix tbody tr')].filter(e => e.checkVisibility()).length"))
	require.True(t, value[bool](b, "document.getElementById('shown').checkVisibility()"), "what was left out by a filter is said")
	require.Less(t, value[float64](b, "parseFloat(getComputedStyle(document.querySelector('.note')).fontSize)"), 11.0)
	b.media("light", 1440, 900)
	b.run("(e => { e.value = 'world-3'; e.dispatchEvent(new Event('input')); })(document.getElementById('find'))")
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	require.Equal(t, 8, value[int](b, "[...document.querySelectorAll('#matrix tbody tr')].filter(e => e.checkVisibility()).length"))
	require.Equal(t, "8 units of 80", b.text("#shown"))
}

// Where the system has its own colours, outcomes and what is chosen are still told apart.
func TestForcedColours(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	b.media("light", 1440, 900, &emulation.MediaFeature{Name: "forced-colors", Value: "active"})
	require.True(t, value[bool](b, "matchMedia('(forced-colors: active)').matches"))
	looks := make(map[string]string)
	for _, outcome := range []string{"pass", "fail", "void", "notrun"} {
		look := value[string](b, fmt.Sprintf(`(e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).border, getComputedStyle(e, '::before').backgroundColor].join(' '))(document.querySelector('a.slot.%s'))`, outcome))
		require.NotContains(t, looks, look, outcome)
		looks[look] = outcome
	}
	require.NotEqual(t, value[string](b, "getComputedStyle(document.querySelector('[data-outcome=fail]')).backgroundColor"),
		value[string](b, "getComputedStyle(document.querySelector('[data-outcome=\"\"]')).backgroundColor"), "the button that is pressed")
	b.picture("forced-colours")
}

func TestMoreContrast(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	b.media("dark", 1440, 900, &emulation.MediaFeature{Name: "prefers-contrast", Value: "more"})
	require.Equal(t, value[string](b, "getComputedStyle(document.body).color"), value[string](b, "getComputedStyle(document.querySelector('.note')).color"))
	b.picture("more-contrast")
}

// The pane is as wide as what is left beside a scrollbar, and the page has none meanwhile.
func TestPaneBesideScrollbar(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	for _, width := range []int64{390, 700, 900, 1440} {
		b.media("light", width, 900)
		require.Less(t, value[int](b, "document.documentElement.clientWidth"), int(width), "there is a scrollbar")
		for _, fragment := range []string{failed, failed + "&vs=chain/refund/big/_/opal/1"} {
			b.run(fmt.Sprintf("location.hash = %q", fragment))
			opened(b)
			require.GreaterOrEqual(t, value[float64](b, "document.getElementById('pane').getBoundingClientRect().left"), 0.0, "%d %s", width, fragment)
			require.Equal(t, int(width), value[int](b, "document.documentElement.clientWidth"))
			b.run("location.hash = ''")
			closed(b)
		}
	}
}

// A long word of an endpoint's makes nothing wider.
func TestLongStatus(t *testing.T) {
	t.Parallel()
	b := open(t, func(root string) (results.RunInfo, *results.Run, error) {
		p := sample.Attempt("chain/x", "", "opal", 1, results.Fail)
		long := strings.Repeat("finish_reason_", 400)
		p.Evidence.Timeline[1].Stop, p.Evidence.Timeline[3].Stop = long, long
		p.Evidence.Timeline[2].Call.Status, p.Verdicts[0].Name = behavior.Status(long), long
		return sample.Write(root, "10", results.Plan{Kind: results.Live}, []sample.Play{p})
	}, 0)
	b.run("location.hash = '#attempt=chain/x/_/_/opal/1'")
	opened(b)
	for _, width := range []int64{390, 1440} {
		b.media("light", width, 900)
		for range 2 {
			require.LessOrEqual(t, value[int](b, "document.getElementById('pane-body').scrollWidth - document.getElementById('pane-body').clientWidth"), 0, width)
			b.keys("e")
		}
	}
	require.Less(t, value[int](b, "Math.max(...[...document.querySelectorAll('.status')].map(e => e.textContent.length))"), 2100)
}

func TestReducedMotion(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	for preference, want := range map[string]string{"no-preference": "smooth", "reduce": "auto"} {
		b.media("light", 1440, 900, &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: preference})
		require.Equal(t, want, value[string](b, "getComputedStyle(document.documentElement).scrollBehavior"))
	}
}
