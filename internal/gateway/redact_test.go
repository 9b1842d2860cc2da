package gateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRedactor(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"sk-abc123XYZ", "p/w+d==?&\"\\é<>", "0123456789abcdef0123456789abcdef"} {
		r := NewRedactor("other-secret", secret, "")
		hex := ""
		for _, b := range []byte(secret) {
			hex += fmt.Sprintf("%%%02x", b)
		}
		quoted, err := json.Marshal(secret)
		require.NoError(t, err)
		for name, spelled := range map[string]string{
			"raw": secret, "query": url.QueryEscape(secret), "path": url.PathEscape(secret),
			"digits": strings.ReplaceAll(hex, "%", ""), "upper digits": strings.ToUpper(strings.ReplaceAll(hex, "%", "")),
			"every byte": hex, "upper case": strings.ToUpper(hex), "JSON": string(quoted[1 : len(quoted)-1]),
		} {
			require.Equal(t, "a [redacted] b[redacted]", string(r.Redact([]byte("a "+spelled+" b"+spelled))), name)
		}
		for shift := range 7 {
			text := strings.Repeat("#", shift) + secret + "tail"
			for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
				encoded := enc.EncodeToString([]byte(text))
				got := r.RedactString("x=" + encoded + ";")
				require.Contains(t, got, redacted, "shift %d", shift)
				core := string(base64Core([]byte(secret), shift%3))
				require.NotContains(t, got, core)
			}
			alone := base64.StdEncoding.EncodeToString([]byte(text[:shift+len(secret)]))
			require.Contains(t, r.RedactString(alone), redacted)
		}
	}
}

func TestRedactorLeavesTheRest(t *testing.T) {
	t.Parallel()
	r := NewRedactor("sk-abc123XYZ", "EMPTY", "ollama")
	for _, text := range []string{"", "sk-abc123XY", "sk-abc123xyz", "an EMPTY ollama", "%73%6", "%", `\u00`, "s%", strings.Repeat("s", 100)} {
		require.Equal(t, text, r.RedactString(text))
		data := []byte(text)
		require.Equal(t, text, string(r.Redact(data)))
	}
	var none *Redactor
	require.Equal(t, "x", none.RedactString("x"))
	require.Equal(t, "x", string((&Redactor{}).Redact([]byte("x"))))

	data := []byte("see sk-abc123XYZ")
	r.Redact(data)
	require.Equal(t, "see sk-abc123XYZ", string(data), "the argument is untouched")
}

func TestRedactorAtEveryPlace(t *testing.T) {
	t.Parallel()
	r := NewRedactor("ssssssssss-s")
	for i := range 20 {
		text := strings.Repeat("s", i) + "ssssssssss-s" + strings.Repeat("%", i)
		require.NotContains(t, r.RedactString(text), "-s", text)
	}
}

func BenchmarkRedact(b *testing.B) {
	r := NewRedactor("sk-abc123XYZ-0123456789")
	data := []byte(strings.Repeat("some ordinary tool output, path=/a/b/c.txt\n", 1<<20/43))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r.Redact(data)
	}
}
