package backend

import (
	"context"
	"sync"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// trying is the session in which a person tries tools, opened with the first.
type trying struct {
	mu      sync.Mutex
	session *Session
}

// TryTool takes a call of the person's own through the whole pipeline, as an agent's would go, and
// returns at once with the id of its session. The engine owns the call.
func (e *Engine) TryTool(ctx context.Context, name string, arguments []byte) (string, error) {
	s, err := e.trySession(ctx)
	if err != nil {
		return "", err
	}
	// What Close waits for must have begun before.
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.life.Err() != nil {
		return "", ErrClosing
	}
	call := tool.Call{ID: e.ids.NewID(), Name: name, Arguments: arguments}
	e.work.Go(func() { s.Call(e.life, call, nil) })
	return s.ID(), nil
}

func (e *Engine) trySession(ctx context.Context) (*Session, error) {
	e.trying.mu.Lock()
	defer e.trying.mu.Unlock()
	if e.trying.session != nil {
		return e.trying.session, nil
	}
	s, err := e.OpenSession(ctx, SessionRequest{
		Workspace: e.options.Workspace, Title: tool.Mark("Tools tried by you"),
		Caller: session.Caller{Kind: session.CallerWindow, Name: tool.Mark("You, in Tools")},
	})
	if err == nil {
		e.trying.session = s
	}
	return s, err
}
