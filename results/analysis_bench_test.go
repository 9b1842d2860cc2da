package results

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Comparing two models of a large run, and gating one, must take less than two seconds
// each, loading included.
func BenchmarkAnalyse100000(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "20261129T224301Z-3f9c1a")
	require.NoError(b, os.Mkdir(dir, 0o755))
	var buf bytes.Buffer
	for i := range 100_000 {
		a := sampleAttempt(i)
		// Three attempts of each of 16,667 units, by two models.
		a.Model = []string{"provider/one", "provider/two"}[i%2]
		a.Case = "chain/case-number-" + string(rune('a'+i/6%20))
		a.World, a.Variant, a.Slot.Attempt = "big", "v"+strconv.Itoa(i/6), i/2%3+1
		a.Verdicts[0].Marker = true
		line, err := json.Marshal(a)
		require.NoError(b, err)
		buf.Write(append(line, '\n'))
	}
	require.NoError(b, os.WriteFile(filepath.Join(dir, "attempts-chain.jsonl"), buf.Bytes(), 0o644))
	arms := func(b *testing.B, models ...string) []Arm {
		r, err := Load(dir)
		require.NoError(b, err)
		var all []Arm
		for _, m := range models {
			a, err := NewArm(m, []*Run{r}, m)
			require.NoError(b, err)
			all = append(all, a)
		}
		return all
	}
	b.Run("compare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			a := arms(b, "provider/one", "provider/two")
			c, err := Compare(a[0], a[1], CompareOptions{Guards: []string{Overall}})
			require.NoError(b, err)
			require.Equal(b, 16667, c.Planned)
		}
	})
	b.Run("gate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := Gate(arms(b, "provider/one")[0], []Need{{"tool-chain", 0.5}}, GateOptions{Confident: true})
			require.NoError(b, err)
			require.Equal(b, DecisionFail, r.Decision)
		}
	})
}
