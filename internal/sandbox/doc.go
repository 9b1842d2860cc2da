// Package sandbox gives an agent a world of its own: a workspace, a home and a
// temporary directory, made for one attempt and gone after it.
//
// A [Box] is reached in two ways. [Box.Fs] is the workspace for file tools; it never
// leaves the workspace, whatever links lie in it; [Box.HomeFs] and [Box.ScratchFs]
// are the same for the home and the temporary directory. [Box.Start] runs real bash
// there, contained as far as the machine allows. [Box.Lay] changes the workspace from
// outside. What was done is read off with [Box.Snapshot] and its like and with
// [Box.Stamp], and [Box.Check] says whether something outside was touched.
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
// # Repositories
//
// A snapshot lists a repository as one file: a directory ".git", and any other
// directory that holds a HEAD, objects and refs, which is a bare one; one whose name
// ends in ".git" right below a ".git" too. Its content does not depend on how git
// stores it, and consists of records:
//
//	HEAD ref: refs/heads/main             as the file has it: a ref or a hash
//	pending merge                         merge, cherry-pick, revert, rebase or bisect is under way
//	config SIZE                           the configuration
//	hook NAME MODE SIZE                   a hook and its permission bits, as 755; samples are left out
//	ref HASH NAME                         by name
//	symref NAME<tab>TARGET                a ref that says something else, as "refs/heads/main"
//	index MODE HASH STAGE<tab>PATH        in git's order; STAGE is not 0 in a conflict
//	worktree PATH<tab>HEAD                a linked worktree, by path, relative to the workspace where it is in it
//	stash HASH<tab>MESSAGE                stash@{0} first
//	commit HASH SIZE                      the commits that HEAD, refs, worktrees and stashes lead to, children first
//	change STATUS MODE HASH<tab>PATH      what the commit before it did against its first parent: A, M, D or T
//	lost HASH SIZE                        a commit that nothing leads to any more, by hash
//	tag HASH SIZE                         an annotated tag, by hash
//	blob HASH SIZE                        the content of a file, reachable or not, by hash
//	large HASH SIZE                       the same, left out
//
// A record is a line. One that begins with config, hook, commit, lost, tag or blob is
// followed by SIZE bytes as they are and a newline: the object as git cat-file gives
// it, for a commit its headers, an empty line and its message. Every PATH, NAME, HEAD
// and MESSAGE that holds a control character, a double quote, a backslash or a byte
// that is no UTF-8 is quoted as by [strconv.Quote]. MODE is as git writes it, six
// digits, and 000000 with a HASH of zeros for a file that was removed.
//
// Contents are kept of blobs up to 64 KiB, as long as they are no more than 4 MiB
// together. A repository of which this cannot be told, because it is damaged or
// there is no git, is listed file by file.
//
// # Limits
//
// A command can have some hundred processes, no core files, and no file over a
// gigabyte. Memory and the sum of all files are not bounded; the box is marked as
// what the kernel should end first when memory runs out. Where the workspace is in
// memory, files count as that.
//
// A snapshot keeps 64 MiB of content, and other files by digest. Of large files
// it reads 4 GiB, and of those beyond only the ends: a sparse file costs nothing to
// make, and a second for each gigabyte to read.
package sandbox
