package tools

import (
	memory "github.com/spf13/afero"

	_ "github.com/deeds-evals/deeds/results"
)

var (
	_ = memory.NewMemMapFs
	_ = memory.NewBasePathFs
	_ memory.OsFs
	_ memory.Fs
)
