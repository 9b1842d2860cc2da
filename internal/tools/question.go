package tools

import (
	"context"
	"fmt"
	"strings"
)

func questionTool() *tool {
	return &tool{
		name: "question",
		text: "Ask the user what only the user can decide, and end the turn until they answer. " +
			"Offer options where the likely answers are few; the user may still answer in their own words.",
		args: []field{{
			name: "questions", kind: list, required: true, min: 1, max: 5,
			item: &field{kind: object, fields: []field{
				{name: "question", kind: text, required: true},
				{
					name: "options", kind: list, max: 6, about: "answers to choose from, at least two",
					item: &field{kind: text},
				},
			}},
		}},
		check: func(a args) error {
			for i, q := range questions(a) {
				if err := q.check(); err != nil {
					return fmt.Errorf("questions[%d]: %w", i, err)
				}
			}
			return nil
		},
		run: func(ctx context.Context, s *Set, a args) Outcome {
			out := ok("The user was asked. The turn ends here, until they answer.")
			out.Signal = Signal{Kind: AskedUser, Text: asked(questions(a))}
			return out
		},
	}
}

// A question is one question with the answers it offers.
type question struct {
	text    string
	options []string
}

func (q question) check() error {
	if strings.TrimSpace(q.text) == "" {
		return fmt.Errorf("question is empty")
	}
	if len(q.options) == 1 {
		return fmt.Errorf("one option is no choice; give at least two, or none")
	}
	seen := make(map[string]bool)
	for _, o := range q.options {
		switch {
		case strings.TrimSpace(o) == "":
			return fmt.Errorf("an option is empty")
		case seen[o]:
			return fmt.Errorf("the option %q is there twice", shorten(o, 40))
		}
		seen[o] = true
	}
	return nil
}

// questions reads the questions from checked arguments.
func questions(a args) []question {
	given, _ := a["questions"].([]any)
	var all []question
	for _, g := range given {
		m, _ := g.(map[string]any)
		q := question{text: args(m).text("question")}
		options, _ := m["options"].([]any)
		for _, o := range options {
			s, _ := o.(string)
			q.options = append(q.options, s)
		}
		all = append(all, q)
	}
	return all
}

// asked is how the questions look to the user.
func asked(all []question) string {
	var b strings.Builder
	for i, q := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(q.text + "\n")
		for _, o := range q.options {
			b.WriteString("- " + o + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
