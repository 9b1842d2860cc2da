package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/deeds-evals/deeds/internal/inert"
	"github.com/deeds-evals/deeds/internal/spelling"
)

// models returns the names of the models that the endpoint says it has; none if it does
// not say, or not soon.
func (l *Live) models(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.list, nil)
	if err != nil {
		return nil
	}
	l.authorize(request)
	response, err := l.client.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil
	}
	var answer struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(response.Body, 4<<20)).Decode(&answer) != nil {
		return nil
	}
	var names []string
	for _, m := range answer.Data {
		if name := l.redactor.RedactString(inert.Line(m.ID)); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// whichModel is the hint for a model that the endpoint does not know: the names of it
// that are near, else some of those that there are.
func (l *Live) whichModel(ctx context.Context, model string) (hint string, ok bool) {
	const most = 8
	names := l.models(ctx)
	if len(names) == 0 || slices.Contains(names, model) {
		return "", false
	}
	if near := spelling.Nearest(model, names); len(near) > 0 {
		return fmt.Sprintf("did you mean %s?", strings.Join(near, " or ")), true
	}
	shown := names[:min(most, len(names))]
	hint = "the endpoint has " + strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		hint += fmt.Sprintf(" and %d more", more)
	}
	return hint, true
}
