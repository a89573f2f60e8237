package process

import "sort"

// mark is a place of a stream that is also a place of its log.
type mark struct {
	// stream and log are the places in bytes; they differ once something was lost.
	stream, log int64
	// breaks is how many line breaks the stream has before it.
	breaks int64
	// hole says that the log does not have what lies between from and stream.
	hole bool
	from int64
}

// index finds lines and places of a stream in its log.
type index struct {
	marks []mark
	// stride is how many bytes lie between two marks at least.
	stride int64
}

const (
	firstStride = 256 << 10
	mostMarks   = 16 << 10
)

// add adds a place behind all others.
func (x *index) add(m mark) {
	if x.stride == 0 {
		x.stride = firstStride
		x.marks = append(x.marks, mark{})
	}
	last := &x.marks[len(x.marks)-1]
	switch {
	case m.hole && last.hole && last.stream == m.from:
		// Nothing was kept between the two: it is one hole.
		m.from = last.from
		*last = m
	case m.hole || m.stream-last.stream >= x.stride:
		x.marks = append(x.marks, m)
		x.thin()
	}
}

// thin drops every other mark that is no hole once there are too many.
func (x *index) thin() {
	if len(x.marks) < mostMarks {
		return
	}
	x.stride *= 2
	kept := x.marks[:1]
	for i, m := range x.marks[1:] {
		if m.hole || i%2 == 1 {
			kept = append(kept, m)
		}
	}
	x.marks = kept
}

// line returns a mark at or before the start of line n, from 1.
func (x *index) line(n int64) mark {
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].breaks >= n-1 })
	return x.before(i)
}

// place returns the last mark at or before a place of the stream.
func (x *index) place(stream int64) mark {
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].stream > stream })
	return x.before(i)
}

func (x *index) before(i int) mark {
	if i == 0 {
		return mark{}
	}
	return x.marks[i-1]
}

// hole returns the first hole behind a place of the stream.
func (x *index) hole(stream int64) (mark, bool) {
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].stream > stream })
	for ; i < len(x.marks); i++ {
		if x.marks[i].hole {
			return x.marks[i], true
		}
	}
	return mark{}, false
}
