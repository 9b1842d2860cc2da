package agent

import (
	_ "github.com/deeds-evals/deeds/internal/gateway"
	_ "github.com/unheard/of"
)

func New() {}
