package bridge

// CatalogView is every tool set that is known, with its tools.
type CatalogView struct {
	Sets []SetRow `json:"sets"`
	// Loading says that the folders of tool sets were not looked through yet, Off that the
	// settings have none looked for, and Stale that a manifest looks different on disk since.
	Loading bool `json:"loading"`
	Off     bool `json:"off"`
	Stale   bool `json:"stale"`
}

// SetRow is a tool set with its tools.
type SetRow struct {
	// Key is its own among all sets. Requests name a set by Name and Source.
	Key  string `json:"key"`
	Name string `json:"name"`
	// Source is builtin, home or project, and Origin says it in words.
	Source  string `json:"source"`
	Origin  string `json:"origin"`
	Enabled bool   `json:"enabled"`
	// Status is loaded, disabled, skipped, hidden, untrusted or unavailable.
	Status string `json:"status"`
	Words  string `json:"words"`
	// Switchable says that it can be switched from here.
	Switchable bool `json:"switchable"`
	// Folder is where it lies, below the workspace or the person's home, and Manifest its file
	// from the root on. Both are "" for a set that is built in.
	Folder   string `json:"folder"`
	Manifest string `json:"manifest"`
	// Hides says whose set of the same name it hides, HiddenBy whose set hides it; both are in
	// words, or "".
	Hides    string `json:"hides"`
	HiddenBy string `json:"hiddenBy"`
	// Changed says that it is not what it was when it was let in, so that its calls are refused
	// until a person accepts the change.
	Changed bool `json:"changed"`
	// Notes say what of it was left out, and what to do.
	Notes []SetNote `json:"notes"`
	// Calls is how often its tools were called, as far as history goes back.
	Calls string    `json:"calls"`
	Tools []ToolRow `json:"tools"`
}

// SetNote is what is wrong with a set. Field is the dotted name in its manifest, "" for all of it.
type SetNote struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// SetRef names a set that is not built in.
type SetRef struct {
	Source string `json:"source"`
	Name   string `json:"name"`
}

// SetDrift is what became of a set since a person let it in.
type SetDrift struct {
	// Fingerprint names the set as it is shown; accepting it accepts nothing else.
	Fingerprint string `json:"fingerprint"`
	// Same says that nothing differs any more.
	Same bool `json:"same"`
	// Since is when the set was let in as it was.
	Since string `json:"since"`
	// Diffs is the change of the manifest, none where it is the same.
	Diffs    []FileDiff     `json:"diffs"`
	Programs []ProgramDrift `json:"programs"`
}

// ProgramDrift is a program of a set as it was and as it is; each side is "" where there is none.
type ProgramDrift struct {
	Name string `json:"name"`
	// WasPath and NowPath are where it lay and lies, WasHash and NowHash the start of the hash
	// of its content.
	WasPath string `json:"wasPath"`
	NowPath string `json:"nowPath"`
	WasHash string `json:"wasHash"`
	NowHash string `json:"nowHash"`
}

// SetAcceptance accepts a set as it was shown.
type SetAcceptance struct {
	Source      string `json:"source"`
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
}

// TryForm is the arguments of a tool for a person to fill in.
type TryForm struct {
	Fields []ChangeField `json:"fields"`
	// Text is the JSON of the arguments that nobody has filled in yet.
	Text string `json:"text"`
}

// TryRequest is a call that a person makes. It goes through the same decisions as an agent's.
type TryRequest struct {
	Tool string `json:"tool"`
	// Arguments is the JSON of all arguments.
	Arguments string `json:"arguments"`
}

// ToolRow is a tool in the catalog.
type ToolRow struct {
	ID          string   `json:"id"`
	Wire        string   `json:"wire"`
	Version     string   `json:"version"`
	Description string   `json:"description"`
	Catalogs    []string `json:"catalogs"`
	// Does is the side effect in a word or two.
	Does  string   `json:"does"`
	Class ClassRow `json:"class"`
	// ModelBytes and ModelLines bound what a model reads of one result.
	ModelBytes string `json:"modelBytes"`
	ModelLines string `json:"modelLines"`
	// Declared is what the author of the tool says about approval.
	Declared string     `json:"declared"`
	Standing Standing   `json:"standing"`
	Fields   []FieldRow `json:"fields"`
	// Schema is the exact JSON Schema of the arguments, indented.
	Schema string `json:"schema"`
	Calls  string `json:"calls"`
	// FailedAt and FailedWords say when a call last failed and how, "" when none did.
	FailedAt    string `json:"failedAt"`
	FailedWords string `json:"failedWords"`
	// Runs is the command that every call begins with, a word each; none for what is built in.
	Runs []string `json:"runs"`
	// Available is false with Reason when the machine lacks something.
	Available bool   `json:"available"`
	Reason    string `json:"reason"`
}

// Standing is what an ordinary call would get under the settings of now.
type Standing struct {
	// Answer is allow, ask, once, insist, restrict, review, review1 or deny; off where the
	// set is off, and catalog where the catalog leaves the tool out.
	Answer string `json:"answer"`
	// Short is a word or two for a list, Words a sentence.
	Short string `json:"short"`
	Words string `json:"words"`
	Why   []Why  `json:"why"`
}

// FieldRow is one field of a tool's arguments. Fields inside another follow it, one level
// deeper.
type FieldRow struct {
	Name     string `json:"name"`
	Depth    int    `json:"depth"`
	Type     string `json:"type"`
	Required bool   `json:"required"`
	// Default is JSON text, "" without one. Choices are the values it may have, as JSON text
	// but for texts, which stand as they are.
	Default     string   `json:"default"`
	Choices     []string `json:"choices"`
	Limits      []string `json:"limits"`
	Description string   `json:"description"`
}

// SetChange switches one tool set. Source is builtin, home or project.
type SetChange struct {
	Source string `json:"source"`
	Set    string `json:"set"`
	On     bool   `json:"on"`
}
