package core_test

import (
	"net/http"
	"os"
	"os/exec"
	. "strings"
	"testing"
	_ "unsafe"

	"github.com/stretchr/testify/require"

	"github.com/deeds-evals/deeds/behavior"
	"github.com/deeds-evals/deeds/internal/agent"
)

func TestReachesOut(t *testing.T) {
	require.NotNil(t, agent.New)
	behavior.Run(t, []any{http.Get, os.Getenv, exec.Command, TrimSpace})
}
