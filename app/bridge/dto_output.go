package bridge

// OutputRef names a text of the output store: one that a session's call printed.
type OutputRef struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
}

// OutputRow is a text that a call left in the output store.
type OutputRow struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	Bytes     int    `json:"bytes"`
	// Gone says that it is no longer kept.
	Gone bool `json:"gone"`
}

// OutputView is a text of the output store as it is now.
type OutputView struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	// Call is the call that printed it.
	Call  CallRow     `json:"call"`
	State OutputState `json:"state"`
	// Lost is how many bytes could not be kept, such as on a full disk.
	Lost int `json:"lost"`
	// Gone says that it is no longer kept: it was removed at RemovedAt to make room, or at a
	// time that is not known, "".
	Gone      bool   `json:"gone"`
	RemovedAt string `json:"removedAt"`
	// KeptUntil is when it stops being kept that a person keeps, "" when nobody does.
	KeptUntil string `json:"keptUntil"`
	// Seen is what the model was given of it.
	Seen OutputSeen `json:"seen"`
}

// OutputState is how much of a text is known.
type OutputState struct {
	Bytes int `json:"bytes"`
	// Lines are those that were counted so far, Scanned in how many bytes. All are counted when
	// Scanned is Bytes.
	Lines   int `json:"lines"`
	Scanned int `json:"scanned"`
}

// OutputSeen is what the model was given of a text: so many lines of its start and of its end.
type OutputSeen struct {
	// Known is false where that was all, or cannot be told.
	Known bool `json:"known"`
	Head  int  `json:"head"`
	Tail  int  `json:"tail"`
	// Lines are those of the whole text at that time, Omitted those between head and tail.
	Lines   int `json:"lines"`
	Omitted int `json:"omitted"`
	// OmittedBytes is their size, 0 while it is not counted.
	OmittedBytes int `json:"omittedBytes"`
}

// OutputLinesRequest asks for up to Count lines of a text from line number From on.
type OutputLinesRequest struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	From      int    `json:"from"`
	Count     int    `json:"count"`
}

// OutputLines are lines in order. There are fewer than asked for at the end, and where they
// are long.
type OutputLines struct {
	Lines []OutputLine `json:"lines"`
	State OutputState  `json:"state"`
}

// OutputLine is a line, or the start of a long one.
type OutputLine struct {
	Number int `json:"number"`
	// Text is as it was printed, escape sequences included. Each run of bytes that are no text
	// is one U+FFFD in it, at one of Hidden.
	Text   string         `json:"text"`
	Hidden []OutputHidden `json:"hidden"`
	// Bytes is how long the line is, Shown how much of that Text stands for.
	Bytes int `json:"bytes"`
	Shown int `json:"shown"`
}

// OutputHidden is a run of bytes that are no text. At counts UTF-16 units.
type OutputHidden struct {
	At    int `json:"at"`
	Bytes int `json:"bytes"`
	// Hex are the first of them.
	Hex string `json:"hex"`
}

// OutputPieceRequest asks for a piece of a long line from a byte of it on.
type OutputPieceRequest struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	Line      int    `json:"line"`
	From      int    `json:"from"`
}

// OutputPiece is a piece of a line, as OutputLine. More says that the line goes on.
type OutputPiece struct {
	Text   string         `json:"text"`
	Hidden []OutputHidden `json:"hidden"`
	Shown  int            `json:"shown"`
	More   bool           `json:"more"`
}

// OutputFindRequest asks where words stand. Exact tells large from small letters. Place is ""
// at first, and then that of the last answer, until one is Done.
type OutputFindRequest struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	Words     string `json:"words"`
	Exact     bool   `json:"exact"`
	Place     string `json:"place"`
}

// OutputFound is what a part of a search found.
type OutputFound struct {
	// Lines has the number of a line for each match in it, in order.
	Lines []int  `json:"lines"`
	Place string `json:"place"`
	Done  bool   `json:"done"`
	// Scanned is how many bytes were looked through so far.
	Scanned int `json:"scanned"`
}

// OutputRangeRequest asks for whole lines as text.
type OutputRangeRequest struct {
	SessionID string `json:"sessionId"`
	Name      string `json:"name"`
	From      int    `json:"from"`
	To        int    `json:"to"`
}

// OutputRange is the text of lines. Cut says that it was too much, and only the start is here.
type OutputRange struct {
	Text string `json:"text"`
	Cut  bool   `json:"cut"`
}
