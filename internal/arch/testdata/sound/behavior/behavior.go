package behavior

import _ "github.com/spf13/afero"

func Run(any, any) {}
