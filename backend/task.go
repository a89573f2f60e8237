package backend

import (
	"context"
	"errors"
	"slices"

	"countersign/backend/agent"
	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// ErrNoAgent means that no model is set up for the built-in agent.
var ErrNoAgent = errors.New("no model is set up for the built-in agent")

// ErrBusy means that a turn runs in the session already.
var ErrBusy = errors.New("the agent is busy in this session")

// turn is a running turn of the built-in agent. The engine owns its goroutine.
type turn struct {
	cancel context.CancelCauseFunc
	// stopAfter are the calls whose denial ends the turn.
	stopAfter map[string]bool
}

// Model names what the built-in agent's replies come from, "" for none.
func (e *Engine) Model() string {
	if e.provider == nil {
		return ""
	}
	return e.provider.Name()
}

// StartTask gives the built-in agent a task in a session, or in a new one for "", and returns
// at once with the session's id.
func (e *Engine) StartTask(ctx context.Context, sessionID, text string) (string, error) {
	if e.provider == nil {
		return "", ErrNoAgent
	}
	s, err := e.agentSession(ctx, sessionID)
	if err != nil {
		return "", err
	}
	if err := e.begin(s, text); err != nil {
		return "", err
	}
	e.turnChanged(s.ID())
	return s.ID(), nil
}

// begin starts a turn, unless the engine ends: what it waits for must have begun before.
func (e *Engine) begin(s *Session, text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.life.Err() != nil:
		return ErrClosing
	case e.turns[s.ID()] != nil:
		return ErrBusy
	}
	ctx, cancel := context.WithCancelCause(e.life)
	e.turns[s.ID()] = &turn{cancel: cancel, stopAfter: map[string]bool{}}
	e.work.Go(func() {
		defer cancel(nil)
		e.runTurn(ctx, s, text)
	})
	return nil
}

func (e *Engine) agentSession(ctx context.Context, id string) (*Session, error) {
	e.mu.Lock()
	open := e.sessions[id]
	e.mu.Unlock()
	if open != nil {
		if open.record.Caller.Kind != session.CallerAgent {
			return nil, errors.New("that session belongs to another caller")
		}
		return open, nil
	}
	return e.OpenSession(ctx, SessionRequest{
		ID: id, Workspace: e.options.Workspace, Title: tool.Mark(e.provider.Title()),
		Caller: session.Caller{Kind: session.CallerAgent, Name: tool.Mark("Built-in agent"), Version: tool.Mark(e.Model())},
		Images: e.provider.TakesImages(),
	})
}

func (e *Engine) runTurn(ctx context.Context, s *Session, text string) {
	id := e.ids.NewID()
	err := agent.Turn(ctx, e.provider, conversation{e, s.ID()}, agentDesk{s, id}, text)
	e.mu.Lock()
	delete(e.turns, s.ID())
	e.mu.Unlock()
	if err != nil {
		e.options.Log.Info("a turn ended early", "session", s.ID(), "cause", err)
	}
	e.turnChanged(s.ID())
}

func (e *Engine) turnChanged(sessionID string) {
	e.hub.Emit(event.Event{Type: event.TurnChanged, SessionID: sessionID, At: e.options.Clock.Now()})
}

// StopTurn stops the turn that runs in a session. Calls of the turn that wait become
// cancelled.
func (e *Engine) StopTurn(sessionID string) error {
	e.mu.Lock()
	t := e.turns[sessionID]
	e.mu.Unlock()
	if t == nil {
		return errors.New("no turn runs in this session")
	}
	t.cancel(approval.ErrStopped)
	return nil
}

// Answer gives a person's answer to a request. After a denial that stops the turn, the turn
// ends as soon as the denied call has ended as denied; other calls of it that wait become
// cancelled. The turn of a client is its own and cannot be ended here: there the other calls of
// the session that wait become cancelled, and nothing else.
func (e *Engine) Answer(ctx context.Context, id string, a approval.Answer) (approval.Result, error) {
	if !a.Stop || a.Resolution != approval.Deny {
		return e.desk.Answer(ctx, id, a)
	}
	q, err := e.desk.Get(ctx, id)
	if err != nil {
		return approval.Result{}, err
	}
	// The call may end before the answer returns, so the turn knows of it before.
	e.stopAfter(q, true)
	r, err := e.desk.Answer(ctx, id, a)
	if err != nil || r.Outcome != approval.OutcomeDone {
		e.stopAfter(q, false)
		return r, err
	}
	if !e.Busy(q.SessionID) {
		return r, e.letWaitingGo(ctx, q.SessionID)
	}
	return r, nil
}

// letWaitingGo cancels the calls of a session that wait for a person, as the person's wish. What
// runs goes on.
func (e *Engine) letWaitingGo(ctx context.Context, sessionID string) error {
	waiting, err := e.desk.Pending(ctx, sessionID)
	if err != nil {
		return err
	}
	for _, q := range waiting {
		e.StopCall(q.InvocationID)
	}
	return nil
}

// stopAfter says whether the denial of the call of q ends its turn.
func (e *Engine) stopAfter(q approval.Request, stop bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.turns[q.SessionID]
	switch {
	case t == nil:
	case stop:
		t.stopAfter[q.InvocationID] = true
	default:
		delete(t.stopAfter, q.InvocationID)
	}
}

// stopIfDenied ends the turn of a session after the denial that was to end it.
func (e *Engine) stopIfDenied(sessionID string, o tool.Outcome) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.turns[sessionID]
	if t != nil && t.stopAfter[o.InvocationID] && o.ReasonCode == tool.CodeApprovalUserRejected {
		t.cancel(approval.ErrStopped)
	}
}

// Busy reports whether a turn runs in a session.
func (e *Engine) Busy(sessionID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.turns[sessionID] != nil
}

// conversation keeps an agent's messages in the store.
type conversation struct {
	engine  *Engine
	session string
}

// messagePage is how many messages are read at once.
const messagePage = 500

func (c conversation) Messages(ctx context.Context) ([]session.Message, error) {
	var out []session.Message
	for before := int64(0); ; {
		page, err := c.engine.store.Messages(ctx, c.session, before, messagePage)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if len(page) < messagePage {
			slices.Reverse(out)
			return out, nil
		}
		before = page[len(page)-1].Seq
	}
}

func (c conversation) Add(ctx context.Context, m session.Message) error {
	m.SessionID = c.session
	_, err := c.engine.store.AddMessage(ctx, m)
	return err
}

// agentDesk is the pipeline as the agent's loop sees it.
type agentDesk struct {
	session *Session
	turn    string
}

func (d agentDesk) Tools(ctx context.Context) []tool.Spec { return d.session.Tools(ctx) }

func (d agentDesk) Call(ctx context.Context, c tool.Call) tool.Outcome {
	o := d.session.call(ctx, d.turn, c, nil)
	d.session.engine.stopIfDenied(d.session.ID(), o)
	return o
}
