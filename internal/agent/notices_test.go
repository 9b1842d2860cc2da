package agent

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/tools"
)

// said lists the texts of the user's side of the conversation.
func said(history []Message) []string {
	var all []string
	for _, m := range history {
		if m.Role == User {
			all = append(all, m.Text)
		}
	}
	return all
}

// noticed lists the ids of the notices that were told of.
func (s *stage) noticed() []string {
	var all []string
	for _, ev := range s.events {
		if ev.Kind == Noticed {
			all = append(all, ev.ID)
		}
	}
	return all
}

func TestNoticesOfCommandsInTheBackground(t *testing.T) {
	t.Parallel()
	sleep := func(context.Context, map[string]any) tools.Outcome {
		time.Sleep(5 * time.Second)
		return tools.Outcome{Status: tools.OK, Text: "slept"}
	}
	tests := map[string]struct {
		config   Config
		messages []Message
		stop     Stop
		noticed  []string
		said     []string
		took     time.Duration
	}{
		"between two messages": {
			Config{}, []Message{calls(`job {"n":3}`, "change {}"), calls("look {}"), say("hi")},
			Done, []string{"bg-1"}, []string{"go", "<notice>bg-1 ended</notice>"}, 5 * time.Second,
		},
		"when the model would stop": {
			Config{}, []Message{calls(`job {"n":3}`), say("wait"), say("hi")},
			Done, []string{"bg-1"}, []string{"go", "<notice>bg-1 ended</notice>"}, 3 * time.Second,
		},
		"one after the other": {
			Config{}, []Message{calls(`job {"n":3}`, `job {"n":8}`, `job {"n":40}`), say("wait"), say("wait"), say("hi")},
			Done, []string{"bg-1", "bg-2"}, []string{"go", "<notice>bg-1 ended</notice>", "<notice>bg-2 ended</notice>"}, 18 * time.Second,
		},
		"too late": {
			Config{}, []Message{calls(`job {"n":11}`), say("wait"), say("never said")},
			Done, nil, []string{"go"}, 10 * time.Second,
		},
		"too late for less patience": {
			Config{Idle: time.Second}, []Message{calls(`job {"n":3}`), say("wait"), say("never said")},
			Done, nil, []string{"go"}, time.Second,
		},
		"nothing runs":          {Config{}, []Message{say("hi"), say("never said")}, Done, nil, []string{"go"}, 0},
		"a question is waiting": {Config{}, []Message{calls(`job {"n":3}`, "ask {}")}, Asked, nil, []string{"go"}, 0},
		"no turns are left": {
			Config{Limits: Limits{Turns: 2}}, []Message{calls(`job {"n":3}`), say("hi")},
			Done, nil, []string{"go"}, 0,
		},
		"waiting takes the agent's own time": {
			Config{Limits: Limits{Time: 2 * time.Second}}, []Message{calls(`job {"n":3}`), say("wait"), say("never said")},
			TooLong, nil, []string{"go"}, 2 * time.Second,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				s := newStage(t, test.config, test.messages...)
				s.tools.do["change"] = sleep
				stop, err := s.play(t, background)
				require.NoError(t, err)
				require.Equal(t, test.stop, stop)
				require.Equal(t, test.noticed, s.noticed())
				require.Equal(t, test.said, said(s.History()))
				require.Equal(t, test.took, time.Since(begun))
			})
		})
	}
}

// What ended between two turns of the user is told of before the user's words.
func TestNoticeBetweenTwoTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, Config{}, calls(`job {"n":30}`), say("wait"), say("hi"))
		_, err := s.play(t, background)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		_, err = s.play(t, background)
		require.NoError(t, err)
		require.Equal(t, []string{"go", "<notice>bg-1 ended</notice>", "go"}, said(s.History()))
	})
}

func TestStoppedWhileItWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, Config{}, calls(`job {"n":30}`), say("wait"))
		ctx, cancel := context.WithTimeout(background, time.Second)
		defer cancel()
		_, err := s.play(t, ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// What tools tell of beside the calls is told as it comes.
func TestAside(t *testing.T) {
	t.Parallel()
	var also []tools.Event
	s := newStage(t, Config{Tools: tools.Env{Observe: func(ev tools.Event) { also = append(also, ev) }}}, calls("look {}"))
	exit := 3
	s.tools.do["look"] = func(context.Context, map[string]any) tools.Outcome {
		s.tools.env.Observe(tools.Event{Kind: "background", ID: "bg-1", State: "ended", Text: "make", Exit: &exit})
		s.tools.env.Observe(tools.Event{Kind: "skill", ID: "deploy", Text: "now"})
		return tools.Outcome{Status: tools.OK, Text: "fine"}
	}
	_, err := s.play(t, background)
	require.NoError(t, err)
	require.Equal(t, []EventKind{Said, Background, SkillLoaded, Called, Said}, s.kinds())
	require.Equal(t, "bg-1 ended make", s.events[1].ID+" "+s.events[1].State+" "+s.events[1].Text)
	require.Equal(t, 3, *s.events[1].Exit)
	require.Equal(t, "deploy now", s.events[2].ID+" "+s.events[2].Text)
	require.Len(t, also, 2)
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	n := 0
	s := newStage(t, Config{Refresh: func(context.Context) []tools.Extra {
		n++
		return make([]tools.Extra, n)
	}}, calls("look {}"))
	for i := range 3 {
		_, err := s.play(t, background)
		require.NoError(t, err)
		require.Len(t, s.tools.extra, i+1, "at each turn of the user, and at no other time")
	}
}

func TestPicturesComeBehindTheAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t, Config{}, calls("look {}", "change {}", "look {}"), calls("change {}"))
	picture := tools.Image{MIME: "image/png", Data: []byte("P")}
	s.tools.do["look"] = func(context.Context, map[string]any) tools.Outcome {
		return tools.Outcome{Status: tools.OK, Text: "a picture", Images: []tools.Image{picture}}
	}
	_, err := s.play(t, background)
	require.NoError(t, err)
	h := s.History()
	require.Equal(t, []Role{User, Assistant, Tool, Tool, Tool, User, Assistant, Tool, Assistant}, roles(h))
	require.Equal(t, []tools.Image{picture, picture}, h[5].Images)
	require.Contains(t, h[5].Text, "id0 (look), id2 (look)")
	require.NotContains(t, h[5].Text, "change")
}

func roles(history []Message) []Role {
	var all []Role
	for _, m := range history {
		all = append(all, m.Role)
	}
	return all
}
