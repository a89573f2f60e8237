package approval

import (
	"context"
	"errors"
	"time"

	"countersign/backend/policy"
	"countersign/backend/tool"
)

// ErrNoRequest says that there is no request of that id.
var ErrNoRequest = errors.New("no such approval request")

// ErrNoGrant says that there is no grant of that id.
var ErrNoGrant = errors.New("no such grant")

// MaxGrants is how many grants AllGrants returns at most.
const MaxGrants = 1000

// Ledger keeps requests and grants durably. Each method is one transaction.
type Ledger interface {
	// AddRequest stores a pending request and moves its invocation to waiting.
	AddRequest(ctx context.Context, r Request) error
	// Request returns one request with its canonical arguments, or ErrNoRequest.
	Request(ctx context.Context, id string) (Request, error)
	// Pending returns the requests that wait, in the order in which their calls came.
	// session "" means all.
	Pending(ctx context.Context, session string) ([]Request, error)
	// Resolve moves a pending request to its end and returns the stored request.
	// changed is false when it had ended before, and when it shows another card than the end is
	// for; then the stored one is returned as it is. Grants, if given, are stored in the same transaction, each in the place of one
	// that says the same.
	Resolve(ctx context.Context, id string, end End, grants []policy.Grant) (stored Request, changed bool, err error)
	// ResolveAll moves pending requests to the same end, all of them or none: none when one has
	// ended, is past its expiry at the instant of the end, or has another hash than was shown.
	// It returns them in the order of the batch, as they are stored then. err is ErrNoRequest
	// when one of them is not there; then none was moved.
	ResolveAll(ctx context.Context, batch []Shown, end End) (stored []Request, changed bool, err error)
	// Refresh puts the present decision and policy version on a pending request
	// whose rules changed while it waited. moved says in words what changed.
	Refresh(ctx context.Context, id string, decision tool.Decision, policyVersion, moved string) error
	// Revise puts another call in the place of what a pending request shows: all of r but where
	// it belongs, when and how it was asked and who waits for it. It returns ErrNoRequest for a
	// request that has ended, and for one that does not show the arguments with the hash shown.
	Revise(ctx context.Context, r Request, shown string) error
	// MarkLeft says that nobody waits for the answer any more.
	MarkLeft(ctx context.Context, id, why string) error
	// Rejoin says that somebody waits again.
	Rejoin(ctx context.Context, id, invocation string) error
	// Kept returns a request that a person answered, unconsumed and unexpired, whose caller
	// had left, for the same session, tool and hash of the arguments as the caller sent them;
	// ErrNoRequest without one.
	Kept(ctx context.Context, session, toolID, askedHash string, now time.Time) (Request, error)
	// Void says on an approved request, in words for the person, why the call did not run.
	// The first words stay; a request that is not approved stays as it is.
	Void(ctx context.Context, id, words string) error
	// Consume uses up a person's answer. used is false when it had been used before, and for
	// a request that ended without one.
	Consume(ctx context.Context, id string) (used bool, err error)
	// Grants returns the grants that have not ended and are not past their expiry: those of a
	// session that has not ended itself, and those of its workspace, by its real path. They
	// come in the order in which they were given.
	Grants(ctx context.Context, session, workspace string, now time.Time) ([]policy.Grant, error)
	// AllGrants returns the grants that have not ended and those that ended after since, the
	// latest first and at most MaxGrants. A grant of a session that ended is not among them.
	AllGrants(ctx context.Context, since time.Time) ([]policy.Grant, error)
	// EndGrant ends a grant that has not ended and returns it. changed is false when it had,
	// and err is ErrNoGrant when there is none.
	EndGrant(ctx context.Context, id string, by policy.GrantEnd, at time.Time) (g policy.Grant, changed bool, err error)
	// SweepGrants ends the grants for workspaces that were neither given nor used since unused,
	// and returns how many.
	SweepGrants(ctx context.Context, unused, at time.Time) (int, error)
}

// End is how a request ends. All that it says is told in the decision record, by the names that
// its fields have in JSON.
type End struct {
	Status     Status     `json:"status"`
	Resolution Resolution `json:"resolution"`
	// Keep is what an allowing answer kept of the changes, nil for all.
	Keep  [][]int `json:"keep"`
	Words string  `json:"words"`
	By    string  `json:"by"`
	// Reason says in words for the person why a request ends without one.
	Reason string `json:"reason"`
	// BatchID names the answer to several requests that this end belongs to, "" without one.
	BatchID string `json:"batch_id"`
	// Shown, unless it is "", is the hash of the arguments that the end is for: a request that
	// shows others stays as it is. Card is the hash of the whole card in the same way, as
	// Request.Card.
	Shown string    `json:"shown"`
	Card  string    `json:"card"`
	At    time.Time `json:"at"`
}
