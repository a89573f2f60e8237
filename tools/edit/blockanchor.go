package edit

import (
	"cmp"
	"slices"
)

// blockAnchor finds the block that begins and ends as the quote does and whose middle
// lines are like those of the quote: the best of all, if it is like enough.
func blockAnchor(s *search) places {
	a, ok := s.anchored()
	if !ok {
		return places{}
	}
	// 65 in 100.
	winners, more := newBlocks(s, a).best(score{sum: 65 * unit, lines: 100}, -1)
	slices.SortFunc(winners, func(a, b window) int { return cmp.Or(a.first-b.first, a.last-b.last) })
	var out places
	for _, w := range winners {
		out.add(s.block(w.first, w.last, a.from, a.to))
	}
	out.more = more
	return out
}
