package behavior

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeds-evals/deeds/internal/diff"
	"github.com/deeds-evals/deeds/internal/report"
)

// failure is the message for an attempt that failed.
func (a attempt) failure(closing report.Closing) string {
	msg := report.Attempt{
		Timeline: reportTimeline(a.evidence.Timeline),
		Files:    fileDiffs(a.evidence.Before, a.evidence.After),
		Closing:  closing,
	}
	for _, v := range a.verdicts {
		if v.Result == Fail {
			msg.Verdicts = append(msg.Verdicts, reportVerdict(v))
		}
	}
	if a.reason != "" {
		msg.End = report.End{Reason: string(a.reason), Detail: a.detail}
	}
	return report.Fail(msg)
}

// void is the message for an attempt that proves nothing.
func (a attempt) void(closing report.Closing) string {
	return report.Voided(report.Void{
		Reason: string(a.reason), Detail: a.detail, Hint: a.hint,
		Timeline: reportTimeline(a.evidence.Timeline),
		Closing:  closing,
	})
}

func reportVerdict(v Verdict) report.Verdict {
	return report.Verdict{Signal: string(v.Signal), Where: v.Where, Want: v.Want, Got: v.Got, Events: v.Events}
}

func reportTimeline(events []Event) []report.Event {
	all := make([]report.Event, 0, len(events))
	for _, ev := range events {
		r := report.Event{
			Kind: string(ev.Kind), Turn: ev.Turn, Agent: ev.Agent, ID: ev.ID, Exit: ev.Exit,
			Text: ev.Text, Stop: ev.Stop, Mode: string(ev.Mode), State: ev.State,
		}
		for _, t := range ev.Todos {
			r.Todos = append(r.Todos, t.Status+" "+t.Content)
		}
		if c := ev.Call; c != nil {
			r.Tool, r.Args, r.Raw = c.Tool, c.Args, c.Raw
			r.Status, r.Result, r.Exit = string(c.Status), c.Result, c.Exit
		}
		all = append(all, r)
	}
	return all
}

// fileDiffs says what became of each file that changed.
func fileDiffs(before, after Files) []report.FileDiff {
	var all []report.FileDiff
	for _, p := range diffFiles(before, after) {
		was, had := before[p]
		is, has := after[p]
		all = append(all, report.FileDiff{Path: p, Diff: fileDiff(was, is, had, has)})
	}
	return all
}

func fileDiff(was, is File, had, has bool) string {
	var remarks []string
	switch {
	case !had:
		remarks = append(remarks, "created")
	case !has:
		remarks = append(remarks, "removed")
	case was.Mode != is.Mode:
		remarks = append(remarks, fmt.Sprintf("mode %v became %v", was.Mode, is.Mode))
	}
	if was.Link != is.Link {
		remarks = append(remarks, fmt.Sprintf("link to %q became link to %q", was.Link, is.Link))
	}
	text := ""
	switch {
	case was.Digest != "" || is.Digest != "":
		if was.Digest != is.Digest || was.Size != is.Size {
			remarks = append(remarks, fmt.Sprintf("%d bytes became %d bytes", was.Size, is.Size))
		}
	case string(was.Data) == string(is.Data):
	case !utf8.Valid(was.Data) || !utf8.Valid(is.Data):
		remarks = append(remarks, fmt.Sprintf("binary, %d bytes became %d bytes", len(was.Data), len(is.Data)))
	default:
		text = diff.Unified(string(was.Data), string(is.Data))
	}
	return strings.TrimSuffix(strings.Join(append(remarks, text), "\n"), "\n")
}
