package sandbox

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
)

// Containment is how well commands are to be held in.
type Containment string

// The containments. The zero value is Best.
const (
	None   Containment = "none"   // not at all
	Best   Containment = "best"   // as well as the machine allows, be it not at all
	Strict Containment = "strict" // entirely, or there is no box
)

// Config says what box to make.
type Config struct {
	// Files is the workspace to begin with. Modes, times and symbolic links are
	// kept where it tells them. Nil is an empty workspace.
	Files fs.FS
	// Containment is how well commands are held in.
	Containment Containment
	// Parent is the directory to make the box in. Empty picks one in memory where
	// there is room, else the directory for temporary files.
	Parent string
	// Name makes names for directories that an agent may see: short, neutral, and
	// new each time. Nil draws them at random.
	Name func() string
	// Loopback gives commands a loopback network of their own. It needs namespaces.
	Loopback bool
	// Visible are more directories of the host that commands may read and run, for
	// tools that are installed outside of the system's directories.
	Visible []string
}

// randomName is the default for Config.Name.
func randomName() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// check says what is wrong with a containment.
func (c Containment) check() error {
	switch c {
	case "", None, Best, Strict:
		return nil
	}
	return fmt.Errorf("there is no containment %q; there are none, best and strict", string(c))
}
