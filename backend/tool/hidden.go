package tool

// Hidden says how many pieces of one kind a copy for eyes hides.
type Hidden struct {
	// Kind is what the pieces seem to be: key, token, password, private_key, credential, cookie
	// or media.
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}
