package approval

import "countersign/backend/session"

// Brief is a request as a list tells it. Its size is bounded, whatever the call holds:
// it has no decision, pins, offer and arguments, the changed files only by name, and of
// the paths the first and one that lies outside.
type Brief struct {
	Request
	// CommandLeft and URLLeft are how many characters follow Command and URL.
	CommandLeft int `json:"command_left,omitempty"`
	URLLeft     int `json:"url_left,omitempty"`
	// Heads are the beginnings of the arguments.
	Heads map[string]session.Head `json:"heads,omitempty"`
}
