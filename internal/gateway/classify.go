package gateway

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// These recognise what endpoints say in their own words under statuses that mean
// many things.
var (
	tooLong = regexp.MustCompile(`(?i)context_length_exceeded|exceed_context_size|maximum context length|context (length|window|size)|too many (input )?tokens|prompt is too long|input is too long|exceeds the (available )?context|reduce the length`)
	// outgrew tells a conversation that is too long from a server that has trouble
	// with its memory, where the status is a server's own.
	outgrew  = regexp.MustCompile(`(?i)context_length_exceeded|exceed|maximum|too (long|large|many)|longer|reduce the length`)
	filtered = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|ResponsibleAIPolicy|was flagged|requires moderation`)
	badKey   = regexp.MustCompile(`(?i)invalid_api_key|(invalid|incorrect) api key|api key not valid`)
	noModel  = regexp.MustCompile(`(?i)model_not_found|not a valid model|model \S+ (does not exist|not found|is not found)`)
	limited  = regexp.MustCompile(`(?i)rate.?limit`)
	spent    = regexp.MustCompile(`(?i)insufficient_quota|insufficient (credits|balance|funds)|exceeded your current quota|billing`)
	streamed = regexp.MustCompile(`(?i)stream_options|include_usage`)
	title    = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
)

// classify turns an HTTP answer that is no success into a fault. Its message is
// what the endpoint said.
func classify(status int, header http.Header, body []byte, now time.Time) *Fault {
	message, detail := errorText(body)
	f := NewFault(kindOf(status, detail), "%s", message)
	f.Status = status
	if status >= 300 && status < 400 {
		f.Message = oneLine("it sends the request on to " + header.Get("Location"))
	}
	f.RetryAfter = retryAfter(header, now)
	return f
}

func kindOf(status int, detail string) FaultKind {
	switch status {
	case 400, 422, 500:
		// Statuses that endpoints use for anything: their words say what it is.
		switch {
		case tooLong.MatchString(detail) && (status < 500 || outgrew.MatchString(detail)):
			return ContextLength
		case filtered.MatchString(detail):
			return Filtered
		case badKey.MatchString(detail):
			return Auth
		case noModel.MatchString(detail):
			return NotFound
		}
	case 403:
		if filtered.MatchString(detail) {
			return Filtered
		}
	}
	switch {
	case status == 401, status == 403:
		return Auth
	case status == 402, status == 429 && spent.MatchString(detail):
		return Quota
	case status == 404, status >= 300 && status < 400:
		return NotFound
	case status == 413:
		return ContextLength
	case status == 429:
		return RateLimit
	case status == 408, status == 409, status == 425, status >= 500:
		return Server
	case status >= 400:
		return BadRequest
	}
	return Garbage
}

// errorText finds what an error says: its message for people, and message, type
// and code together for telling errors apart.
func errorText(body []byte) (message, detail string) {
	var in struct {
		Error   json.RawMessage `json:"error"`
		Message content         `json:"message"`
		Detail  content         `json:"detail"`
	}
	if json.Unmarshal(body, &in) == nil {
		if m, d := errorFields(in.Error); d != "" {
			return m, d
		}
		if m := string(in.Message + in.Detail); m != "" {
			return m, m
		}
	}
	if m := title.FindSubmatch(body); m != nil {
		return "a web page: " + string(bytes.TrimSpace(m[1])), string(body)
	}
	return string(body), string(body)
}

// errorFields reads the value of "error", which is an object or a string.
func errorFields(raw json.RawMessage) (message, detail string) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", ""
	}
	var in struct {
		Message content         `json:"message"`
		Type    content         `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(raw, &in) != nil {
		var s string
		if json.Unmarshal(raw, &s) != nil || s == "" {
			s = string(raw)
		}
		return s, s
	}
	code := strings.Trim(string(in.Code), `"`)
	message = string(in.Message)
	if message == "" {
		message = strings.TrimSpace(string(in.Type) + " " + code)
	}
	if message == "" {
		message = string(raw)
	}
	return message, strings.Join([]string{message, string(in.Type), code}, " ")
}

// streamFault turns an error that came in the middle of a stream, or as a body
// with status 200, into a fault. The code in it may be a status.
func streamFault(raw json.RawMessage) *Fault {
	message, detail := errorFields(raw)
	var in struct {
		Code   json.RawMessage `json:"code"`
		Status json.RawMessage `json:"status"`
	}
	_ = json.Unmarshal(raw, &in) // a string has no code
	kind := Server
	for _, c := range []json.RawMessage{in.Code, in.Status} {
		if n, err := strconv.Atoi(strings.Trim(string(c), `"`)); err == nil && n >= 400 && n < 600 {
			return withMessage(kindOf(n, detail), n, message)
		}
	}
	switch {
	case spent.MatchString(detail):
		kind = Quota
	case limited.MatchString(detail):
		kind = RateLimit
	case tooLong.MatchString(detail) && outgrew.MatchString(detail):
		kind = ContextLength
	case filtered.MatchString(detail):
		kind = Filtered
	}
	return withMessage(kind, 0, message)
}

func withMessage(kind FaultKind, status int, message string) *Fault {
	f := NewFault(kind, "%s", message)
	f.Status = status
	return f
}

// retryAfter reads how long the endpoint asks to wait: milliseconds, seconds or a
// date. It returns 0 if it does not ask, or asks for what has passed.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = 24 * 365 * time.Hour // what is longer means never, and must not overflow
	scale := func(text string, unit time.Duration) (time.Duration, bool) {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || n != n {
			return 0, false
		}
		n = min(max(n*float64(unit), 0), float64(most))
		return time.Duration(n), true
	}
	for _, name := range []string{"Retry-After-Ms", "X-Ms-Retry-After-Ms"} {
		if d, ok := scale(h.Get(name), time.Millisecond); ok {
			return d
		}
	}
	value := h.Get("Retry-After")
	if d, ok := scale(value, time.Second); ok {
		return d
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
