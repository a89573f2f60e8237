package policy

import (
	"time"

	"countersign/backend/tool"
)

// GrantLife says how long a grant lives and where it holds.
type GrantLife string

// The lives of a grant. A grant for once is not stored: it is the answer itself.
const (
	// GrantSession holds in one session until it ends.
	GrantSession GrantLife = "session"
	// GrantWorkspace holds in every session of one workspace until it is taken back.
	GrantWorkspace GrantLife = "workspace"
	// GrantRun holds for one run of a program and is not stored.
	GrantRun GrantLife = "run"
)

// GrantKind says what a grant matches.
type GrantKind string

// The kinds of grant.
const (
	// GrantFile matches one tool on one real path.
	GrantFile GrantKind = "file"
	// GrantFolder matches one tool on every real path below a folder of the workspace.
	GrantFolder GrantKind = "folder"
	// GrantTool matches every call of one tool that has no command or URL, and no path unless
	// the tool is of a set.
	GrantTool GrantKind = "tool"
	// GrantHost matches reads from one host.
	GrantHost GrantKind = "host"
	// GrantCommand matches simple commands by a shellcmd.Rule.
	GrantCommand GrantKind = "command"
)

// Grant lets later calls run that would otherwise ask.
type Grant struct {
	ID string `json:"id"`
	// SessionID is the session that it was given in, and in which a grant for a session holds.
	SessionID string `json:"session_id"`
	// Workspace is the real path of the workspace that it was given in, and in which it holds.
	Workspace string    `json:"workspace,omitempty"`
	Life      GrantLife `json:"life"`
	Kind      GrantKind `json:"kind"`
	ToolID    string    `json:"tool_id"`
	// Source, Set, SetOrigin and Fingerprint say which tool it was given for: a grant never
	// moves to another tool of the same name, nor to the same one once it is made of something
	// else.
	Source      tool.Source     `json:"source,omitempty"`
	Set         string          `json:"set,omitempty"`
	SetOrigin   string          `json:"set_origin,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	Effect      tool.SideEffect `json:"effect"`
	// Value is the real path of a file or folder, the host, or the rule as it is printed; ""
	// for a whole tool.
	Value string `json:"value"`
	// Risk is the risk at which it was given; it dies when the class rises.
	Risk tool.Risk `json:"risk"`
	// PolicyVersion is the version that it was given under, and Packaged the part of it that
	// comes with the program; "" in a grant from before that was written down.
	PolicyVersion string `json:"policy_version"`
	Packaged      string `json:"packaged,omitempty"`

	CreatedAt time.Time `json:"created_at"`
	// ApprovalID is the request whose answer made it, By who answered.
	ApprovalID string `json:"approval_id"`
	By         string `json:"by,omitempty"`
	// ExpiresAt is nil where it does not end by itself.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	// LastUsed is when it last let a call run, nil before the first; Uses counts those calls.
	LastUsed *time.Time `json:"last_used,omitempty"`
	Uses     int64      `json:"uses"`
	// EndedAt says that it does not count any more, and EndedBy why.
	EndedAt *time.Time `json:"ended_at,omitempty"`
	EndedBy GrantEnd   `json:"ended_by,omitempty"`
}

// GrantEnd says what ended a grant.
type GrantEnd string

// What can end a grant.
const (
	// GrantRevoked means that the person took it back.
	GrantRevoked GrantEnd = "person"
	// GrantUnused means that it was not used for as long as the settings say.
	GrantUnused GrantEnd = "unused"
	// GrantReplaced means that the same was granted anew.
	GrantReplaced GrantEnd = "replaced"
)

// Key is the printed form of a grant: the tool, and what it matches where that is less
// than every call.
func (g *Grant) Key() string {
	if g.Value == "" {
		return g.ToolID
	}
	if g.Kind == GrantFolder {
		return g.ToolID + " " + g.Value + "/"
	}
	return g.ToolID + " " + g.Value
}
