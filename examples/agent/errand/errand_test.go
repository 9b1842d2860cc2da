package errand_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/errand/errand"
)

// The runner carries out what it is told, tells of it, and goes on until the model
// calls nothing more.
func TestAsk(t *testing.T) {
	answers := []string{
		`{"tool_calls":[{"id":"1","function":{"name":"swap_text","arguments":"{\"file\":\"a.txt\",\"find\":\"one\",\"put\":\"two\"}"}}]}`,
		`{"tool_calls":[{"id":"2","function":{"name":"open","arguments":"{}"}},{"id":"3","function":{"name":"open_file","arguments":"["}}]}`,
		`{"content":"Done."}`,
	}
	asked := 0
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("the key is not sent")
		}
		answer := map[string]any{"choices": []any{map[string]any{"message": json.RawMessage(answers[asked])}}}
		asked++
		_ = json.NewEncoder(w).Encode(answer)
	}))
	defer model.Close()

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var faults []errand.Fault
	runner := errand.New(errand.Config{
		BaseURL: model.URL, Key: "key", Model: "m", Desk: errand.Folder(dir),
		Observe: func(s errand.Step) {
			if s.Call != nil {
				faults = append(faults, s.Call.Fault)
			}
		},
	})
	answer, err := runner.Ask(t.Context(), "Make it two.")
	if err != nil || answer != "Done." {
		t.Fatalf("it answers %q, %v", answer, err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(data) != "two\n" {
		t.Errorf("the file holds %q", data)
	}
	if want := []errand.Fault{"", errand.NoSuchTool, errand.BadArguments}; !slices.Equal(faults, want) {
		t.Errorf("the calls ended as %q, not %q", faults, want)
	}
}

// Nothing leads out of the folder.
func TestFolderIsNotLeft(t *testing.T) {
	if _, err := errand.Folder(t.TempDir()).Load("../secret"); err == nil {
		t.Error("a file above the folder is read")
	}
}
