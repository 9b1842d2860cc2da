// Package sim is a model whose true pass rate is known: it decides by chance, and
// by nothing else, whether an attempt passes. It tells no script how to be played,
// so that a statistic can be checked against the truth with or without attempts
// being made.
//
// The name of the model says what it does:
//
//	sim:0.8                              every attempt passes with probability 0.8
//	sim:0.1..0.9                         every unit has a rate of its own between the two
//	sim:0.8+chain/refund/big=0.3         the units of chain/refund in the world big pass less often
//	sim:1+core/*=0.5+core/a-case=0..1    one folder, and another rate for one of its cases
//
// What stands before an equals sign is a pattern of slash-separated levels: folder,
// case, world and variant, levels that a unit does not have left out. Each level is
// matched as by [path.Match], so that * matches within one level, and a pattern may
// end before the unit does: core matches all of core's units. Of several patterns that
// match, the one with the most levels decides; of those the one that spells out the
// most characters; of those the last.
//
// The rate of a unit under a range is drawn from the unit's name alone. It is the same
// in every run, for every seed, and it moves with the ends of the range: between
// sim:0.1..0.9 and sim:0.2..1 every unit differs by 0.1.
//
// Everything else is drawn from a stream of its own for each seed, model, unit,
// attempt and purpose. The same seed repeats a run exactly, whatever else is played
// beside it and in whatever order. Two models of one run are independent, also if they
// only spell the same rate differently: sim:0.5 and sim:0.50 are an A/A control.
package sim
