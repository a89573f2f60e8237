package edit

// indentationFlexible finds a block that is the quote at another depth: every line
// is shifted alike.
func indentationFlexible(s *search) places {
	if e := s.equalLines(); e.count == e.shifted {
		return e.places
	}
	return places{}
}
