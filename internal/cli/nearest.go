package cli

import (
	"fmt"
	"strings"

	"github.com/deeds-evals/deeds/internal/spelling"
)

// didYouMean suggests the candidates that are nearest to what was typed, and falls
// back on another hint where none is near.
func didYouMean(typed string, candidates []string, fallback string) string {
	near := spelling.Nearest(typed, candidates)
	if len(near) == 0 {
		return fallback
	}
	quoted := make([]string, len(near))
	for i, name := range near {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return fmt.Sprintf("did you mean %s?", strings.Join(quoted, " or "))
}
