package change

import "math"

// group is a run of lines that changed: those of the old text that go, and those of the
// new one that come in their place. Either may be empty.
type group struct{ oldFrom, oldTo, newFrom, newTo int }

// compare finds what changed between two texts by the numbers of their lines, equal lines
// having equal numbers. The groups are in order, and lines between them stay.
//
// The script is a shortest one: the two-sided search of Myers in linear space, after lines
// that the other side does not have were taken out, which changes nothing of its length
// and most of the work. Texts that differ nearly everywhere would take a square of their
// length; once the budget is spent, the search goes on from the furthest point that it
// reached, and the script may be somewhat longer than it had to be.
func compare(a, b []int32) []group {
	c := comparison{budget: searchBudget}
	return c.find(a, b)
}

// searchBudget is how many places a search looks at before it makes do with a script that
// may be longer than the shortest; costly and cheap are how far one split is searched for
// until then, and from then on.
const (
	searchBudget = 100_000_000
	costly       = 1 << 15
	cheap        = 256
)

// comparison is the search for one script.
type comparison struct {
	// a and b are what both texts have, and where it stands in them.
	a, b           []int32
	placeA, placeB []int32
	gone, come     []bool
	// forth and back are how far each diagonal was followed from either end.
	forth, back []int32
	budget      int
}

// find finds the script between two texts.
func (c *comparison) find(a, b []int32) []group {
	c.gone, c.come = make([]bool, len(a)), make([]bool, len(b))
	start, endA, endB := 0, len(a), len(b)
	for start < endA && start < endB && a[start] == b[start] {
		start++
	}
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	c.a, c.placeA = shared(a, start, endA, b[start:endB], c.gone)
	c.b, c.placeB = shared(b, start, endB, a[start:endA], c.come)
	size := len(c.a) + len(c.b) + 3
	c.forth, c.back = make([]int32, size), make([]int32, size)
	at := point{}
	for _, next := range anchors(c.a, c.b) {
		c.run(at.x, next.x, at.y, next.y)
		at = next
	}
	c.run(at.x, len(c.a), at.y, len(c.b))
	return slide(groups(c.gone, c.come), a, b)
}

// shared returns the lines of from[start:end] that other has too, and where they stand;
// the others are marked.
func shared(from []int32, start, end int, other []int32, marked []bool) (lines, places []int32) {
	var most int32 = -1
	for _, id := range other {
		most = max(most, id)
	}
	has := make([]bool, most+1)
	for _, id := range other {
		has[id] = true
	}
	lines, places = make([]int32, 0, end-start), make([]int32, 0, end-start)
	for i := start; i < end; i++ {
		if id := from[i]; id <= most && has[id] {
			lines, places = append(lines, id), append(places, int32(i))
		} else {
			marked[i] = true
		}
	}
	return lines, places
}

// run marks what changed between a[x0:x1] and b[y0:y1].
func (c *comparison) run(x0, x1, y0, y1 int) {
	for x0 < x1 && y0 < y1 && c.a[x0] == c.b[y0] {
		x0, y0 = x0+1, y0+1
	}
	for x0 < x1 && y0 < y1 && c.a[x1-1] == c.b[y1-1] {
		x1, y1 = x1-1, y1-1
	}
	switch {
	case x0 == x1:
		for _, at := range c.placeB[y0:y1] {
			c.come[at] = true
		}
	case y0 == y1:
		for _, at := range c.placeA[x0:x1] {
			c.gone[at] = true
		}
	default:
		x, y := c.split(x0, x1, y0, y1)
		c.run(x0, x, y0, y)
		c.run(x, x1, y, y1)
	}
}

// split finds a point that a shortest script leads through, searching from both ends.
// Diagonal d holds the points whose x is d more than their y.
func (c *comparison) split(x0, x1, y0, y1 int) (x, y int) {
	a, b, forth, back := c.a, c.b, c.forth, c.back
	zero := len(b) + 1
	low, high := x0-y1, x1-y0
	forward, backward := reach{x0 - y0, x0 - y0}, reach{x1 - y1, x1 - y1}
	odd := (forward.min-backward.min)&1 != 0
	forth[zero+forward.min], back[zero+backward.min] = int32(x0), int32(x1)
	limit := costly
	if c.budget <= 0 {
		limit = cheap
	}
	for cost := 1; ; cost++ {
		forward.widen(low, high, forth, zero, -1)
		above := forth[zero+forward.max+1]
		for d := forward.max; d >= forward.min; d -= 2 {
			below := forth[zero+d-1]
			x := int(max(below+1, above))
			above = below
			for x < x1 && x-d < y1 && a[x] == b[x-d] {
				x++
			}
			forth[zero+d] = int32(x)
			if odd && backward.has(d) && int(back[zero+d]) <= x {
				return x, x - d
			}
		}
		backward.widen(low, high, back, zero, math.MaxInt32)
		above = back[zero+backward.max+1]
		for d := backward.max; d >= backward.min; d -= 2 {
			below := back[zero+d-1]
			x := int(min(below, above-1))
			above = below
			for x > x0 && x-d > y0 && a[x-1] == b[x-d-1] {
				x--
			}
			back[zero+d] = int32(x)
			if !odd && forward.has(d) && x <= int(forth[zero+d]) {
				return x, x - d
			}
		}
		c.budget -= forward.max - forward.min + backward.max - backward.min
		if cost >= limit || c.budget <= 0 && cost >= cheap {
			return c.furthest(x0, x1, y0, y1, forward, backward)
		}
	}
}

// furthest gives up on the shortest script between two points: it returns the point from
// which least is left, of those that either search reached.
func (c *comparison) furthest(x0, x1, y0, y1 int, forward, backward reach) (x, y int) {
	zero := len(c.b) + 1
	fx, fy := x0, y0
	for d := forward.max; d >= forward.min; d -= 2 {
		x := min(int(c.forth[zero+d]), x1)
		x = min(x, y1+d)
		if y := x - d; x+y > fx+fy {
			fx, fy = x, y
		}
	}
	bx, by := x1, y1
	for d := backward.max; d >= backward.min; d -= 2 {
		x := max(int(c.back[zero+d]), x0)
		x = max(x, y0+d)
		if y := x - d; x+y < bx+by {
			bx, by = x, y
		}
	}
	if fx+fy-x0-y0 >= x1+y1-bx-by {
		return fx, fy
	}
	return bx, by
}

// reach is the diagonals that a search has come to: every second one from min to max.
type reach struct{ min, max int }

// widen adds a diagonal on either side, and gives up one that lies past the texts. What is
// followed from beyond the outermost one is edge.
func (r *reach) widen(low, high int, followed []int32, zero int, edge int32) {
	if r.min > low {
		r.min--
		followed[zero+r.min-1] = edge
	} else {
		r.min++
	}
	if r.max < high {
		r.max++
		followed[zero+r.max+1] = edge
	} else {
		r.max--
	}
}

func (r *reach) has(d int) bool { return r.min <= d && d <= r.max }

// groups gathers marked lines.
func groups(gone, come []bool) []group {
	var out []group
	i, j := 0, 0
	for i < len(gone) || j < len(come) {
		g := group{i, i, j, j}
		for g.oldTo < len(gone) && gone[g.oldTo] {
			g.oldTo++
		}
		for g.newTo < len(come) && come[g.newTo] {
			g.newTo++
		}
		if g.oldTo > i || g.newTo > j {
			out = append(out, g)
		}
		i, j = g.oldTo+1, g.newTo+1
	}
	return out
}

// slide moves lines that only come, or only go, as far down as they could stand as well,
// which is where a reader expects them: a block that was added behind another then begins
// with its own first line. What meets the next group becomes one with it.
func slide(all []group, a, b []int32) []group {
	out := all[:0]
	for i := 0; i < len(all); i++ {
		g := all[i]
		for {
			endA, endB := len(a), len(b)
			if i+1 < len(all) {
				endA, endB = all[i+1].oldFrom, all[i+1].newFrom
			}
			for g.oldTo < endA && g.newTo < endB && (g.oldFrom == g.oldTo && b[g.newFrom] == b[g.newTo] || g.newFrom == g.newTo && a[g.oldFrom] == a[g.oldTo]) {
				g = group{g.oldFrom + 1, g.oldTo + 1, g.newFrom + 1, g.newTo + 1}
			}
			if i+1 == len(all) || g.oldTo < endA {
				break
			}
			i++
			g.oldTo, g.newTo = all[i].oldTo, all[i].newTo
		}
		out = append(out, g)
	}
	return out
}
