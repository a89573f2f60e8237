package edit

import "strings"

// contextAware finds a block that begins and ends as the quote does, is as long, and
// has at least half of its middle lines.
func contextAware(s *search) places {
	var out places
	a, ok := s.anchored()
	if !ok {
		return out
	}
	first, last := strings.TrimSpace(s.lines[a.from]), strings.TrimSpace(s.lines[a.to])
	for i := 0; i+a.to-a.from < s.text.lines(); i++ {
		end := i + a.to - a.from
		if s.text.trimmed(i) != first || s.text.trimmed(end) != last {
			continue
		}
		if !s.spend(len(a.middle)) {
			return places{}
		}
		same := 0
		for k, line := range a.middle {
			if s.text.trimmed(i+1+k) == line {
				same++
			}
		}
		if 2*same >= len(a.middle) {
			out.add(s.anchoredBlock(i, end, a))
		}
	}
	return out
}
