package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/deeds-evals/deeds/internal/sandbox/contain"
)

// Levels by what they hold.
var (
	allLevels    = []contain.Level{contain.None, contain.Landlock, contain.Mounts, contain.Namespaces}
	heldLevels   = []contain.Level{contain.Landlock, contain.Mounts, contain.Namespaces}
	viewedLevels = []contain.Level{contain.Mounts, contain.Namespaces}
)

// needLevel skips a test whose level this machine cannot give.
func needLevel(t *testing.T, l contain.Level) {
	t.Helper()
	if err := works(l)(); err != nil {
		t.Skipf("level %s is not to be had here: %v", l, err)
	}
}

// TestAsOrdinaryUser runs all other tests once more as a user who is not root.
func TestAsOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the tests run as an ordinary user as it is")
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("/tmp", "u-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	require.NoError(t, os.Chown(dir, nobody, nobody))
	binary := filepath.Join(dir, "tests")
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(binary, self, 0o755))
	temp := filepath.Join(dir, "tmp")
	require.NoError(t, os.Mkdir(temp, 0o755))
	require.NoError(t, os.Chown(temp, nobody, nobody))

	args := []string{"-test.timeout=5m"}
	if testing.Verbose() {
		args = append(args, "-test.v")
	}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + temp}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "as user %d:\n%s", nobody, out)
	require.Contains(t, string(out), "PASS")
	t.Logf("as user %d:\n%s", nobody, out)
}

// probe tries something that bash cannot, and says how it went.
func probe(name string, args []string) int {
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	number := func(i int) int { n, _ := strconv.Atoi(arg(i)); return n }
	var err error
	switch name {
	case "dial":
		var c net.Conn
		if c, err = net.DialTimeout(arg(0), arg(1), 2*time.Second); err == nil {
			_, err = c.Write([]byte("x"))
		}
	case "echo": // a whole conversation over loopback
		err = loopbackEcho()
	case "ptrace":
		err = unix.PtraceAttach(number(0))
	case "readv":
		buf := make([]byte, 8)
		local := []unix.Iovec{{Base: &buf[0], Len: 8}}
		_, err = unix.ProcessVMReadv(number(0), local, []unix.RemoteIovec{{Base: 0x1000, Len: 8}}, 0)
	case "unshare":
		err = unix.Unshare(unix.CLONE_NEWUSER)
	case "clone":
		runtime.LockOSThread()
		pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, unix.CLONE_NEWUSER|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		if errno == 0 && pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT, 0, 0, 0)
		}
		if errno != 0 {
			err = errno
		}
	case "mount":
		err = unix.Mount("tmpfs", arg(0), "tmpfs", 0, "")
	case "io_uring":
		params := make([]byte, 256)
		if _, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params[0])), 0); errno != 0 {
			err = errno
		}
	case "kill":
		err = unix.Kill(number(0), unix.Signal(number(1)))
	case "chown":
		err = os.Chown(arg(0), number(1), number(1))
	case "setuid":
		err = unix.Setuid(0)
	case "chroot":
		err = unix.Chroot(arg(0))
	case "prlimit":
		limit := unix.Rlimit{}
		err = unix.Prlimit(number(0), unix.RLIMIT_CORE, &limit, nil)
	case "affinity":
		set := unix.CPUSet{}
		set.Set(0)
		err = unix.SchedSetaffinity(number(0), &set)
	case "renice":
		err = unix.Setpriority(unix.PRIO_PROCESS, number(0), 5)
	case "batch": // a scheduler of lower rank
		var param int32
		if _, _, errno := unix.Syscall(unix.SYS_SCHED_SETSCHEDULER, uintptr(number(0)), unix.SCHED_BATCH, uintptr(unsafe.Pointer(&param))); errno != 0 {
			err = errno
		}
	case "ioprio":
		if _, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, 1, uintptr(number(0)), 3<<13); errno != 0 {
			err = errno
		}
	case "ipc": // memory that is the host's where IPC is
		if _, _, errno := unix.Syscall(unix.SYS_SHMGET, 0x5eed, 4096, 0o1600); errno != 0 {
			err = errno
		}
	case "nproc":
		err = unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	case "deep": // a tree too deep to hold a descriptor for each level
		for range number(0) {
			if err = errors.Join(os.Mkdir("d", 0o755), os.Chdir("d")); err != nil {
				break
			}
		}
	case "own": // makes a box with a command in it and waits to be killed
		return ownBox()
	default:
		err = fmt.Errorf("no probe %q", name)
	}
	if err != nil {
		fmt.Printf("refused: %v\n", err)
		return 1
	}
	fmt.Println("done")
	return 0
}

// loopbackEcho talks to itself over TCP.
func loopbackEcho() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = io.Copy(c, c)
			_ = c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	defer c.Close()
	buf := make([]byte, 1)
	_, err = c.Write([]byte("x"))
	if err == nil {
		_, err = io.ReadFull(c, buf)
	}
	return err
}

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	rest := string(b[strings.LastIndexByte(string(b), ')')+1:])
	return !strings.HasPrefix(strings.TrimSpace(rest), "Z")
}

// giveProbe puts the test binary into the workspace, for what bash cannot try.
func giveProbe(t testing.TB, b *Box) (run func(name string, args ...string) string) {
	t.Helper()
	self, err := os.ReadFile("/proc/self/exe")
	require.NoError(t, err)
	path := filepath.Join(b.Dir(), "probe")
	require.NoError(t, os.WriteFile(path, self, 0o755))
	return func(name string, args ...string) string {
		words := fmt.Sprintf("PROBE=%s ./probe", name)
		for _, a := range args {
			words += " " + quote(a)
		}
		return words
	}
}
