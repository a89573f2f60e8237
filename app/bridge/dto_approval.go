package bridge

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
	// Marker stands in Verb and Subject for each piece that is hidden from eyes, "" where none is.
	Marker string `json:"marker"`
	// Status is pending, approved, denied, expired or cancelled.
	Status     string `json:"status"`
	CreatedAt  string `json:"createdAt"`
	ExpiresAt  string `json:"expiresAt"`
	CallerLeft bool   `json:"callerLeft"`
	// LeftWhy is "left" or "interrupted".
	LeftWhy string `json:"leftWhy"`
	// Alone says in a sentence why it is answered on its own card only, "" when it may be
	// answered together with others.
	Alone string `json:"alone"`
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
	// Odd are the characters of Command that a reader may miss or take for others. Listing is
	// what was read of it.
	Odd     []OddRow       `json:"odd"`
	Listing CommandListing `json:"listing"`
	URL     string         `json:"url"`
	// Input is the text that a running program would be sent, "" for other calls.
	Input string `json:"input"`
	// About are facts beside what the call would do, such as where a command runs.
	About     []AboutRow    `json:"about"`
	Arguments []ArgumentRow `json:"arguments"`
	// Canonical is the exact JSON that will be sent, and CanonicalLeft how many bytes of it follow
	// that are too many for the page.
	Canonical     string `json:"canonical"`
	CanonicalLeft int    `json:"canonicalLeft"`
	Hash          string `json:"hash"`
	HashShort     string `json:"hashShort"`
	// Shown names all that the card shows of the call, as the decision record has it.
	Shown string `json:"shown"`
	Why   []Why  `json:"why"`
	// Offers are the parts of the call that an answer may allow beyond this once; none where no
	// part can be, and NoGrant says why.
	Offers     []OfferRow `json:"offers"`
	NoGrant    string     `json:"noGrant"`
	Restricted bool       `json:"restricted"`
	// Hidden says what of the card is hidden from eyes, by kind, and Marker is the text that
	// stands for each such piece, "" where none is.
	Marker string      `json:"marker"`
	Hidden []HiddenRow `json:"hidden"`
	// MustReveal says that something is hidden in a command or a path, so that the call is not
	// allowed before it was revealed.
	MustReveal bool `json:"mustReveal"`
	// Dangers says what is dangerous about restricted paths, in words that complete a
	// sentence about a path: "holds private keys".
	Dangers []string `json:"dangers"`
	// Changed tells what became of the arguments since the caller sent them.
	Changed Changed `json:"changed"`
	// Hold says that Allow needs Ctrl+Enter or a held button, MustSee that the whole command and
	// what was read of it must have been in view before.
	Hold    bool `json:"hold"`
	MustSee bool `json:"mustSee"`
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
	// "profile", "toolSets", "trust", "grants", "paths", "allowedDomains", "hooks", "".
	Setting string `json:"setting"`
}

// AnswerRequest is a person's answer to a card.
type AnswerRequest struct {
	ID string `json:"id"`
	// Resolution is allow_once, allow_session, allow_workspace or deny.
	Resolution string `json:"resolution"`
	// Chosen is what is allowed for longer than this once, one or more of what is offered; Days
	// is for how long in a workspace, 0 for until it is taken back.
	Chosen []ChoiceRef `json:"chosen"`
	Days   int         `json:"days"`
	Words  string      `json:"words"`
	// Keep is what is allowed of the changes: for each of the card's diffs the runs of lines to
	// be made, counted from 0, in ascending order. Empty is all of them. It goes with allow_once.
	Keep [][]int `json:"keep"`
	// Hash is the hash that the card showed. With Shown, the answer is for that card and no other.
	Hash  string `json:"hash"`
	Shown string `json:"shown"`
	Stop  bool   `json:"stop"`
}

// AnswerResult says what became of an answer.
type AnswerResult struct {
	// Outcome is done, same, conflict, gone, kept or refused. Kept means that the caller had left
	// and the answer waits for a retry, refused that what was chosen or kept may not be allowed.
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
