package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeds-evals/deeds/behavior"
)

// TodoSet is a todo list that was written.
func TodoSet() Event {
	e := moment(behavior.KindTodo, "a", "todo list", nil)
	e.label, e.tools = "todo list", []string{"todo"}
	return e
}

// Completing is the moment at which an item of the todo list became completed:
// the first list of the agent in which an item whose content has the text in it,
// as whole words and whatever the case of letters, is completed and was not in
// the list before.
func Completing(item string) Event {
	e := moment(behavior.KindTodo, "a", "completion of the item "+show(item), nil)
	e.what = func(t *trace, i int) answer {
		item := strings.ToLower(t.expand(item))
		completed := func(td behavior.Todo) bool {
			return td.Status == "completed" && mentions(strings.ToLower(td.Content), item)
		}
		return answers(slices.ContainsFunc(t.Timeline[i].Todos, completed) && !slices.ContainsFunc(t.listBefore(i), completed))
	}
	e.label, e.tools = "completing "+short(item), []string{"todo"}
	return e
}

// Todos means that f has nothing to say against the last todo list of the main
// agent. The words say what is expected of the list. No list is a failure.
func Todos(words string, f func([]behavior.Todo) error) behavior.Expectation {
	return expectation{
		spec: behavior.Spec{
			Name: "todos: " + short(words), Want: "a last todo list: " + words, Where: here(), Tools: []string{"todo"},
		},
		check: func(t *trace) behavior.Finding {
			for i := len(t.Timeline) - 1; i >= 0; i-- {
				ev := t.Timeline[i]
				if ev.Kind != behavior.KindTodo || ev.Agent != "" {
					continue
				}
				if err := f(slices.Clone(ev.Todos)); err != nil {
					return fail(fmt.Sprintf("%s; the list is\n%s", err, todoLines(ev.Todos)), i)
				}
				return pass(i)
			}
			return fail("no todo list")
		},
	}
}

func todoLines(todos []behavior.Todo) string {
	const most = 20
	var b strings.Builder
	for i, td := range todos {
		if i == most {
			fmt.Fprintf(&b, "  … %d more\n", len(todos)-most)
			break
		}
		fmt.Fprintf(&b, "  %s: %s\n", plain(td.Status), plain(td.Content))
	}
	if len(todos) == 0 {
		return "  empty"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
