package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// refusedAt runs a script that has to fail at each of the levels.
func refusedAt(t *testing.T, levels []contain.Level, script func(t *testing.T, b *Box) string) {
	t.Helper()
	t.Parallel()
	forEachLevel(t, levels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		s := script(t, b)
		out, exit := run(t, b, s)
		require.NotZero(t, exit, "%s\n%s", s, out)
		require.NoError(t, b.Check())
	})
}

func TestNothingOutsideCanBeWritten(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		dir := openDir(t)
		file := filepath.Join(dir, "file")
		writeFile(t, file, "as it was")
		b := makeBox(t, level, fstest.MapFS{"mine": {Data: []byte("x"), Mode: 0o644}})
		for _, script := range []string{
			"echo x > " + file,
			"echo x >> " + file,
			": > " + dir + "/new",
			"rm " + file,
			"mv " + file + " stolen",
			"mv mine " + dir + "/",
			"ln " + file + " hard",
			"ln mine " + dir + "/hard",
			"mkdir " + dir + "/sub",
			"ln -s " + file + " link && echo x > link",
			"ln -s " + dir + " there && echo x > there/new",
			"ln -sfn " + dir + "/late late && echo x > late",
			"truncate -s 0 " + file,
			"mkfifo " + dir + "/fifo",
			"cp mine ../other",
			"echo x >> ../notes.txt",
			"rm -r ../archive",
			"mv ../project ../p2",
			"cd .. && mv project p2",
			"touch /usr/x", "touch /etc/x", "touch /bin/x", "touch /x", "touch /opt/x",
			"echo x > /proc/sys/kernel/hostname",
			"echo 0 > /proc/self/oom_score_adj",
			"echo c > /proc/sysrq-trigger",
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "as it was", string(got))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.NoError(t, b.Check())
	})
}

func TestMetadataOutsideCannotBeChanged(t *testing.T) {
	t.Parallel()
	levels := viewedLevels
	if os.Getuid() == 0 {
		levels = heldLevels // a command runs as somebody else
	}
	forEachLevel(t, levels, func(t *testing.T, level contain.Level) {
		dir := openDir(t)
		file := filepath.Join(dir, "file")
		writeFile(t, file, "x")
		was, err := os.Lstat(file)
		require.NoError(t, err)
		b := makeBox(t, level, nil)
		probe := giveProbe(t, b)
		for _, script := range []string{
			"chmod 000 " + file,
			"ln -sfn " + file + " link && chmod 000 link",
			"touch -d 2001-01-01 " + file,
			"chown $UID " + file,
			probe("chown", file, "1000"),
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
		is, err := os.Lstat(file)
		require.NoError(t, err)
		require.True(t, stateOf(was).same(stateOf(is)))
	})
}

func TestHomesAndOtherFilesCannotBeRead(t *testing.T) {
	refusedAt(t, heldLevels, func(t *testing.T, b *Box) string {
		dir := openDir(t)
		writeFile(t, filepath.Join(dir, "secret"), "x")
		cwd, err := os.Getwd()
		require.NoError(t, err)
		home, err := os.UserHomeDir()
		require.NoError(t, err)
		tries := []string{
			"cat " + dir + "/secret",
			"ls " + dir,
			"ln -s " + dir + "/secret s; cat s",
			"ln -s " + dir + " d; cat d/secret",
			"cat ../notes.txt",
			"cat /proc/self/root" + dir + "/secret",
			"cat /proc/1/root" + dir + "/secret",
			"ls " + quote(cwd),
			"ls " + quote(home),
			"ls -A /root | grep .", "ls -A /home | grep .",
			"cat /etc/shadow",
			"head -c 1 /dev/vda", "head -c 1 /dev/sda", "head -c 1 /dev/mem", "head -c 1 /dev/kmsg",
		}
		return "! { " + strings.Join(tries, " || ") + "; } && exit 1; echo one of them worked"
	})
}

func TestHomesAndOtherFilesCannotBeReadOneByOne(t *testing.T) {
	// The one above would pass if a shell error ended it; this one tells which.
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		dir := openDir(t)
		writeFile(t, filepath.Join(dir, "secret"), "hunter2")
		b := makeBox(t, level, nil)
		for _, script := range []string{
			"cat " + dir + "/secret",
			"ln -sf " + dir + "/secret s && cat s",
			"ln -sfn " + dir + " d && cat d/secret",
			"cat /proc/*/root" + dir + "/secret",
			"cat /proc/*/cwd/secret",
			"cp -r " + dir + " here",
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, script)
			require.NotContains(t, out, "hunter2", script)
		}
	})
}

func TestTheCallersEnvironmentCannotBeRead(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		// A process like the one that holds the key, and of the same user.
		keeper := exec.Command("sleep", "60")
		keeper.Env = []string{"API_KEY=hunter2"}
		require.NoError(t, keeper.Start())
		defer func() { _ = keeper.Process.Kill(); _ = keeper.Wait() }()
		for _, pid := range []int{os.Getpid(), os.Getppid(), keeper.Process.Pid, 1} {
			for _, name := range []string{"environ", "mem", "maps", "fd/0", "cwd/", "root/", "exe"} {
				path := fmt.Sprintf("/proc/%d/%s", pid, name)
				if level.Private() && pid != 1 {
					// The number may be one of the box's own.
					path = fmt.Sprintf("/proc/%d/environ", keeper.Process.Pid)
				}
				out, exit := run(t, b, "head -c 100 "+path)
				require.NotZero(t, exit, "%s: %q", path, out)
			}
		}
		out, _ := run(t, b, "cat /proc/*/environ /proc/*/task/*/environ | tr '\\0' '\\n'; tr '\\0' '\\n' < /proc/$PPID/environ; env; set")
		require.NotContains(t, out, "hunter2")
		require.NotContains(t, out, "INIT_SOCKET")
		for _, name := range []string{"DEEDS", "GOCOVERDIR", "GOFLAGS", "OPENAI", "TEST"} {
			require.NotContains(t, strings.ToUpper(out), name+"_")
		}
	})
}

func TestProcessesOfTheHost(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		victim := exec.Command("sleep", "4242")
		require.NoError(t, victim.Start())
		defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }()
		b := makeBox(t, level, nil)
		probe := giveProbe(t, b)
		pid := fmt.Sprint(victim.Process.Pid)
		for _, script := range []string{
			"kill -9 " + pid,
			"kill -0 " + pid,
			probe("kill", pid, "9"),
			probe("ptrace", pid),
			probe("readv", pid),
			"kill -9 " + fmt.Sprint(os.Getpid()),
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
		// All that one may signal: those of the box.
		_, exit := run(t, b, "kill -9 -1; sleep 0.1")
		require.Contains(t, []int{0, 137}, exit)
		require.True(t, alive(victim.Process.Pid))
		out, _ := run(t, b, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
		require.NotContains(t, out, "4242")
		require.Equal(t, "still works\n", must(t, b, "echo still works"))
	})
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { tcp.Close() })
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { udp.Close() })
	_, tcpPort, _ := net.SplitHostPort(tcp.Addr().String())
	_, udpPort, _ := net.SplitHostPort(udp.LocalAddr().String())
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		probe := giveProbe(t, b)
		for _, script := range []string{
			"echo x > /dev/tcp/127.0.0.1/" + tcpPort,
			"echo x > /dev/udp/127.0.0.1/" + udpPort,
			probe("dial", "tcp", "127.0.0.1:"+tcpPort),
			probe("dial", "udp", "127.0.0.1:"+udpPort),
			probe("dial", "udp", "[::1]:53"),
			probe("echo"),
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
	})
}

func TestLoopback(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { tcp.Close() })
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b, err := newBox(Config{Loopback: true}, level)
		require.NoError(t, err)
		defer b.Close()
		probe := giveProbe(t, b)
		must(t, b, probe("echo"))
		_, exit := run(t, b, probe("dial", "tcp", tcp.Addr().String()))
		require.NotZero(t, exit, "it is the host's loopback")
	})
	_, err = newBox(Config{Loopback: true}, contain.Landlock)
	require.ErrorContains(t, err, "needs namespaces")
}

func TestUnixSocketsOfTheHost(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		dir := openDir(t)
		path := filepath.Join(dir, "s")
		named, err := net.Listen("unix", path)
		require.NoError(t, err)
		defer named.Close()
		require.NoError(t, os.Chmod(path, 0o777))
		abstract := "@" + filepath.Base(dir)
		nameless, err := net.Listen("unix", abstract)
		require.NoError(t, err)
		defer nameless.Close()
		b := makeBox(t, level, nil)
		probe := giveProbe(t, b)
		for _, address := range []string{path, abstract} {
			out, exit := run(t, b, probe("dial", "unix", address))
			require.NotZero(t, exit, "%s\n%s", address, out)
		}
	})
}

func TestCallsThatReachPastTheBox(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		probe := giveProbe(t, b)
		for _, script := range []string{
			probe("unshare"), probe("clone"), probe("mount", b.Dir()), probe("io_uring"), probe("setuid"),
			probe("chroot", "."), "unshare -Ur true", "su -c true", "mknod x b 254 0", "sudo -n true",
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
		require.NotZero(t, strings.Compare("0", strings.TrimSpace(must(t, b, "id -u"))))
		must(t, b, "cp /bin/bash x && chmod 4755 x; ./x -c true")
		require.Equal(t, "0000000000000000\n", must(t, b, `while read k v; do case $k in CapEff:) echo $v;; esac; done < <(cat /proc/self/status 2>/dev/null || echo "CapEff: 0000000000000000")`))
	})
}

func TestTwoBoxesCannotSeeEachOther(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		a, b := makeBox(t, level, nil), makeBox(t, level, nil)
		must(t, a, "echo hunter2 > secret; chmod -R 777 .; echo hunter2 > /tmp/secret; chmod 777 ~; true")
		p, err := a.Start(context.Background(), "sleep 60.5", new(bytes.Buffer))
		require.NoError(t, err)
		for _, script := range []string{
			"cat " + a.Dir() + "/secret", "ls " + a.Dir(), "ls " + a.spec.World, "echo x > " + a.Dir() + "/secret",
			"echo x > " + a.spec.Home + "/x", "cat /tmp/secret", "ls " + filepath.Dir(a.spec.World) + " | grep " + filepath.Base(a.spec.World),
			"cat /proc/*/cwd/secret",
		} {
			out, exit := run(t, b, script)
			require.NotZero(t, exit, "%s\n%s", script, out)
		}
		_, _ = run(t, b, "kill -9 -1")
		select {
		case <-p.(*process).done:
			require.Fail(t, "the other box's command ended")
		default:
		}
		require.NoError(t, errOf(a.Check(), b.Check()))
	})
}

// errOf is the first error.
func errOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestHonestWritesToTemporaryDirectories(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		name := "f" + randomName()
		b := makeBox(t, level, nil)
		out := must(t, b, fmt.Sprintf("for d in /tmp /var/tmp /dev/shm $TMPDIR; do echo x > $d/%s && cat $d/%[1]s; done", name))
		require.Equal(t, "x\nx\nx\nx\n", out)
		require.Equal(t, "x\n", must(t, b, "cat /tmp/"+name), "it stays from command to command")
		for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
			require.NoFileExists(t, filepath.Join(dir, name))
		}
	})
}

func TestWhatABoxShowsOfTheHost(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		host, err := os.Hostname()
		require.NoError(t, err)
		require.Equal(t, "dev\nlocalhost\n", must(t, b, "whoami; hostname 2>/dev/null || cat /etc/hostname"))
		out := must(t, b, "cat /etc/hostname /etc/hosts /etc/passwd; cat /proc/sys/kernel/hostname")
		require.NotContains(t, strings.Fields(out), host)
		require.Equal(t, "home\nproject\ntmp\n", must(t, b, "ls -A .."))
		require.Equal(t, "init\n", must(t, b, "cat /proc/1/comm"))
		require.Equal(t, "init\x00", must(t, b, "cat /proc/1/cmdline"))
		require.NotContains(t, must(t, b, "cat /proc/self/mountinfo /proc/self/mounts"), "old_root")
		// Two: the init and the shell; ls is the third.
		out = must(t, b, "ls -d /proc/[0-9]* | wc -l")
		require.LessOrEqual(t, len(strings.TrimSpace(out)), 1, out)
	})
}

func TestNamesRevealNothing(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		script := "env | grep -v ^PATH=; pwd; ls -Ra .. 2>/dev/null; whoami; cat ~/.gitconfig"
		if level != contain.None {
			script += "; ls -a / ~ 2>/dev/null; cat /proc/1/cmdline /proc/self/mountinfo 2>/dev/null"
		}
		out, _ := run(t, b, script)
		for _, word := range []string{"eval", "deeds", "test", "sandbox", "case", "canary", "bench", "score", "judge"} {
			require.NotContains(t, strings.ToLower(out), word)
		}
	})
}

func TestForkBomb(t *testing.T) {
	// Not parallel: whatever else runs would suffer.
	for _, level := range heldLevels {
		t.Run(string(level), func(t *testing.T) {
			needLevel(t, level)
			b := makeBox(t, level, nil)
			b.spec.Limits.Processes = 150 // a bomb all the same, and kinder to the machine
			p, err := b.Start(context.Background(), `bomb() { bomb | bomb & sleep 1; }; bomb 2>/dev/null; sleep 60`, new(bytes.Buffer))
			require.NoError(t, err)
			time.Sleep(700 * time.Millisecond)
			// The machine is still usable.
			began := time.Now()
			require.NoError(t, exec.Command("true").Run())
			require.Less(t, time.Since(began), 10*time.Second)
			require.NoError(t, p.Kill())
			_, err = p.Wait(context.Background())
			require.NoError(t, err)
			require.Equal(t, "again\n", must(t, b, "echo again"))

			// And once more, ended by Close.
			_, err = b.Start(context.Background(), `bomb() { (setsid -f bash -c "$1" _ "$1") & bomb "$1" & }; bomb 'while :; do sleep 9 & sleep 9 & sleep 1; done' 2>/dev/null; sleep 60`, new(bytes.Buffer))
			require.NoError(t, err)
			time.Sleep(400 * time.Millisecond)
			require.NoError(t, b.Close())
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		require.Equal(t, "0\n1048576\n4096\n", must(t, b, "ulimit -c; ulimit -f; ulimit -n"))
		_, exit := run(t, b, "truncate -s 1073741825 big")
		require.NotZero(t, exit)
		must(t, b, "truncate -s 1073741824 big && rm big")
	})
}

// TestAKilledCallerLeavesNoProcess kills a process that holds a box, as kill -9 does.
func TestAKilledCallerLeavesNoProcess(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		cmd := exec.Command("/proc/self/exe")
		cmd.Env = append(os.Environ(), "PROBE=own", "LEVEL="+string(level))
		cmd.Args = []string{"tests"}
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		buf := make([]byte, 512)
		n, err := out.Read(buf)
		world := strings.TrimSpace(string(buf[:n]))
		require.NoError(t, err)
		require.DirExists(t, world)
		defer removeAll(world)
		size := func() (n int64) {
			beats, _ := filepath.Glob(world + "/project/beat.*")
			for _, b := range beats {
				if info, err := os.Stat(b); err == nil {
					n += info.Size()
				}
			}
			return n
		}
		was := size()
		eventually(t, "they beat", func() bool { return size() > was })

		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		eventually(t, "nothing beats any more", func() bool {
			was := size()
			time.Sleep(100 * time.Millisecond)
			return size() == was
		})

		// And the next run tidies up, once the world is old enough.
		require.DirExists(t, world)
		parent := filepath.Dir(world)
		cleaned.Delete(parent)
		clean(parent)
		require.DirExists(t, world, "too young")
		old := time.Now().Add(-time.Hour)
		require.NoError(t, os.Chtimes(world, old, old))
		live := makeBox(t, level, nil)
		require.NoError(t, os.Chtimes(live.spec.World, old, old))
		eventually(t, "it is gone", func() bool {
			cleaned.Delete(parent)
			clean(parent)
			_, err := os.Lstat(world)
			return err != nil
		})
		require.DirExists(t, live.spec.World, "one that is in use stays")
	})
}

// TestAWorldThatWasNeverFinishedIsRemoved is about a run that is killed while it
// makes one.
func TestAWorldThatWasNeverFinishedIsRemoved(t *testing.T) {
	t.Parallel()
	parent := openDir(t)
	past := time.Now().Add(-time.Hour)
	for _, dir := range []string{"w-empty", "w-begun/project", "w-begun/home", filepath.Join("w-other", "home", "x"), "w-young", "x-empty"} {
		require.NoError(t, os.MkdirAll(filepath.Join(parent, dir), 0o755))
	}
	for _, dir := range []string{"w-empty", "w-begun", "w-other", "x-empty"} {
		require.NoError(t, os.Chtimes(filepath.Join(parent, dir), past, past))
	}
	clean(parent)
	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	require.Equal(t, []string{"w-other", "w-young", "x-empty"}, left)
	require.DirExists(t, filepath.Join(parent, "w-other", "home", "x"))
}

func TestTheInitCanBeLostAndComesBack(t *testing.T) {
	t.Parallel()
	forEachLevel(t, allLevels, func(t *testing.T, level contain.Level) {
		b := makeBox(t, level, nil)
		p, err := b.Start(context.Background(), "sleep 60", new(bytes.Buffer))
		require.NoError(t, err)
		require.NoError(t, unix.Kill(b.holder.(initHolder).PID(), unix.SIGKILL))
		_, err = p.Wait(context.Background())
		require.ErrorIs(t, err, contain.ErrGone)
		require.Equal(t, "back\n", must(t, b, "echo back"))
	})
}

func TestAvailable(t *testing.T) {
	t.Parallel()
	level, err := Available(None)
	require.NoError(t, err)
	require.Equal(t, "none", level)
	_, err = Available("some")
	require.ErrorContains(t, err, `no containment "some"`)
	_, err = New(Config{Containment: "some"})
	require.Error(t, err)
	best, err := Available("")
	require.NoError(t, err)
	strict, err := Available(Strict)
	if err == nil {
		require.Equal(t, best, strict)
		b, err := New(Config{Containment: Strict})
		require.NoError(t, err)
		require.True(t, b.Strict())
		require.NoError(t, b.Close())
	} else {
		var u *Unavailable
		require.ErrorAs(t, err, &u)
		require.NotEmpty(t, u.Hint())
	}
}

func TestHiddenDirectories(t *testing.T) {
	t.Parallel()
	forEachLevel(t, heldLevels, func(t *testing.T, level contain.Level) {
		dir := openDir(t)
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/private"), 0o755))
		writeFile(t, filepath.Join(dir, "a/private/secret"), "hunter2")
		writeFile(t, filepath.Join(dir, "a/public"), "public")
		writeFile(t, filepath.Join(dir, "tool"), "#!/bin/sh\necho tool\n")
		require.NoError(t, os.Chmod(filepath.Join(dir, "tool"), 0o755))
		b, err := newBox(Config{Visible: []string{dir}}, level)
		require.NoError(t, err)
		defer b.Close()
		b.spec.Hidden = append(b.spec.Hidden, filepath.Join(dir, "a/private"))
		require.Equal(t, "tool\npublic", must(t, b, dir+"/tool; cat "+dir+"/a/public"))
		out, exit := run(t, b, "cat "+dir+"/a/private/secret")
		require.NotZero(t, exit, out)
		_, exit = run(t, b, "echo x >> "+dir+"/a/public")
		require.NotZero(t, exit)
	})
}

func TestSearchPath(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	bin := filepath.Join(home, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	t.Setenv("PATH", strings.Join([]string{bin, "relative", "", "/usr/bin", "/missing", "/usr/bin"}, ":"))
	s := contain.Spec{Level: contain.Namespaces}
	s.Visible, s.Hidden = visible(nil)
	dirs := strings.Split(searchPath(s), ":")
	require.Equal(t, "/usr/bin", dirs[0])
	require.NotContains(t, dirs, bin)
	require.NotContains(t, dirs, "relative")
	require.NotContains(t, dirs, "/missing")

	// A home in the midst of the system's directories is hidden.
	s.Visible, s.Hidden = visible([]string{filepath.Dir(home)})
	require.Contains(t, s.Hidden, real(home))
	require.NotContains(t, strings.Split(searchPath(s), ":"), bin)
}

func TestABoxBelowTheTemporaryDirectory(t *testing.T) {
	t.Parallel()
	forEachLevel(t, viewedLevels, func(t *testing.T, level contain.Level) {
		parent := openDir(t)
		writeFile(t, filepath.Join(parent, "other"), "x")
		b, err := newBox(Config{Parent: parent}, level)
		require.NoError(t, err)
		require.Equal(t, b.Dir()+"\nhome\nproject\ntmp\n", must(t, b, "pwd; ls .."))
		must(t, b, "echo x > /tmp/f && echo x > f && [ ! -e "+parent+"/other ]")
		_, exit := run(t, b, "echo x > ../x")
		require.NotZero(t, exit)
		require.NoError(t, b.Check())
		require.NoError(t, b.Close())
		entries, err := os.ReadDir(parent)
		require.NoError(t, err)
		require.Len(t, entries, 1)
	})
}

func TestAPlaceThatCommandsCannotGetTo(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("commands run as the same user")
	}
	needLevel(t, contain.Landlock)
	parent := openDir(t)
	require.NoError(t, os.Chmod(parent, 0o700))
	_, err := newBox(Config{Parent: parent}, contain.Landlock)
	require.ErrorContains(t, err, "who cannot get to")
	b, err := newBox(Config{Parent: parent}, contain.Mounts)
	require.NoError(t, err)
	defer b.Close()
	require.Equal(t, "hi\n", must(t, b, "echo hi > f; cat f"))
}
