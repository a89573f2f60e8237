package session

import (
	"encoding/json"
	"time"

	"countersign/backend/tool"
)

// State is where an invocation stands. The last six are ends.
type State string

// The states of an invocation.
const (
	StateProposed    State = "proposed"
	StateWaiting     State = "waiting_for_approval"
	StateAuthorized  State = "authorized"
	StateRunning     State = "running"
	StateSucceeded   State = "succeeded"
	StateFailed      State = "failed"
	StateDenied      State = "denied"
	StateUnavailable State = "unavailable"
	StateUncertain   State = "uncertain"
	StateCancelled   State = "cancelled"
)

// StateOf returns the end that a status stands for.
func StateOf(s tool.Status) State { return State(s) }

// Ended reports whether the invocation has ended.
func (s State) Ended() bool {
	switch s {
	case StateSucceeded, StateFailed, StateDenied, StateUnavailable, StateUncertain, StateCancelled:
		return true
	case StateProposed, StateWaiting, StateAuthorized, StateRunning:
		return false
	}
	return false
}

// TagPerson marks what a person did by hand in a session, beside the calls of its caller.
const TagPerson = "person"

// Invocation is the record of one call. Arguments and results are kept in their
// own tables and are loaded only where they are shown.
type Invocation struct {
	ID        string `json:"id"`
	SessionID string `json:"session_id"`
	// CallID is the caller's name for the call, Turn the agent turn it came from.
	CallID string `json:"call_id"`
	Turn   string `json:"turn,omitempty"`
	// Name is the tool name as it was asked for: foreign text until it resolved.
	Name     tool.Untrusted `json:"name"`
	ToolID   string         `json:"tool_id,omitempty"`
	Version  string         `json:"version,omitempty"`
	Set      string         `json:"set,omitempty"`
	Source   tool.Source    `json:"source,omitempty"`
	ServerID string         `json:"server_id,omitempty"`
	State    State          `json:"state"`
	Attempt  int            `json:"attempt"`
	// CallerTag is TagPerson for what a person did by hand, "" for a call of the caller.
	CallerTag string `json:"caller_tag,omitempty"`

	SideEffect  tool.SideEffect  `json:"side_effect,omitempty"`
	Risk        tool.Risk        `json:"risk,omitempty"`
	Idempotency tool.Idempotency `json:"idempotency,omitempty"`
	OriginTrust tool.Trust       `json:"origin_trust"`

	ArgumentsHash string `json:"arguments_hash,omitempty"`
	// AskedHash is the hash of the arguments as the caller sent them and ChangedBy who changed
	// them since: "hook", "person", or both with a space between. Both are "" where nobody did.
	AskedHash string `json:"asked_hash,omitempty"`
	ChangedBy string `json:"changed_by,omitempty"`
	// IdempotencyKey is sha256 over session, call, tool, version and argument hash.
	IdempotencyKey string         `json:"idempotency_key,omitempty"`
	PolicyVersion  string         `json:"policy_version,omitempty"`
	Decision       *tool.Decision `json:"decision,omitempty"`
	// DecidedBy is "policy", "grant:" and the ids of grants with a space between, "person" or
	// "reviewer", and "" where nobody has decided: rules that ask a person have not.
	DecidedBy string `json:"decided_by,omitempty"`
	// Grants are the stored grants that the call is authorized by, for the step that counts
	// their use; the ids in DecidedBy tell them afterwards.
	Grants []string `json:"-"`
	// Answered is the request whose answer the call is authorized by, for the record of that
	// decision; "" for a call that nobody was asked for.
	Answered string `json:"-"`

	ProposedAt   time.Time  `json:"proposed_at"`
	AuthorizedAt *time.Time `json:"authorized_at,omitempty"`
	StartedAt    *time.Time `json:"started_at,omitempty"`
	// EffectSentAt is the effect mark.
	EffectSentAt *time.Time `json:"effect_sent_at,omitempty"`
	EndedAt      *time.Time `json:"ended_at,omitempty"`

	Status      tool.Status     `json:"status,omitempty"`
	ReasonCode  tool.Code       `json:"reason_code,omitempty"`
	OutputTrust tool.Trust      `json:"output_trust,omitempty"`
	OutputBytes int64           `json:"output_bytes"`
	Truncated   bool            `json:"truncated"`
	Metadata    tool.Metadata   `json:"metadata"`
	DurationMs  int64           `json:"duration_ms"`
	Content     []tool.Part     `json:"content,omitempty"`
	Structured  json.RawMessage `json:"structured,omitempty"`
	// Raw is the argument text as it was sent, Canonical its canonical form.
	Raw       []byte `json:"-"`
	Canonical []byte `json:"-"`
	// Detail is the cause of a failure, for the log and the person, never for a model.
	Detail string `json:"-"`
	// Hidden says what a copy for eyes hides; what is stored hides nothing.
	Hidden []tool.Hidden `json:"-"`
	// ParallelGroup names the batch that the call ran in, if any.
	ParallelGroup string `json:"parallel_group,omitempty"`
}

// Output is the row of one file in the output store.
type Output struct {
	SessionID    string `json:"session_id"`
	InvocationID string `json:"invocation_id"`
	Path         string `json:"path"`
	// Bytes is how many the text had when its call ended; the log of a process grows on.
	Bytes int64 `json:"bytes"`
	// Lost is how many bytes could not be kept.
	Lost      int64     `json:"lost,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	// RemovedAt is when the text was removed to make room, nil while it is there.
	RemovedAt *time.Time `json:"removed_at,omitempty"`
}

// Image is an image that a result names, as its bytes tell of it.
type Image struct {
	// SHA256 is the hexadecimal hash by which it is found.
	SHA256 string
	// Mime is one of four types, "" for bytes that are none of them.
	Mime  string
	Bytes int64
	// Width and Height are in pixels, 0 where they cannot be told.
	Width, Height int
}

// Artifact is a text that a person keeps for a time, whatever becomes of its session.
type Artifact struct {
	ID string `json:"id"`
	// Name is the name that the text had in the output store.
	Name string `json:"name"`
	// SHA256 is the hexadecimal hash by which the content is found.
	SHA256    string    `json:"sha256"`
	Bytes     int64     `json:"bytes"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}
