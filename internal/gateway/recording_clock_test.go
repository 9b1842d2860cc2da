package gateway

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimeless(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 23, 59, 30, 0, time.UTC)
	span := Span{From: at, To: at.Add(20 * time.Second)}
	for text, want := range map[string]string{
		"-rw-r--r-- 1 dev dev 36 Nov 30 23:59 a.txt":       "-rw-r--r-- 1 dev dev 36 [time] a.txt",
		"-rw-r--r-- 1 dev dev 36 Dec  1 00:00 a.txt":       "-rw-r--r-- 1 dev dev 36 [time] a.txt",
		"-r--r--r-- 1 dev dev 24 Nov 30 23:59 2031.tsv":    "-r--r--r-- 1 dev dev 24 [time] 2031.tsv",
		"Mon Nov 30 23:59:33 UTC 2026":                     "[time]",
		"Date:   Mon Nov 30 23:59:33 2026 +0000":           "Date:   [time]",
		"2026-11-30 23:59:33.123456789 +0000 a.txt":        "[time] a.txt",
		`{"at":"2026-11-30T23:59:33Z","day":"2026-11-30"}`: `{"at":"[time]","day":"[time]"}`,
		"1796083180 and 1796083180.25":                     "[time] and [time]",
		"bg-1: running for 3 s":                            "bg-1: running for [time]",

		"real\t0m0.004s\nuser\t0m0.001s\nsys\t1m12.003s":            "real\t[time]\nuser\t[time]\nsys\t[time]",
		"--- FAIL: TestA (0.01s)\nFAIL\tm/a\t0.013s\nok  \tm\t1.2s": "--- FAIL: TestA ([time])\nFAIL\tm/a\t[time]\nok  \tm\t[time]",
		"Ran 3 tests in 0.001s":                                     "Ran 3 tests in [time]",
		"=== 1 failed, 2 passed in 0.12s ===":                       "=== 1 failed, 2 passed in [time] ===",
		"timeout=0.12s, passed on in 0.5s, 1m0.2s":                  "timeout=0.12s, passed on in 0.5s, 1m0.2s",

		// What is told of another time means something.
		"-rw-r--r-- 1 dev dev 36 Nov 30 23:57 a.txt":  "-rw-r--r-- 1 dev dev 36 Nov 30 23:57 a.txt",
		"-rw-r--r-- 1 dev dev 36 Nov 30  2025 a.txt":  "-rw-r--r-- 1 dev dev 36 Nov 30  2025 a.txt",
		"Mon Nov 30 23:59:33 UTC 2025":                "Mon Nov 30 23:59:33 UTC 2025",
		"2026-11-29, 2026-13-45, 2026-11-30T12:00:00": "2026-11-29, 2026-13-45, 2026-11-30T12:00:00",
		"1796079000, 17960831800, 36 bytes, 23:59":    "1796079000, 17960831800, 36 bytes, 23:59",
		"no digits": "no digits",
	} {
		require.Equal(t, want, timeless(text, span), text)
		require.Equal(t, want, timeless(want, span), "once is enough")
	}
	require.Equal(t, "Nov 30 23:59", timeless("Nov 30 23:59", Span{}), "a span that never was")
	now := time.Now().UTC()
	require.Equal(t, "[time]", timeless(now.Format("Jan _2 15:04"), Span{From: now.Add(-time.Hour)}))
	newYear := Span{From: time.Date(2026, 12, 31, 23, 59, 50, 0, time.UTC), To: time.Date(2027, 1, 1, 0, 0, 30, 0, time.UTC)}
	require.Equal(t, "[time] [time]", timeless("Dec 31 23:59 Jan  1 00:00", newYear))
}
