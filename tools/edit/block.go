package edit

import (
	"cmp"
	"strings"
)

// score is how like a block of the file is to the quote: the likeness of the middle
// lines in the best pairing that keeps their order, over the number of middle lines of
// the longer side. A line without a partner counts nothing.
type score struct{ sum, lines int64 }

// against compares two scores. They are equal when they differ by no more than the
// rounding of the pairs.
func (a score) against(b score) int {
	x, y := a.sum*b.lines, b.sum*a.lines
	if d := x - y; d <= a.lines*b.lines && -d <= a.lines*b.lines {
		return 0
	}
	return cmp.Compare(x, y)
}

// per is the score of one line, in units.
func (a score) per() int64 { return a.sum / a.lines }

// window is a block of the file between two anchors, by its first and last line.
type window struct {
	first, last int
	score       score
}

// candidate is a block that was not looked at closely. bound is at least its score for
// one line, in units.
type candidate struct{ first, last, bound int32 }

// anchors are the first and the last line of the quote that are not blank.
type anchors struct {
	from, to int
	middle   []string
}

// anchored returns the anchors, and false for a quote of fewer than three lines: two
// lines hold nothing that could tell a match from a mishap.
func (s *search) anchored() (anchors, bool) {
	from, to := s.outer()
	if to-from < 2 {
		return anchors{}, false
	}
	return anchors{from, to, trimmedAll(s.lines[from+1 : to])}, true
}

// outer returns the first and the last line of the quote that are not blank; of a quote
// of blank lines the last one twice.
func (s *search) outer() (from, to int) {
	from, to = 0, len(s.lines)-1
	for from < to && blank(s.lines[from]) {
		from++
	}
	for to > from && blank(s.lines[to]) {
		to--
	}
	return from, to
}

func trimmedAll(lines []string) []string { return mapped(lines, strings.TrimSpace) }

// bounds returns how many lines a block may have for a quote of n: a quarter more or less.
func bounds(n int) (least, most int) { return (3*n + 3) / 4, 5 * n / 4 }

// blocks finds the best of all blocks that lie between the anchors.
type blocks struct {
	s *search
	anchors
	pairs *pairs
	// kinds are those of the lines that lie in any block, sums the sums of their best
	// likeness up to each line.
	kinds []int32
	sums  []int64
	table []int64
	// tried counts the blocks that were looked at closely.
	tried int
}

// maxPairs bounds the pairs of lines that are remembered, maxCells the pairing of one
// block, and maxCandidates the blocks. More is refused, so that memory stays small.
const (
	maxPairs      = 8 << 20
	maxCells      = 4 << 20
	maxCandidates = 2 << 20
)

func newBlocks(s *search, a anchors) *blocks {
	return &blocks{s: s, anchors: a, pairs: newPairs(s, a.middle)}
}

// best returns the blocks with the highest score of at least floor, and whether there
// may be more of them. It looks closely at no more than limit blocks.
func (b *blocks) best(floor score, limit int) (winners []window, more bool) {
	candidates, ok := b.candidates(floor)
	if !ok {
		return nil, false
	}
	top := floor
	for _, c := range falling(candidates) {
		// A unit is what rounding may take away.
		if int64(c.bound) < top.per()-1 {
			continue
		}
		if b.tried == limit {
			break
		}
		if len(winners) == maxPlaces && int64(c.bound) <= top.per()+1 {
			return winners, true
		}
		b.tried++
		w := window{int(c.first), int(c.last), score{lines: int64(max(len(b.middle), int(c.last-c.first)-1))}}
		if !b.refine(&w, top) {
			if b.s.work < 0 {
				return nil, false
			}
			continue
		}
		if w.score.against(top) > 0 {
			winners = winners[:0]
		}
		top = w.score
		winners = append(winners, w)
	}
	return winners, false
}

// falling sorts by bound, the highest first, as far as it matters for speed: into so
// many classes.
func falling(all []candidate) []candidate {
	const classes = 1 << 10
	class := func(c candidate) int { return classes - min(classes, int(c.bound)*classes/unit) }
	var starts [classes + 2]int
	for _, c := range all {
		starts[class(c)+1]++
	}
	for i := range classes + 1 {
		starts[i+1] += starts[i]
	}
	out := make([]candidate, len(all))
	for _, c := range all {
		k := class(c)
		out[starts[k]] = c
		starts[k]++
	}
	return out
}

// candidates returns the blocks whose bound reaches floor.
func (b *blocks) candidates(floor score) ([]candidate, bool) {
	same := b.s.sameLines()
	first, last := same.quoted[b.from], same.quoted[b.to]
	var starts, ends []int
	for i, line := range same.file {
		if line == first {
			starts = append(starts, i)
		}
		if line == last {
			ends = append(ends, i)
		}
	}
	least, most := bounds(b.to - b.from + 1)
	if !b.sum(starts, ends, least, most) {
		return nil, false
	}
	var columns int64
	for _, c := range b.pairs.columns {
		columns += int64(c)
	}
	var out []candidate
	ok := true
	each(starts, ends, least, most, func(i, j int) bool {
		lines := int64(max(len(b.middle), j-i-1))
		bound := (min(columns, b.sums[j]-b.sums[i+1]) + lines - 1) / lines
		if bound >= floor.per()-1 {
			out = append(out, candidate{int32(i), int32(j), int32(bound)})
		}
		ok = len(out) <= maxCandidates && b.s.spend(pairSteps)
		return ok
	})
	return out, ok
}

// pairSteps is what looking at a start and an end takes, in steps of comparing.
const pairSteps = 4

// each calls block for every start and end that make a block of an allowed length.
func each(starts, ends []int, least, most int, block func(i, j int) bool) {
	at := 0
	for _, i := range starts {
		for at < len(ends) && ends[at] < i+least-1 {
			at++
		}
		for _, j := range ends[at:] {
			if j > i+most-1 {
				break
			}
			if !block(i, j) {
				return
			}
		}
	}
}

// sum looks up the kinds of all lines that lie in any block.
func (b *blocks) sum(starts, ends []int, least, most int) bool {
	covered := 0
	n := b.s.text.lines()
	b.kinds, b.sums = make([]int32, n), make([]int64, n+1)
	ok := true
	b.pairs.expect(min(n, len(starts)*most))
	each(starts, ends, least, most, func(i, j int) bool {
		for at := max(i+1, covered); at < j && ok; at++ {
			b.kinds[at], ok = b.pairs.id(b.s.text.trimmed(at))
		}
		covered = max(covered, j)
		ok = ok && b.s.spend(pairSteps)
		return ok
	})
	if !ok {
		return false
	}
	for i, k := range b.kinds {
		b.sums[i+1] = b.sums[i]
		if len(b.pairs.kinds) > 0 {
			b.sums[i+1] += int64(b.pairs.kinds[k].best)
		}
	}
	return true
}

// refine makes the score of a block exact, or gives up once its bound falls below
// floor. It pairs the lines by their bounds, makes the pairs of the best pairing exact,
// and pairs again until all of them are: nothing can be better then.
func (b *blocks) refine(w *window, floor score) bool {
	rows := b.kinds[w.first+1 : w.last]
	// Equal lines at either end are each other's partners in some best pairing.
	var head, tail int
	for head < min(len(rows), len(b.middle)) && b.row(rows[head])[head] == unit {
		head++
	}
	for tail < min(len(rows), len(b.middle))-head && b.row(rows[len(rows)-1-tail])[len(b.middle)-1-tail] == unit {
		tail++
	}
	rows = rows[head : len(rows)-tail]
	columns := len(b.middle) - head - tail
	cells := (len(rows) + 1) * (columns + 1)
	if !b.s.spend(head+tail) || cells > maxCells {
		return false
	}
	for b.s.spend(cells) {
		w.score.sum = int64(head+tail)*unit + b.pair(rows, head, columns, floor, w.score.lines)
		if w.score.against(floor) < 0 {
			return false
		}
		if b.settlePairs(rows, head, columns) {
			return true
		}
	}
	return false
}

func (b *blocks) row(id int32) []int32 { return b.pairs.kinds[id].row }
