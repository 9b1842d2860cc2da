package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/results"
)

func parse(t testing.TB, name string) Model {
	t.Helper()
	m, err := Parse(name)
	require.NoError(t, err)
	require.Equal(t, name, m.Name())
	return m
}

func unit(id, world, variant string) results.Unit {
	return results.Unit{Case: id, World: world, Variant: variant}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"gpt":                 `"gpt" is no simulated model: its name does not begin with sim:`,
		"sim:":                `sim:: a rate is missing`,
		"sim:1.2":             `sim:1.2: the rate "1.2" is not a number from 0 to 1`,
		"sim:NaN":             `sim:NaN: the rate "NaN" is not a number from 0 to 1`,
		"sim:-0.1":            `sim:-0.1: the rate "-0.1" is not a number from 0 to 1`,
		"sim:80%":             `sim:80%: the rate "80%" is not a number from 0 to 1`,
		"sim:0.9..0.1":        `sim:0.9..0.1: the range 0.9..0.1 ends below its beginning`,
		"sim:0.1..":           `sim:0.1..: a rate is missing`,
		"sim:0.1..0.5..0.9":   `sim:0.1..0.5..0.9: the rate "0.5..0.9" is not a number from 0 to 1`,
		"sim:core/*=0.5":      `sim:core/*=0.5: the rate "core/*=0.5" is not a number from 0 to 1`,
		"sim:0.8+":            `sim:0.8+: "" is no pattern with a rate, such as core/*=0.5`,
		"sim:0.8+core":        `sim:0.8+core: "core" is no pattern with a rate, such as core/*=0.5`,
		"sim:0.8+=0.5":        `sim:0.8+=0.5: "=0.5" is no pattern with a rate, such as core/*=0.5`,
		"sim:0.8+core/=0.5":   `sim:0.8+core/=0.5: "core/" is no pattern of folder, case, world and variant`,
		"sim:0.8+[=0.5":       `sim:0.8+[=0.5: "[" is no pattern of folder, case, world and variant`,
		"sim:0.8+core=2":      `sim:0.8+core=2: the rate "2" is not a number from 0 to 1`,
		"sim:0.8+a=0.5+a=0.6": `sim:0.8+a=0.5+a=0.6: two rates are given for a`,
	} {
		_, err := Parse(name)
		require.EqualError(t, err, want)
	}
}

func TestTheNarrowestPatternDecides(t *testing.T) {
	t.Parallel()
	m := parse(t, "sim:0.8+chain/refund/big=0.3+core/*=1+core/s*=0.1+core=0.2+chain/refund=0.4+*/refund/small=0.5+chain/*/small=0.6")
	for want, units := range map[float64][]results.Unit{
		0.8: {unit("chain/other", "", ""), unit("chain/refunds", "", ""), unit("other/refund", "", ""), unit("", "", "")},
		0.3: {unit("chain/refund", "big", ""), unit("chain/refund", "big", "seven")},
		0.4: {unit("chain/refund", "", ""), unit("chain/refund", "huge", "")},
		1.0: {unit("core/a", "", ""), unit("core/a", "big", "v"), unit("core/refund", "big", "")},
		0.1: {unit("core/still", "", "")},
		0.5: {unit("chain/refund", "small", "seven"), unit("core/refund", "small", "")},
		0.6: {unit("chain/x", "small", "")},
		0.2: {unit("core", "", "")},
	} {
		for _, u := range units {
			require.Equal(t, want, m.Rate(u), "%v", u)
		}
	}
	last := parse(t, "sim:0.8+core/a*=0.1+core/*a=0.2")
	require.Equal(t, 0.2, last.Rate(unit("core/aa", "", "")), "of two that say as much the last decides")
	named := parse(t, "sim:0+core/x/n=3=1")
	require.Equal(t, 1.0, named.Rate(unit("core/x", "", "n=3")), "a level that the unit has not is left out")
}

func TestIdlePatterns(t *testing.T) {
	t.Parallel()
	m := parse(t, "sim:0.8+core/a=1+core/b=1+chain=0+core/a/big/x/y=1")
	own := []results.Unit{unit("core/a", "big", "x")}
	require.Equal(t, []string{"core/b", "chain", "core/a/big/x/y"}, m.Idle(own, nil))
	require.Equal(t, []string{"core/b", "core/a/big/x/y"}, m.Idle(own, []string{"chain/c"}))
	require.Empty(t, m.Idle(own, []string{"chain/c", "core/b", "core/a"}), "who knows what is in the others")
	require.Empty(t, parse(t, "sim:0.8").Idle(nil, nil))
}

// A mix of difficulty is the unit's own: the same whatever else is asked for.
func TestRatesOfARange(t *testing.T) {
	t.Parallel()
	m, moved := parse(t, "sim:0.1..0.9"), parse(t, "sim:0.2..1")
	var sum, least, most float64
	const n = 2000
	least = 1
	for i := range n {
		u := unit("core/a", "big", fmt.Sprint(i))
		rate := m.Rate(u)
		require.InDelta(t, rate+0.1, moved.Rate(u), 1e-12)
		u.Model, u.Agent = "x", "y"
		require.Equal(t, rate, m.Rate(u))
		sum, least, most = sum+rate, min(least, rate), max(most, rate)
	}
	require.InDelta(t, 0.5, sum/n, 4*0.8/math.Sqrt(12*n))
	require.InDelta(t, 0.1, least, 0.01)
	require.InDelta(t, 0.9, most, 0.01)
	require.InDelta(t, 0.7, parse(t, "sim:0.7..0.7").Rate(unit("a", "", "")), 0)
}
