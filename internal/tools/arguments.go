package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parseArguments reads the arguments of a call as a model sent them. Nothing at
// all stands for no arguments. An error is worded for the model.
func parseArguments(s string) (map[string]any, error) {
	if strings.TrimSpace(s) == "" || strings.TrimSpace(s) == "null" {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(strings.NewReader(s))
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, explain(s, err)
	}
	var rest bytes.Buffer
	if _, err := io.Copy(&rest, d.Buffered()); err == nil && len(bytes.TrimSpace(rest.Bytes())) > 0 || d.More() {
		return nil, errors.New("its arguments must be one JSON object with nothing after it; make one call for each object")
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("its arguments must be a JSON object, not %s", kindOf(v))
	}
	return m, nil
}

func explain(s string, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("its arguments break off after %d bytes, in the middle of the JSON; "+
			"if the message hit its length limit, send the content in smaller pieces", len(s))
	case errors.As(err, &syntax):
		at := min(max(int(syntax.Offset)-1, 0), len(s))
		before := s[max(at-20, 0):at]
		after := s[at:min(at+20, len(s))]
		return fmt.Errorf("its arguments are not valid JSON: %v (at byte %d, between %q and %q)", syntax, at+1, before, after)
	}
	return fmt.Errorf("its arguments are not valid JSON: %v", err)
}
