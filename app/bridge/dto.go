package bridge

// The types in this file and in dto_*.go are all that crosses to the page. They are plain data:
// ids, times and large numbers travel as strings, a list is never null, and text
// whose author is an agent, a tool or a file is a plain string that the page
// shows as text.

// Snapshot is what the page needs to draw itself. Truth is here; events only say
// when to read it again.
type Snapshot struct {
	Desk      Desk            `json:"desk"`
	Sessions  []SessionRow    `json:"sessions"`
	Approvals []ApprovalRow   `json:"approvals"`
	Trust     []TrustQuestion `json:"trust"`
}

// Desk is the state in the rail and the status line.
type Desk struct {
	Version   string   `json:"version"`
	Workspace string   `json:"workspace"`
	Home      string   `json:"home"`
	Preset    string   `json:"preset"`
	Catalog   string   `json:"catalog"`
	Profile   string   `json:"profile"`
	ReadOnly  bool     `json:"readOnly"`
	Theme     string   `json:"theme"`
	Presets   []Choice `json:"presets"`
	Callers   []string `json:"callers"`
	Running   int      `json:"running"`
	// Processes counts the managed processes that run.
	Processes int `json:"processes"`
	// StoreHealthy is false while the store cannot write; StoreWords says what to do.
	StoreHealthy bool   `json:"storeHealthy"`
	StoreWords   string `json:"storeWords"`
	// Agent says that a built-in agent can be given a task here, and Model names it.
	Agent bool   `json:"agent"`
	Model string `json:"model"`
	Now   string `json:"now"`
}

// Choice is one value of a setting with its words.
type Choice struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Words string `json:"words"`
}

// SessionRow is one session in a list.
type SessionRow struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Workspace string `json:"workspace"`
	Caller    string `json:"caller"`
	// CallerKind is agent, mcp, command_line or window.
	CallerKind string `json:"callerKind"`
	// Preset and Catalog are those that its next call is decided under, "" while its
	// caller is away.
	Preset  string `json:"preset"`
	Catalog string `json:"catalog"`
	Status  string `json:"status"`
	// Connected says that the caller is there now; Busy that a turn runs.
	Connected bool   `json:"connected"`
	Busy      bool   `json:"busy"`
	Waiting   int    `json:"waiting"`
	UpdatedAt string `json:"updatedAt"`
	CreatedAt string `json:"createdAt"`
}

// SessionView is a session with a page of its timeline, oldest first.
type SessionView struct {
	Session SessionRow     `json:"session"`
	Items   []TimelineItem `json:"items"`
	// Before is the cursor of the page before this one, "" at the start; After that of the
	// page after it, "" at the end.
	Before string `json:"before"`
	After  string `json:"after"`
	// Seq is the number up to which the page tells what happened.
	Seq string `json:"seq"`
}

// TimelineItem is a message or a call.
type TimelineItem struct {
	ID      string   `json:"id"`
	Cursor  string   `json:"cursor"`
	At      string   `json:"at"`
	Message *Message `json:"message"`
	Call    *CallRow `json:"call"`
}

// Message is text that a user or an agent wrote.
type Message struct {
	// Role is user or assistant.
	Role string `json:"role"`
	Text string `json:"text"`
	// Left is how many characters of the message follow Text.
	Left  int    `json:"left"`
	Model string `json:"model"`
}

// CallRow is one call, collapsed to a line.
type CallRow struct {
	ID     string `json:"id"`
	ToolID string `json:"toolId"`
	// Verb is a plain word such as "Write"; Subject is what it acts on, shown in the code font,
	// and SubjectLeft how many characters of that follow.
	Verb        string `json:"verb"`
	Subject     string `json:"subject"`
	SubjectLeft int    `json:"subjectLeft"`
	// State is proposed, waiting_for_approval, authorized, running, succeeded, failed, denied,
	// unavailable, uncertain or cancelled.
	State string `json:"state"`
	// Figure is the short result: "+3 −1", "186 lines", "by you".
	Figure string `json:"figure"`
	At     string `json:"at"`
	// StartedAt is when it began to run, "" while it has not.
	StartedAt  string `json:"startedAt"`
	DurationMs string `json:"durationMs"`
	ApprovalID string `json:"approvalId"`
	// Failed says that the call was done, and the program that it ran ended with a failure.
	Failed bool `json:"failed"`
	// CanStop says that the call is under way here, so that StopCall would stop it.
	CanStop bool `json:"canStop"`
}

// CallDetail is a call, opened.
type CallDetail struct {
	SessionID string  `json:"sessionId"`
	Call      CallRow `json:"call"`
	// Arguments is the canonical JSON, or the text as sent when it was refused before.
	Arguments     string `json:"arguments"`
	ArgumentsHash string `json:"argumentsHash"`
	// Read is what the model read.
	Read []Part `json:"read"`
	// Message is the fixed sentence of the reason code.
	ReasonCode string     `json:"reasonCode"`
	Message    string     `json:"message"`
	Diffs      []FileDiff `json:"diffs"`
	Decision   []Why      `json:"decision"`
	// DecidedBy says in words who or what decided, "" for nobody, and Verdict what, "Later" for
	// an answer after the end. Undecided says why the call ended without an answer, or is "".
	DecidedBy   string `json:"decidedBy"`
	Verdict     string `json:"verdict"`
	Undecided   string `json:"undecided"`
	DecidedAt   string `json:"decidedAt"`
	StartedAt   string `json:"startedAt"`
	EndedAt     string `json:"endedAt"`
	OutputTrust string `json:"outputTrust"`
	Truncated   bool   `json:"truncated"`
	Omitted     string `json:"omitted"`
	SpillPath   string `json:"spillPath"`
	OutputBytes string `json:"outputBytes"`
	// Outputs are the texts that the call left in the output store.
	Outputs []OutputRow `json:"outputs"`
	// Found is what a search found.
	Found Found `json:"found"`
	// Run tells of the program that the call ran.
	Run   RunRow   `json:"run"`
	Class ClassRow `json:"class"`
}

// Part is a piece of what a model read.
type Part struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Mime   string `json:"mime"`
	Handle string `json:"handle"`
}

// ApprovalRow is one waiting call in the inbox.
type ApprovalRow struct {
	ID           string `json:"id"`
	SessionID    string `json:"sessionId"`
	SessionTitle string `json:"sessionTitle"`
	InvocationID string `json:"invocationId"`
	Workspace    string `json:"workspace"`
	Caller       string `json:"caller"`
	// CallerKind is agent, mcp, command_line or window.
	CallerKind string `json:"callerKind"`
	ToolID     string `json:"toolId"`
	// Verb is the sentence, Subject the path, command or host it acts on, and SubjectLeft how
	// many characters of that follow; the card shows all. Short is the plain word that stands
	// before Subject in a line, such as "Write".
	Verb        string `json:"verb"`
	Short       string `json:"short"`
	Subject     string `json:"subject"`
	SubjectLeft int    `json:"subjectLeft"`
	Risk        string `json:"risk"`
	// Status is pending, approved, denied, expired or cancelled.
	Status     string `json:"status"`
	CreatedAt  string `json:"createdAt"`
	ExpiresAt  string `json:"expiresAt"`
	CallerLeft bool   `json:"callerLeft"`
	// LeftWhy is "left" or "interrupted".
	LeftWhy string `json:"leftWhy"`
}

// AboutRow is a fact about a call. Label is ours, Text may be foreign.
type AboutRow struct {
	Label string `json:"label"`
	Text  string `json:"text"`
}

// ApprovalCard is a waiting call with everything a person needs to decide.
type ApprovalCard struct {
	Row    ApprovalRow `json:"row"`
	Wire   string      `json:"wire"`
	Set    string      `json:"set"`
	Origin string      `json:"origin"`
	// Preview is none, arguments, diff, command or egress.
	Preview string     `json:"preview"`
	Diffs   []FileDiff `json:"diffs"`
	Paths   []PathRow  `json:"paths"`
	Command string     `json:"command"`
	URL     string     `json:"url"`
	// Input is the text that a running program would be sent, "" for other calls.
	Input string `json:"input"`
	// About are facts beside what the call would do, such as where a command runs.
	About     []AboutRow    `json:"about"`
	Arguments []ArgumentRow `json:"arguments"`
	// Canonical is the exact JSON that will be sent.
	Canonical string `json:"canonical"`
	Hash      string `json:"hash"`
	HashShort string `json:"hashShort"`
	Why       []Why  `json:"why"`
	// OfferWords says what "for this session" lets through; "" where there is none, and
	// NoGrant says why.
	OfferWords string `json:"offerWords"`
	OfferKey   string `json:"offerKey"`
	NoGrant    string `json:"noGrant"`
	Restricted bool   `json:"restricted"`
	// Dangers says what is dangerous about restricted paths, in words that complete a
	// sentence about a path: "holds private keys".
	Dangers []string `json:"dangers"`
	// Hold says that Allow needs Ctrl+Enter or a held button.
	Hold bool `json:"hold"`
	// Moved says what changed since the call was first asked for.
	Moved string `json:"moved"`
	// Drift says that the card is out of date before any answer; "" while it is not.
	Drift string `json:"drift"`
	// Note says what the preview could not show: why the call would end without effect.
	Note  string   `json:"note"`
	Class ClassRow `json:"class"`
	// Ended says in a sentence how the request ended, "" while it waits.
	Ended string `json:"ended"`
	// Resolution, Words, ResolvedBy and ResolvedAt are set once the request has ended.
	Resolution string `json:"resolution"`
	Words      string `json:"words"`
	ResolvedBy string `json:"resolvedBy"`
	ResolvedAt string `json:"resolvedAt"`
}

// FileDiff is the change of one file.
type FileDiff struct {
	Path      string   `json:"path"`
	Absolute  string   `json:"absolute"`
	Unified   string   `json:"unified"`
	Additions int      `json:"additions"`
	Deletions int      `json:"deletions"`
	Created   bool     `json:"created"`
	Notes     []string `json:"notes"`
}

// PathRow is one path that a call touches.
type PathRow struct {
	Path     string `json:"path"`
	Absolute string `json:"absolute"`
	// Access is read or write, Zone workspace, output, own_home or outside.
	Access string `json:"access"`
	Zone   string `json:"zone"`
	Linked bool   `json:"linked"`
}

// ArgumentRow is one argument with what the schema says of it.
type ArgumentRow struct {
	Name        string `json:"name"`
	Value       string `json:"value"`
	Type        string `json:"type"`
	Description string `json:"description"`
}

// Why is one voice of a decision in words.
type Why struct {
	Layer   string `json:"layer"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"`
	// Setting names the part of the settings that would change it: "presets", "catalog", "lock",
	// "toolSets", "trust", "grants", "".
	Setting string `json:"setting"`
}

// AnswerRequest is a person's answer to a card.
type AnswerRequest struct {
	ID string `json:"id"`
	// Resolution is allow_once, allow_session or deny.
	Resolution string `json:"resolution"`
	Words      string `json:"words"`
	// Hash is the hash that the card showed.
	Hash string `json:"hash"`
	Stop bool   `json:"stop"`
}

// AnswerResult says what became of an answer.
type AnswerResult struct {
	// Outcome is done, same, conflict, gone or kept. Kept means that the caller had left and
	// the answer waits for a retry.
	Outcome string       `json:"outcome"`
	Words   string       `json:"words"`
	Card    ApprovalCard `json:"card"`
}

// TrustQuestion asks whether a workspace may be worked in.
type TrustQuestion struct {
	Root      string `json:"root"`
	Workspace string `json:"workspace"`
	AskedBy   string `json:"askedBy"`
	// AskerKind is what asked, as in SessionRow.CallerKind.
	AskerKind string `json:"askerKind"`
	SessionID string `json:"sessionId"`
	CreatedAt string `json:"createdAt"`
	// Opens and Shut say in words what Yes opens and what stays shut until then.
	Opens    []string `json:"opens"`
	Shut     []string `json:"shut"`
	Postpone bool     `json:"postpone"`
	// Waiting counts the calls that wait behind the question.
	Waiting int `json:"waiting"`
}

// TrustAnswer answers the trust question of a root.
type TrustAnswer struct {
	Root string `json:"root"`
	// Answer is yes, no or later.
	Answer string `json:"answer"`
}

// TrustRow is an answered trust question.
type TrustRow struct {
	Root string `json:"root"`
	// Answer is yes or no.
	Answer string `json:"answer"`
	At     string `json:"at"`
}

// ClassRow is a classification in words.
type ClassRow struct {
	SideEffect  string   `json:"sideEffect"`
	Risk        string   `json:"risk"`
	Idempotency string   `json:"idempotency"`
	Action      string   `json:"action"`
	OutputTrust string   `json:"outputTrust"`
	Scopes      []string `json:"scopes"`
	Target      string   `json:"target"`
	TimeoutMs   string   `json:"timeoutMs"`
	OnTimeout   string   `json:"onTimeout"`
	MaxBytes    string   `json:"maxBytes"`
	Parallel    bool     `json:"parallel"`
}

// TaskRequest gives the built-in agent something to do. Session "" starts a new one.
type TaskRequest struct {
	SessionID string `json:"sessionId"`
	Text      string `json:"text"`
}

// Event is a numbered hint. N counts from 1 on each connection; a gap means that hints were
// dropped and a snapshot must be read.
type Event struct {
	N         string `json:"n"`
	Type      string `json:"type"`
	SessionID string `json:"sessionId"`
	Ref       string `json:"ref"`
	At        string `json:"at"`
}

// Error is what a method answers when it could not do what was asked.
type Error struct {
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Fields  map[string]string `json:"fields"`
}
