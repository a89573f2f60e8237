package bridge

// PathRules are the paths that no preset and no grant opens, by what they are held to.
type PathRules struct {
	Workspace string      `json:"workspace"`
	Groups    []PathGroup `json:"groups"`
}

// PathGroup is the rules that hold reading and writing alike.
type PathGroup struct {
	// Kind is "blocked", "credential", "protected", "marked" or "free".
	Kind  string `json:"kind"`
	Label string `json:"label"`
	Words string `json:"words"`
	// Rows are the patterns, those that mean the same together.
	Rows []PathMeaning `json:"rows"`
}

// PathMeaning is patterns of paths that mean the same.
type PathMeaning struct {
	// Words say what such a path is: "Holds private keys".
	Words    string        `json:"words"`
	Patterns []PathPattern `json:"patterns"`
}

// PathPattern is one pattern. It matches the end of a path; with a slash at its end the folder
// and what lies below it, with one at its start from the root.
type PathPattern struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Except are patterns that take a path off it, Example a path that it matches. Systems names
	// the systems that it is for, "" for all.
	Except  []string `json:"except"`
	Example string   `json:"example"`
	Systems string   `json:"systems"`
}

// PathTry asks what a path would be. A relative one begins at the workspace, ~/ at the user's
// home.
type PathTry struct {
	Path string `json:"path"`
}

// PathVerdict says what reading and writing a path would get.
type PathVerdict struct {
	// Path is the whole path that was judged, by its text alone.
	Path string `json:"path"`
	// Where says where it lies.
	Where string     `json:"where"`
	Read  PathAnswer `json:"read"`
	Write PathAnswer `json:"write"`
}

// PathAnswer is what one kind of access to a path would get.
type PathAnswer struct {
	// Answer is one of those of a Standing, Hold "blocked", "restricted" or "free" by the rules
	// of paths, and Is says what the path is, "" for nothing special.
	Answer string `json:"answer"`
	Hold   string `json:"hold"`
	Is     string `json:"is"`
	Short  string `json:"short"`
	Words  string `json:"words"`
	Why    []Why  `json:"why"`
}
