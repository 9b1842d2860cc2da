package stats

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// A distribution is that of a number of ticks of a lattice: what can come out, each
// once and in ascending order, and with which probability.
type distribution struct {
	at []int64
	p  []float64
}

// errLattice says that a sum can take too many values to be followed exactly.
var errLattice = errors.New("the lattice is too large")

// What an exact computation may cost: multiplications in all, cells of one array, and
// values that must be sorted since they lie too sparsely for an array.
const (
	maxSteps  = 1 << 29
	maxCells  = 1 << 22
	maxSorted = 1 << 18
)

// A convolver adds independent distributions exactly. All terms are positive, so that
// nothing cancels and every probability is right to about 13 digits, in the tails too.
type convolver struct {
	dust  float64 // outermost values less likely than that are cut off
	steps int     // multiplications left
}

// add is the distribution of the sum of two.
func (c *convolver) add(x, y distribution) (distribution, error) {
	if len(x.at) < len(y.at) {
		x, y = y, x
	}
	c.steps -= len(x.at) * len(y.at)
	if c.steps < 0 {
		return distribution{}, errLattice
	}
	lo := x.at[0] + y.at[0]
	span := x.at[len(x.at)-1] + y.at[len(y.at)-1] - lo
	step := gcd(step(x), step(y))
	if step == 0 {
		step = 1 // both are constants
	}
	cells := span/step + 1
	if cells > maxCells || cells > 64*int64(len(x.at)*len(y.at)) {
		return c.sorted(x, y)
	}
	return c.dense(x, y, lo, step, int(cells)), nil
}

// dense adds in an array with one cell for each tick that can be reached.
func (c *convolver) dense(x, y distribution, lo, step int64, cells int) distribution {
	sum := make([]float64, cells)
	xs := offsets(x, step)
	contiguous := xs[len(xs)-1] == len(xs)-1
	for j, q := range y.p {
		row := sum[(y.at[j]-y.at[0])/step:]
		if contiguous {
			row = row[:len(x.p)]
			for i, p := range x.p {
				row[i] += p * q
			}
			continue
		}
		for i, p := range x.p {
			row[xs[i]] += p * q
		}
	}
	first, last := 0, cells-1
	for sum[first] < c.dust && first < last {
		first++
	}
	for sum[last] < c.dust && last > first {
		last--
	}
	d := distribution{make([]int64, 0, last-first+1), make([]float64, 0, last-first+1)}
	for i := first; i <= last; i++ {
		if sum[i] > 0 {
			d.at = append(d.at, lo+int64(i)*step)
			d.p = append(d.p, sum[i])
		}
	}
	return d
}

// offsets counts the steps from the first value to each.
func offsets(x distribution, step int64) []int {
	o := make([]int, len(x.at))
	for i, v := range x.at {
		o[i] = int((v - x.at[0]) / step)
	}
	return o
}

// sorted adds by listing every pair of values.
func (c *convolver) sorted(x, y distribution) (distribution, error) {
	if len(x.at)*len(y.at) > maxSorted {
		return distribution{}, errLattice
	}
	type atom struct {
		at int64
		p  float64
	}
	atoms := make([]atom, 0, len(x.at)*len(y.at))
	for i, v := range x.at {
		for j, w := range y.at {
			atoms = append(atoms, atom{v + w, x.p[i] * y.p[j]})
		}
	}
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(a.at, b.at) })
	var d distribution
	for _, a := range atoms {
		if last := len(d.at) - 1; last >= 0 && d.at[last] == a.at {
			d.p[last] += a.p
			continue
		}
		d.at = append(d.at, a.at)
		d.p = append(d.p, a.p)
	}
	return d, nil
}

// power is the distribution of the sum of n independent copies, n at least 1.
func (c *convolver) power(x distribution, n int) (distribution, error) {
	if n == 1 {
		return x, nil
	}
	half, err := c.power(x, n/2)
	if err != nil {
		return distribution{}, err
	}
	sum, err := c.add(half, half)
	if err != nil || n%2 == 0 {
		return sum, err
	}
	return c.add(sum, x)
}

// reduce adds the smallest two, again and again, until at most n are left.
func (c *convolver) reduce(parts []distribution, n int) ([]distribution, error) {
	parts = slices.Clone(parts)
	bySize := func(a, b distribution) int { return cmp.Compare(len(a.at), len(b.at)) }
	slices.SortStableFunc(parts, bySize)
	for len(parts) > n {
		sum, err := c.add(parts[0], parts[1])
		if err != nil {
			return nil, err
		}
		parts = parts[2:]
		i, _ := slices.BinarySearchFunc(parts, sum, bySize)
		parts = slices.Insert(parts, i, sum)
	}
	return parts, nil
}

// accumulate adds the second largest and all smaller ones in ascending order, until n
// are left. It is the cheaper way where the sum fills its lattice, and so never has
// many more values than any of its parts.
func (c *convolver) accumulate(parts []distribution, n int) ([]distribution, error) {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b distribution) int { return cmp.Compare(len(a.at), len(b.at)) })
	for len(parts) > n {
		sum, err := c.add(parts[0], parts[1])
		if err != nil {
			return nil, err
		}
		parts = parts[1:]
		parts[0] = sum
	}
	return parts, nil
}

// saturated says whether the sum has far fewer values than it has ways to come about.
func saturated(parts []distribution) bool {
	ways, span, g := 1.0, int64(0), int64(0)
	for _, x := range parts {
		ways *= float64(len(x.at))
		span += x.at[len(x.at)-1] - x.at[0]
		g = gcd(g, step(x))
	}
	return g > 0 && span/g < maxCells && float64(span/g) < math.Sqrt(ways)
}

// tails gives the probabilities that the sum of two is at most -t, and at least t. The
// two are never added: this is what lets the largest part of a sum stay apart.
func tails(x, y distribution, t int64) (below, above float64) {
	sum, j := 0.0, 0 // of the y that are small enough, while x falls
	for i := len(x.at) - 1; i >= 0; i-- {
		for ; j < len(y.at) && x.at[i]+y.at[j] <= -t; j++ {
			sum += y.p[j]
		}
		below += x.p[i] * sum
	}
	sum, j = 0, len(y.at)-1 // of the y that are large enough, while x rises
	for i := range x.at {
		for ; j >= 0 && x.at[i]+y.at[j] >= t; j-- {
			sum += y.p[j]
		}
		above += x.p[i] * sum
	}
	return below, above
}

// times is the distribution of a multiple, by a positive number.
func (x distribution) times(n int64) distribution {
	at := make([]int64, len(x.at))
	for i, v := range x.at {
		at[i] = v * n
	}
	return distribution{at, x.p}
}

// step is the largest number of ticks that divides all distances between values, 0 of
// a constant.
func step(x distribution) int64 {
	var g int64
	for _, v := range x.at {
		if g = gcd(g, v-x.at[0]); g == 1 {
			break
		}
	}
	return g
}

// gcd is the greatest common divisor of two numbers that are not negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// lcm is the least common multiple of two positive numbers, or 0 where it passes 2^53:
// up to there a float64 holds every integer.
func lcm(a, b int64) int64 {
	m := a / gcd(a, b)
	if float64(m)*float64(b) > 1<<53 {
		return 0
	}
	return m * b
}

// nothing is the distribution of a sum without a part.
var nothing = distribution{[]int64{0}, []float64{1}}

// hypergeometric is the distribution of the passes among b attempts drawn without
// replacement from a+b of which s passed, each told as a number of ticks: value(h) must
// rise with h. The probabilities follow from their ratios, beginning at the mode, so
// that no coefficient overflows.
func hypergeometric(a, b, s int, value func(h int) int64) distribution {
	lo, hi := max(0, s-a), min(s, b)
	mode := min(max((s+1)*(b+1)/(a+b+2), lo), hi)
	p := make([]float64, hi-lo+1)
	p[mode-lo] = 1
	ratio := func(h int) float64 { // of h+1 to h
		return float64(s-h) * float64(b-h) / (float64(h+1) * float64(a-s+h+1))
	}
	for h := mode; h < hi; h++ {
		p[h+1-lo] = p[h-lo] * ratio(h)
	}
	for h := mode; h > lo; h-- {
		p[h-1-lo] = p[h-lo] / ratio(h-1)
	}
	return scaled(p, func(i int) int64 { return value(lo + i) })
}

// coins is the distribution of the sum of n signs, each the same number of ticks.
func coins(n int, ticks int64) distribution {
	p := make([]float64, n+1)
	p[n/2] = 1
	for h := n / 2; h < n; h++ {
		p[h+1] = p[h] * float64(n-h) / float64(h+1)
	}
	for h := n / 2; h > 0; h-- {
		p[h-1] = p[h] * float64(h) / float64(n-h+1)
	}
	return scaled(p, func(h int) int64 { return int64(2*h-n) * ticks })
}

// scaled makes weights a distribution.
func scaled(weights []float64, value func(i int) int64) distribution {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	d := distribution{make([]int64, 0, len(weights)), make([]float64, 0, len(weights))}
	for i, w := range weights {
		if w > 0 { // not one that is smaller than any number
			d.at = append(d.at, value(i))
			d.p = append(d.p, w/total)
		}
	}
	return d
}
