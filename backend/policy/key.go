package policy

// Key is the printed form of a grant: the tool, and what it matches where that is less
// than every call.
func (g Grant) Key() string {
	if g.Value == "" {
		return g.ToolID
	}
	return g.ToolID + " " + g.Value
}
