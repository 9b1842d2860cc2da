package stats

import "math"

// PassAtK estimates the probability that at least one of k attempts passes, from n
// attempts of which c passed: 1 - C(n-c, k) / C(n, k). It is unbiased. Chen et al.
// 2021, Evaluating Large Language Models Trained on Code.
//
// It is NaN where k attempts cannot be drawn from n (k > n, k < 1) and where c is no
// number of passes of n.
func PassAtK(n, c, k int) float64 {
	if k < 1 || k > n || c < 0 || c > n {
		return math.NaN()
	}
	return 1 - drawn(n, n-c, k)
}

// PassPowK estimates the probability that all of k attempts pass, from n attempts of
// which c passed: C(c, k) / C(n, k). It is unbiased. Yao et al. 2024, tau-bench.
//
// It is NaN where PassAtK is.
func PassPowK(n, c, k int) float64 {
	if k < 1 || k > n || c < 0 || c > n {
		return math.NaN()
	}
	return drawn(n, c, k)
}

// drawn is C(m, k) / C(n, k), the probability that k of n drawn without replacement
// all are among m of them. The product of ratios never leaves [0, 1], where the
// coefficients would overflow.
func drawn(n, m, k int) float64 {
	p := 1.0
	for i := range k {
		p *= float64(max(m-i, 0)) / float64(n-i)
	}
	return p
}
