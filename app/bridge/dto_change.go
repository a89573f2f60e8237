package bridge

// ChangeQuery asks for the arguments of a waiting call, for a person to change.
type ChangeQuery struct {
	ID string `json:"id"`
	// Reveal asks for the arguments with what is hidden from eyes.
	Reveal bool `json:"reveal"`
}

// ChangeForm is what a person may change of a waiting call.
type ChangeForm struct {
	ID   string `json:"id"`
	Hash string `json:"hash"`
	// Text is the JSON of all arguments, a member a line; Fields are its members in the order of
	// the schema, and those that could be given.
	Text   string        `json:"text"`
	Fields []ChangeField `json:"fields"`
	// Hidden is how many pieces are hidden: each is a marker that begins as Marker does, and is put
	// back where it stands. Locked says that nothing can be changed before what is hidden is shown.
	Hidden int    `json:"hidden"`
	Marker string `json:"marker"`
	Locked bool   `json:"locked"`
	// Revealed says that nothing is hidden because the person asked for that.
	Revealed bool `json:"revealed"`
}

// ChangeField is one argument in the form.
type ChangeField struct {
	Name string `json:"name"`
	// Kind is text, number, boolean, choice or json: how it is written.
	Kind string `json:"kind"`
	// Given says that the call has it, Value its JSON, "" without one.
	Given    bool   `json:"given"`
	Value    string `json:"value"`
	Required bool   `json:"required"`
	// Type, Limits and Description are what the schema says, Choices the JSON of each value of a
	// choice.
	Type        string   `json:"type"`
	Limits      []string `json:"limits"`
	Description string   `json:"description"`
	Choices     []string `json:"choices"`
}

// ChangeRequest puts other arguments in the place of those that a card shows. It is no answer.
type ChangeRequest struct {
	ID string `json:"id"`
	// Hash is the hash that the form came with.
	Hash string `json:"hash"`
	// Arguments is the JSON of all arguments, Revealed as the form said.
	Arguments string `json:"arguments"`
	Revealed  bool   `json:"revealed"`
}

// ChangeResult says what became of a change.
type ChangeResult struct {
	// Outcome is changed, refused, conflict or gone. Refused leaves the card as it is; Words says
	// why, and Problems what is wrong with single fields.
	Outcome  string          `json:"outcome"`
	Words    string          `json:"words"`
	Problems []ChangeProblem `json:"problems"`
	Card     ApprovalCard    `json:"card"`
}

// ChangeProblem is what is wrong with one field: Words complete a sentence about it. Field has
// dots between levels and is "" for all of the arguments.
type ChangeProblem struct {
	Field string `json:"field"`
	Words string `json:"words"`
}

// Changed tells what became of the arguments since the caller sent them.
type Changed struct {
	// By is you, hook or both, "" where they are as they were sent.
	By string `json:"by"`
	// Words says it in a sentence, and HashShort is of the arguments as they were sent.
	Words     string         `json:"words"`
	HashShort string         `json:"hashShort"`
	Fields    []ChangedField `json:"fields"`
}

// ChangedField is one argument as it was sent and as it is. Each is "" where it was not given,
// and Hidden says that the two differ only in what is hidden from eyes.
type ChangedField struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
	Hidden bool   `json:"hidden"`
}
