package bridge

// GrantList is what was allowed ahead of time, the latest first.
type GrantList struct {
	Grants []GrantRow `json:"grants"`
	// More says that there are more than are listed.
	More bool `json:"more"`
}

// GrantRow is a grant of the ledger.
type GrantRow struct {
	ID string `json:"id"`
	// Life is "session" or "workspace".
	Life   string `json:"life"`
	ToolID string `json:"toolId"`
	// Verb and Subject say what it lets through, Subject as it is written in a call and "" where
	// Verb says it all; IsPath says that Subject is a path of Workspace. Words say what it does
	// not let through.
	Verb    string `json:"verb"`
	Subject string `json:"subject"`
	IsPath  bool   `json:"isPath"`
	Words   string `json:"words"`
	// Key is its printed form.
	Key string `json:"key"`
	// State is "live", "resting" or "dead", Why a sentence that says why it is not live.
	State string `json:"state"`
	Why   string `json:"why"`
	// Workspace is the path of the workspace that it holds in.
	Workspace string `json:"workspace"`
	// By says who gave it. SessionID is the session that it was given in, Session and Caller tell
	// it in words; they are "" when that is not kept any more, as is CallID, the call whose card
	// made it.
	By        string `json:"by"`
	SessionID string `json:"sessionId"`
	Session   string `json:"session"`
	Caller    string `json:"caller"`
	CallID    string `json:"callId"`
	At        string `json:"at"`
	// UsedAt is when it last let a call run, "" before the first; Uses counts those calls.
	UsedAt string `json:"usedAt"`
	Uses   string `json:"uses"`
	// ExpiresAt is when it ends by itself, SweptAt when it does if it is not used until then;
	// "" where it does not. EndedAt is when it ended.
	ExpiresAt string `json:"expiresAt"`
	SweptAt   string `json:"sweptAt"`
	EndedAt   string `json:"endedAt"`
}
