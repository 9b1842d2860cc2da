package expect

import _ "github.com/deeds-evals/deeds/behavior"

func Call() {}
