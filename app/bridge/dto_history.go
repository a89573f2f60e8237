package bridge

// HistoryQuery says which calls of all sessions the page wants. An empty field wants all.
type HistoryQuery struct {
	// Text must be part of a title, a caller's or a tool's name, what a call acts on, or the
	// words of a denial.
	Text string `json:"text"`
	// The lists hold values of HistoryChoices.
	Tools      []string `json:"tools"`
	Endings    []string `json:"endings"`
	Deciders   []string `json:"deciders"`
	Risks      []string `json:"risks"`
	Workspaces []string `json:"workspaces"`
	Callers    []string `json:"callers"`
	// Since is the earliest time of a call.
	Since string `json:"since"`
	// Before is the cursor of an earlier answer, "" for the newest calls. After ends the
	// answer at the call with that cursor.
	Before string `json:"before"`
	After  string `json:"after"`
}

// HistoryPage is a page of the history, the newest call first.
type HistoryPage struct {
	Rows []HistoryRow `json:"rows"`
	// Next is the cursor to go on from, "" when everything was looked at. A page may be
	// short or empty and still have one: then it has looked as far back as ReachedAt.
	Next      string `json:"next"`
	ReachedAt string `json:"reachedAt"`
}

// HistoryRow is a call in the list of all sessions.
type HistoryRow struct {
	Call   CallRow `json:"call"`
	Cursor string  `json:"cursor"`
	// Place is the cursor of the call in its session's timeline.
	Place     string `json:"place"`
	SessionID string `json:"sessionId"`
	Title     string `json:"title"`
	Workspace string `json:"workspace"`
	Caller    string `json:"caller"`
	Risk      string `json:"risk"`
	// By says who or what decided, as an end of a sentence: "allowed once by you".
	By string `json:"by"`
	// Note is what else is known of the result in a few words, Words what the person said
	// with a denial.
	Note  string `json:"note"`
	Words string `json:"words"`
}

// HistoryChoices are the values that a query can ask for, in the order of the lists.
type HistoryChoices struct {
	Tools      []Choice `json:"tools"`
	Endings    []Choice `json:"endings"`
	Deciders   []Choice `json:"deciders"`
	Risks      []Choice `json:"risks"`
	Workspaces []Choice `json:"workspaces"`
	Callers    []Choice `json:"callers"`
}
