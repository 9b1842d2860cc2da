package gateway

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// serve answers one HTTP request to the session.
func (s *Session) serve(w http.ResponseWriter, r *http.Request, path string) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if subtle.ConstantTimeCompare([]byte(key), []byte(s.key)) != 1 {
		writeError(w, http.StatusUnauthorized, "invalid_api_key", "the key is not valid")
		return
	}
	switch {
	case path == "/v1/chat/completions" && r.Method == http.MethodPost:
		s.serveChat(w, r)
	case path == "/v1/models" && r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, mustJSON(map[string]any{"object": "list", "data": []any{s.model()}}))
	case strings.HasPrefix(path, "/v1/models/") && r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, mustJSON(s.model()))
	default:
		writeError(w, http.StatusNotFound, "not_found", "there is no "+r.Method+" "+path)
	}
}

func (s *Session) model() map[string]any {
	return map[string]any{"id": s.config.Model, "object": "model", "created": 0, "owned_by": "local"}
}

func (s *Session) serveChat(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		writeError(w, http.StatusNotFound, "not_found", "there is nothing here")
		return
	}
	defer s.wg.Done()
	// The request ends with the agent's connection and with the session.
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer s.cutAtClose(w, cancel)()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.gateway.config.MaxRequest))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			writeJSON(w, http.StatusRequestEntityTooLarge, faultBody(s.outgrow(large.Limit)))
		}
		return // else the agent has gone
	}
	request, err := ParseRequest(body)
	if err != nil {
		writeError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}

	if !request.Stream {
		reply, fault := s.ask(ctx, request)
		if fault != nil {
			writeFault(w, fault)
			return
		}
		writeJSON(w, http.StatusOK, reply.Completion())
		return
	}
	alive := keepAlive(w, s.gateway.config.KeepAlive)
	reply, fault := s.ask(ctx, request)
	streaming := alive.stop()
	switch {
	case fault != nil && !streaming:
		writeFault(w, fault)
	case fault != nil:
		writeEvents(w, faultBody(fault))
	default:
		writeEvents(w, append(reply.Chunks(request.Usage), json.RawMessage("[DONE]"))...)
	}
}

// cutAtClose ends a request when the session is closed, also one whose agent does
// not send all of it or does not read the answer: nothing else would ever end the
// read or the write. The connection is then of no use to anybody. What it returns
// must be deferred by the handler.
func (s *Session) cutAtClose(w http.ResponseWriter, cancel context.CancelCauseFunc) func() {
	cut := make(chan struct{})
	stop := context.AfterFunc(s.ctx, func() {
		defer close(cut)
		cancel(errClosed)
		c := http.NewResponseController(w)
		_ = c.SetReadDeadline(time.Unix(1, 0))
		_ = c.SetWriteDeadline(time.Now().Add(lastWord))
	})
	return func() {
		if stop() {
			return
		}
		// The deadlines must not meet the next request on the connection.
		<-cut
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// lastWord is how long an agent has to take the answer that its session is closed.
const lastWord = time.Second

// keeper sends comments into a stream that has nothing to say yet.
type keeper struct {
	quit chan struct{}
	done chan bool
}

func keepAlive(w http.ResponseWriter, every time.Duration) keeper {
	k := keeper{quit: make(chan struct{}), done: make(chan bool, 1)}
	timer := time.NewTimer(every)
	go func() {
		defer timer.Stop()
		streaming := false
		for {
			select {
			case <-k.quit:
				k.done <- streaming
				return
			case <-timer.C:
				if !streaming {
					w.Header().Set("Content-Type", "text/event-stream")
					streaming = true
				}
				_, _ = io.WriteString(w, ": waiting\n\n") // an agent that has gone ends the request by itself
				_ = http.NewResponseController(w).Flush()
				timer.Reset(every)
			}
		}
	}()
	return k
}

// stop ends the comments and reports whether one was sent.
func (k keeper) stop() bool {
	close(k.quit)
	return <-k.done
}

// writeEvents writes server-sent events in one go.
func writeEvents(w http.ResponseWriter, events ...json.RawMessage) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	var b bytes.Buffer
	for _, e := range events {
		b.WriteString("data: ")
		b.Write(e)
		b.WriteString("\n\n")
	}
	_, _ = w.Write(b.Bytes()) // whether the agent reads it is the agent's affair
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // whether the agent reads it is the agent's affair
}

func writeError(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, errorBody(code, message))
}

func errorBody(code, message string) json.RawMessage {
	return mustJSON(map[string]any{"error": map[string]any{"message": message, "type": code, "code": code}})
}

// writeFault tells the agent in the words that endpoints use. A fault of the
// endpoint is a plain 502; a limit of the agent's own is the 400 that it was, so
// that an agent which can shorten its conversation does.
func writeFault(w http.ResponseWriter, f *Fault) {
	status := http.StatusBadGateway
	if !f.Kind.Voids() {
		status = http.StatusBadRequest
	}
	writeJSON(w, status, faultBody(f))
}

func faultBody(f *Fault) json.RawMessage {
	switch f.Kind {
	case ContextLength:
		return errorBody("context_length_exceeded", f.Message)
	case Filtered:
		return errorBody("content_filter", f.Message)
	}
	return errorBody("upstream_error", "the model did not answer: "+f.Error())
}
