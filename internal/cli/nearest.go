package cli

import (
	"fmt"

	"github.com/deeds-evals/deeds/internal/spelling"
)

// didYouMean suggests the candidate that is nearest to what was typed, and falls
// back on another hint where none is near.
func didYouMean(typed string, candidates []string, fallback string) string {
	best, least := "", 1+(len(typed)+1)/3
	for _, c := range candidates {
		if d := spelling.Distance(typed, c); d < least {
			best, least = c, d
		}
	}
	if best == "" {
		return fallback
	}
	return fmt.Sprintf("did you mean %q?", best)
}
