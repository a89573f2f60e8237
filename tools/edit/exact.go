package edit

// exact finds the quote as it is written.
func exact(s *search) places { return verbatim(s.text.plain, s.old) }
