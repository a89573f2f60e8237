package pathclass

import "strings"

// part is one name of a pattern.
type part struct {
	text   string
	prefix bool // text*
	suffix bool // *text
	many   bool // any number of names
}

func (p part) literal() bool { return !p.prefix && !p.suffix && !p.many }

func (p part) matches(name []byte) bool {
	switch {
	case p.prefix && p.suffix:
		return true
	case p.prefix:
		return len(name) >= len(p.text) && string(name[:len(p.text)]) == p.text
	case p.suffix:
		return len(name) >= len(p.text) && string(name[len(name)-len(p.text):]) == p.text
	}
	return string(name) == p.text
}

// pattern is a compiled Rule.Pattern.
type pattern struct {
	parts  []part
	rooted bool
	tree   bool
}

func compile(text string) pattern {
	p := pattern{rooted: strings.HasPrefix(text, "/"), tree: strings.HasSuffix(text, "/")}
	for name := range strings.SplitSeq(strings.Trim(text, "/"), "/") {
		folded := strings.ToLower(name)
		switch {
		case name == "**":
			p.parts = append(p.parts, part{many: true})
		case name == "*":
			p.parts = append(p.parts, part{prefix: true, suffix: true})
		case strings.HasPrefix(name, "*"):
			p.parts = append(p.parts, part{text: folded[1:], suffix: true})
		case strings.HasSuffix(name, "*"):
			p.parts = append(p.parts, part{text: folded[:len(folded)-1], prefix: true})
		default:
			p.parts = append(p.parts, part{text: folded})
		}
	}
	return p
}

// at reports whether the pattern matches from name i on.
func (p *pattern) at(r *reading, i int) bool {
	if p.rooted && i != 0 {
		return false
	}
	return p.rest(r, i, 0)
}

func (p *pattern) rest(r *reading, name, k int) bool {
	if k == len(p.parts) {
		return p.tree || name == len(r.names)
	}
	if p.parts[k].many {
		for n := name; n <= len(r.names); n++ {
			if p.rest(r, n, k+1) {
				return true
			}
		}
		return false
	}
	return name < len(r.names) && p.parts[k].matches(r.name(name)) && p.rest(r, name+1, k+1)
}

// anywhere reports whether the pattern matches from some name on.
func (p *pattern) anywhere(r *reading) bool {
	for i := range r.names {
		if p.at(r, i) {
			return true
		}
	}
	return false
}

// table finds the rows that may match without trying each of them: by the first
// name of a pattern where that is literal, else by trying the few that are left.
type table struct {
	patterns []pattern
	except   [][]pattern
	byFirst  map[string][]int
	// byRoot is byFirst for patterns that begin at the root.
	byRoot map[string][]int
	// opens holds the first bytes of byFirst's keys.
	opens [256]bool
	// globs are one-name patterns that match the last name; globHeads and globTails
	// hold the bytes with which they can begin or end.
	globs     []int
	globHeads [256]bool
	globTails [256]bool
	// rooted are patterns that begin at the root with a name that is not literal.
	rooted []int
	// long maps the first six letters of a short name to the names it may stand for.
	long map[string][]string
}

var index = newTable(rules)

func newTable(rows []Rule) *table {
	t := &table{byFirst: map[string][]int{}, byRoot: map[string][]int{}, long: map[string][]string{}}
	for i := range rows {
		p := compile(rows[i].Pattern)
		t.patterns = append(t.patterns, p)
		var except []pattern
		for _, e := range rows[i].Except {
			except = append(except, compile(e))
		}
		t.except = append(t.except, except)
		first := p.parts[0]
		switch {
		case first.literal() && p.rooted:
			t.byRoot[first.text] = append(t.byRoot[first.text], i)
		case first.literal():
			t.byFirst[first.text] = append(t.byFirst[first.text], i)
			t.opens[first.text[0]] = true
		case p.rooted:
			t.rooted = append(t.rooted, i)
		case first.prefix:
			t.globs = append(t.globs, i)
			t.globHeads[first.text[0]] = true
		default:
			t.globs = append(t.globs, i)
			t.globTails[first.text[len(first.text)-1]] = true
		}
		for _, part := range p.parts {
			t.addLong(part)
		}
	}
	return t
}

// visit calls yield for every row that matches r.
func (t *table) visit(r *reading, yield func(rule int)) {
	for i := range r.names {
		name := r.name(i)
		if !t.opens[name[0]] {
			continue
		}
		for _, rule := range t.byFirst[string(name)] {
			if t.patterns[rule].at(r, i) && !t.spared(rule, r) {
				yield(rule)
			}
		}
	}
	last := r.last()
	if last == nil {
		return
	}
	for _, rule := range t.byRoot[string(r.name(0))] {
		if t.patterns[rule].at(r, 0) && !t.spared(rule, r) {
			yield(rule)
		}
	}
	globs := t.globs
	if !t.globHeads[last[0]] && !t.globTails[last[len(last)-1]] {
		globs = nil
	}
	for _, rule := range globs {
		if t.patterns[rule].parts[0].matches(last) && !t.spared(rule, r) {
			yield(rule)
		}
	}
	for _, rule := range t.rooted {
		if t.patterns[rule].at(r, 0) && !t.spared(rule, r) {
			yield(rule)
		}
	}
}

func (t *table) spared(rule int, r *reading) bool {
	for i := range t.except[rule] {
		if t.except[rule][i].anywhere(r) {
			return true
		}
	}
	return false
}

// addLong remembers under which short stem Windows files a name.
func (t *table) addLong(p part) {
	if p.many || p.suffix || p.text == "" {
		return
	}
	stem, plain := shortStem(p.text)
	if plain && !p.prefix {
		return
	}
	for _, have := range t.long[stem] {
		if have == p.text {
			return
		}
	}
	t.long[stem] = append(t.long[stem], p.text)
}

// shortStem returns the letters before the tilde of a name's short form. plain says
// that the name is its own short form and gets none.
func shortStem(name string) (stem string, plain bool) {
	bare := strings.TrimLeft(name, ". ")
	base, ext := bare, ""
	if dot := strings.LastIndexByte(bare, '.'); dot >= 0 {
		base, ext = bare[:dot], bare[dot+1:]
	}
	plain = bare == name && len(base) <= 8 && len(ext) <= 3 && !strings.ContainsAny(base, ". ")
	base = strings.NewReplacer(".", "", " ", "").Replace(base)
	return base[:min(len(base), 6)], plain
}

// longNames returns the names of rows that a short name may stand for.
func (t *table) longNames(name string) []string {
	tilde := strings.IndexByte(name, '~')
	if tilde < 1 || tilde > 6 || tilde+1 == len(name) || name[tilde+1] < '0' || name[tilde+1] > '9' {
		return nil
	}
	stem := name[:tilde]
	out := append([]string(nil), t.long[stem]...)
	for i := range t.patterns {
		for _, p := range t.patterns[i].parts {
			if !p.prefix || p.suffix {
				continue
			}
			if short, _ := shortStem(p.text); short != stem && strings.HasPrefix(stem, short) {
				out = append(out, p.text)
			}
		}
	}
	return out
}
