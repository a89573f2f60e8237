package bridge

// OddRow is a run of characters of a text that a reader may miss or take for others. At and
// Length count UTF-16 units, as the page does.
type OddRow struct {
	At     int    `json:"at"`
	Length int    `json:"length"`
	Name   string `json:"name"`
}

// CommandListing is what was read of a command line.
type CommandListing struct {
	// State is "read", "dynamic" where nobody can tell all of what would be run, "unread" where
	// it could not be read, and "" where there is none. Why says why, as a clause.
	State string       `json:"state"`
	Why   string       `json:"why"`
	Steps []CommandRow `json:"steps"`
	// Left is how many more commands there are than are listed.
	Left int `json:"left"`
}

// CommandRow is one simple command of a command line.
type CommandRow struct {
	// Depth is how many of the listed commands it stands in.
	Depth int `json:"depth"`
	// Text is the command with its words unquoted, "<dynamic>" for each part that is not known;
	// "" for a redirect alone.
	Text       string        `json:"text"`
	Odd        []OddRow      `json:"odd"`
	Dynamic    bool          `json:"dynamic"`
	Background bool          `json:"background"`
	Marks      []CommandMark `json:"marks"`
	// Left is how many more marks there are.
	Left int `json:"left"`
}

// CommandMark is one thing that a command does beyond running.
type CommandMark struct {
	// Effect is reads, writes, removes, reaches, runs, obeys, changes-git, privileged or changes.
	Effect string `json:"effect"`
	// Subject is the file or the machine, "" where Words say all.
	Subject string   `json:"subject"`
	Odd     []OddRow `json:"odd"`
	Words   string   `json:"words"`
	// Outside says that the file lies outside the workspace, Restricted that it is protected or
	// that only a person may allow it, Tree that all below the file is meant.
	Outside    bool `json:"outside"`
	Restricted bool `json:"restricted"`
	Tree       bool `json:"tree"`
}

// OfferRow is a part of a call that an answer may allow for longer than this once.
type OfferRow struct {
	Text string   `json:"text"`
	Odd  []OddRow `json:"odd"`
	// Why says why the part can be allowed only once, "" where it can.
	Why string `json:"why"`
	// Covered says that it is allowed already.
	Covered bool `json:"covered"`
	// Choices are what may be allowed, the narrowest first, Lives for how long: session,
	// workspace.
	Choices []ChoiceRow `json:"choices"`
	Lives   []string    `json:"lives"`
}

// ChoiceRow is what an answer may allow.
type ChoiceRow struct {
	// Kind is file, folder, host, tool or command, Value the path, the host or the rule.
	Kind  string `json:"kind"`
	Value string `json:"value"`
	// Words say what it lets through, Key how it is printed.
	Words string `json:"words"`
	Key   string `json:"key"`
}

// ChoiceRef names what is allowed.
type ChoiceRef struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// MatchRequest asks what an answer would let through. ID is the card, Life session or workspace.
type MatchRequest struct {
	ID    string `json:"id"`
	Life  string `json:"life"`
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// MatchView is what an answer would let through.
type MatchView struct {
	// Refused says why it may not be given, as a sentence; "" where it may.
	Refused string    `json:"refused"`
	Choice  ChoiceRow `json:"choice"`
	// Calls tells of the last calls, of the session or of the workspace.
	Calls MatchedCalls `json:"calls"`
	// Lets and Stops are examples: what it would let through, and what looks like it and would
	// still be asked for.
	Lets  []SampleRow `json:"lets"`
	Stops []SampleRow `json:"stops"`
}

// MatchedCalls counts the calls that an answer would have covered.
type MatchedCalls struct {
	// Looked is how many calls were looked at, All how many would have run, Part in how many
	// some of the commands are covered, Denied how many of both were denied.
	Looked int       `json:"looked"`
	All    int       `json:"all"`
	Part   int       `json:"part"`
	Denied int       `json:"denied"`
	Latest []PastRow `json:"latest"`
}

// PastRow is a call that an answer would have covered.
type PastRow struct {
	ID     string   `json:"id"`
	Text   string   `json:"text"`
	Odd    []OddRow `json:"odd"`
	At     string   `json:"at"`
	Part   bool     `json:"part"`
	Denied bool     `json:"denied"`
}

// SampleRow is an example of a command. Why says what stops it, as a clause.
type SampleRow struct {
	Text string `json:"text"`
	Why  string `json:"why"`
}
