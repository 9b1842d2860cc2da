package agent

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// A mouth is what a user says while the agent works.
type mouth []Word

func (m *mouth) heard() []Word {
	all := *m
	*m = nil
	return all
}

func TestWordsWhileTheAgentWorks(t *testing.T) {
	t.Parallel()
	word, stop := Word{Text: "also this"}, Word{Text: "that instead", Stop: true}
	tests := map[string]struct {
		limits   Limits
		words    []Word // spoken by the first call of speak
		messages []Message
		stop     Stop
		calls    []string
		said     []string
	}{
		"nothing": {
			Limits{}, nil, []Message{calls("speak {}", "change {}"), say("hi")},
			Done, []string{"speak ok", "change ok"}, []string{"go"},
		},
		"a word": {
			Limits{}, []Word{word}, []Message{calls("speak {}", "change {}"), say("hi")},
			Done, []string{"speak ok", "change ok"}, []string{"go", "also this"},
		},
		"two words": {
			Limits{}, []Word{word, {Text: "and that"}}, []Message{calls("speak {}"), say("hi")},
			Done, []string{"speak ok"}, []string{"go", "also this", "and that"},
		},
		"a stop": {
			Limits{}, []Word{stop}, []Message{calls("look {}", "speak {}", "change {}", "look {}"), calls("look {}"), say("hi")},
			Done, []string{"look ok", "speak ok", "change cut", "look cut", "look ok"}, []string{"go", "that instead"},
		},
		"a stop among words": {
			Limits{}, []Word{word, stop, {Text: "quick"}}, []Message{calls("speak {}", "change {}"), say("hi")},
			Done, []string{"speak ok", "change cut"}, []string{"go", "also this", "that instead", "quick"},
		},
		"a stop at a question": {
			Limits{}, []Word{stop}, []Message{calls("speak {}"), say("hi")},
			Done, []string{"speak ok"}, []string{"go", "that instead"},
		},
		"a stop and no more": {
			Limits{}, []Word{{Stop: true}}, []Message{calls("speak {}", "change {}"), say("never said")},
			Done, []string{"speak ok", "change cut"}, []string{"go"},
		},
		"no turn is left to hear it": {
			Limits{Turns: 1}, []Word{stop}, []Message{calls("speak {}", "change {}"), say("never said")},
			TooMany, []string{"speak ok", "change cut"}, []string{"go"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var m mouth
			s := newStage(t, Config{Limits: test.limits, Heard: m.heard}, test.messages...)
			s.tools.do["speak"] = func(context.Context, map[string]any) tools.Outcome {
				m = append(m, test.words...)
				out := tools.Outcome{Status: tools.OK, Text: "fine"}
				if name == "a stop at a question" {
					out.Signal.Kind = tools.AskedUser
				}
				return out
			}
			stop, err := s.play(t, background)
			require.NoError(t, err)
			require.Equal(t, test.stop, stop)
			require.Equal(t, test.calls, s.statuses())
			require.Equal(t, test.said, said(s.History()))
		})
	}
}

// What is said while the model writes is heard before any of its calls is begun, or
// keeps the turn from ending.
func TestWordsWhileTheModelThinks(t *testing.T) {
	t.Parallel()
	var m mouth
	s := newStage(t, Config{Heard: m.heard}, calls("change {}"), say("done"), calls("look {}"), say("hi"))
	s.model.before = func(turn int) {
		switch turn {
		case 1:
			m = mouth{{Text: "stop", Stop: true}}
		case 2:
			m = mouth{{Text: "wait"}}
		}
	}
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Done, stop)
	require.Equal(t, []string{"change cut", "look ok"}, s.statuses())
	require.Equal(t, []string{"go", "stop", "wait"}, said(s.History()))
	require.Len(t, s.model.requests, 4)
}

// Words that come while a question waits for its answer do not answer it: they are
// heard with the answer.
func TestWordsBesideAQuestion(t *testing.T) {
	t.Parallel()
	var m mouth
	s := newStage(t, Config{Heard: m.heard}, calls("ask {}"), say("hi"))
	s.model.before = func(turn int) {
		if turn == 1 {
			m = mouth{{Text: "by the way"}}
		}
	}
	stop, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, Asked, stop)
	_, err = s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, []string{"go", "by the way", "go"}, said(s.History()))
}
