package viewer

import (
	"errors"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/deeds-evals/deeds/internal/trace"
)

// TestScreens keeps the screens word for word.
func TestScreens(t *testing.T) {
	other := passed()
	void := failed()
	void.Head.Outcome, void.Head.Reason, void.Head.Detail = "void", "provider", "503 three times"
	void.Events, void.Verdicts, void.Files = nil, nil, nil
	load := func(_ trace.Head, attempt int) (trace.Trace, error) {
		if attempt == 1 {
			return passed(), nil
		}
		return trace.Trace{}, errors.New("its evidence is gone")
	}
	for _, s := range []struct {
		name           string
		c              Config
		columns, lines int
		keys           string
	}{
		{"opens", Config{Trace: failed()}, 80, 24, ""},
		{"top", Config{Trace: failed()}, 80, 24, "g"},
		{"all-open", Config{Trace: failed()}, 80, 60, "E g"},
		{"narrow", Config{Trace: failed()}, 40, 30, "e g J J J"},
		{"wide", Config{Trace: failed()}, 200, 50, "e"},
		{"coloured", Config{Trace: failed(), Colour: true}, 80, 60, "E / c h a n enter"},
		{"verdicts", Config{Trace: failed()}, 80, 24, "v"},
		{"files", Config{Trace: failed()}, 80, 24, "f"},
		{"found", Config{Trace: failed(), Find: "No need"}, 80, 24, ""},
		{"asks", Config{Trace: failed()}, 80, 24, "/ k e e p"},
		{"passed", Config{Trace: passed()}, 80, 24, ""},
		{"void", Config{Trace: void}, 80, 24, ""},
		{"help", Config{Trace: failed()}, 80, 24, "?"},
		{"help-narrow", Config{Trace: failed()}, 40, 24, "?"},
		{"beside", Config{Trace: failed(), Against: &other}, 80, 40, "e"},
		{"beside-wide", Config{Trace: failed(), Against: &other}, 200, 50, "e g"},
		{"beside-coloured", Config{Trace: failed(), Against: &other, Colour: true}, 100, 40, ""},
		{"beside-narrow", Config{Trace: failed(), Against: &other}, 40, 20, ""},
		{"unreadable", Config{Trace: failed(), Load: load}, 80, 24, "]"},
	} {
		t.Run(s.name, func(t *testing.T) {
			golden.Assert(t, read(t, s.c, s.columns, s.lines).press(s.keys).screen(), s.name+".golden")
		})
	}
}
