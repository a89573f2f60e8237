package backend

import (
	"context"

	"countersign/backend/approval"
)

// Interrupt stops turns and lets every call go, as a desk that closes does: a call that
// waits becomes a card whose caller was interrupted. A door that must let its clients
// finish calls this, waits for them, and then calls Close.
func (e *Engine) Interrupt() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stop(approval.ErrInterrupted)
}

// StopCall lets one call go that is in the pipeline here, as the person's wish: one that
// waits is cancelled, one that runs is stopped as its tool can be. It reports whether
// there was such a call.
func (e *Engine) StopCall(invocationID string) bool {
	e.mu.Lock()
	call := e.calls[invocationID]
	e.mu.Unlock()
	if call == nil {
		return false
	}
	call.cancel(approval.ErrStopped)
	return true
}

// CanStop reports whether a call is in the pipeline here.
func (e *Engine) CanStop(invocationID string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.calls[invocationID] != nil
}

func (e *Engine) began(invocationID string, cancel context.CancelCauseFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls[invocationID] = &underway{cancel: cancel}
}

func (e *Engine) ended(invocationID string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.calls, invocationID)
}
