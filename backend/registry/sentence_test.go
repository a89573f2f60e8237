package registry_test

import (
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// asked returns the sentence at the head of the card of a call.
func asked(t *testing.T, s tool.Spec) (verb string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, s)
		b.context.Host.Files = &within{links{to: map[string]string{}}}
		done := dispatch(t.Context(), b, s.ID, `{}`)
		verb = b.waiting(t).Verb
		b.answer(t, approval.Deny, "")
		<-done
	})
	return verb
}

func TestACardSaysInASentenceWhatACallWouldDo(t *testing.T) {
	runs := func(command, verb string, change func(*tool.Spec)) tool.Spec {
		return spec("demo.run", func(s *tool.Spec) {
			s.Set, s.Catalogs, s.Verb = "demo", []tool.Catalog{tool.CatalogWork}, verb
			s.Class.SideEffect, s.Class.Target, s.Class.Idempotency = tool.EffectCodeExecution, tool.TargetHost, tool.IdempotencyNone
			s.Target = func(tool.Args) (tool.TargetRequest, error) { return tool.TargetRequest{Command: command}, nil }
			if change != nil {
				change(s)
			}
		})
	}
	for _, c := range []struct {
		spec tool.Spec
		want string
	}{
		{runs("cat a", "Run a command", nil), "Run a command"},
		{runs("cat a && echo b | sort", "Run a command", nil), "Run 3 commands"},
		{runs("cat a; sh -c 'echo b; echo c'", "Run a command in the background", nil), "Run 4 commands in the background"},
		{runs("cat 'a", "Run a command", nil), "Run a command"},
		{runs("cat a && echo b", "Send input to p1", nil), "Send input to p1"},
		{runs("cat a", "", nil), "Call demo.run"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := asked(t, c.spec); got != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
