package expect

import "github.com/deeds-evals/deeds/behavior"

func scenery() behavior.Evidence { return behavior.Evidence{Workspace: "/w/project"} }
