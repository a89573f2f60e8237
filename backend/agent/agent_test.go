package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/model"
	"countersign/backend/session"
	"countersign/backend/tool"
)

type log struct{ messages []session.Message }

func (l *log) Messages(context.Context) ([]session.Message, error) {
	return slices.Clone(l.messages), nil
}

func (l *log) Add(_ context.Context, m session.Message) error {
	l.messages = append(l.messages, m)
	return nil
}

// paired reports whether every call of the conversation has its answer.
func (l *log) paired() error {
	open := map[string]bool{}
	for _, m := range l.messages {
		for _, c := range m.Calls {
			open[c.ID] = true
		}
		delete(open, m.CallID)
	}
	if len(open) > 0 {
		return fmt.Errorf("%d calls have no answer", len(open))
	}
	return nil
}

// replies is a provider that says what it is told.
type replies struct {
	list []model.Reply
	seen []model.Request
}

func (r *replies) Name() string { return "replies" }

func (r *replies) Reply(_ context.Context, q model.Request) (model.Reply, error) {
	r.seen = append(r.seen, q)
	if len(r.list) == 0 {
		return model.Reply{Text: "end"}, nil
	}
	next := r.list[0]
	if len(r.list) > 1 {
		r.list = r.list[1:]
	}
	return next, nil
}

type desk struct {
	mu    sync.Mutex
	calls []string
	call  func(ctx context.Context, c tool.Call) tool.Outcome
}

func (d *desk) Tools(context.Context) []tool.Spec {
	read := tool.Class{SideEffect: tool.EffectWorkspaceRead, Idempotency: tool.IdempotencyReadOnly, Parallel: true}
	return []tool.Spec{
		{ID: "look.one", Class: read},
		{ID: "change", Class: tool.Class{SideEffect: tool.EffectWorkspaceWrite, Idempotency: tool.IdempotencyIdempotent, Parallel: true}},
	}
}

func (d *desk) Call(ctx context.Context, c tool.Call) tool.Outcome {
	d.mu.Lock()
	d.calls = append(d.calls, c.Name)
	d.mu.Unlock()
	return d.call(ctx, c)
}

func ok(context.Context, tool.Call) tool.Outcome {
	return tool.Outcome{Status: tool.StatusSucceeded, Content: []tool.Part{tool.TextPart("fine")}}
}

func ends(status tool.Status, code tool.Code) func(context.Context, tool.Call) tool.Outcome {
	return func(context.Context, tool.Call) tool.Outcome {
		return tool.Outcome{Status: status, ReasonCode: code, Message: "A fixed sentence."}
	}
}

func calls(names ...string) model.Reply {
	r := model.Reply{Text: "I call."}
	for i, n := range names {
		r.Calls = append(r.Calls, model.Call{ID: fmt.Sprintf("%s-%d", n, i), Name: n, Arguments: []byte("{}")})
	}
	return r
}

func TestTurnGoesOnUntilAReplyHasNoCalls(t *testing.T) {
	p := &replies{list: []model.Reply{calls("look_one"), calls("change"), {Text: "done"}}}
	l, d := &log{}, &desk{call: ok}
	if err := Turn(t.Context(), p, l, d, "go"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.calls, []string{"look_one", "change"}) || l.paired() != nil || len(l.messages) != 6 {
		t.Errorf("calls %v, %d messages, %v", d.calls, len(l.messages), l.paired())
	}
	last := p.seen[2].Messages
	if got := last[len(last)-1]; got.Role != model.RoleTool || got.Text != "fine" || got.Status != "succeeded" {
		t.Errorf("the provider read %+v", got)
	}
}

// spec: VS-22, CS-7
func TestRefusalTellsTheCodeAndTheFixedSentence(t *testing.T) {
	p := &replies{list: []model.Reply{calls("change"), {Text: "done"}}}
	l := &log{}
	if err := Turn(t.Context(), p, l, &desk{call: ends(tool.StatusDenied, tool.CodeApprovalUserRejected)}, "go"); err != nil {
		t.Fatal(err)
	}
	if got := l.messages[2].Text.Open(); got != "denied (approval.user_rejected): A fixed sentence." {
		t.Errorf("got %q", got)
	}
}

// spec: VS-8
func TestOnlyAWholeBatchOfReadersRunsSideBySide(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  int
	}{{[]string{"look_one", "look_one", "look_one"}, 3}, {[]string{"look_one", "change"}, 1}, {[]string{"look_one", "unknown"}, 1}} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			now, most := 0, 0
			d := &desk{call: func(ctx context.Context, call tool.Call) tool.Outcome {
				mu.Lock()
				now++
				most = max(most, now)
				mu.Unlock()
				synctestYield(t)
				mu.Lock()
				now--
				mu.Unlock()
				return ok(ctx, call)
			}}
			if err := Turn(t.Context(), &replies{list: []model.Reply{calls(c.names...), {}}}, &log{}, d, "go"); err != nil {
				t.Fatal(err)
			}
			if most != c.want {
				t.Errorf("%v: %d ran side by side, want %d", c.names, most, c.want)
			}
		})
	}
}

// synctestYield lets every other goroutine of the bubble come as far as it can.
func synctestYield(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	<-ctx.Done()
}

// spec: KH-16
func TestStoppedTurnAnswersEveryCall(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	d := &desk{call: func(context.Context, tool.Call) tool.Outcome {
		cancel(approval.ErrStopped)
		return tool.Outcome{Status: tool.StatusCancelled, ReasonCode: tool.CodeCancelled, Content: []tool.Part{tool.TextPart("[cancelled]")}}
	}}
	l := &log{}
	err := Turn(ctx, &replies{list: []model.Reply{calls("change", "change", "change")}}, l, d, "go")
	if !errors.Is(err, ErrDeniedAndStopped) {
		t.Errorf("got %v", err)
	}
	if err := l.paired(); err != nil {
		t.Error(err)
	}
}

func TestTurnEndsWhenTheAgentDoesNotLearn(t *testing.T) {
	for _, c := range []struct {
		outcome func(context.Context, tool.Call) tool.Outcome
		want    error
		calls   int
	}{
		{ends(tool.StatusDenied, tool.CodeNotFound), ErrNotCorrected, maxCorrections + 1},
		{ends(tool.StatusFailed, tool.CodeArgumentsInvalid), ErrNotCorrected, maxCorrections + 1},
		{ends(tool.StatusDenied, tool.CodeRepeatedDenial), ErrDeniedAgain, 1},
		{ends(tool.StatusDenied, tool.CodeApprovalUserRejected), ErrDeniedAgain, 3},
		{ok, ErrTooManyReplies, maxReplies},
	} {
		d := &desk{call: c.outcome}
		err := Turn(t.Context(), &replies{list: []model.Reply{calls("change")}}, &log{}, d, "go")
		if !errors.Is(err, c.want) || len(d.calls) != c.calls {
			t.Errorf("got %v after %d calls, want %v after %d", err, len(d.calls), c.want, c.calls)
		}
	}
}

// Denials of different calls, or for different reasons, are not the same denial three times.
func TestOnlyTheSameDenialEndsTheTurn(t *testing.T) {
	codes := []tool.Code{tool.CodeApprovalUserRejected, tool.CodeApprovalExpired, tool.CodeApprovalUserRejected, tool.CodePolicyReadOnly}
	n := 0
	d := &desk{call: func(ctx context.Context, c tool.Call) tool.Outcome {
		n++
		return ends(tool.StatusDenied, codes[n-1])(ctx, c)
	}}
	p := &replies{list: []model.Reply{calls("change"), calls("change"), calls("change"), calls("change"), {Text: "done"}}}
	if err := Turn(t.Context(), p, &log{}, d, "go"); err != nil || n != 4 {
		t.Errorf("got %v after %d calls", err, n)
	}
}
