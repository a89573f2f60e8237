package edit

// unit is the likeness of two lines that are equal; 0 is that of two that share nothing.
const unit = 1 << 20

// pairs knows how like each line of the quote's middle is to the lines of the file. It
// keeps an upper bound until somebody asks for more.
type pairs struct {
	s        *search
	quoted   []*pattern
	sketches []sketch
	ids      map[string]int32
	kinds    []kind
	// rows is room for the rows of kinds to come.
	rows []int32
	// lines[n] is what one character is of a line of n, in units, rounded down.
	lines []int32
	// columns are the best bounds of each quoted line over all kinds.
	columns []int32
	// compared counts the pairs that were compared character by character.
	compared int
}

// kind is a line of the file, however often it stands there.
type kind struct {
	text   string
	sketch sketch
	// row is the likeness to each quoted line: as it is, or ^bound while only an upper
	// bound is known.
	row []int32
	// best is the highest of the row.
	best int32
}

func newPairs(s *search, middle []string) *pairs {
	p := &pairs{s: s, columns: make([]int32, len(middle)), lines: make([]int32, 512)}
	for n := 1; n < len(p.lines); n++ {
		p.lines[n] = int32(unit / n)
	}
	for _, line := range middle {
		p.quoted = append(p.quoted, readyLine(line))
		p.sketches = append(p.sketches, sketchOf(line))
	}
	return p
}

// expect makes room for as many kinds as there can be.
func (p *pairs) expect(n int) {
	n = min(n, maxPairs/max(1, len(p.quoted)), 1<<16)
	p.ids, p.kinds = make(map[string]int32, n), make([]kind, 0, n)
}

// id returns the kind of a line of the file.
func (p *pairs) id(line string) int32 {
	id, known := p.ids[line]
	if known {
		return id
	}
	id = int32(len(p.kinds))
	p.ids[line] = id
	if len(p.rows) < len(p.quoted) {
		p.rows = make([]int32, 256*len(p.quoted))
	}
	k := kind{text: line, sketch: sketchOf(line), row: p.rows[:len(p.quoted):len(p.quoted)]}
	p.rows = p.rows[len(p.quoted):]
	for j := range p.quoted {
		v := int32(unit)
		if p.quoted[j].text == line {
			k.row[j] = unit
		} else {
			v = p.bound(&p.sketches[j], &k.sketch)
			k.row[j] = ^v
		}
		k.best, p.columns[j] = max(k.best, v), max(p.columns[j], v)
	}
	p.kinds = append(p.kinds, k)
	p.s.work -= len(p.quoted)
	return id
}

// bound is at least the likeness of two lines. It divides nothing, since it is asked for
// every pair.
func (p *pairs) bound(a, b *sketch) int32 {
	apart, longer := a.apart(b), max(a.chars, b.chars)
	if longer >= len(p.lines) {
		return likeness(apart, a.chars, b.chars)
	}
	return unit - int32(apart)*p.lines[longer]
}

// exact makes sure that the likeness of a pair is known and reports whether it was.
func (p *pairs) exact(id int32, j int) (known bool) {
	k := &p.kinds[id]
	if k.row[j] >= 0 {
		return true
	}
	p.compared++
	distance, steps, ok := compare(p.quoted[j], k.text)
	p.s.work -= steps
	k.row[j] = 0
	if ok {
		k.row[j] = likeness(distance, p.quoted[j].chars, k.sketch.chars)
	}
	return false
}

// likeness is 1 less the distance in proportion to the longer line, in units.
func likeness(distance, a, b int) int32 {
	longer := max(a, b)
	if longer == 0 {
		return unit
	}
	return int32((int64(longer-distance)*unit + int64(longer)/2) / int64(longer))
}
