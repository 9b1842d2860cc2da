package behavior

import (
	_ "github.com/deeds-evals/deeds/evals/chain"
	_ "github.com/sashabaranov/go-openai"
	_ "github.com/stretchr/testify/require"
	_ "golang.org/x/tools/txtar"
)
