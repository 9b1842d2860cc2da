package tools

import (
	"io/fs"

	"github.com/spf13/afero"
)

// nothing is a file system without files.
type nothing struct{ afero.Fs }

func (nothing) Stat(string) (fs.FileInfo, error) { return nil, fs.ErrNotExist }
