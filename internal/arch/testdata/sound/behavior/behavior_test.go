package behavior_test

import (
	_ "github.com/spf13/afero"
	_ "github.com/stretchr/testify/require"
	_ "golang.org/x/tools/txtar"
	_ "gotest.tools/v3/golden"
	_ "os"
)
