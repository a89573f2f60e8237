package backend

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"countersign/backend/schema"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// deed is what a person does to a process.
type deed struct {
	process session.Managed
	// action and input are what a call of the tool process would say, and effect what it does.
	action, input string
	effect        tool.SideEffect
	do            func(ctx context.Context) error
}

// byHand does what a person wants and writes it down as a call of theirs: it stands in the
// story and the history beside those of the caller, who is not told of it. begun is false when
// it could not be written down, and then nothing was done.
func (e *Engine) byHand(ctx context.Context, d deed) (begun bool, err error) {
	defer e.enter()()
	give, err := e.borrow(ctx, d.process.SessionID)
	if err != nil {
		return false, err
	}
	defer give()
	inv, err := e.recordOf(d)
	if err == nil {
		err = e.beginAct(ctx, inv)
	}
	if err != nil {
		return false, err
	}
	failed := d.do(ctx)
	e.finishAct(context.WithoutCancel(ctx), inv, d, failed)
	return true, failed
}

func (e *Engine) recordOf(d deed) (session.Invocation, error) {
	spec, ok := e.registry.Lookup("process")
	if !ok {
		return session.Invocation{}, tool.Errorf(tool.CodeNotFound, "there is no tool for processes")
	}
	args := map[string]any{"action": d.action, "id": d.process.ID}
	if d.input != "" {
		args["input"] = d.input
	}
	text, err := schema.AppendCanonical(nil, args)
	if err != nil {
		return session.Invocation{}, fmt.Errorf("write the act down: %w", err)
	}
	hash, began := sha256.Sum256(text), e.options.Clock.Now()
	inv := session.Invocation{
		ID: e.ids.NewID(), SessionID: d.process.SessionID, CallerTag: session.TagPerson, Name: tool.Mark(spec.WireName()), ToolID: spec.ID,
		Version: spec.Version, Set: spec.Set, Source: spec.Source, State: session.StateProposed, Attempt: 1,
		SideEffect: d.effect, Risk: spec.Class.Risk, Idempotency: spec.Class.Idempotency, OriginTrust: tool.TrustUser,
		ArgumentsHash: hex.EncodeToString(hash[:]), DecidedBy: "person", ProposedAt: began, AuthorizedAt: &began, StartedAt: &began,
		EffectSentAt: &began, Raw: text, Canonical: text,
		Decision: &tool.Decision{Verdict: tool.VerdictAllow, Chain: []tool.Link{}, Capabilities: []tool.Capability{}},
	}
	inv.CallID = inv.ID
	return inv, nil
}

// beginAct stores the act up to its effect mark.
func (e *Engine) beginAct(ctx context.Context, inv session.Invocation) error {
	if err := e.store.Propose(ctx, inv); err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "propose the act: %w", err)
	}
	if err := e.store.Authorize(ctx, inv); err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "authorize the act: %w", err)
	}
	won, err := e.store.Claim(ctx, inv.ID, *inv.StartedAt)
	if err == nil && !won {
		err = session.ErrNotOwned
	}
	if err == nil {
		err = e.store.MarkEffect(ctx, inv.ID, *inv.EffectSentAt)
	}
	if err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "begin the act: %w", err)
	}
	return nil
}

// finishAct stores the end of the act. What was done stays done when that fails; the next
// program to open the session finds that its outcome is not known.
func (e *Engine) finishAct(ctx context.Context, inv session.Invocation, d deed, failed error) {
	now, p := e.options.Clock.Now(), e.managed(d.process)
	inv.EndedAt, inv.DurationMs = &now, now.Sub(inv.ProposedAt).Milliseconds()
	inv.Status, inv.OutputTrust = tool.StatusSucceeded, tool.TrustPlatform
	inv.Metadata = tool.Metadata{ProcessID: p.ID, ExitCode: p.Ending.Code, Extra: map[string]any{
		"action": d.action, "status": string(p.Status), "cwd": tool.ShowPath(p.Dir), "log": p.LogPath,
	}}
	if failed != nil {
		inv.Status, inv.ReasonCode = tool.StatusFailed, tool.CodeExecutionFailed
		if own, ok := errors.AsType[*tool.Error](failed); ok {
			inv.ReasonCode = own.Code
		}
		inv.Detail = failed.Error()
	}
	if err := e.store.Finish(ctx, inv, nil, nil); err != nil {
		e.options.Log.Error("the end of what a person did was not stored", "session", inv.SessionID, "cause", err)
	}
}

// borrow makes sure that the session is this program's while something is written into it:
// its caller may have gone, and the process stayed. It returns ErrNotHere for a session of
// another program.
func (e *Engine) borrow(ctx context.Context, sessionID string) (give func(), err error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	if e.Connected(sessionID) {
		return func() {}, nil
	}
	switch err := e.store.AdoptSession(ctx, sessionID); {
	case errors.Is(err, session.ErrNotOwned), errors.Is(err, session.ErrEnded):
		return nil, ErrNotHere
	case err != nil:
		return nil, tool.Errorf(tool.CodeStorageUnavailable, "adopt the session: %w", err)
	}
	return func() {
		e.opening.Lock()
		defer e.opening.Unlock()
		// Its caller may have come back meanwhile.
		if e.Connected(sessionID) {
			return
		}
		if err := e.store.ReleaseSession(context.WithoutCancel(ctx), sessionID); err != nil {
			e.options.Log.Warn("a session was not released", "session", sessionID, "cause", err)
		}
	}, nil
}
