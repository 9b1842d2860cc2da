package gateway

import _ "github.com/deeds-evals/deeds/behavior"
