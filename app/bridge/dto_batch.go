package bridge

// BatchRequest is one answer to several cards, which a person read in full one below the other.
type BatchRequest struct {
	Cards []BatchCard `json:"cards"`
	// Resolution is allow_once or deny; Words are told to the agents with each denial.
	Resolution string `json:"resolution"`
	Words      string `json:"words"`
}

// BatchCard is a card as it was shown.
type BatchCard struct {
	ID string `json:"id"`
	// Hash and Shown are those of the card, Seen says that all of it was in view, to its end.
	Hash  string `json:"hash"`
	Shown string `json:"shown"`
	Seen  bool   `json:"seen"`
}

// BatchResult says what became of an answer to several cards: all of them were answered or none.
type BatchResult struct {
	Answered bool   `json:"answered"`
	Words    string `json:"words"`
	// Stops are the cards because of which none was answered.
	Stops []BatchStop `json:"stops"`
}

// BatchStop is a card because of which none of a batch was answered, and why.
type BatchStop struct {
	ID    string `json:"id"`
	Words string `json:"words"`
}
