package edit

// trimmedBoundary finds the quote without the white space around it.
func trimmedBoundary(s *search) places {
	if s.core == s.old {
		return places{}
	}
	return verbatim(s.text.plain, s.core)
}
