package bridge

// ConnectView is how agents reach the desk: what to tell each client, and who is here now.
type ConnectView struct {
	Clients []ClientRow `json:"clients"`
	// Callers came last first.
	Callers []CallerRow `json:"callers"`
}

// ClientRow is a client with what connects it.
type ClientRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Command is a line for a terminal, "" where there is none.
	Command string `json:"command"`
	// Fragment is the text that goes into a file, "" for a client without one; Language is json or toml.
	Fragment string `json:"fragment"`
	Language string `json:"language"`
	// Place is the file as a person writes it, Path in full. LinkedTo is where a link at that
	// place leads, "" without one.
	Place    string `json:"place"`
	Path     string `json:"path"`
	LinkedTo string `json:"linkedTo"`
	// User says that the file serves every folder that the client is started in.
	User bool `json:"user"`
	// State is absent, current, differs, unreadable or none.
	State string `json:"state"`
	// Trouble says why there is nothing to give, or why it is not written from here.
	Trouble string `json:"trouble"`
	// Limit says how long the client waits for an answer, After what it needs once set up.
	Limit string `json:"limit"`
	After string `json:"after"`
	// Sessions counts those of this client that are connected now.
	Sessions int `json:"sessions"`
}

// CallerRow is a client that is connected now.
type CallerRow struct {
	SessionID string `json:"sessionId"`
	// Title is the session's, Name and Version what the client says of itself.
	Title     string `json:"title"`
	Name      string `json:"name"`
	Version   string `json:"version"`
	Workspace string `json:"workspace"`
	Through   string `json:"through"`
	Since     string `json:"since"`
	Calls     int    `json:"calls"`
	Denied    int    `json:"denied"`
	Waiting   int    `json:"waiting"`
	// LastCall is when its last call was made, "" before the first.
	LastCall string `json:"lastCall"`
}

// ClientPlan is what writing a client's entry changes.
type ClientPlan struct {
	Client ClientRow `json:"client"`
	// Diffs is the change of its file, empty where nothing would change.
	Diffs []FileDiff `json:"diffs"`
	// Hash names exactly this change.
	Hash string `json:"hash"`
	// Written says that the change was written.
	Written bool `json:"written"`
}

// ClientWrite has the entry of a client written, if Hash still names the change.
type ClientWrite struct {
	Client string `json:"client"`
	Hash   string `json:"hash"`
}
