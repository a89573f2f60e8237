package edit

import "strings"

// sameLines has a number for each line, without its outer white space: equal lines have
// the same. So a line is trimmed and compared once, however often a search meets it.
type sameLines struct {
	quoted []int32
	// file has -1 for a line that is none of the quote's.
	file []int32
}

func (s *search) sameLines() *sameLines {
	if s.same != nil {
		return s.same
	}
	ids := make(map[string]int32, len(s.lines))
	s.same = &sameLines{numbered(s.lines, strings.TrimSpace, ids), make([]int32, s.text.lines())}
	var some lineFilter
	for line := range ids {
		some.add(line)
	}
	for i := range s.same.file {
		s.same.file[i] = -1
		if line := s.text.trimmed(i); some.has(line) {
			if id, known := ids[line]; known {
				s.same.file[i] = id
			}
		}
	}
	return s.same
}

// lineFilter says of most lines that are not among some that they are not, without
// reading them.
type lineFilter [1 << 10]uint64

func (f *lineFilter) add(line string) {
	at := filterBit(line)
	f[at>>6] |= 1 << (at & 63)
}

func (f *lineFilter) has(line string) bool {
	at := filterBit(line)
	return f[at>>6]>>(at&63)&1 != 0
}

func filterBit(line string) uint32 {
	key := uint32(len(line))
	if n := len(line); n > 0 {
		key = key<<16 ^ uint32(line[0])<<8 ^ uint32(line[n-1]) ^ uint32(line[n/2])<<12
	}
	return mix(key) >> 16
}
