package edit

// contextAware finds a block that begins and ends as the quote does, is as long, and
// has at least half of its middle lines.
func contextAware(s *search) places {
	var out places
	a, ok := s.anchored()
	if !ok {
		return out
	}
	lines := s.sameLines()
	quoted := lines.quoted[a.from : a.to+1]
	most := len(quoted) - 1
	for i := 0; i+most < len(lines.file); i++ {
		block := lines.file[i : i+most+1]
		if block[0] != quoted[0] || block[most] != quoted[most] {
			continue
		}
		if !s.spend(most) {
			return places{}
		}
		same := 0
		for k := 1; k < most; k++ {
			if block[k] == quoted[k] {
				same++
			}
		}
		if 2*same >= most-1 {
			out.add(s.block(i, i+most, a.from, a.to))
		}
	}
	return out
}
