package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInWorlds(t *testing.T) {
	t.Parallel()
	slot := func(id, world string) Slot {
		return Slot{Case: id, World: world, Model: "m", Agent: "builtin", Attempt: 1}
	}
	r := &Run{
		Plans: []Plan{{Slots: []Slot{slot("chain/a", "big"), slot("chain/a", "small"), slot("core/b", "")}}},
		Attempts: []Attempt{
			{Slot: slot("chain/a", "big"), Outcome: Pass}, {Slot: slot("chain/a", "small"), Outcome: Fail}, {Slot: slot("core/b", ""), Outcome: Pass},
		},
	}
	require.Equal(t, []string{"big", "small"}, r.Worlds())

	small := r.InWorlds("small")
	require.Len(t, small.Slots(), 1)
	require.Equal(t, Fail, small.Slots()[0].Outcome)
	require.Len(t, r.InWorlds("big", "small").Slots(), 2)
	require.Empty(t, r.InWorlds("tiny").Slots())
	require.Len(t, r.Slots(), 3, "the record stays as it is")
}
