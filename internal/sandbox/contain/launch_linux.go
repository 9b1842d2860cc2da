package contain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An Init is the init process of a box, seen from outside.
type Init struct {
	cmd     *exec.Cmd
	socket  *net.UnixConn
	stderr  *os.File
	uid     int
	private bool        // it has a PID namespace
	swept   atomic.Bool // it has said that everything has ended

	sending sync.Mutex
	gone    chan struct{} // closed when the init has ended

	mu       sync.Mutex
	last     uint64
	pending  map[key]chan reply
	commands map[uint64]chan<- int
	closed   bool
}

// A key says what answers what.
type key struct {
	event string
	id    uint64
}

// ErrGone says that the init has ended, and everything with it.
var ErrGone = errors.New("the process that holds the commands has ended")

// Launch starts the init of a box.
func Launch(spec Spec) (*Init, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "socket")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, fmt.Errorf("making a socket: it is a %T", conn)
	}
	stderr, err := memoryFile("log", "")
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}

	spec.Mapped = spec.Level.Private() && os.Getuid() != 0
	cmd := &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        []string{"init"},
		Env:         []string{fmt.Sprintf("%s=%d", guard, socketFD), "GOMAXPROCS=1", "GOTRACEBACK=single"},
		Dir:         "/",
		Stderr:      stderr,
		ExtraFiles:  []*os.File{theirs},
		SysProcAttr: attributes(spec),
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the init process: %w", err), socket.Close(), stderr.Close())
	}
	theirs.Close() // now, so that the init's end is seen

	i := &Init{
		cmd: cmd, socket: socket, stderr: stderr, uid: spec.UID, private: spec.Level.Private(), gone: make(chan struct{}),
		pending: make(map[key]chan reply), commands: make(map[uint64]chan<- int),
	}
	go i.listen()
	if err := i.ask(request{Op: opSetUp, Spec: &spec}, evReady, nil); err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

// attributes are those of the init process.
func attributes(spec Spec) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if !spec.Level.Private() {
		return attr
	}
	attr.Cloneflags = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP
	if spec.Mapped {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: mappedID, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: mappedID, HostID: os.Getgid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
	}
	return attr
}

// mappedID is the user that an ordinary user becomes in a box.
const mappedID = 1000

// listen hands out what the init says until it is gone.
func (i *Init) listen() {
	buf := make([]byte, maxPacket)
	for {
		n, err := i.socket.Read(buf)
		if err != nil || n == 0 {
			break
		}
		var r reply
		if json.Unmarshal(buf[:n], &r) != nil {
			break
		}
		i.mu.Lock()
		if r.Event == evExited {
			if exit, ok := i.commands[r.ID]; ok {
				exit <- r.Exit // has room for one
				delete(i.commands, r.ID)
			}
		} else if answer, ok := i.pending[key{r.Event, r.ID}]; ok {
			answer <- r // has room for one
			delete(i.pending, key{r.Event, r.ID})
		}
		i.mu.Unlock()
	}
	_ = i.cmd.Process.Kill()
	_ = i.cmd.Wait() // in a PID namespace, this is when all of it is gone
	if i.uid != 0 && !i.private && !i.swept.Load() {
		// Something made an end of the init before it could see to this.
		_ = sweep(func() []int { return processesOf(i.uid) })
	}
	close(i.gone)
}

// answerTime is how long an init has to answer. It is far more than it needs, and
// keeps one that was brought to a halt from halting the run.
const answerTime = 2 * patience

// ask sends a request and waits for its answer.
func (i *Init) ask(r request, event string, fds []int) error {
	answer, k := make(chan reply, 1), key{event, r.ID}
	i.mu.Lock()
	i.pending[k] = answer
	i.mu.Unlock()
	defer func() {
		i.mu.Lock()
		delete(i.pending, k)
		i.mu.Unlock()
	}()

	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	i.sending.Lock()
	_, _, err = i.socket.WriteMsgUnix(b, rights, nil)
	i.sending.Unlock()
	if err != nil {
		return i.Fault()
	}
	late := time.NewTimer(answerTime)
	defer late.Stop()
	select {
	case a := <-answer:
		if a.Error != "" {
			return errors.New(a.Error)
		}
		return nil
	case <-i.gone:
		return i.Fault()
	case <-late.C:
		_ = i.cmd.Process.Kill()
		return fmt.Errorf("%w: it did not answer for %v", ErrGone, answerTime)
	}
}

// Fault is ErrGone with the init's last words.
func (i *Init) Fault() error {
	b := make([]byte, 2048)
	n, _ := i.stderr.ReadAt(b, 0)
	if words := strings.TrimSpace(string(b[:n])); words != "" {
		return fmt.Errorf("%w: %s", ErrGone, words)
	}
	return ErrGone
}

// Gone is closed when the init has ended.
func (i *Init) Gone() <-chan struct{} { return i.gone }

// PID is the process id of the init.
func (i *Init) PID() int { return i.cmd.Process.Pid }

// A Command is a bash that was started.
type Command struct {
	init    *Init
	id      uint64
	exit    chan int
	killing sync.Mutex
}

// Start begins bash -c script. What it writes goes to output, which the caller
// closes.
func (i *Init) Start(script string, output *os.File) (*Command, error) {
	text, err := memoryFile("script", script)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	if i.uid != 0 {
		// echo > /dev/stderr opens the pipe anew, as who may. What is no pipe has a
		// name, and belongs to somebody.
		if err := givePipe(output, i.uid); err != nil {
			return nil, fmt.Errorf("handing over the output: %w", err)
		}
	}
	i.mu.Lock()
	i.last++
	c := &Command{init: i, id: i.last, exit: make(chan int, 1)}
	i.commands[c.id] = c.exit
	i.mu.Unlock()
	// A descriptor that does not block is not what programs expect for their output.
	if err := unix.SetNonblock(int(output.Fd()), false); err != nil {
		return nil, fmt.Errorf("handing over the output: %w", err)
	}
	fds := []int{int(text.Fd()), int(output.Fd())}
	if err := i.ask(request{Op: opStart, ID: c.id}, evStarted, fds); err != nil {
		i.mu.Lock()
		delete(i.commands, c.id)
		i.mu.Unlock()
		return nil, err
	}
	return c, nil
}

// givePipe makes a user the owner of a file if it is a pipe.
func givePipe(f *os.File, uid int) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Type() != os.ModeNamedPipe {
		return err
	}
	return f.Chown(uid, uid)
}

// Exit delivers the exit status, once.
func (c *Command) Exit() <-chan int { return c.exit }

// Kill ends the command and all that descends from it, and returns when it is gone.
func (c *Command) Kill() error {
	// Two at a time would wait for one answer.
	c.killing.Lock()
	defer c.killing.Unlock()
	err := c.init.ask(request{Op: opKill, ID: c.id}, evKilled, nil)
	if errors.Is(err, ErrGone) {
		return nil // and it with it
	}
	return err
}

// Close ends everything.
func (i *Init) Close() error {
	i.mu.Lock()
	closed := i.closed
	i.closed = true
	i.mu.Unlock()
	if closed {
		<-i.gone
		return nil
	}
	err := i.ask(request{Op: opEnd}, evEnded, nil)
	i.swept.Store(err == nil)
	if errors.Is(err, ErrGone) {
		err = nil
	}
	_ = i.socket.Close()
	<-i.gone
	return errors.Join(err, i.stderr.Close())
}

// memoryFile makes a nameless file in memory.
func memoryFile(name, text string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("making a file in memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	if _, err := io.WriteString(f, text); err != nil {
		return nil, errors.Join(fmt.Errorf("writing a file in memory: %w", err), f.Close())
	}
	return f, nil
}
