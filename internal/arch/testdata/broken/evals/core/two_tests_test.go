package core

import (
	"testing"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/fixtures"
)

const prompt = "shared"

func TestTwoTests(t *testing.T) {
	behavior.Run(t, fixtures.Txtar)
	behavior.Run(t, prompt)
}

func TestOther(t *testing.T) {
	if testing.Short() {
		t.Skip("not today")
	}
	if t.Name() == "" {
		behavior.Run(t, nil)
	}
}

func helper() {}

func TestMain(*testing.M) {}
