package results

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever a line holds, it is read as encoding/json reads it.
func TestDecodeReadsAsTheStandardLibraryDoes(t *testing.T) {
	t.Parallel()
	whole, err := json.Marshal(sampleAttempt(3))
	require.NoError(t, err)
	lines := []string{
		string(whole),
		`{}`, ` { } `, `null`, `[]`, `"x"`, `1`, ``, `{`, `}`, `{"case"`, `{"case":`, `{"case":"a"`, `{"case":"a"}}`, `{"case":"a"} x`,
		`{"case":"a","case":"b"}`, `{"CASE":"a"}`, `{"case":null,"attempt":null,"dirty":null,"signals":null,"verdicts":null,"usage":null}`,
		`{"case":1}`, `{"attempt":"1"}`, `{"attempt":1.5}`, `{"attempt":-1}`, `{"attempt":1e2}`, `{"attempt":007}`, `{"attempt":9223372036854775807}`,
		`{"attempt":9223372036854775808}`, `{"attempt":+1}`, `{"attempt":}`, `{"attempt":0}`,
		`{"duration_ms":1.50}`, `{"duration_ms":1.}`, `{"duration_ms":.5}`, `{"duration_ms":1e-9}`, `{"duration_ms":0x10}`, `{"duration_ms":NaN}`,
		`{"duration_ms":01.5}`, `{"duration_ms":0.5}`, `{"duration_ms":1.2.3}`, `{"duration_ms":-1}`, `{"duration_ms":1_000}`,
		`{"dirty":true}`, `{"dirty":tru}`, `{"dirty":"true"}`,
		`{"detail":"a\nb\u00e9\ud83d\ude00\"\\/"}`, `{"detail":"\ud800"}`, `{"detail":"\x"}`, "{\"detail\":\"\xff\"}", "{\"detail\":\"a\tb\"}", "{\"detail\":\"é\"}",
		`{"detail":"\\"}`, `{"detail":"\"`, `{"d\u0065tail":"x"}`,
		`{"new":{"field":[1,2,{"x":"]}"}]},"case":"a"}`, `{"usage":{"new":1,"prompt":2}}`, `{"verdicts":[{"new":1,"name":"x"}]}`,
		`{"verdicts":[]}`, `{"verdicts":[{}]}`, `{"verdicts":[{"events":[]}]}`, `{"verdicts":[{"events":[1,2]},{"events":[3]}]}`, `{"verdicts":[{},]}`, `{"verdicts":[,]}`,
		`{"signals":{}}`, `{"signals":{"a":"pass","b":"fail"}}`, `{"signals":{"a":1}}`, `{"signals":{"a":"pass"},"signals":{"b":"fail"}}`,
		`{"usage":{"cost":0}}`, `{"usage":{"cost":1.25,"cost_source":"priced"}}`, `{"usage":{"cost":null}}`,
		`{"started":"2026-11-29T22:43:01.123456789Z"}`, `{"started":"2026-11-29T22:43:01+01:00"}`, `{"started":"yesterday"}`, `{"started":1}`, `{"started":""}`,
		` { "case" : "a" , "attempt" : 1 } `, "{\"case\":\"a\"\r\n}",
		`{"case":"a",}`, `{,"case":"a"}`, `{"case" "a"}`, `{"case":"a" "world":"b"}`,
		strings.Repeat("[", 100), `{"signals":` + strings.Repeat("{", 100),
	}
	// And what damage leaves.
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		b := []byte(whole)
		switch at := rng.IntN(len(b)); rng.IntN(4) {
		case 0:
			b = b[:at]
		case 1:
			b[at] = byte(rng.IntN(256))
		case 2:
			b = append(b[:at:at], b[at+1:]...)
		case 3:
			b = append(append(b[:at:at], `{}[],:"\0e-.`[rng.IntN(12)]), b[at:]...)
		}
		lines = append(lines, string(b))
	}
	in := make(interned)
	for _, line := range lines {
		var want, got Attempt
		wantErr := json.Unmarshal([]byte(line), &want)
		gotErr := decodeAttempt([]byte(line), &got, in)
		if wantErr != nil {
			require.Error(t, gotErr, "%q", line)
			continue
		}
		require.NoError(t, gotErr, "%q", line)
		require.Equal(t, want, got, "%q", line)
	}
}

// The lines that this package writes take the fast way.
func TestDecodeKnowsItsOwnLines(t *testing.T) {
	t.Parallel()
	a := sampleAttempt(1)
	a.Reroll, a.Reason, a.Detail, a.Retries = true, "provider", "a\nb", 3
	a.Verdicts[0].Conditional = true
	line, err := json.Marshal(a)
	require.NoError(t, err)
	var got Attempt
	c := cursor{data: line, in: make(interned)}
	c.attempt(&got)
	require.True(t, c.end())
	require.Equal(t, a, got)
}
