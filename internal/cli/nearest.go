package cli

import "fmt"

// didYouMean suggests the candidate that is nearest to what was typed, and falls
// back on another hint where none is near.
func didYouMean(typed string, candidates []string, fallback string) string {
	best, least := "", 1+(len(typed)+1)/3
	for _, c := range candidates {
		if d := distance(typed, c); d < least {
			best, least = c, d
		}
	}
	if best == "" {
		return fallback
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// distance counts the letters to insert, drop, replace or swap with a neighbour to
// make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
