package registrytest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"countersign/backend/event"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Journal is a registry.Journal in memory. It takes calls of any session, and this
// program owns every session until Disown. It is safe for concurrent use.
type Journal struct {
	// Use, if set before first use, counts the grants that a call is authorized by, and
	// reports whether they still hold. It is called under a lock.
	Use func(grants []string, at time.Time) bool

	mu          sync.Mutex
	invocations map[string]session.Invocation
	order       []string
	keys        map[string]string
	events      map[string][]event.Event
	stamps      map[string]map[string]tool.Stamp
	outputs     []session.Output
	workspaces  map[string]string
	disowned    map[string]bool
	failures    map[string]error
	calls       []string
	observe     func(method string)
}

var _ registry.Journal = (*Journal)(nil)

// NewJournal returns an empty journal.
func NewJournal() *Journal {
	return &Journal{
		invocations: map[string]session.Invocation{},
		keys:        map[string]string{},
		events:      map[string][]event.Event{},
		stamps:      map[string]map[string]tool.Stamp{},
		workspaces:  map[string]string{},
		disowned:    map[string]bool{},
		failures:    map[string]error{},
	}
}

// Fail makes a method, given by its name, return err without doing anything; nil
// mends it.
func (j *Journal) Fail(method string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failures[method] = err
}

// Observe has f called with the name of each method before it does anything, with
// no lock held, so that f may block or fail other methods.
func (j *Journal) Observe(f func(method string)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.observe = f
}

// Disown gives a session to another program.
func (j *Journal) Disown(sessionID string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.disowned[sessionID] = true
}

// SetWorkspace says which workspace the paths of a session's file events are
// relative to; without it they stay absolute.
func (j *Journal) SetWorkspace(sessionID, root string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.workspaces[sessionID] = root
}

// Move puts an invocation into a state, as the ledger does when a call waits.
func (j *Journal) Move(id string, state session.State) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if inv, ok := j.invocations[id]; ok {
		inv.State = state
		j.invocations[id] = inv
	}
}

// Calls returns the names of the methods that were called, in order, failed ones
// included.
func (j *Journal) Calls() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.calls)
}

// Invocation returns a stored invocation and whether there is one.
func (j *Journal) Invocation(id string) (session.Invocation, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	inv, ok := j.invocations[id]
	return inv, ok
}

// Invocations returns all invocations in the order in which they were proposed.
func (j *Journal) Invocations() []session.Invocation {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]session.Invocation, 0, len(j.order))
	for _, id := range j.order {
		out = append(out, j.invocations[id])
	}
	return out
}

// Events returns the events of a session in order.
func (j *Journal) Events(sessionID string) []event.Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.events[sessionID])
}

// Outputs returns the spilled outputs that were recorded.
func (j *Journal) Outputs() []session.Output {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.outputs)
}

// enter notes the call and returns what must end it. On success the lock is held.
func (j *Journal) enter(ctx context.Context, method string) error {
	j.mu.Lock()
	j.calls = append(j.calls, method)
	observe := j.observe
	j.mu.Unlock()
	if observe != nil {
		observe(method)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	j.mu.Lock()
	if err := j.failures[method]; err != nil {
		j.mu.Unlock()
		return err
	}
	return nil
}

// Propose stores a new invocation.
func (j *Journal) Propose(ctx context.Context, inv session.Invocation) error {
	if err := j.enter(ctx, "Propose"); err != nil {
		return err
	}
	defer j.mu.Unlock()
	if _, taken := j.invocations[inv.ID]; taken {
		return registry.ErrDuplicate
	}
	if j.disowned[inv.SessionID] {
		return session.ErrNotOwned
	}
	inv.State = session.StateProposed
	j.invocations[inv.ID] = inv
	j.order = append(j.order, inv.ID)
	j.tell(event.CallProposed, inv, inv.ProposedAt)
	return nil
}

// Authorize stores the intent.
func (j *Journal) Authorize(ctx context.Context, inv session.Invocation) error {
	if err := j.enter(ctx, "Authorize"); err != nil {
		return err
	}
	defer j.mu.Unlock()
	have, ok := j.invocations[inv.ID]
	switch {
	case !ok:
		return session.ErrNoInvocation
	case have.State.Ended():
		return session.ErrEnded
	case have.State == session.StateRunning:
		return session.ErrNotReady
	case j.disowned[have.SessionID]:
		return session.ErrNotOwned
	}
	if holder, taken := j.keys[inv.IdempotencyKey]; taken && holder != inv.ID {
		return registry.ErrDuplicate
	}
	if j.Use != nil && len(inv.Grants) > 0 && !j.Use(inv.Grants, *inv.AuthorizedAt) {
		return registry.ErrGrantGone
	}
	if inv.IdempotencyKey != "" {
		j.keys[inv.IdempotencyKey] = inv.ID
	}
	inv = merged(have, inv)
	inv.State, inv.Grants = session.StateAuthorized, nil
	j.invocations[inv.ID] = inv
	j.tell(event.CallAuthorized, inv, *inv.AuthorizedAt)
	return nil
}

// Claim moves an authorized invocation to running.
func (j *Journal) Claim(ctx context.Context, id string, at time.Time) (bool, error) {
	if err := j.enter(ctx, "Claim"); err != nil {
		return false, err
	}
	defer j.mu.Unlock()
	inv, ok := j.invocations[id]
	if !ok {
		return false, session.ErrNoInvocation
	}
	if inv.State != session.StateAuthorized || j.disowned[inv.SessionID] {
		return false, nil
	}
	inv.State, inv.StartedAt = session.StateRunning, &at
	j.invocations[id] = inv
	j.tell(event.CallStarted, inv, at)
	return true, nil
}

// MarkEffect stores the effect mark; the first one stays.
func (j *Journal) MarkEffect(ctx context.Context, id string, at time.Time) error {
	if err := j.enter(ctx, "MarkEffect"); err != nil {
		return err
	}
	defer j.mu.Unlock()
	inv, ok := j.invocations[id]
	switch {
	case !ok:
		return session.ErrNoInvocation
	case inv.State.Ended():
		return session.ErrEnded
	case inv.State != session.StateRunning:
		return session.ErrNotReady
	case j.disowned[inv.SessionID]:
		return session.ErrNotOwned
	}
	if inv.EffectSentAt == nil {
		inv.EffectSentAt = &at
		j.invocations[id] = inv
	}
	return nil
}

// Finish stores the end of an invocation.
func (j *Journal) Finish(ctx context.Context, inv session.Invocation, files []tool.FileRecord, outputs []session.Output) error {
	if err := j.enter(ctx, "Finish"); err != nil {
		return err
	}
	defer j.mu.Unlock()
	have, ok := j.invocations[inv.ID]
	switch {
	case !ok:
		return session.ErrNoInvocation
	case have.State.Ended():
		return session.ErrEnded
	case !session.StateOf(inv.Status).Ended() || inv.EndedAt == nil:
		return session.ErrNotReady
	}
	inv = merged(have, inv)
	inv.State = session.StateOf(inv.Status)
	j.invocations[inv.ID] = inv
	for _, f := range files {
		j.stamp(inv, f)
	}
	j.outputs = append(j.outputs, outputs...)
	j.tell(endEvent(inv.Status), inv, *inv.EndedAt)
	return nil
}

// Stamps returns the stamps of a session.
func (j *Journal) Stamps(ctx context.Context, sessionID string) (map[string]tool.Stamp, error) {
	if err := j.enter(ctx, "Stamps"); err != nil {
		return nil, err
	}
	defer j.mu.Unlock()
	out := map[string]tool.Stamp{}
	for path, s := range j.stamps[sessionID] {
		out[path] = s
	}
	return out, nil
}

func (j *Journal) stamp(inv session.Invocation, f tool.FileRecord) {
	if j.stamps[inv.SessionID] == nil {
		j.stamps[inv.SessionID] = map[string]tool.Stamp{}
	}
	j.stamps[inv.SessionID][f.Stamp.Path] = f.Stamp
	kind := event.FileRead
	if f.Op == tool.FileModified {
		kind = event.FileModified
	}
	path := f.Stamp.Path
	if root := j.workspaces[inv.SessionID]; root != "" {
		if rel, err := filepath.Rel(root, path); err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
			path = filepath.ToSlash(rel)
		}
	}
	j.append(inv.SessionID, kind, inv.ID, *inv.EndedAt, event.File{
		Path: path, Lines: f.Lines, Additions: f.Additions, Deletions: f.Deletions, Created: f.Created, Strategy: f.Strategy,
	})
}

func (j *Journal) tell(kind event.Type, inv session.Invocation, at time.Time) {
	j.append(inv.SessionID, kind, inv.ID, at, event.Call{
		Invocation: inv.ID, Tool: inv.ToolID, Version: inv.Version, Source: string(inv.Source),
		SideEffect: string(inv.SideEffect), Risk: string(inv.Risk), Idempotency: string(inv.Idempotency),
		Outcome: string(inv.Status), ReasonCode: string(inv.ReasonCode), EffectSent: inv.EffectSentAt != nil,
		DurationMs: inv.DurationMs, OutputBytes: inv.OutputBytes, Truncated: inv.Truncated, ParallelGroup: inv.ParallelGroup,
	})
}

func (j *Journal) append(sessionID string, kind event.Type, ref string, at time.Time, payload any) {
	text, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	j.events[sessionID] = append(j.events[sessionID], event.Event{
		SessionID: sessionID, Seq: int64(len(j.events[sessionID]) + 1), At: at, Type: kind, Ref: ref, Payload: text,
	})
}

// merged returns next with what an earlier step made durable and next does not carry.
func merged(have, next session.Invocation) session.Invocation {
	next.SessionID, next.CallID, next.Turn, next.Name = have.SessionID, have.CallID, have.Turn, have.Name
	next.ProposedAt, next.Raw = have.ProposedAt, have.Raw
	if next.Canonical == nil {
		next.Canonical = have.Canonical
	}
	if have.AuthorizedAt != nil && next.AuthorizedAt == nil {
		next.AuthorizedAt = have.AuthorizedAt
	}
	if have.StartedAt != nil {
		next.StartedAt = have.StartedAt
	}
	if have.EffectSentAt != nil {
		next.EffectSentAt = have.EffectSentAt
	}
	return next
}

func endEvent(s tool.Status) event.Type {
	switch s {
	case tool.StatusSucceeded:
		return event.CallCompleted
	case tool.StatusDenied:
		return event.CallDenied
	case tool.StatusUncertain:
		return event.CallUncertain
	case tool.StatusCancelled:
		return event.CallCancelled
	case tool.StatusFailed, tool.StatusUnavailable:
		return event.CallFailed
	}
	return event.CallFailed
}
