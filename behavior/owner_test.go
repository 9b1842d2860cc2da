package behavior

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBackgroundCommandAccountsForWhatNoCallDoes(t *testing.T) {
	t.Parallel()
	end := func(events ...Event) []string {
		log := &timeline{}
		for _, ev := range events {
			log.record(ev)
		}
		return log.events[len(log.events)-1].Changed
	}
	call := func(agent string, changed ...string) Event {
		return Event{Kind: KindCall, Agent: agent, Call: &Call{Tool: "edit", Changed: changed}}
	}
	started := Event{Kind: KindBackground, ID: "bg-1", State: "started"}
	ended := Event{Kind: KindBackground, ID: "bg-1", State: "ended", Changed: []string{"a", "b"}}

	require.Equal(t, []string{"a", "b"}, end(started, ended))
	require.Equal(t, []string{"b"}, end(started, call("", "a"), ended), "the agent has edited it itself")
	require.Equal(t, []string{"a", "b"}, end(call("", "a"), started, ended), "before it began")
	require.Equal(t, []string{"a", "b"}, end(started, call("child-1", "a"), ended), "whose doing it was cannot be told: both answer for it")
	require.Empty(t, end(started, call("", "a", "b"), ended))

	log := &timeline{}
	log.record(started)
	log.add(Event{Kind: KindOutside, Changed: []string{"a"}})
	log.record(ended)
	require.Equal(t, []string{"b"}, log.events[2].Changed, "that was somebody else")
}
