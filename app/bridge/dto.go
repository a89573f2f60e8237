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
