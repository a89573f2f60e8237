package bridge

import "context"

// Processes returns the managed processes of all sessions.
func (a *API) Processes() (ProcessList, error) { return respond(a, "Processes", a.processes) }

// ProcessTail returns a part of what a process printed, with how it stands.
func (a *API) ProcessTail(r ProcessTailRequest) (ProcessTail, error) {
	return respond(a, "ProcessTail", func(ctx context.Context) (ProcessTail, error) { return a.processTail(ctx, r) })
}

// WriteProcess sends a person's text to a process.
func (a *API) WriteProcess(r ProcessInput) error {
	return perform(a, "WriteProcess", func(ctx context.Context) error { return a.writeProcess(ctx, r) })
}

// StopProcess ends a process and all it started, and returns once they have ended.
func (a *API) StopProcess(r ProcessRef) error {
	return perform(a, "StopProcess", func(ctx context.Context) error { return a.stopProcess(ctx, r) })
}
