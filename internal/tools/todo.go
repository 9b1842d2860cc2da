package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

func todoTool() *tool {
	return &tool{
		name: "todo",
		text: "Set the todo list, for work of several steps: the whole list each time, in order. " +
			"At most one item is in_progress; mark an item completed as soon as it is done. An empty list clears it.",
		only:      Build,
		elsewhere: "write the steps into the plan instead.",
		args: []field{{
			name: "items", kind: list, required: true,
			item: &field{kind: object, fields: []field{
				{name: "content", kind: text, required: true, about: "what is to be done"},
				{name: "status", kind: text, required: true, enum: []string{"pending", "in_progress", "completed", "cancelled"}},
				{name: "priority", kind: text, enum: []string{"high", "medium", "low"}},
			}},
		}},
		check: func(a args) error {
			active := 0
			for i, t := range todos(a) {
				if strings.TrimSpace(t.Content) == "" {
					return fmt.Errorf("items[%d].content is empty", i)
				}
				if t.Status == "in_progress" {
					active++
				}
			}
			if active > 1 {
				return errors.New("only one item can be in_progress at a time, not " + fmt.Sprint(active))
			}
			return nil
		},
		mutates: always,
		run: func(ctx context.Context, s *Set, a args) Outcome {
			items := todos(a)
			s.mu.Lock()
			s.todos = items
			s.mu.Unlock()
			out := ok("%s", describe(items))
			out.Signal = Signal{Kind: TodosSet, Todos: items}
			return out
		},
	}
}

// todos reads the items from checked arguments.
func todos(a args) []Todo {
	given, _ := a["items"].([]any)
	items := make([]Todo, 0, len(given))
	for _, g := range given {
		m, _ := g.(map[string]any)
		item := args(m)
		items = append(items, Todo{
			Content:  item.text("content"),
			Status:   item.text("status"),
			Priority: item.text("priority"),
		})
	}
	return items
}

// describe shows the list as it now stands.
func describe(items []Todo) string {
	if len(items) == 0 {
		return "The todo list is empty."
	}
	left := 0
	var rows []string
	for _, t := range items {
		mark := map[string]string{"pending": "[ ]", "in_progress": "[>]", "completed": "[x]", "cancelled": "[-]"}[t.Status]
		if t.Status == "pending" || t.Status == "in_progress" {
			left++
		}
		rows = append(rows, mark+" "+t.Content)
	}
	return fmt.Sprintf("The todo list is set, %d of %s left:\n%s", left, count(len(items), "item"), strings.Join(rows, "\n"))
}
