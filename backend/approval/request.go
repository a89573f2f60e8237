package approval

import (
	"time"

	"countersign/backend/policy"
	"countersign/backend/tool"
)

// Status is the state of a request.
type Status string

// The states of a request. Pending is the only one that can change.
const (
	StatusPending   Status = "pending"
	StatusApproved  Status = "approved"
	StatusDenied    Status = "denied"
	StatusExpired   Status = "expired"
	StatusCancelled Status = "cancelled"
)

// Resolution is what an answer says.
type Resolution string

// The answers. Session and Workspace allow this call and make grants of what was chosen, for
// the session or for every session of the workspace.
const (
	AllowOnce      Resolution = "allow_once"
	AllowSession   Resolution = "allow_session"
	AllowWorkspace Resolution = "allow_workspace"
	Deny           Resolution = "deny"
)

// Known reports whether r is one of the answers.
func (r Resolution) Known() bool { return r == AllowOnce || r == Deny || r.Life() != "" }

// Life is how long the grants of an answer live, "" for one that makes none.
func (r Resolution) Life() policy.GrantLife {
	switch r {
	case AllowSession:
		return policy.GrantSession
	case AllowWorkspace:
		return policy.GrantWorkspace
	case AllowOnce, Deny:
	}
	return ""
}

// MaxWords is how many characters of a person's words are kept with a denial.
const MaxWords = 2000

// Request is a call that waits for a person: what is asked, and the hashes that the
// answer is bound to.
type Request struct {
	ID           string `json:"id"`
	SessionID    string `json:"session_id"`
	InvocationID string `json:"invocation_id"`
	ToolID       string `json:"tool_id"`
	Wire         string `json:"wire"`
	Set          string `json:"set"`
	// Fingerprint is what the tool set was made of when the card was made, "" for what is
	// built in. An answer holds for nothing else.
	Fingerprint string `json:"fingerprint,omitempty"`

	SideEffect tool.SideEffect `json:"side_effect"`
	Risk       tool.Risk       `json:"risk"`
	Decision   tool.Decision   `json:"decision"`

	ArgumentsHash string     `json:"arguments_hash"`
	PolicyVersion string     `json:"policy_version"`
	Pins          []tool.Pin `json:"pins"`
	// Canonical is the JSON that would be sent; the store keeps it in its own table.
	Canonical []byte `json:"-"`
	// Changed says what the caller had sent, where that is not what the card shows; nil where
	// it is.
	Changed *Changed `json:"changed,omitempty"`
	// Card is the hash of all that a person is shown of the request as it waits, which the ledger
	// makes; lists leave it out.
	Card string `json:"-"`

	Verb    string           `json:"verb"`
	Preview tool.PreviewKind `json:"preview"`
	Diffs   []tool.FileDiff  `json:"diffs,omitempty"`
	Paths   []tool.Touch     `json:"paths,omitempty"`
	Command tool.Untrusted   `json:"command,omitzero"`
	// Listing is what was read of Command, nil without one and in requests from before it was
	// stored.
	Listing *Listing       `json:"listing,omitempty"`
	URL     tool.Untrusted `json:"url,omitzero"`
	// Input is what a running program would be sent.
	Input tool.Untrusted `json:"input,omitzero"`
	About []tool.About   `json:"about,omitempty"`

	// Offers are the parts of the call that an answer may grant, and Granting is what all those
	// grants have in common; empty where no grant is possible, and NoGrant says why.
	Offers   []policy.Offer `json:"offers,omitempty"`
	Granting policy.Grant   `json:"granting,omitzero"`
	NoGrant  string         `json:"no_grant,omitempty"`
	// Note says in words for the person what the preview could not show: that the call would
	// end without effect as things are, and why. Such a card has no diff.
	Note string `json:"note,omitempty"`
	// Restricted says that the card has no default button.
	Restricted bool `json:"restricted,omitempty"`
	// Hidden says what the preview, and with Canonical the arguments, hide from eyes. The
	// preview is stored as it is shown: what was hidden of it is in the arguments, or in the
	// files of Pins.
	Hidden []tool.Hidden `json:"hidden,omitempty"`
	// Dangers says of what the restricted paths are, as policy.Outcome.Dangers.
	Dangers []string `json:"dangers,omitempty"`
	// Moved says what changed since the call was first asked for, if it was asked again.
	Moved string `json:"moved,omitempty"`

	Status    Status    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	// CallerLeft says that nobody waits for the answer any more; LeftWhy is "left" or
	// "interrupted".
	CallerLeft bool   `json:"caller_left"`
	LeftWhy    string `json:"left_why,omitempty"`

	Resolution Resolution `json:"resolution,omitempty"`
	// Keep is what the answer kept of the changes, as in Answer; nil is all of them.
	Keep       [][]int        `json:"keep,omitempty"`
	Words      tool.Untrusted `json:"words,omitzero"`
	ResolvedAt *time.Time     `json:"resolved_at,omitempty"`
	// ResolvedBy is "person", or names what ended the request: "expiry", "settings" (the rules
	// or the trust in the workspace changed), "files" (a file of the preview changed),
	// "caller", or "grant:" and the ids of the grants that let the call run. Without a person
	// there is no Resolution, and StatusApproved and StatusDenied say what the rules gave.
	ResolvedBy string `json:"resolved_by,omitempty"`
	// Reason says in words for the person why a request ended without one.
	Reason string `json:"reason,omitempty"`
	// Voided says in words for the person why a yes did not run the call after all; "" when
	// it did, or still may.
	Voided string `json:"voided,omitempty"`
	// BatchID names the answer that was given to several requests at once, "" for an answer to
	// this request alone.
	BatchID string `json:"batch_id,omitempty"`
	// Consumed says that the answer was used by a call.
	Consumed bool `json:"consumed"`
}

// Answer is what a person said.
type Answer struct {
	Resolution Resolution
	// Chosen is what the grants of the answer match, each by its kind and value; nil takes the
	// narrowest that is offered for each part. Days is how long a grant for the workspace lives,
	// 0 for until it is taken back.
	Chosen []policy.Choice
	Days   int
	// Keep is what of the changes is allowed: for each of the request's diffs the runs of
	// lines to be made, counted from 0, in ascending order. Nil is all of them. It goes with
	// AllowOnce only; a denial takes no notice of it.
	Keep [][]int
	// Words are told to the model with a denial.
	Words string
	// ArgumentsHash must be the hash that the person was shown.
	ArgumentsHash string
	// Card is Request.Card of the card that the person saw. With another one the answer is for
	// something else and does not count; "" leaves that open.
	Card string
	// Stop ends the turn as well.
	Stop bool
}

// Lifetime is how long a request of this risk waits before it expires.
func Lifetime(r tool.Risk) time.Duration {
	switch r {
	case tool.RiskLow, tool.RiskMedium:
		return 24 * time.Hour
	case tool.RiskHigh:
		return 4 * time.Hour
	case tool.RiskCritical:
		return time.Hour
	}
	return time.Hour
}
