package bridge

// RevealRequest asks for what a waiting card hides from eyes. Hash is the one that it showed.
type RevealRequest struct {
	ID   string `json:"id"`
	Hash string `json:"hash"`
}

// Revealed is what a card shows once nothing of it is hidden. It is for the eyes before that
// card: the page keeps it while the card is open and no longer.
type Revealed struct {
	Command   string         `json:"command"`
	Odd       []OddRow       `json:"odd"`
	Listing   CommandListing `json:"listing"`
	URL       string         `json:"url"`
	Input     string         `json:"input"`
	About     []AboutRow     `json:"about"`
	Diffs     []FileDiff     `json:"diffs"`
	Paths     []PathRow      `json:"paths"`
	Arguments []ArgumentRow  `json:"arguments"`
	Canonical string         `json:"canonical"`
	// CanonicalLeft is how many bytes of it follow that are too many for the page.
	CanonicalLeft int `json:"canonicalLeft"`
	// Pieces are the texts that were hidden, the longest first.
	Pieces []string `json:"pieces"`
}
