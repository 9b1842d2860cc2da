//go:build !unix

package sandbox

import "io/fs"

// hardLinks is the number of names that a file has, 0 if that is not known.
func hardLinks(fs.FileInfo) int { return 0 }

// owner is the user that a file belongs to, -1 if that is not known.
func owner(fs.FileInfo) int { return -1 }

// Flags for opening that this system does not have.
const noWait, noFollow = 0, 0
