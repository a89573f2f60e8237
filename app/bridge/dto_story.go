package bridge

// PageRequest asks for a page of a session's timeline. Where is before, after or around,
// and says where the page lies from the cursor, which is one of an earlier answer; before
// "" is the newest page, after "" the oldest.
type PageRequest struct {
	SessionID string `json:"sessionId"`
	Where     string `json:"where"`
	Cursor    string `json:"cursor"`
}

// ChangesRequest asks which lines of a session changed since a number of an earlier
// answer.
type ChangesRequest struct {
	SessionID string `json:"sessionId"`
	Since     string `json:"since"`
}

// Changes are the lines that changed, as they are now, oldest first. They are not a page:
// lines between them may be missing.
type Changes struct {
	Session SessionRow     `json:"session"`
	Items   []TimelineItem `json:"items"`
	// Seq is the number up to which this tells. Missed says that too much happened to tell
	// it line by line: then the pages in view must be read again.
	Seq    string `json:"seq"`
	Missed bool   `json:"missed"`
}

// FindRequest asks where words stand in a session.
type FindRequest struct {
	SessionID string `json:"sessionId"`
	Words     string `json:"words"`
}

// FindResult is where words stand, the latest first. Total counts all of them, also those
// past the end of Matches; Searched says in words what was looked through.
type FindResult struct {
	Matches  []FindMatch `json:"matches"`
	Total    int         `json:"total"`
	Searched string      `json:"searched"`
}

// FindMatch is a line that holds the words.
type FindMatch struct {
	ID     string `json:"id"`
	Cursor string `json:"cursor"`
}
