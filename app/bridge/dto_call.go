package bridge

// CallRow is one call, collapsed to a line.
type CallRow struct {
	ID     string `json:"id"`
	ToolID string `json:"toolId"`
	// Verb is a plain word such as "Write"; Subject is what it acts on, shown in the code font,
	// and SubjectLeft how many characters of that follow.
	Verb        string `json:"verb"`
	Subject     string `json:"subject"`
	SubjectLeft int    `json:"subjectLeft"`
	// Marker stands in Subject and Figure for each piece that is hidden from eyes, "" where none is.
	Marker string `json:"marker"`
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
	// Changed tells what became of the arguments since the caller sent them.
	Changed Changed `json:"changed"`
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
	// Hidden says what of the call is hidden from eyes, by kind, and Marker is the text that stands
	// for each such piece, "" where none is.
	Marker string      `json:"marker"`
	Hidden []HiddenRow `json:"hidden"`
	// Outputs are the texts that the call left in the output store.
	Outputs []OutputRow `json:"outputs"`
	// Found is what a search found.
	Found Found `json:"found"`
	// Run tells of the program that the call ran.
	Run   RunRow   `json:"run"`
	Class ClassRow `json:"class"`
}

// HiddenRow says how many pieces of one kind are hidden from eyes. In the texts each is a
// marker such as [redacted:7f3a].
type HiddenRow struct {
	// Kind is key, token, password, private_key, credential, cookie or media.
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	// Words says it for a person: "2 passwords".
	Words string `json:"words"`
}

// Part is a piece of what a model read.
type Part struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Mime and Handle are those of an image.
	Mime   string `json:"mime"`
	Handle string `json:"handle"`
	// Source is the address that the page draws an image from, "" where it is not drawn: then
	// Trouble says why.
	Source  string `json:"source"`
	Trouble string `json:"trouble"`
	// Bytes, Width and Height are 0 where they are not known. The last two are in pixels.
	Bytes  int `json:"bytes"`
	Width  int `json:"width"`
	Height int `json:"height"`
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
	// Changes counts the runs of lines that changed, where an answer may keep some and leave
	// others out; 0 where it may not. Lines between two runs stay as they are.
	Changes int `json:"changes"`
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

// RunRow is the program of a call.
type RunRow struct {
	// Kind is command or process, "" for a call that ran none.
	Kind string `json:"kind"`
	// SessionID is the session of the call.
	SessionID string `json:"sessionId"`
	// Ending says how it ended or that it goes on, "" while that is not known, and Failed that
	// it was a failure, which needs a sign besides its words.
	Ending string `json:"ending"`
	Failed bool   `json:"failed"`
	// Dir is the folder it ran in, "" while the call has not ended.
	Dir string `json:"dir"`
	// ProcessID is the session's name for the process that it is or became, "" without one.
	ProcessID string `json:"processId"`
	// LogPath is where all that it printed is kept as it was printed, "" where nothing is.
	LogPath string `json:"logPath"`
}

// CallTailRequest asks for what the program of a call printed.
type CallTailRequest struct {
	ID string `json:"id"`
	// From is the To of an earlier answer, "" for the newest part.
	From string `json:"from"`
}

// CallTail is a part of what the program of a call printed, as it was printed, colours and
// other control sequences included: it is data and never markup.
type CallTail struct {
	Text string `json:"text"`
	// From and To are the places of Text in all that was printed, in bytes.
	From string `json:"from"`
	To   string `json:"to"`
	// Gap says that something before Text was passed over, since more was printed than one answer holds.
	Gap bool `json:"gap"`
	// More says that there is more behind To already, Ended that nothing comes after that.
	More  bool `json:"more"`
	Ended bool `json:"ended"`
	// Lost says that something printed could not be kept, such as on a full disk; "" else.
	Lost string `json:"lost"`
}

// CallProgress is the last line that the program of a running call printed.
type CallProgress struct {
	ID   string `json:"id"`
	Line string `json:"line"`
}
