// Package stats holds the statistics of the comparison of two arms: pure functions of
// numbers, each with its formula, its edge cases and its source.
//
// The unit is the case, in one of its worlds: every mean is a mean over units of the
// units' pass rates, every comparison pairs units, and the attempts at one unit are
// never taken for independent units. What can be computed exactly is; where it cannot,
// the answer says that it was sampled, and the caller's seed decides the draws.
//
// A number that the data do not support is NaN, and an interval that they do not
// support has two NaN ends; neither is ever 0.
package stats
