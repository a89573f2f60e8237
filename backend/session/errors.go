package session

import "errors"

// Errors that the keepers of records return. They say what was asked for wrongly;
// a store that cannot work answers with tool.CodeStorageUnavailable instead.
var (
	// ErrNoSession says that there is no session of that id.
	ErrNoSession = errors.New("no such session")
	// ErrNoInvocation says that there is no invocation of that id.
	ErrNoInvocation = errors.New("no such invocation")
	// ErrNoOutput says that the output store never had a text of that name for the session.
	ErrNoOutput = errors.New("no such output")
	// ErrNoProcess says that the session never had a process of that id.
	ErrNoProcess = errors.New("no such process")
	// ErrEnded says that the invocation or session has ended and takes no further step.
	ErrEnded = errors.New("it has ended")
	// ErrNotReady says that the invocation has not come as far as the step needs.
	ErrNotReady = errors.New("the invocation is not ready for this step")
	// ErrNotOwned says that the session belongs to another program.
	ErrNotOwned = errors.New("the session belongs to another program")
)
