package edit

// unit is the likeness of two lines that are equal; 0 is that of two that share nothing.
const unit = 1 << 20

// pairs knows how like each line of the quote's middle is to the lines of the file. It
// keeps an upper bound until somebody asks for more.
type pairs struct {
	s      *search
	quoted []string
	// ready are the quoted lines as patterns, nil for one that was not compared yet, and
	// readied counts them.
	ready    []*pattern
	readied  int
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
	p := &pairs{
		s: s, quoted: middle, ready: make([]*pattern, len(middle)),
		columns: make([]int32, len(middle)), lines: make([]int32, 512),
	}
	for n := 1; n < len(p.lines); n++ {
		p.lines[n] = int32(unit / n)
	}
	for _, line := range middle {
		p.sketches = append(p.sketches, sketchOf(line))
	}
	return p
}

// expect makes room for as many kinds as there can be.
func (p *pairs) expect(n int) {
	n = min(n, p.most(), 1<<16)
	p.ids, p.kinds = make(map[string]int32, n), make([]kind, 0, n)
}

// most is how many kinds there may be.
func (p *pairs) most() int { return maxPairs / max(1, len(p.quoted)) }

// id returns the kind of a line of the file, and false for one that is one kind too many
// or costs more than the search may do.
func (p *pairs) id(line string) (id int32, ok bool) {
	id, known := p.ids[line]
	if known {
		return id, true
	}
	if len(p.kinds) == p.most() || !p.s.spend(len(p.quoted)) {
		return 0, false
	}
	id = int32(len(p.kinds))
	p.ids[line] = id
	if len(p.rows) < len(p.quoted) {
		p.rows = make([]int32, min(256, p.most())*len(p.quoted))
	}
	k := kind{text: line, sketch: sketchOf(line), row: p.rows[:len(p.quoted):len(p.quoted)]}
	p.rows = p.rows[len(p.quoted):]
	for j := range p.quoted {
		v := int32(unit)
		if p.quoted[j] == line {
			k.row[j] = unit
		} else {
			v = p.bound(&p.sketches[j], &k.sketch)
			k.row[j] = ^v
		}
		k.best, p.columns[j] = max(k.best, v), max(p.columns[j], v)
	}
	p.kinds = append(p.kinds, k)
	return id, true
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

// exact makes sure that the likeness of a pair is known and reports whether it was. It
// does nothing in a search that may do no more.
func (p *pairs) exact(id int32, j int) (known bool) {
	k := &p.kinds[id]
	if k.row[j] >= 0 {
		return true
	}
	if p.s.work < 0 {
		return false
	}
	p.compared++
	distance, steps, ok := compare(p.pattern(j), k.text)
	p.s.spend(steps)
	k.row[j] = 0
	if ok {
		k.row[j] = likeness(distance, p.sketches[j].chars, k.sketch.chars)
	}
	return false
}

// maxReadied is how many quoted lines are kept ready, which take a kilobyte or more each.
const maxReadied = 1 << 14

func (p *pairs) pattern(j int) *pattern {
	if p.ready[j] != nil {
		return p.ready[j]
	}
	line := readyLine(p.quoted[j])
	p.s.spend(readySteps * len(line.ascii))
	if p.readied < maxReadied {
		p.ready[j] = line
		p.readied++
	}
	return line
}

// likeness is 1 less the distance in proportion to the longer line, in units.
func likeness(distance, a, b int) int32 {
	longer := max(a, b)
	if longer == 0 {
		return unit
	}
	return int32((int64(longer-distance)*unit + int64(longer)/2) / int64(longer))
}
