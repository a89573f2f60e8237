package edit

// lineTrimmed finds the quote line by line, each line without the white space around
// it. A block that is only shifted as a whole belongs to indentationFlexible.
func lineTrimmed(s *search) places {
	if e := s.equalLines(); e.count > e.shifted {
		return e.places
	}
	return places{}
}

// equalLines are the places whose lines equal those of the quote but for the white
// space around each; shifted counts those that are shifted as a whole.
type equalLines struct {
	places
	shifted int
}

func (s *search) equalLines() *equalLines {
	if s.equal != nil {
		return s.equal
	}
	s.equal = &equalLines{}
	if s.core == "" {
		return s.equal
	}
	same := s.sameLines()
	occurrences(len(same.file), len(same.quoted),
		func(i, j int) bool { return same.file[i] == same.quoted[j] },
		func(i, j int) bool { return same.quoted[i] == same.quoted[j] },
		func(at int) {
			p := s.block(at, at+len(same.quoted)-1, 0, len(same.quoted)-1)
			alike := s.equal.shifted == s.equal.count
			// More than two are ambiguous whatever they are, and need no closer look.
			if s.equal.count < 2 {
				alike = s.indentation(p).shifted()
			}
			if alike {
				s.equal.shifted++
			}
			s.equal.add(p)
		})
	return s.equal
}

// block is the place where the lines from to to of the quote lie on the lines first to
// last of the file.
func (s *search) block(first, last, from, to int) place {
	return place{start: s.text.start(first), end: s.text.end(last), first: first, last: last, from: from, to: to}
}
