package change

import (
	"slices"
	"sort"
)

// Long texts are compared between anchors: lines that either text has once, in the middle
// of anchorSide equal lines on both sides. A script that does not keep such a block would
// have to win as many lines elsewhere, so what is found between them is a shortest one but
// for texts made to be odd. Shorter texts are compared without.
const (
	anchorLines = 20_000
	anchorSide  = 8
)

// point is a place in both texts.
type point struct{ x, y int }

// anchors returns places at which long texts are one, in order on both sides.
func anchors(a, b []int32) []point {
	if len(a)+len(b) < anchorLines || len(a) == 0 || len(b) == 0 {
		return nil
	}
	const none, many = 0, -1
	most := max(slices.Max(a), slices.Max(b))
	inA, inB := make([]int32, most+1), make([]int32, most+1)
	note := func(places []int32, ids []int32) {
		for i, id := range ids {
			if places[id] == none {
				places[id] = int32(i + 1)
			} else {
				places[id] = many
			}
		}
	}
	note(inA, a)
	note(inB, b)
	var met []point
	for x := anchorSide; x < len(a)-anchorSide; x++ {
		y := int(inB[a[x]]) - 1
		if inA[a[x]] == many || y < anchorSide || y >= len(b)-anchorSide {
			continue
		}
		if slices.Equal(a[x-anchorSide:x+anchorSide+1], b[y-anchorSide:y+anchorSide+1]) {
			met = append(met, point{x, y})
			x += 2 * anchorSide
		}
	}
	return rising(met)
}

// rising returns the longest row of points that follow each other on the second side as
// they do on the first: what moved is left out.
func rising(all []point) []point {
	// last[n] is the point with the lowest end of those that end a row of n+1.
	last, before := []int{}, make([]int, len(all))
	for i, p := range all {
		n := len(last)
		if n > 0 && all[last[n-1]].y >= p.y {
			n = sort.Search(n, func(k int) bool { return all[last[k]].y >= p.y })
		}
		before[i] = -1
		if n > 0 {
			before[i] = last[n-1]
		}
		if n == len(last) {
			last = append(last, i)
		} else {
			last[n] = i
		}
	}
	out := make([]point, len(last))
	if len(last) == 0 {
		return out
	}
	for n, i := len(last)-1, last[len(last)-1]; n >= 0; n, i = n-1, before[i] {
		out[n] = all[i]
	}
	return out
}
