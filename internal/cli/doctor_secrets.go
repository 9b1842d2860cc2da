package cli

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/internal/gateway"
)

// shortestSecret is the length from which a value is taken for a secret, and not for a
// placeholder such as "EMPTY".
const shortestSecret = 8

// keepSecret has the key, and what addresses may hold of one, taken out of all that is
// said from here on. Where it stands in the name of a header it comes in other letters
// than it was sent in, so that capitals make no difference.
func (d *doctor) keepSecret() {
	key := d.c.getenv("OPENAI_API_KEY")
	secrets := []string{key, strings.Trim(key, " \t\r\n\"'")}
	for _, base := range []string{d.baseURL, d.c.getenv("DEEDS_BASE_URL"), d.c.getenv("OPENAI_BASE_URL")} {
		u, err := url.Parse(strings.TrimSpace(base))
		if err != nil {
			continue
		}
		password, _ := u.User.Password()
		secrets = append(secrets, u.User.Username(), password)
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < shortestSecret })
	if len(secrets) == 0 {
		return
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	spelled := gateway.NewRedactor(secrets...)
	for i, s := range secrets {
		secrets[i] = regexp.QuoteMeta(s)
	}
	inAnyCase := regexp.MustCompile("(?i)" + strings.Join(secrets, "|"))
	d.redact = func(text string) string {
		return inAnyCase.ReplaceAllLiteralString(spelled.RedactString(text), "[redacted]")
	}
}
