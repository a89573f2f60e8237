package edit

// never is the sum of a pairing that may not be.
const never = -1 << 60

// pair returns the highest sum of likeness of the rows with the quote's columns from
// head on, in order, and leaves the sums of all parts in the table. A pairing that skips
// so many lines that it cannot reach floor any more is not looked at.
func (b *blocks) pair(rows []int32, head, columns int, floor score, lines int64) int64 {
	wide := columns + 1
	if need := (len(rows) + 1) * wide; cap(b.table) < need {
		b.table = make([]int64, need)
	} else {
		b.table = b.table[:need]
	}
	// At least so many pairs are needed, so at most so many lines may be skipped.
	pairs := 0
	if floor.lines > 0 {
		pairs = int(floor.sum*lines/floor.lines/unit) - (len(b.middle) - columns)
	}
	if pairs > min(len(rows), columns) {
		return never
	}
	over, under := columns-max(0, pairs), len(rows)-max(0, pairs)
	for k := range wide {
		b.table[k] = 0
	}
	for r := 1; r <= len(rows); r++ {
		above, here := b.table[(r-1)*wide:r*wide], b.table[r*wide:(r+1)*wide]
		row := b.row(rows[r-1])[head : head+columns]
		low, high := max(0, r-under), min(columns, r+over)
		if low > 0 {
			here[low-1] = never
		}
		for k := low; k <= high; k++ {
			best := above[k]
			if k > 0 {
				v := row[k-1]
				// Either form to its value: ^v where v is a bound.
				v ^= v >> 31
				best = max(best, here[k-1], above[k-1]+int64(v))
			}
			here[k] = best
		}
		if high < columns {
			here[high+1] = never
		}
	}
	return b.table[len(b.table)-1]
}

// settlePairs makes the pairs of the best pairing in the table exact and reports
// whether all of them were.
func (b *blocks) settlePairs(rows []int32, head, columns int) bool {
	wide := columns + 1
	known := true
	for r, k := len(rows), columns; r > 0 && k > 0; {
		here := b.table[r*wide+k]
		switch {
		case here == b.table[(r-1)*wide+k]:
			r--
		case here == b.table[r*wide+k-1]:
			k--
		default:
			r, k = r-1, k-1
			known = b.pairs.exact(rows[r], head+k) && known
		}
	}
	return known
}
