package tools

import (
	"github.com/spf13/afero"

	_ "github.com/bmatcuk/doublestar/v4"
)

var _ = afero.NewIOFS

var _ afero.Fs
