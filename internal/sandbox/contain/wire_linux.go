package contain

import (
	"encoding/json"
	"fmt"

	"golang.org/x/sys/unix"
)

// guard is the variable that makes a process an init; socketFD is its value, the
// descriptor on which it is told what to do.
const (
	guard    = "INIT_SOCKET"
	socketFD = 3
)

// A request is what an init is asked, one packet each. A start comes with two
// descriptors: the script, and where output goes.
type request struct {
	Op   string `json:"op"`
	ID   uint64 `json:"id,omitempty"`
	Spec *Spec  `json:"spec,omitempty"`
}

// The requests.
const (
	opSetUp = "set-up" // first and once
	opStart = "start"
	opKill  = "kill" // one command and all that descends from it
	opEnd   = "end"  // everything
)

// A reply is what an init answers or reports.
type reply struct {
	Event string `json:"event"`
	ID    uint64 `json:"id,omitempty"`
	Exit  int    `json:"exit,omitempty"`
	Error string `json:"error,omitempty"`
}

// The events. Each but exited answers a request, and carries an error if it failed.
const (
	evReady   = "ready"
	evStarted = "started"
	evExited  = "exited"
	evKilled  = "killed"
	evEnded   = "ended"
)

// maxPacket is the largest message either way. Scripts and output do not travel in
// messages, so that none comes near it.
const maxPacket = 64 << 10

// receive reads one packet and its descriptors. No bytes mean that the other side
// is gone.
func receive(fd int, buf []byte) (n int, fds []int, err error) {
	oob := make([]byte, unix.CmsgSpace(4*4))
	var oobn int
	for {
		n, oobn, _, _, err = unix.Recvmsg(fd, buf, oob, unix.MSG_CMSG_CLOEXEC)
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return 0, nil, err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		return 0, nil, err
	}
	for _, m := range messages {
		got, err := unix.ParseUnixRights(&m)
		if err != nil {
			continue
		}
		fds = append(fds, got...)
	}
	return n, fds, nil
}

// send writes one packet.
func send(fd int, message any) error {
	b, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if len(b) > maxPacket {
		return fmt.Errorf("a message of %d bytes is too long", len(b))
	}
	for {
		err = unix.Sendto(fd, b, unix.MSG_NOSIGNAL, nil)
		if err != unix.EINTR {
			return err
		}
	}
}
