package backend

import "countersign/backend/approval"

// Interrupt stops turns and lets every call go, as a desk that closes does: a call that
// waits becomes a card whose caller was interrupted. A door that must let its clients
// finish calls this, waits for them, and then calls Close.
func (e *Engine) Interrupt() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stop(approval.ErrInterrupted)
}
