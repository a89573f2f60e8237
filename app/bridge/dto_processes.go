package bridge

// ProcessList is the managed processes of all sessions: those that run, newest first, and
// then those that ended, the latest first.
type ProcessList struct {
	Rows []ProcessRow `json:"rows"`
	// Now is when the list was made, for ages and for the use of the processor between two lists.
	Now string `json:"now"`
}

// ProcessRow is a process that a session started and that runs on by itself.
type ProcessRow struct {
	SessionID string `json:"sessionId"`
	// ID is the session's name for it, p1, p2 and so on.
	ID string `json:"id"`
	// Title, Caller and Workspace are the session's.
	Title     string `json:"title"`
	Caller    string `json:"caller"`
	Workspace string `json:"workspace"`
	// Command is the text that the shell was given, in full; Dir the folder it runs in.
	Command string `json:"command"`
	// Marker stands in Command for each piece that is hidden from eyes, "" where none is.
	Marker string `json:"marker"`
	Dir    string `json:"dir"`
	// PID is the system's number.
	PID string `json:"pid"`
	// Status is running, exited, stopped or failed; StatusWords says how it ended, too.
	Status      string `json:"status"`
	StatusWords string `json:"statusWords"`
	// Failed marks an end that the session did not wish for: it needs a sign besides its words.
	Failed    bool   `json:"failed"`
	StartedAt string `json:"startedAt"`
	// EndedAt is "" while it runs.
	EndedAt string `json:"endedAt"`
	// Measured says that the three figures are known: of it and all below it, CPUMs is the
	// processor time used so far in milliseconds, MemoryBytes what is in memory, Count how
	// many processes these are.
	Measured    bool   `json:"measured"`
	CPUMs       string `json:"cpuMs"`
	MemoryBytes string `json:"memoryBytes"`
	Count       int    `json:"count"`
	// Lines and Bytes are how much it has printed.
	Lines string `json:"lines"`
	Bytes string `json:"bytes"`
	// LogPath is where all it prints is kept as it was printed.
	LogPath string `json:"logPath"`
	// Input says that text can be sent to it now, Stop that it can be stopped from here. Else
	// Fixed says why not.
	Input bool   `json:"input"`
	Stop  bool   `json:"stop"`
	Fixed string `json:"fixed"`
}

// ProcessRef names a process of a session.
type ProcessRef struct {
	SessionID string `json:"sessionId"`
	ID        string `json:"id"`
}

// ProcessInput is text for a process. A line is submitted by a line break at its end.
type ProcessInput struct {
	SessionID string `json:"sessionId"`
	ID        string `json:"id"`
	Text      string `json:"text"`
}

// ProcessTailRequest asks for what a process printed.
type ProcessTailRequest struct {
	SessionID string `json:"sessionId"`
	ID        string `json:"id"`
	// From is the To of an earlier answer, "" for the newest part.
	From string `json:"from"`
}

// ProcessTail is a part of the log of a process as it was printed, colours and other
// control sequences included: it is data and never markup.
type ProcessTail struct {
	Row  ProcessRow `json:"row"`
	Text string     `json:"text"`
	// From and To are the places of Text in the log, in bytes.
	From string `json:"from"`
	To   string `json:"to"`
	// Gap says that something before Text was passed over, since more was printed than one answer holds.
	Gap bool `json:"gap"`
	// More says that there is more behind To already.
	More bool `json:"more"`
	// Lost says that something printed could not be kept, such as on a full disk; "" else.
	Lost string `json:"lost"`
}
