package bridge

// DiffLinesRequest asks for lines of a file that stand around the hunks of a diff.
type DiffLinesRequest struct {
	// Of is approval or call, ID the id of it, and File the place of the diff in its list.
	Of   string `json:"of"`
	ID   string `json:"id"`
	File int    `json:"file"`
	// Old and New are the number that the first line has in the file before the change and
	// after it, counting from 1. Count is how many are wanted, at most 500.
	Old   int `json:"old"`
	New   int `json:"new"`
	Count int `json:"count"`
}

// DiffLines are lines that a change leaves as they are.
type DiffLines struct {
	Lines []TextLine `json:"lines"`
	// More says that the file goes on behind them.
	More bool `json:"more"`
	// Missing says in words why there are none, "" where there are.
	Missing string `json:"missing"`
}

// TextLine is a line of a file. Left is how many characters of it follow Text.
type TextLine struct {
	Text string `json:"text"`
	Left int    `json:"left"`
}

// ExcerptRequest asks for lines of a file of a session as it is now.
type ExcerptRequest struct {
	SessionID string `json:"sessionId"`
	Path      string `json:"path"`
	// First is the number of the first line, counting from 1, and Count how many are wanted,
	// at most 500.
	First int `json:"first"`
	Count int `json:"count"`
}

// Excerpt is a run of lines of a file.
type Excerpt struct {
	Path     string     `json:"path"`
	Absolute string     `json:"absolute"`
	First    int        `json:"first"`
	Lines    []TextLine `json:"lines"`
	// More says that the file goes on behind them.
	More bool `json:"more"`
}

// Found is what a search found: lines by file, or files. Either list holds what the caller
// was shown, and Left says how much more there was.
type Found struct {
	// Kind is lines or files, "" for a call that is no search.
	Kind   string       `json:"kind"`
	Groups []MatchGroup `json:"groups"`
	Files  []FoundFile  `json:"files"`
	Left   int          `json:"left"`
}

// MatchGroup is a file with the lines that match.
type MatchGroup struct {
	Path  string      `json:"path"`
	Lines []MatchLine `json:"lines"`
}

// MatchLine is a line that matches.
type MatchLine struct {
	Line  int         `json:"line"`
	Text  string      `json:"text"`
	Spans []MatchSpan `json:"spans"`
}

// MatchSpan is one match in the text of a line, in units of UTF-16.
type MatchSpan struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// FoundFile is a file whose path matches.
type FoundFile struct {
	Path       string `json:"path"`
	ModifiedAt string `json:"modifiedAt"`
}
