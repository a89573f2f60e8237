package bridge

// SetRow is a tool set with its tools.
type SetRow struct {
	Name    string `json:"name"`
	Origin  string `json:"origin"`
	Enabled bool   `json:"enabled"`
	Status  string `json:"status"`
	Words   string `json:"words"`
	// Calls is how often its tools were called, as far as history goes back.
	Calls string    `json:"calls"`
	Tools []ToolRow `json:"tools"`
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

// SetChange switches one tool set.
type SetChange struct {
	Set string `json:"set"`
	On  bool   `json:"on"`
}
