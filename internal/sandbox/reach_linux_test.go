package sandbox

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// TestDescriptorsOfTheCallerAreNotInherited gives this process what a careless parent
// might: an open file that goes on to every child.
func TestDescriptorsOfTheCallerAreNotInherited(t *testing.T) {
	const stray = 217
	secret, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer secret.Close()
	_, err = secret.WriteString("hunter2")
	require.NoError(t, err)
	require.NoError(t, unix.Dup3(int(secret.Fd()), stray, 0))
	defer unix.Close(stray)
	for _, level := range allLevels {
		t.Run(string(level), func(t *testing.T) {
			needLevel(t, level)
			b := makeBox(t, level, nil)
			// Up to 10, bash keeps what it puts back itself.
			out := must(t, b, "for ((i = 11; i < 300; i++)); do { : <&$i; } 2> /dev/null && echo $i; done; true")
			require.Empty(t, out, "descriptors that are open in a command")
		})
	}
}

func TestOtherProcessesCannotBeStarved(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		victim := exec.Command("sleep", "4243")
		require.NoError(t, victim.Start())
		defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }()
		b := makeBox(t, level, nil)
		probe := giveProbe(t, b)
		pid := fmt.Sprint(victim.Process.Pid)
		scripts := []string{probe("prlimit", "1"), probe("prlimit", pid)}
		for _, name := range []string{"affinity", "renice", "batch", "ioprio"} {
			scripts = append(scripts, probe(name, pid))
		}
		for _, script := range scripts {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
		// Their own they may bound as they like.
		for _, name := range []string{"prlimit", "affinity", "renice", "batch", "ioprio"} {
			must(t, b, probe(name, "0"))
		}
		must(t, b, "ulimit -n 100; nice -n 3 true")
	})
}

func TestMemoryOfTheHostCannotBeShared(t *testing.T) {
	t.Parallel()
	needLevel(t, contain.Landlock)
	b := makeBox(t, contain.Landlock, nil)
	out, exit := run(t, b, giveProbe(t, b)("ipc"))
	require.NotZero(t, exit, out)
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil) // there it is the box's own
		must(t, b, giveProbe(t, b)("ipc"))
	})
}

func TestAViewHidesControlGroups(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		for line := range strings.Lines(must(t, b, "cat /proc/1/cgroup /proc/self/cgroup")) {
			require.Regexp(t, `:/\n$`, line)
		}
	})
}

func TestCapabilitiesCannotBeGained(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		out := must(t, b, "grep ^Cap /proc/self/status")
		require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 5)
		for line := range strings.Lines(out) {
			require.Contains(t, line, "0000000000000000")
		}
	})
}

func TestABoxIsWhatMemoryIsTakenFromFirst(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		must(t, b, "true")
		score, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", b.holder.(initHolder).PID()))
		require.NoError(t, err)
		require.Equal(t, "1000\n", string(score))
	})
}

// TestTheInitLosesNoExit floods it with signals while commands end.
func TestTheInitLosesNoExit(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		flood, err := b.Start(context.Background(), "for i in 1 2; do (while :; do kill -USR1 1; kill -TERM 1; done) & done; wait", io.Discard)
		require.NoError(t, err)
		for range 30 {
			must(t, b, "true")
		}
		require.NoError(t, flood.Kill())
	})
}

// TestClosedDirectoriesOfTheBox is about what a command of the run's own user can do
// where it has no view of its own.
func TestClosedDirectoriesOfTheBox(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		_, exit := run(t, b, "chmod 0 ../tmp ../home; chmod 711 ..")
		if exit == 0 {
			require.ErrorContains(t, b.Check(), "was changed")
		} else {
			require.NoError(t, b.Check())
		}
		if _, exit := run(t, b, "chmod 0 ../archive . ; cd /; chmod 0 "+quote(b.spec.World)); exit == 0 {
			require.Error(t, b.Check())
		}
		require.NoError(t, b.Close())
		require.NoDirExists(t, b.spec.World)
	})
}
