package edit

import (
	"cmp"
	"slices"
	"strings"
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
		out.add(s.anchoredBlock(w.first, w.last, a))
	}
	out.more = more
	return out
}

// anchoredBlock is a block that was found by its anchors. Its levels are those of the
// anchors and of the lines between that are equal.
func (s *search) anchoredBlock(first, last int, a anchors) place {
	p := s.block(first, last, a.from, a.to)
	quoted := s.lines[a.from : a.to+1]
	own := make([]string, 0, last-first+1)
	for i := first; i <= last; i++ {
		own = append(own, s.text.line(i))
	}
	for i, j := range align(quoted, own, strings.TrimSpace) {
		if j >= 0 {
			p.indentation.pair(quoted[i], own[j])
		}
	}
	p.indentation.learn()
	return p
}
