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
	// Secrets are the parts of the command that eyes do not see. No grant is made of them.
	Secrets []Secret
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
	// SetOrigin is where a tool set lies and Fingerprint what it is made of, as tool.Spec has
	// them; both are "" for what is built in.
	SetOrigin   string
	Fingerprint string
	// Always says that the author of the set declares that ordinary calls need no question.
	Always bool
	// SetChanged says that the set is not any more what the person let in.
	SetChanged bool
	// Raised is what the tool itself says about how strictly the call is to be judged.
	Raised Raised
	// Hooks are what the operator's own programs said of the call, in the order in which they
	// were asked.
	Hooks []Hook
	// Changed is who changed the arguments since the caller sent them, last: LayerOperator for
	// the person, LayerHook for a hook, "" for nobody.
	Changed tool.Layer
	// Reviewer says that a reviewing model can be asked.
	Reviewer bool
	Grants   []Grant
	Now      time.Time
}

// Raised is what a tool of a set says of a call. A risk that it raised is in Facts.Class.
type Raised struct {
	// Person says that only a person may answer, and only once.
	Person bool
	// Failed says that it could not be asked, so that nobody knows.
	Failed bool
}

// Hook is what a hook said of a call.
type Hook struct {
	Name string
	// Verdict is Allow where it lets the other layers decide, Ask or Deny.
	Verdict tool.Verdict
	// Reason is its own, "" without one.
	Reason string
	// Failed says that it gave no answer, which counts as Deny. Foreseen says that it was not
	// asked, and would be if the call were made.
	Failed, Foreseen bool
}

// Review says what a reviewing model may do with a call.
type Review string

// What a reviewing model may do. Its Allow is never a grant.
const (
	// ReviewNone does not ask it.
	ReviewNone Review = ""
	// ReviewMayDeny lets its refusal stand, while only a person may allow the call.
	ReviewMayDeny Review = "may_deny"
	// ReviewMayAnswer lets both its answers stand.
	ReviewMayAnswer Review = "may_answer"
)

// Secret is a part of a command line that eyes do not see, and where it stands, in bytes.
type Secret struct {
	Start, End int
	Text       string
}

// Outcome is a decision with what the approval needs to know about it.
type Outcome struct {
	Decision tool.Decision
	// Grants are the ids of the grants that allowed the call, each once; nil without any. A
	// command line may need one for each of its commands.
	Grants []string
	// Offered says that an answer may make grants; Offers and Granting tell which. NoGrant says
	// why none may be made.
	Offered bool
	NoGrant string
	// Review says what a reviewing model may do before a person is asked.
	Review Review
	// Restricted says that only a person may answer, once, without a default button.
	Restricted bool
	// Dangers says of what the restricted paths are, each once, in words that complete a
	// sentence about a path: "holds private keys".
	Dangers []string
	// Risk is the risk to show: the class's, raised to medium for a path outside the workspace and
	// to high for Restricted. A command line of ours that stays inside the workspace has its own.
	Risk tool.Risk
	// Dynamic says that nobody can tell beforehand what the call would run.
	Dynamic bool
	// Contained says that the command of the call stays inside the workspace, as far as it
	// was read.
	Contained bool
	// TrustOnly says that the call was stopped by nothing but the missing trust in the
	// workspace, so that it can wait behind the trust question.
	TrustOnly bool
}
