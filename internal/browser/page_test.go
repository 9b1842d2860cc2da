package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/page/sample"
	"github.com/deeds-evals/deeds/results"
)

// The attempt that most tests open: it failed, and its event 5 is guilty.
const failed = "#attempt=chain/refund/big/_/org%2Fquartz%202/2"

func opened(b *tab) {
	b.t.Helper()
	b.wait("document.getElementById('pane').open && document.querySelector('#pane-body .event')")
}

func closed(b *tab) {
	b.t.Helper()
	b.wait("!document.getElementById('pane').open")
}

func TestOpens(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	require.Equal(t, "20261129T224301Z-5a3a11 · Deeds", value[string](b, "document.title"))
	require.Equal(t, []string{"chain/refund big", "chain/rename", "chain/refund small", "chain/read-before-edit", "chain/rename later"}, b.units(), "the worst first")
	require.Equal(t, "2/3", value[string](b, "document.querySelector('#matrix td.split .tally').innerText"))
	require.Equal(t, 1, value[int](b, "document.querySelectorAll('#matrix td.split').length"))
	require.False(t, value[bool](b, "document.getElementById('pane').open"))
}

func TestFilters(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	set := func(id, value string) {
		b.run(fmt.Sprintf("(e => { e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})); })(document.getElementById(%q))", value, id))
	}
	pick := func(outcome string) {
		b.run(fmt.Sprintf("document.querySelector('[data-outcome=%q]').click()", outcome))
	}

	set("find", "REFUND  big")
	require.Equal(t, []string{"chain/refund big"}, b.units())
	require.Equal(t, "1 unit of 5", b.text("#shown"))
	set("find", "grounded in the file")
	require.Len(t, b.units(), 5, "the claim is looked at too")
	set("find", "nowhere")
	require.Empty(t, b.units())
	require.Equal(t, "No unit fits.", b.text("#shown"))
	set("find", "")

	for outcome, want := range map[string][]string{
		"fail":   {"chain/refund big", "chain/rename", "chain/refund small"},
		"split":  {"chain/refund small"},
		"void":   {"chain/read-before-edit"},
		"notrun": {"chain/rename later"},
		"pass":   {},
	} {
		pick(outcome)
		require.Equal(t, want, b.units(), outcome)
		require.Equal(t, "true", value[string](b, fmt.Sprintf("document.querySelector('[data-outcome=%q]').getAttribute('aria-pressed')", outcome)))
	}
	pick("pass")
	set("model", "1")
	require.Equal(t, []string{"chain/rename", "chain/refund small"}, b.units(), "of one model alone")
	require.Equal(t, 0, value[int](b, "document.querySelectorAll('#matrix tbody tr:not([hidden]) td:not([hidden]) a.slot.fail').length"))
	pick("")
	set("model", "")

	set("signal", "0") // filesystem-safety, which nothing failed
	require.Equal(t, "5 units; the squares show filesystem-safety", b.text("#shown"))
	require.Equal(t, 0, value[int](b, "document.querySelectorAll('a.slot.fail').length"))
	require.Equal(t, "attempt 1: pass", value[string](b, "document.querySelector('a.slot.pass').getAttribute('aria-label')"))
	set("signal", "1")
	require.Equal(t, 7, value[int](b, "document.querySelectorAll('a.slot.fail').length"))
	set("signal", "")

	set("order", "plan")
	require.Equal(t, "chain/refund big", b.units()[0])
	set("order", "name")
	require.Equal(t, "chain/read-before-edit", b.units()[0])
	set("order", "worst")
	require.Equal(t, "chain/rename later", b.units()[4])
}

func TestDeepLink(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	for _, fragment := range []string{failed + "&event=5", strings.ReplaceAll(failed, "%2F", "%2f") + "&event=5", "#attempt=chain%2Frefund/big/_/org%2Fquartz%202/2"} {
		b.run("location.hash = ''")
		closed(b)
		b.run(fmt.Sprintf("location.hash = %q", fragment))
		if strings.Contains(fragment, "chain%2F") {
			b.wait("document.getElementById('pane-title').innerText === 'Not in this report'")
			continue
		}
		opened(b)
		require.Equal(t, "chain/refund", b.text("#pane-title"))
		require.Equal(t, "fail", b.text("#pane-outcome"))
		require.Equal(t, "world big · org/quartz 2 · attempt 2", b.text("#pane-place"))
		b.wait("document.querySelector('.event.here').dataset.n === '5'")
		require.True(t, value[bool](b, "document.querySelector('.event.here').classList.contains('guilty')"))
		require.True(t, value[bool](b, "document.querySelector('.event.here').contains(document.activeElement)"), "a screen reader begins there")
	}
	// The link of an event is in the address bar, and opens the same in a new tab.
	b.run(fmt.Sprintf("location.hash = %q", failed))
	opened(b)
	b.keys("n")
	require.Equal(t, failed+"&event=5", value[string](b, "location.hash"))
	address := value[string](b, "location.href")
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	opened(b)
	b.wait("document.querySelector('.event.here').dataset.n === '5'")
	b.mu.Lock()
	b.requests = nil // about:blank is one
	b.mu.Unlock()
}

func TestBack(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	b.run("document.querySelector('a.slot.fail').click()")
	opened(b)
	first := value[string](b, "location.hash")
	b.run("document.getElementById('following').click()")
	b.wait(fmt.Sprintf("location.hash !== %q && document.querySelector('#pane-body .event')", first))
	b.run("history.back()")
	b.wait(fmt.Sprintf("location.hash === %q", first))
	opened(b)
	b.run("history.back()")
	closed(b)
	require.Empty(t, value[string](b, "location.hash"))
	b.run("history.forward()")
	opened(b)
	require.Equal(t, first, value[string](b, "location.hash"))

	b.keys(kb.Escape)
	closed(b)
	b.wait("location.hash === ''")
	require.Equal(t, first, value[string](b, "document.activeElement.getAttribute('href')"), "the focus is where it was")
	b.run("history.back()")
	opened(b)
	b.run("document.getElementById('close').click()")
	closed(b)
}

// A link that is followed while the pane closes opens it again.
func TestLinkWhileClosing(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	b.run(fmt.Sprintf("location.hash = %q", failed))
	opened(b)
	const other = "#attempt=chain/refund/big/_/opal/1"
	b.run(fmt.Sprintf("document.getElementById('pane').close(); location.hash = %q", other))
	b.wait("document.getElementById('pane-place').innerText.includes('opal · attempt 1')")
	opened(b)
	require.Equal(t, other, value[string](b, "location.hash"))
	b.keys(kb.Escape)
	closed(b)
	b.wait("location.hash === ''")
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	focus := func() string {
		return value[string](b, "document.activeElement.getAttribute('href') || document.activeElement.id")
	}
	require.Equal(t, 1, value[int](b, "document.querySelectorAll('a.slot[tabindex=\"0\"]').length"), "Tab passes the matrix in one step")
	b.keys("/")
	require.Equal(t, "find", focus())
	b.keys("b", "i", "g")
	b.wait("document.querySelectorAll('#matrix tbody tr:not([hidden])').length === 1")
	b.keys(kb.Backspace, kb.Backspace, kb.Backspace, kb.Escape)
	require.NotEqual(t, "find", focus())
	b.keys("j")
	require.Equal(t, "#attempt=chain/refund/big/_/opal/1", focus())
	b.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	require.Equal(t, "#attempt=chain/refund/big/_/org%2Fquartz%202/1", focus())
	b.keys(kb.End, kb.ArrowRight)
	require.Equal(t, "#attempt=chain/refund/big/_/org%2Fquartz%202/3", focus())
	b.keys(kb.ArrowDown, kb.ArrowUp, kb.Home)
	require.Equal(t, "#attempt=chain/refund/big/_/opal/1", focus())
	b.keys("j", "k", kb.End, kb.ArrowLeft, kb.Enter)
	opened(b)
	require.Equal(t, failed, value[string](b, "location.hash"))
	require.Equal(t, "pane-title", focus())

	b.keys("n")
	require.Equal(t, failed+"&event=5", focus())
	b.keys("k")
	require.Equal(t, failed+"&event=4", focus())
	b.keys("j", "j")
	require.Equal(t, failed+"&event=6", focus())
	b.keys("e")
	require.Equal(t, 0, value[int](b, "document.querySelectorAll('#pane-body .event details:not([open])').length"))
	b.keys("e")
	require.NotEqual(t, 0, value[int](b, "document.querySelectorAll('#pane-body .event details:not([open])').length"))
	b.keys("]")
	b.wait("location.hash.endsWith('/3')")
	opened(b)
	b.keys("[", "[")
	b.wait("location.hash.endsWith('/1')")
	opened(b)
	b.keys("/")
	require.Equal(t, "pane-find", focus())
	b.keys(kb.Escape)
	closed(b)
}

func TestTrace(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 0)
	b.run(fmt.Sprintf("location.hash = %q", failed))
	opened(b)
	require.Equal(t, "A bounded edit is grounded in the file and changes only what was asked.", b.text("#pane-body .claim"))
	require.Contains(t, b.text("#pane-body .verdicts li"), "edit at event 5, and no read before it")
	require.Contains(t, b.text("#pane-body .verdicts li"), "refund_test.go:31")
	require.False(t, value[bool](b, "document.querySelector('.part.thinking').open"), "thinking is folded")
	require.False(t, value[bool](b, "document.querySelector('.event[data-n=\"3\"] details').open"), "what is not guilty is closed")
	require.True(t, value[bool](b, "document.querySelector('.event[data-n=\"5\"] details').open"))
	require.Contains(t, b.text(".event.guilty .blame"), "guilty of tool-chain: read before edit")
	require.Equal(t, "-channel=draft|+channel=published", value[string](b, "[...document.querySelectorAll('.file .del, .file .add')].map(e => e.textContent).join('|')"))
	require.Contains(t, b.text("#pane-body"), "deeds show 20261129T224301Z-5a3a11 chain/refund --world big --model 'org/quartz 2' --attempt 2")
	require.Equal(t, []string{"1 fail", "2 fail", "3 fail"}, value[[]string](b, "[...document.querySelectorAll('#pane-attempts a')].map(e => e.innerText.trim() + ' ' + e.getAttribute('aria-label').split(': ')[1])"))

	// What is looked for is found in folded parts too, which open.
	b.keys("/", "w", "h", "o", "l", "e")
	b.wait("document.getElementById('pane-hits').innerText === '1 event'")
	require.True(t, value[bool](b, "document.querySelector('.part.thinking').open"))
	b.keys(kb.Enter)
	require.Equal(t, "2", value[string](b, "document.querySelector('.event.here').dataset.n"))
	b.run("(e => { e.value = 'nowhere'; e.dispatchEvent(new Event('input')); })(document.getElementById('pane-find'))")
	b.wait("document.getElementById('pane-hits').innerText === 'not found'")
}

func TestSideBySide(t *testing.T) {
	t.Parallel()
	b := open(t, func(root string) (results.RunInfo, *results.Run, error) {
		one, other := sample.Attempt("chain/x", "", "opal", 1, results.Pass), sample.Attempt("chain/x", "", "opal", 2, results.Fail)
		other.Evidence.Timeline = append(other.Evidence.Timeline[:2:2], other.Evidence.Timeline[3:]...)
		other.Evidence.Timeline[1].Text = "In other words."
		other.Verdicts[0].Events = []int{3}
		for _, e := range other.Evidence.Timeline {
			if e.Call != nil && e.Call.Tool == "edit" {
				e.Call.Args["old"] = "final (2)"
			}
		}
		other.Evidence.Facts = map[string]string{"channel": "final (2)"}
		return sample.Write(root, "2", results.Plan{Kind: results.Live}, []sample.Play{one, other})
	}, 0)
	b.run("location.hash = '#attempt=chain/x/_/_/opal/2'")
	opened(b)
	b.run("(e => { e.selectedIndex = 1; e.dispatchEvent(new Event('input')); })(document.getElementById('against'))")
	b.wait("document.querySelector('.pair.apart')")
	require.Equal(t, "#attempt=chain/x/_/_/opal/2&vs=chain/x/_/_/opal/1", value[string](b, "location.hash"))
	require.Equal(t, "first difference: event 3 of the other", b.text(".parting"))
	require.Equal(t, 1, value[int](b, "document.querySelectorAll('.pair.apart').length"), "other words, and other drawn facts, are no difference")
	require.Contains(t, b.text("#pane"), "Drawn for each, and taken for equal: channel.")
	b.keys("n")
	require.Equal(t, "4", value[string](b, "document.querySelector('.event.here').dataset.n"))
	b.run("history.back()")
	b.wait("!document.querySelector('.pair')")
}

func TestHostile(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Hostile, 0)
	require.Equal(t, 3, value[int](b, "document.querySelectorAll('a.slot').length"))
	for i := range 3 {
		b.run(fmt.Sprintf("document.querySelectorAll('a.slot')[%d].click()", i))
		opened(b)
		b.keys("e")
		require.Equal(t, 0, value[int](b, "document.querySelectorAll('#pane img, #pane iframe, #pane script, #pane style, #pane svg, #pane link, #pane form').length"))
		require.Contains(t, b.text("#pane-body"), sample.Harm[0], "it is there to be read")
		require.Contains(t, b.text("#pane-body"), `right\u202eto`)
		require.Contains(t, b.text("#pane-body"), `\x1b[31mred`)
		require.Equal(t, i == 1, strings.Contains(b.text("#pane-body"), "bytes more: deeds show"), "ten megabytes are cut, and it says so")
		b.keys(kb.Escape)
		closed(b)
	}
	b.run("(e => { e.value = '<script>'; e.dispatchEvent(new Event('input')); })(document.getElementById('find'))")
	require.Len(t, b.units(), 1)
}

// Without evidence the pane still says what is on record: why it is void, or what was
// expected and what came.
func TestRecordAlone(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Bare, 0)
	require.Contains(t, b.text("#attempts .note"), "No evidence was kept of 4 attempts: what is on record is shown, and no trace. 1 attempt is in no plan")
	require.Contains(t, b.text("#glance .note"), "1 reroll of opal is not counted.")
	look := func(n int, want ...string) {
		b.run(fmt.Sprintf("location.hash = '#attempt=chain/x/_/_/opal/%d'", n))
		b.wait(fmt.Sprintf("document.getElementById('pane-place').innerText.includes('attempt %d') && document.querySelector('#pane-body dl')", n))
		for _, text := range append(want, fmt.Sprintf("There is no trace of this attempt: no evidence of attempt %d of chain/x was kept.", n)) {
			require.Contains(t, b.text("#pane-body"), text)
		}
		require.NotContains(t, b.text("#pane-body"), "Nothing happened")
		require.NotContains(t, b.text("#pane-body"), "No file changed")
	}
	look(1, "rate-limit: 429 Too Many Requests: come back later")
	look(2, "limit-turns: it met the limit of 8", "tool-chain: read before edit", "want  a read", "got   no read", "refund_test.go:31", "ended by")
	require.Equal(t, "opal · attempt 2; 1 reroll, not counted", b.text("#pane-place"))
	look(3)
	look(4, "failed tool-chain")
	require.Equal(t, "attempt 3: pass; in no plan", value[string](b, "document.querySelector('a.slot[data-unplanned]').title"))
	b.run("location.hash = '#attempt=chain/x/_/_/opal/1&vs=chain/x/_/_/opal/2'")
	b.wait("document.querySelector('#pane-body .detail') && document.getElementById('pane').classList.contains('two')")
	require.Contains(t, b.text("#pane-body"), "There is no trace of this attempt")
}

// A page that was cut off in the middle, by a full disk, still shows what it has.
func TestAttemptWithoutTrace(t *testing.T) {
	t.Parallel()
	b := open(t, sample.Small, 1)
	b.run("location.hash = '#attempt=chain/refund/big/_/opal/1'")
	b.wait("document.getElementById('pane').open && document.querySelector('#pane-body .detail')")
	require.Equal(t, "The report does not hold the trace of this attempt.", b.text("#pane-body .detail"))
	require.Contains(t, b.text("#pane-body"), "deeds show")
	b.run("location.hash = '#attempt=chain/rename/later/_/opal/1'")
	b.wait("document.querySelector('#pane-body .detail').innerText === 'It was not run.'")
}

// However many units there are, no click waits for more than a thousand of them, and the
// script is not waited for by those that it hides.
func TestMoreInSteps(t *testing.T) {
	t.Parallel()
	b := open(t, func(root string) (results.RunInfo, *results.Run, error) {
		var plays []sample.Play
		for i := range 1100 {
			p := sample.Attempt(fmt.Sprintf("chain/case-%d", i), "", "opal", 1, results.Pass)
			p.Evidence = behavior.Evidence{}
			plays = append(plays, p)
		}
		return sample.Write(root, "1100", results.Plan{Kind: results.Live}, plays)
	}, 1)
	more := func() string { return b.text("#more") }
	require.Len(t, b.units(), 60)
	require.Equal(t, "show 1 000 more of 1 040", more())
	b.run("document.getElementById('more').click()")
	require.Len(t, b.units(), 1060)
	require.True(t, value[bool](b, "document.querySelectorAll('#matrix tbody tr')[1059].checkVisibility()"))
	require.Equal(t, "chain/case-60", value[string](b, "document.activeElement.closest('tr').querySelector('.case').innerText"), "one goes on where it ended")
	require.Equal(t, "show 40 more", more())
	b.run("document.getElementById('more').click()")
	require.Len(t, b.units(), 1100)
	require.True(t, value[bool](b, "document.getElementById('more').hidden"))
	b.run("document.querySelector('[data-outcome=pass]').click()")
	require.Len(t, b.units(), 60)
}

// A thousand attempts are there in two seconds. A machine that does other things at the
// time has a few tries.
func TestThousandAttempts(t *testing.T) {
	b := open(t, func(root string) (results.RunInfo, *results.Run, error) { return sample.Many(root, 1000) }, 0)
	var best time.Duration
	for range 5 {
		b.do(chromedp.Reload())
		b.wait("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
		took := time.Duration(value[float64](b, "performance.getEntriesByType('navigation')[0].loadEventEnd") * float64(time.Millisecond))
		if best == 0 || took < best {
			best = took
		}
		if best < 2*time.Second {
			break
		}
	}
	require.Equal(t, 1000, value[int](b, "document.querySelectorAll('a.slot').length"))
	b.run("window.began = performance.now(); location.hash = document.querySelector('a.slot.fail').getAttribute('href')")
	opened(b)
	t.Logf("loaded in %v, with %d MB of heap", best.Round(time.Millisecond), value[int64](b, "performance.memory.usedJSHeapSize")>>20)
	require.Less(t, best, 2*time.Second)
	b.run("location.hash = [...document.querySelectorAll('#matrix tbody tr.later a.slot')].at(-2).getAttribute('href')")
	b.wait("document.getElementById('pane-place').innerText.endsWith('attempt 3') && document.querySelector('#pane-body .event')")
	require.False(t, value[bool](b, "document.getElementById('previous').disabled || document.getElementById('following').disabled"), "from a row that is not shown one goes on too")
	b.keys(kb.Escape)
	b.wait("document.querySelectorAll('#matrix tbody tr:not([hidden], .later)').length === 60")
	b.run("document.getElementById('more').click()")
	require.Greater(t, len(b.units()), 300)
}
