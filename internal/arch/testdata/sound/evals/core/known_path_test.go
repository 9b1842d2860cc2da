package core

import (
	"strings"
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/behavior/expect"
	"github.com/deeds-evals/deeds/fixtures"
)

func TestKnownPath(t *testing.T) {
	want := strings.TrimSpace(" direct ")
	behavior.Run(t, []any{expect.Call, fixtures.Txtar, want})
}
