package agent

import _ "github.com/deeds-evals/deeds/internal/tools"
