// Package event names what happens in a session. Events are small numbered
// hints: identity and classification, never arguments, results, error detail or
// foreign text. Who wants the whole story reads a snapshot.
package event

import (
	"encoding/json"
	"time"
)

// Type is the name of an event.
type Type string

// The types that are stored.
const (
	CallProposed      Type = "tool.call.proposed"
	CallAuthorized    Type = "tool.call.authorized"
	CallDenied        Type = "tool.call.denied"
	CallStarted       Type = "tool.call.started"
	CallCompleted     Type = "tool.call.completed"
	CallFailed        Type = "tool.call.failed"
	CallUncertain     Type = "tool.call.uncertain"
	CallCancelled     Type = "tool.call.cancelled"
	ApprovalRequested Type = "approval.requested"
	ApprovalResolved  Type = "approval.resolved"
	ApprovalChanged   Type = "approval.changed"
	ApprovalLeft      Type = "approval.left"
	ApprovalRejoined  Type = "approval.rejoined"
	FileRead          Type = "file.read"
	FileModified      Type = "file.modified"
	ProcessStarted    Type = "process.started"
	ProcessExited     Type = "process.exited"
	MessageAdded      Type = "message.added"
	SessionOpened     Type = "session.opened"
	SessionTitled     Type = "session.titled"
	SessionMoved      Type = "session.moved"
	SessionEnded      Type = "session.ended"
	SettingsChanged   Type = "settings.changed"
)

// The types that are only hints of the moment: they are not stored, have no number and
// may have no session.
const (
	TrustAsked     Type = "trust.asked"
	TrustAnswered  Type = "trust.answered"
	SessionChanged Type = "session.changed"
	TurnChanged    Type = "turn.changed"
	// GrantsChanged says that a grant was taken back or swept away. One that an answer makes
	// is told by the end of its request.
	GrantsChanged Type = "grants.changed"
	// ProcessPrinted says that a managed process printed more.
	ProcessPrinted Type = "process.output"
	// ProcessesEnding says that the background processes of a session are about to be
	// stopped, since the program ends.
	ProcessesEnding Type = "processes.ending"
	StoreChanged    Type = "store.changed"
	// ToolsChanged says that tool sets were loaded, or that their manifests look different on
	// disk.
	ToolsChanged Type = "tools.changed"
)

// Event is one entry of a session's append-only log.
type Event struct {
	SessionID string `json:"session_id"`
	// Seq counts from 1 in each session, without gaps.
	Seq  int64     `json:"seq"`
	At   time.Time `json:"at"`
	Type Type      `json:"type"`
	// Ref is the invocation, approval or message that the event is about.
	Ref     string          `json:"ref,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Call is the payload of tool.call events.
type Call struct {
	Invocation    string `json:"invocation"`
	Tool          string `json:"tool"`
	Version       string `json:"version,omitempty"`
	Source        string `json:"source,omitempty"`
	SideEffect    string `json:"side_effect,omitempty"`
	Risk          string `json:"risk,omitempty"`
	Idempotency   string `json:"idempotency,omitempty"`
	Outcome       string `json:"outcome,omitempty"`
	ReasonCode    string `json:"reason_code,omitempty"`
	EffectSent    bool   `json:"effect_sent,omitempty"`
	DurationMs    int64  `json:"duration_ms,omitempty"`
	OutputBytes   int64  `json:"output_bytes,omitempty"`
	Truncated     bool   `json:"truncated,omitempty"`
	ParallelGroup string `json:"parallel_group,omitempty"`
}

// Approval is the payload of approval events.
type Approval struct {
	Approval   string `json:"approval"`
	Invocation string `json:"invocation"`
	Tool       string `json:"tool"`
	Risk       string `json:"risk"`
	Status     string `json:"status"`
	By         string `json:"by,omitempty"`
}

// File is the payload of file events. Its path is relative to the workspace
// where it lies inside.
type File struct {
	Path      string `json:"path"`
	Lines     int    `json:"lines,omitempty"`
	Additions int    `json:"additions,omitempty"`
	Deletions int    `json:"deletions,omitempty"`
	Created   bool   `json:"created,omitempty"`
	Strategy  string `json:"strategy,omitempty"`
}

// Process is the payload of process events. What was run is in its own table.
type Process struct {
	Process  string `json:"process"`
	Status   string `json:"status"`
	ExitCode *int   `json:"exit_code,omitempty"`
	Signal   string `json:"signal,omitempty"`
}

// Sink receives events after they were stored. It must not block: a slow reader
// drops events and resyncs from a snapshot when it sees the gap.
type Sink interface {
	Emit(Event)
}
