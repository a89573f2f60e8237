package scripted

import (
	"strings"
	"testing"

	"countersign/backend/model"
)

const task = `{"title":"t","steps":[
 {"id":"look","say":"I look.","calls":[{"tool":"read","arguments":{"file_path":"a"}},{"tool":"math_calculate","arguments":{"expression":"1"}}],
  "next":{"succeeded":"change","default":"stop"}},
 {"id":"change","say":"I change.","calls":[{"tool":"write"}],"next":{"denied":"ask","succeeded":"done"}},
 {"id":"ask","say":"Then not."},{"id":"done","say":"Done."},{"id":"stop","say":"I stop."}]}`

func said(t *testing.T, messages []model.Message) model.Reply {
	t.Helper()
	p, err := Parse([]byte(task))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := p.Reply(t.Context(), model.Request{Messages: messages})
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func TestTaskGoesOnByTheWorstStatus(t *testing.T) {
	user := model.Message{Role: model.RoleUser, Text: "go"}
	look := model.Message{Role: model.RoleAssistant, Text: "I look."}
	change := model.Message{Role: model.RoleAssistant, Text: "I change."}
	tool := func(status string) model.Message { return model.Message{Role: model.RoleTool, Status: status} }
	for _, c := range []struct {
		name     string
		messages []model.Message
		want     string
	}{
		{"start", []model.Message{user}, "I look."},
		{"both succeeded", []model.Message{user, look, tool("succeeded"), tool("succeeded")}, "I change."},
		{"one failed", []model.Message{user, look, tool("succeeded"), tool("failed")}, "I stop."},
		{"denied", []model.Message{user, look, tool("succeeded"), tool("succeeded"), change, tool("denied")}, "Then not."},
		{"no way on", []model.Message{user, look, tool("succeeded"), tool("succeeded"), change, tool("failed")}, "This task is done."},
		{"a new user message starts again", []model.Message{user, look, tool("failed"), user}, "I look."},
	} {
		if got := said(t, c.messages); got.Text != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got.Text, c.want)
		}
	}
}

func TestCallsHaveIDsOfTheirOwnAndArguments(t *testing.T) {
	reply := said(t, []model.Message{{Role: model.RoleUser}})
	if len(reply.Calls) != 2 || reply.Calls[0].ID == reply.Calls[1].ID || string(reply.Calls[0].Arguments) != `{"file_path":"a"}` {
		t.Errorf("got %+v", reply.Calls)
	}
}

func TestBrokenTasksAreRefused(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{"steps":[]}`, `{"steps":[{"id":""}]}`, `{"steps":[{"id":"a"},{"id":"a"}]}`, `{"steps":[{"id":"a","next":{"denied":"b"}}]}`,
		`{"steps":[{"id":"a","next":{"often":"a"}}]}`, `{"steps":[{"id":"a","calls":[{"tool":""}]}]}`, `{"steps":[{"id":"a","do":1}]}`,
		`{"title":"` + strings.Repeat("x", maxFile) + `"}`,
	} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%.60s was accepted", text)
		}
	}
}
