package contain

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

func init() {
	if len(os.Args) != 1 || os.Args[0] != "init" || os.Getenv(guard) != strconv.Itoa(socketFD) {
		return
	}
	os.Exit(serve(socketFD))
}

// A server is an init at work.
type server struct {
	fd   int
	spec Spec
	run  *spawner

	mu       sync.Mutex // held over every fork, so that no exit is seen before its start
	commands map[int]uint64
}

// serve is the life of an init. It ends when the other side of the socket does,
// and takes everything it started with it.
func serve(fd int) int {
	// What the run was given by its own caller, be it a terminal, a lock or a pipe with
	// a secret in it, is none of the commands' business.
	if err := closeOnExec(fd); err != nil {
		_ = send(fd, reply{Event: evReady, Error: err.Error()})
		return 1
	}
	sacrifice() // while the process still owns its own /proc
	// To whom the name is shown: ps in the box.
	_ = unix.Prctl(unix.PR_SET_NAME, uintptr(bytePtr("init")), 0, 0, 0)
	// Nobody may look into /proc/<init>: its binary and environment are the caller's.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)

	// Caught, not ignored: what is ignored would stay ignored in every command.
	signals := make(chan os.Signal, 64)
	signal.Notify(signals)

	s := &server{fd: fd, commands: make(map[int]uint64)}
	if err := s.setUp(); err != nil {
		_ = send(fd, reply{Event: evReady, Error: err.Error()})
		return 1
	}
	go s.reap(signals)
	if err := send(fd, reply{Event: evReady}); err != nil {
		return 1
	}
	buf := make([]byte, maxPacket)
	for {
		n, fds, err := receive(fd, buf)
		if err != nil || n == 0 {
			_ = s.end()
			return 0
		}
		var r request
		if err := json.Unmarshal(buf[:n], &r); err != nil {
			_ = s.end()
			return 1
		}
		s.answer(r, fds)
		for _, fd := range fds {
			_ = unix.Close(fd)
		}
	}
}

// answer does what a request asks.
func (s *server) answer(r request, fds []int) {
	var a reply
	var err error
	switch r.Op {
	case opStart:
		a = reply{Event: evStarted, ID: r.ID}
		err = s.start(r.ID, fds)
	case opKill:
		a = reply{Event: evKilled, ID: r.ID}
		err = s.kill(r.ID)
	case opEnd:
		a = reply{Event: evEnded, ID: r.ID}
		err = s.end()
	default:
		return
	}
	if err != nil {
		a.Error = err.Error()
	}
	if a.Event == evStarted {
		return // start has answered already, before the command could exit
	}
	_ = send(s.fd, a)
}

// setUp reads what box this is, and shuts the process in.
func (s *server) setUp() error {
	buf := make([]byte, maxPacket)
	n, _, err := receive(s.fd, buf)
	if err != nil {
		return fmt.Errorf("reading the specification: %w", err)
	}
	var r request
	if err := json.Unmarshal(buf[:n], &r); err != nil || r.Spec == nil {
		return fmt.Errorf("reading the specification: %d bytes that make no sense", n)
	}
	s.spec = *r.Spec

	// What loses its parent becomes ours. In a PID namespace that is so anyway.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming a reaper: %w", err)
	}
	hireThreads()
	if s.spec.Level.Private() {
		if err := buildView(s.spec); err != nil {
			return err
		}
		if err := unix.Sethostname([]byte("localhost")); err != nil {
			return fmt.Errorf("naming the host: %w", err)
		}
		if s.spec.Loopback {
			if err := raiseLoopback(); err != nil {
				return fmt.Errorf("raising the loopback interface: %w", err)
			}
		}
	}
	if err := limit(s.spec); err != nil {
		return err
	}
	s.run, err = newSpawner(s.spec)
	return err
}

// start forks one command and answers.
func (s *server) start(id uint64, fds []int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	pid, err := 0, error(nil)
	if len(fds) != 2 {
		err = fmt.Errorf("a start with %d descriptors", len(fds))
	} else {
		pid, err = s.run.start(id, fds[0], fds[1])
	}
	a := reply{Event: evStarted, ID: id}
	if err != nil {
		a.Error = err.Error()
	} else {
		s.commands[pid] = id
	}
	return send(s.fd, a)
}

// reap collects every process that ends, and reports those that are commands.
func (s *server) reap(signals <-chan os.Signal) {
	// Any signal will do: where so many come that one for an exit was dropped, one of
	// those that took its place is seen after it.
	for range signals {
		s.mu.Lock()
		for {
			var status unix.WaitStatus
			pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
			if err == unix.EINTR {
				continue
			}
			if err != nil || pid <= 0 {
				break
			}
			id, ok := s.commands[pid]
			if !ok {
				continue
			}
			delete(s.commands, pid)
			exit := status.ExitStatus()
			if status.Signaled() {
				exit = 128 + int(status.Signal())
			}
			_ = send(s.fd, reply{Event: evExited, ID: id, Exit: exit})
		}
		s.mu.Unlock()
	}
}
