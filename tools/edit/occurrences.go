package edit

import "strings"

// maxPlaces is how many places are kept of one search; more are counted.
const maxPlaces = 64

// place is where a strategy found the quoted text, in the plain text.
type place struct {
	start, end int
	// Of a place that was found line by line: the lines of the quote from to lie on the
	// lines first to last of the file, wherever start and end are.
	first, last int
	from, to    int
}

// places are what a strategy found.
type places struct {
	list []place
	// count is how many were found; list holds the first of them. more says that there
	// may be others.
	count int
	more  bool
}

func (p *places) add(found place) {
	if len(p.list) < maxPlaces {
		p.list = append(p.list, found)
	}
	p.count++
}

// verbatim finds every place where part stands in whole, also where they overlap.
func verbatim(whole, part string) places {
	var out places
	if part == "" {
		return out
	}
	one := strings.Index(whole, part)
	if one < 0 {
		return out
	}
	if !strings.Contains(whole[one+1:], part) {
		out.add(place{start: one, end: one + len(part)})
		return out
	}
	occurrences(len(whole), len(part),
		func(i, j int) bool { return whole[i] == part[j] },
		func(i, j int) bool { return part[i] == part[j] },
		func(at int) { out.add(place{start: at, end: at + len(part)}) })
	return out
}

// occurrences calls found for each place among n elements where m others stand in a
// row. equal compares an element with one of the others, among two of the others. It
// never compares an element again that it has passed, so that no repetition makes it slow.
func occurrences(n, m int, equal, among func(i, j int) bool, found func(at int)) {
	if m == 0 || m > n {
		return
	}
	// back[j] is how many of the others still match when the one behind j of them does not.
	back := make([]int32, m+1)
	back[0] = -1
	for j, k := 1, int32(0); j <= m; j++ {
		back[j] = k
		if j == m {
			break
		}
		for k >= 0 && !among(j, int(k)) {
			k = back[k]
		}
		k++
	}
	j := 0
	for i := range n {
		for j >= 0 && (j == m || !equal(i, j)) {
			j = int(back[j])
		}
		if j++; j == m {
			found(i - m + 1)
		}
	}
}
