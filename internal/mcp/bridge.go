package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

const (
	// bridgeTo is set in a process that is to speak for a stub over its standard
	// input and output, to the address of the stub.
	bridgeTo = "SERVER_ADDRESS"
	// bridgeName is what such a process is called, and nothing else is.
	bridgeName = "server"
	// maxLine bounds one message.
	maxLine = 16 << 20
)

// A test binary that starts itself under that name is a bridge: thus a stub is reached
// over standard input and output without a program that would have to be installed.
func init() {
	address := os.Getenv(bridgeTo)
	if len(os.Args) != 1 || os.Args[0] != bridgeName || address == "" {
		return
	}
	if err := bridge(context.Background(), address, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Stdio is how a stub that is served at an address is started as a command which
// speaks MCP over its standard input and output: the program, its name and its
// environment.
func Stdio(address string) (program string, args, env []string, err error) {
	program, err = os.Executable()
	if err != nil {
		return "", nil, nil, fmt.Errorf("a server cannot be started as a command: %w", err)
	}
	return program, []string{bridgeName}, []string{bridgeTo + "=" + address}, nil
}

// bridge carries messages, a line each, to an address and back, until there are no
// more.
func bridge(ctx context.Context, address string, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	var (
		writing sync.Mutex
		asked   sync.WaitGroup
		failed  error
	)
	for lines.Scan() {
		line := bytes.Clone(lines.Bytes())
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		asked.Go(func() {
			answers, err := post(ctx, address, line)
			writing.Lock()
			defer writing.Unlock()
			for _, a := range answers {
				if err == nil {
					_, err = out.Write(append(a, '\n'))
				}
			}
			if failed == nil {
				failed = err
			}
		})
	}
	asked.Wait()
	if err := lines.Err(); err != nil {
		return err
	}
	return failed
}

// post sends a message, and returns the messages that come back.
func post(ctx context.Context, address string, message []byte) (answers [][]byte, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers(message) {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxLine))
	switch {
	case err != nil:
		return nil, err
	case strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream"):
		for line := range bytes.Lines(body) {
			if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				if data = bytes.TrimSpace(data); len(data) > 0 {
					answers = append(answers, data)
				}
			}
		}
		return answers, nil
	}
	var one bytes.Buffer
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	// An error has a status and is a message all the same.
	if err := json.Compact(&one, body); err != nil {
		return nil, fmt.Errorf("the server answered %s, and what is no message: %w", resp.Status, err)
	}
	return [][]byte{one.Bytes()}, nil
}

// headers are what HTTP says of a message in its headers besides.
func headers(message []byte) map[string]string {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Name string `json:"name"`
			URI  string `json:"uri"`
			Meta struct {
				Version string `json:"io.modelcontextprotocol/protocolVersion"`
			} `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &m) != nil || m.Params.Meta.Version == "" {
		return nil
	}
	out := map[string]string{"Mcp-Protocol-Version": m.Params.Meta.Version, "Mcp-Method": m.Method}
	if name := cmp.Or(m.Params.Name, m.Params.URI); name != "" {
		out["Mcp-Name"] = name
	}
	return out
}
