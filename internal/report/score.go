package report

import "fmt"

// A Score counts the attempts of one unit.
type Score struct {
	Planned int // slots
	Passed  int
	Failed  int
	Void    int
}

// String says how many attempts passed, which did not count, and what the rule
// is. It is empty where nothing was planned.
func (s Score) String() string {
	if s.Planned == 0 {
		return ""
	}
	ran := s.Passed + s.Failed + s.Void
	text := fmt.Sprintf("%s of %s passed", grouped(s.Passed), count(ran, "attempt"))
	if ran == 0 {
		text = "no attempt ran"
	}
	if s.Void > 0 {
		text += fmt.Sprintf(", %s void", grouped(s.Void))
	}
	if left := s.Planned - ran; left > 0 && ran > 0 {
		text += fmt.Sprintf(", %s of %s not run", grouped(left), grouped(s.Planned))
	}
	return text + fmt.Sprintf("; a case passes on %s of %s", grouped(s.Planned), grouped(s.Planned))
}
