package agent

// Words is what a message says aloud: its text without what the model thought in
// it.
func Words(m Message) string {
	text, _ := splitReasoning(m.Text)
	return text
}

// PlanPath is the plan that the agent handed over last, as slash path in the
// workspace; "" if there is none.
func (s *Session) PlanPath() string { return s.planReady }

// Turns counts the agent's messages so far.
func (s *Session) Turns() int { return s.turns }
