package contain

// A Level says how much holds a command back. Each holds at least as much as the
// one before it.
type Level string

// The levels.
const (
	// None holds nothing back. Descendants are still found and ended.
	None Level = "none"
	// Landlock is Landlock and a seccomp filter: nothing outside the box can be
	// written, of the host only the system's directories can be read, and there is
	// no network. Files of the same user can still have their mode, owner and times
	// changed, and the existence of files and processes shows.
	Landlock Level = "landlock"
	// Mounts is a private view of the file system, of processes, of the network
	// and of IPC, with a seccomp filter, on a kernel without Landlock.
	Mounts Level = "mounts"
	// Namespaces is Mounts and Landlock together. It is the strict level.
	Namespaces Level = "namespaces"
)

// Private reports whether the level has namespaces.
func (l Level) Private() bool { return l == Mounts || l == Namespaces }

// landlocked reports whether the level has Landlock.
func (l Level) landlocked() bool { return l == Landlock || l == Namespaces }

// A Spec is what an init needs to know of its box.
type Spec struct {
	Level Level
	// World is the directory of the box. Its parts are Work, Home and Temp, and
	// Root, an empty directory to build the private view on.
	World, Work, Home, Temp, Root string

	// UID is the user and group that commands run as; 0 keeps those of the caller.
	UID int
	// Mapped says that the init has a user namespace, because the caller is no root.
	Mapped bool

	// Shell is the absolute path of bash, and Env the whole environment.
	Shell string
	Env   []string

	// Visible are directories of the host that can be read and run, and Hidden
	// those below them that cannot.
	Visible, Hidden []string

	// Loopback asks for a loopback interface; it needs namespaces.
	Loopback bool

	Limits Limits
}

// Limits bound what the commands of a box can use. Zero means no limit.
type Limits struct {
	Processes uint64 // processes and threads at a time
	FileSize  uint64 // bytes in one file
	Files     uint64 // open files of one process
}
