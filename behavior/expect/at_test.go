package expect_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
)

// What an author's own function points to is in the verdict, however the error is
// wrapped, and its words are those of the error.
func TestAt(t *testing.T) {
	t.Parallel()
	said := errors.New("it said so")
	e := scene(say(1, "one"), user(1, "and?"), say(2, "two"), say(3, "three"))
	for _, test := range []struct {
		what string
		err  error
		got  string
		want []int
	}{
		{"none", said, "it said so", nil},
		{"one", expect.At(said, 3), "it said so", []int{3}},
		{"several, once each and in order", expect.At(said, 4, 1, 4), "it said so", []int{1, 4}},
		{"wrapped", fmt.Errorf("twice: %w", expect.At(said, 3)), "twice: it said so", []int{3}},
		{"both", expect.At(expect.At(said, 3), 1), "it said so", []int{1, 3}},
		{"joined", errors.Join(expect.At(said, 3), expect.At(said, 1)), "it said so\nit said so", []int{1, 3}},
		{"such as there are not", expect.At(said, -1, 5, 3), "it said so", []int{3}},
	} {
		v := check(expect.That("nothing", func(behavior.Evidence) error { return test.err }), e)
		require.Equal(t, behavior.Fail, v.Result, test.what)
		require.Equal(t, test.got, v.Got, test.what)
		require.Equal(t, test.want, v.Events, test.what)
	}
	require.NoError(t, expect.At(nil, 3), "nothing to point to")
	require.ErrorIs(t, expect.At(said, 3), said)
}

// In a turn of the user the indexes are those of the evidence that the function got, and
// the verdict has those of the whole.
func TestAtInTurn(t *testing.T) {
	t.Parallel()
	e := scene(say(1, "one"), user(1, "and?"), say(2, "two"))
	last := expect.That("nothing is said last", func(e behavior.Evidence) error {
		return expect.At(errors.New("it is"), len(e.Timeline)-1, len(e.Timeline))
	})
	v := check(expect.InTurn(1, last), e)
	require.Equal(t, []int{1}, v.Events, "an index past the turn is not of the next one")
	v = check(expect.AllOf(expect.InTurn(2, last), expect.Asked()), e)
	require.Equal(t, []int{3}, v.Events)
}

// Whatever calls are named for want of anything nearer are pointed to, all of them where
// they are few.
func TestNamedInsteadIsPointedTo(t *testing.T) {
	t.Parallel()
	e := scene(served(1, "", "lookup_invoice", nil), served(2, "", "escalate_to_human", nil), read(3, "a.txt"), read(3, "b.txt"))
	many := scene(read(1, "a.txt"), read(1, "b.txt"), read(1, "c.txt"), read(2, "a.txt"), read(2, "b.txt"), read(2, "c.txt"), call(3, "ls", nil), read(4, "a.txt"), read(4, "b.txt"))
	for _, test := range []struct {
		what string
		x    behavior.Expectation
		e    behavior.Evidence
		got  string
		want []int
	}{
		{"served", expect.Served("issue_credit"), e, "no call that reached issue_credit; only escalate_to_human and lookup_invoice did", []int{1, 2}},
		{"called", expect.Call("bash"), e, "no bash call; only read (2 times)", []int{3, 4}},
		{"many", expect.Call("bash"), many, "no bash call; only ls and read (8 times)", []int{1, 7}},
		{"in an order", expect.Call("bash").Before(expect.Served("escalate_to_human")), e, "served escalate_to_human at event 3, and no bash call before it", []int{2}},
		{"at once", expect.AtOnce("a line"), scene(call(1, "read", nil), ended(behavior.Failed, "")), "only read", []int{1}},
		{"none", expect.Call("bash"), scene(), "no bash call; nothing was called", nil},
	} {
		v := check(test.x, test.e)
		require.Equal(t, behavior.Fail, v.Result, test.what)
		require.Equal(t, test.got, v.Got, test.what)
		require.Equal(t, test.want, v.Events, test.what)
	}
}
