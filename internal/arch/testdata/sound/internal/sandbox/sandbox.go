package sandbox

import "github.com/spf13/afero"

var _ = afero.NewMemMapFs
