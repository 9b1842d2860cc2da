package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/afero"
)

// planFolder is where plans are kept in the workspace.
const planFolder = "plans"

func planEnterTool() *tool {
	return &tool{
		name: "plan_enter",
		text: "Ask the user to plan first, and end the turn until they agree or decline. " +
			"For work that is large, risky or open to very different readings; not for a task that is clear.",
		only:      Build,
		elsewhere: "you are planning already; plan_done ends it.",
		args:      []field{{name: "reason", kind: text, required: true, about: "why a plan should come first"}},
		check:     notBlank("reason"),
		mutates:   always,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			out := ok("The user was asked to plan first. The turn ends here, until they agree or decline.")
			out.Signal = Signal{Kind: AskedToPlan, Text: a.text("reason")}
			return out
		},
	}
}

func planDoneTool() *tool {
	return &tool{
		name: "plan_done",
		text: "Put the finished plan in plans/ before the user, and end the turn until they approve or refuse it. " +
			"Only when nothing is left open.",
		only:      Plan,
		elsewhere: "there is no plan to finish; plan_enter asks to plan first.",
		args:      []field{{name: "summary", kind: text, required: true, about: "the plan in a few sentences"}},
		check:     notBlank("summary"),
		mutates:   always,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			plan, err := s.currentPlan()
			if err != nil {
				return failed("%v", err)
			}
			out := ok("The plan %s was put before the user. The turn ends here, until they approve or refuse it.", plan)
			out.Signal = Signal{Kind: PlanReady, Text: a.text("summary"), Path: plan}
			return out
		},
	}
}

func notBlank(name string) func(a args) error {
	return func(a args) error {
		if strings.TrimSpace(a.text(name)) == "" {
			return errors.New(name + " is empty")
		}
		return nil
	}
}

// isPlanFile reports whether a clean slash path is that of a plan.
func isPlanFile(name string) bool {
	return path.Dir(name) == planFolder && strings.HasSuffix(name, ".md") && path.Base(name) != ".md"
}

// planFilesOnly forbids writing anything but a plan in plan mode.
func planFilesOnly(s *Set, mode Mode, a args) string {
	if mode != Plan {
		return ""
	}
	p, err := s.resolve(a.text("path"))
	if err != nil {
		return fmt.Sprintf("nothing was written: %v", err)
	}
	if p.scratch || !isPlanFile(p.name) {
		return fmt.Sprintf("nothing was written: in plan mode only Markdown files directly in %s/ can be written, such as %s/NAME.md, not %s",
			planFolder, planFolder, p)
	}
	// A link there would lead the plan to a file that is none.
	for _, n := range []string{planFolder, p.name} {
		if info, err := p.at(n).lstat(); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Sprintf("nothing was written: %s is a link, and plans are not written through links", n)
		}
	}
	return ""
}

// currentPlan names the plan that is being finished: the one written last in
// this conversation, else the newest.
func (s *Set) currentPlan() (string, error) {
	s.mu.Lock()
	written := s.plan
	s.mu.Unlock()
	entries, err := afero.ReadDir(s.env.Files, planFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %s", planFolder, because(err))
	}
	var newest fs.FileInfo
	for _, info := range entries {
		name := path.Join(planFolder, info.Name())
		if !isPlanFile(name) || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		if name == written {
			return name, nil
		}
		if newest == nil || info.ModTime().After(newest.ModTime()) {
			newest = info
		}
	}
	if newest == nil {
		return "", fmt.Errorf("there is no plan yet: write it to %s/NAME.md first", planFolder)
	}
	return path.Join(planFolder, newest.Name()), nil
}
