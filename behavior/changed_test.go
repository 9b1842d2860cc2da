package behavior

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/spf13/afero"
	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/internal/script"
)

// playedBy is the evidence of an attempt in which an agent did this.
func playedBy(t *testing.T, c Case, act func(ctx context.Context, task Task) error) Evidence {
	t.Helper()
	c.Claim, c.Prompt, c.Expect = "c", "p", BySignal{FilesystemSafety: {exists("b.txt")}}
	c.Files = fstest.MapFS{"a.txt": {Data: []byte("a\n")}, "c.txt": {Data: []byte("c\n")}}
	c.Agent = agentFunc(act)
	a := testStage(t).play(t.Context(), c.units("core/x")[0], "m", script.NewPlayer(script.Silence()))
	require.NotEqual(t, Void, a.outcome, a.detail)
	return a.evidence
}

func TestTaskTellsWhatChanged(t *testing.T) {
	t.Parallel()
	playedBy(t, Case{}, func(ctx context.Context, task Task) error {
		require.Empty(t, task.Changed(), "nothing yet")
		_, _, err := task.Shell(ctx, "cat a.txt; mkdir d; echo b > d/b.txt; echo more >> a.txt; rm c.txt")
		require.NoError(t, err)
		require.Equal(t, []string{"a.txt", "c.txt", "d", "d/b.txt"}, task.Changed())
		require.Empty(t, task.Changed(), "each change is told once")
		require.NoError(t, afero.WriteFile(task.Files, "b.txt", []byte("b\n"), 0o644))
		require.Equal(t, []string{"b.txt"}, task.Changed(), "files count as commands do")
		require.NoError(t, afero.WriteFile(task.Files, "b.txt", []byte("b\n"), 0o644))
		require.Equal(t, []string{"b.txt"}, task.Changed(), "written again, with what it held")
		return nil
	})
}

// What is laid from outside is not told, and what the agent did before it is not lost.
func TestTaskDoesNotTellWhatChangedFromOutside(t *testing.T) {
	t.Parallel()
	c := Case{Meanwhile: []Meanwhile{{After: "bash", Files: fstest.MapFS{"new/a.txt": {Data: []byte("n\n")}}, Removed: []string{"c.txt"}}}}
	e := playedBy(t, c, func(ctx context.Context, task Task) error {
		_, _, err := task.Shell(ctx, "echo b > b.txt")
		require.NoError(t, err)
		task.Record(Event{Kind: KindCall, Turn: 1, Call: &Call{Tool: "bash"}}) // without having asked
		require.Equal(t, []string{"b.txt"}, task.Changed())
		require.NoError(t, afero.WriteFile(task.Files, "new/a.txt", []byte("mine\n"), 0o644))
		require.Equal(t, []string{"new/a.txt"}, task.Changed())
		return nil
	})
	require.True(t, slices.ContainsFunc(e.Timeline, func(ev Event) bool { return ev.Kind == KindOutside }), "it was laid")
}

// Of calls that run at once the changes of all are told, each once, to one or the other.
func TestChangesOfCallsAtOnceAreToldOnce(t *testing.T) {
	t.Parallel()
	playedBy(t, Case{}, func(ctx context.Context, task Task) error {
		var (
			calls sync.WaitGroup
			told  [2][]string
		)
		for i, file := range []string{"x.txt", "y.txt"} {
			calls.Go(func() {
				_, _, err := task.Shell(ctx, "echo x > "+file)
				told[i] = task.Changed()
				require.NoError(t, err)
			})
		}
		calls.Wait()
		all := slices.Sorted(slices.Values(slices.Concat(told[0], told[1])))
		require.Equal(t, []string{"x.txt", "y.txt"}, all)
		return nil
	})
}
