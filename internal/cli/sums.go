package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeds-evals/deeds/internal/overview"
	"github.com/deeds-evals/deeds/internal/report"
)

// sums are what the packages leave of a replay or of evidence that is judged again,
// since go test swallows what a package says that passes.
type sums struct {
	kind string // "replay", "regrade", or "" for neither
	dir  string
}

// sumsOf makes room for what the packages of a run leave.
func (c *Config) sumsOf(g goTest) (s sums, err error) {
	for _, name := range []string{"replay", "regrade"} {
		if g.any(name) || c.getenv("DEEDS_"+strings.ToUpper(name)) != "" {
			s.kind = name
		}
	}
	if s.kind != "" {
		s.dir, err = os.MkdirTemp("", "sums-")
	}
	return s, err
}

func (s sums) remove() {
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// environ says where the packages are to leave their sums.
func (s sums) environ() []string {
	if s.dir == "" {
		return nil
	}
	return []string{"DEEDS_SUMS=" + s.dir}
}

// read gives each package's sum, in the order of their names.
func (s sums) read(each func(data []byte) error) (packages int, err error) {
	files, err := filepath.Glob(filepath.Join(s.dir, "*.json"))
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err == nil {
			err = each(data)
		}
		if err != nil {
			return 0, fmt.Errorf("read what %s came to: %w", strings.TrimSuffix(filepath.Base(file), ".json"), err)
		}
	}
	return len(files), nil
}

// regraded ends a run in which evidence was judged again. Where go test failed it has
// listed the flips.
func (c *Config) regraded(s sums, code int, asJSON bool) error {
	var all report.Regrade
	packages, err := s.read(func(data []byte) error {
		var one report.Regrade
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		all = all.Plus(one)
		return nil
	})
	green := code == 0
	open := green && all.NotRun > 0
	if open {
		code = 2
	}
	switch {
	case err != nil:
		return err
	case all.Attempts == 0 && open:
		return misuse(fmt.Sprintf("nothing was judged again: %s planned and not run", wasCount(all.NotRun)), "play what is open: deeds run -resume="+overview.Quote(all.Run))
	case green && packages == 0 || green && all.Attempts == 0:
		return misuse("nothing was judged again: that run has no attempt of a case that was asked for", "take a filter away, or see `deeds runs` for what there is")
	case packages == 0:
		return exitStatus(code)
	case asJSON:
		err = printJSON(c.Stdout, map[string]any{"kind": "regrade", "regrade": all, "status": code})
	default:
		text := "\n" + all.String()
		if green {
			text = "\n" + report.Flips(all.Flips) + all.String()
		}
		_, err = io.WriteString(c.Stdout, text)
	}
	if err != nil {
		return err
	}
	if open {
		c.complain(wasCount(all.NotRun)+" planned and not run: there is nothing to judge", "play what is open: deeds run -resume="+overview.Quote(all.Run))
	}
	return ended(code)
}

func wasCount(n int) string {
	if n == 1 {
		return "1 attempt was"
	}
	return fmt.Sprintf("%d attempts were", n)
}

// replayed says how far a replay is the same as what was played.
func (c *Config) replayed(s sums, w io.Writer) error {
	var all report.Replay
	packages, err := s.read(func(data []byte) error {
		var one report.Replay
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		all = all.Plus(one)
		return nil
	})
	if err != nil || packages == 0 {
		return err
	}
	_, err = io.WriteString(w, "\n"+all.String())
	return err
}
