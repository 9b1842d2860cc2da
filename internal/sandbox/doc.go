// Package sandbox gives an agent a world of its own: a workspace, a home and a
// temporary directory, made for one attempt and gone after it.
//
// A [Box] is reached in two ways. [Box.Fs] is the workspace for file tools; it never
// leaves the workspace, whatever links lie in it. [Box.Start] runs real bash there,
// contained as far as the machine allows. What was done is read off with
// [Box.Snapshot] and [Box.Stamp], and [Box.Check] says whether something outside was
// touched.
//
// # Levels
//
// [Config].Containment asks, [Box.Level] tells what it came to:
//
//   - namespaces: a private view of files, processes, network, IPC and host name,
//     and Landlock, and a system call filter. It is the only level that is strict.
//     Of the host only system directories can be seen, read-only; no process of the
//     host exists; /tmp is the box's own; there is no network.
//   - mounts: the same on a kernel without Landlock.
//   - landlock: Landlock and a system call filter. Nothing outside can be written,
//     nor read but for system directories; there is no network, and /proc and /tmp
//     are closed. But the host's names, processes and file metadata show, and where
//     the run is no root's, mode, times and extended attributes of its user's own
//     files can be changed; before Linux 6.12 its user's processes can be signalled too,
//     and before 6.2 its user's files truncated.
//   - none: nothing is held back, but every descendant is still found and ended. A
//     command can do what the run can: as root, end every process of the machine.
//
// Where a run is root's, commands run as an ordinary user that nothing else runs as, at
// every level but none.
//
// Linux has all levels. On other systems there is only none, and a command's
// descendants are its process group: a daemon that leaves the group is not found.
//
// # Limits
//
// A command can have some hundred processes, no core files, and no file over a
// gigabyte. Memory and the sum of all files are not bounded; the box is marked as
// what the kernel should end first when memory runs out. Where the workspace is in
// memory, files count as that.
//
// [Box.Snapshot] keeps 64 MiB of content, and other files by digest. Of large files
// it reads 4 GiB, and of those beyond only the ends: a sparse file costs nothing to
// make, and a second for each gigabyte to read.
package sandbox
