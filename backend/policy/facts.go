package policy

import (
	"time"

	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Facts are everything a decision may depend on.
type Facts struct {
	ToolID string
	Set    string
	Source tool.Source
	Class  tool.Class
	Effect tool.SideEffect
	Target tool.Target
	// Reading is what the command of Target would do, nil where there is none. A command
	// without a reading counts as one that could not be parsed.
	Reading *shellcmd.Reading
	Rules   session.Rules
	Scopes  []string
	Trusted bool
	// TrustRoot is what a person would trust: the git root, else the workspace.
	TrustRoot string
	Workspace string
	UserHome  string
	OwnHome   string
	// System is the operating system whose paths are meant; "" gets the rules of all.
	System pathclass.System
	// CaseFolding says that the file system takes names that differ in case for one.
	CaseFolding bool
	// Origin is the least trusted label among what the caller had read.
	Origin tool.Trust
	Grants []Grant
	Now    time.Time
}

// GrantLife says how long a grant lives.
type GrantLife string

// The lives of a grant. A grant for once is not stored: it is the answer itself.
const (
	GrantSession GrantLife = "session"
)

// GrantKind says what a grant matches.
type GrantKind string

// The kinds of grant.
const (
	// GrantFile matches one tool on one real path.
	GrantFile GrantKind = "file"
	// GrantTool matches every call of one tool that has no path, command or URL.
	GrantTool GrantKind = "tool"
	// GrantHost matches reads from one host.
	GrantHost GrantKind = "host"
)

// Grant lets later calls run that would otherwise ask.
type Grant struct {
	ID        string          `json:"id"`
	SessionID string          `json:"session_id"`
	Life      GrantLife       `json:"life"`
	Kind      GrantKind       `json:"kind"`
	ToolID    string          `json:"tool_id"`
	Effect    tool.SideEffect `json:"effect"`
	// Value is the real path or the host; "" for a whole tool.
	Value string `json:"value"`
	// Risk is the risk at which it was given; it dies when the class rises.
	Risk          tool.Risk `json:"risk"`
	PolicyVersion string    `json:"policy_version"`
	CreatedAt     time.Time `json:"created_at"`
	ApprovalID    string    `json:"approval_id"`
}

// Outcome is a decision with what the approval needs to know about it.
type Outcome struct {
	Decision tool.Decision
	// Grant is the grant that allowed the call, "" without one.
	Grant string
	// Offer is the narrowest grant that would let this call run again in the session;
	// nil where none may be made.
	Offer *Grant
	// OfferWords says in words what Offer lets through.
	OfferWords string
	// NoGrant says why no grant may be made.
	NoGrant string
	// Restricted says that only a person may answer, once, without a default button.
	Restricted bool
	// Dangers says of what the restricted paths are, each once, in words that complete a
	// sentence about a path: "holds private keys".
	Dangers []string
	// Risk is the risk to show: the class's, raised to medium for a path outside the workspace and
	// to high for Restricted.
	Risk tool.Risk
	// Dynamic says that nobody can tell beforehand what the call would run.
	Dynamic bool
	// TrustOnly says that the call was stopped by nothing but the missing trust in the
	// workspace, so that it can wait behind the trust question.
	TrustOnly bool
}
