package registry

import (
	"context"
	"errors"
	"time"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// ErrDuplicate says that a call with the same idempotency key was authorized before.
var ErrDuplicate = errors.New("the call was taken up before under the same key")

// ErrGrantGone says that a grant ended between the decision and the intent.
var ErrGrantGone = errors.New("a grant that would let the call run has ended")

// Journal keeps the story of calls durably. Each method is one transaction that
// is on disk when it returns, and appends the event that tells it.
type Journal interface {
	// Propose stores a new invocation with its raw arguments.
	Propose(ctx context.Context, inv session.Invocation) error
	// Authorize stores the intent: canonical arguments, hash, key and decision.
	// It fails with ErrDuplicate when the key was authorized before. It counts the use of
	// the grants that the call is authorized by, and fails with ErrGrantGone when one of
	// them does not hold any more.
	Authorize(ctx context.Context, inv session.Invocation) error
	// Claim moves an authorized invocation to running, once. won is false when
	// it is not authorized or this program no longer owns its session.
	Claim(ctx context.Context, id string, at time.Time) (won bool, err error)
	// MarkEffect stores the effect mark.
	MarkEffect(ctx context.Context, id string, at time.Time) error
	// Finish stores the end of an invocation with its content, its file records and
	// its spilled outputs.
	Finish(ctx context.Context, inv session.Invocation, files []tool.FileRecord, outputs []session.Output) error
	// Stamps returns the stamps of a session, by real path.
	Stamps(ctx context.Context, sessionID string) (map[string]tool.Stamp, error)
}
