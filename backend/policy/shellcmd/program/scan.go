package program

import "strings"

// scan is the words of one invocation sorted into options and operands.
type scan struct {
	row *row
	// self is the index of the program or subcommand among words.
	self     int
	words    []Word
	hits     []hit
	operands []int
	// strange is the index of the first option that the row does not know, 0 without.
	strange int
	// loose is the index of the first pattern that may become an option, 0 without.
	loose int
	// odd are options that the row does not know, whose value may be a file.
	odd []int
}

// hit is one option that was found.
type hit struct {
	opt  *option
	name string
	// at is the index of the word that holds the option, from that of the value's.
	at, from int
	value    Word
	has      bool
}

// printed says that the file that an option writes is no file: what would be written is
// printed, or lost.
func (h *hit) printed() bool {
	switch h.value.Text {
	case "-", "/dev/null", "/dev/stdout", "/dev/stderr":
		for _, a := range h.opt.acts {
			if h.has && a.kind == actWrite {
				return true
			}
		}
	}
	return false
}

// sort sorts the words behind self. It never fails: what the row does not know is an
// option without a value.
func (s *scan) sort() {
	r := s.row
	for i := s.self + 1; i < len(s.words); i++ {
		text := s.words[i].Text
		switch {
		case r.style == styleNone || len(text) < 2 || text[0] != '-' && text[0] != '+':
			if s.operand(i) {
				s.rest(i + 1)
				return
			}
		case text == "--":
			s.rest(i + 1)
			return
		case text[0] == '+' && !r.plus && r.options[text] == nil:
			if s.operand(i) {
				s.rest(i + 1)
				return
			}
		case r.style == styleCompiler && r.options[s.dashes(before(text, "="))] == nil && r.options[text[:2]] != nil:
			i = s.short(i)
		case r.style == styleSingle || r.style == styleSingleFirst || r.style == styleCompiler:
			i = s.whole(i, s.dashes(text))
		case strings.HasPrefix(text, "--"):
			i = s.whole(i, text)
		default:
			i = s.short(i)
		}
	}
}

// operand notes an operand and reports whether all that follow are operands too.
func (s *scan) operand(i int) bool {
	if w := &s.words[i]; w.Glob && s.loose == 0 && w.Text != "" && strings.IndexByte("*?[", w.Text[0]) >= 0 {
		s.loose = i
	}
	s.operands = append(s.operands, i)
	return s.row.style == stylePosix || s.row.style == styleSingleFirst || s.row.subs
}

func (s *scan) rest(from int) {
	for i := from; i < len(s.words); i++ {
		s.operands = append(s.operands, i)
	}
}

// whole reads an option that is the whole word, or all of it before an equals sign.
func (s *scan) whole(i int, text string) int {
	name, value, attached := strings.Cut(text, "=")
	opt := s.row.options[name]
	if opt == nil {
		name, opt = s.abbreviated(name)
	}
	if opt == nil {
		s.unknown(i)
		if attached && strings.ContainsAny(value, "/.~") {
			s.odd = append(s.odd, i)
		}
		return i
	}
	h := hit{opt: opt, name: name, at: i, from: i, has: attached}
	switch {
	case attached:
		h.value = s.words[i]
		h.value.Text = value
	case opt.need == needPair && i+2 < len(s.words):
		i += 2
		h.value, h.from, h.has = s.words[i], i, true
	case (opt.need == needValue || opt.need == needNext) && s.follows(opt, i+1):
		i++
		h.value, h.from, h.has = s.words[i], i, true
	}
	s.hits = append(s.hits, h)
	return i
}

// dashes is the option with the other number of dashes where only that one is known.
func (s *scan) dashes(text string) string {
	name, _, _ := strings.Cut(text, "=")
	if s.row.options[name] != nil {
		return text
	}
	if strings.HasPrefix(text, "--") {
		return text[1:]
	}
	if s.row.options["-"+name] != nil {
		return "-" + text
	}
	return text
}

// abbreviated finds the option that name is a beginning of: of several the one that does
// most, since a program may know fewer of them than the row.
func (s *scan) abbreviated(name string) (string, *option) {
	if s.row.style != styleGNU && s.row.style != stylePosix || len(name) < 3 {
		return "", nil
	}
	full, found := "", (*option)(nil)
	s.row.longs(name, func(n string, o *option) {
		if found == nil || len(o.acts) > len(found.acts) || len(o.acts) == len(found.acts) && n < full {
			full, found = n, o
		}
	})
	return full, found
}

// follows says that the word of an index is the value of an option. One that looks like an
// option may be one to another version of the program, for which the first takes no value;
// where the value does nothing it is read as an option.
func (s *scan) follows(opt *option, i int) bool {
	return i < len(s.words) && (len(opt.acts) > 0 || len(s.words[i].Text) < 2 || s.words[i].Text[0] != '-')
}

// short reads a cluster of options of one letter.
func (s *scan) short(i int) int {
	text := s.words[i].Text
	if !s.row.cluster {
		name, _, _ := strings.Cut(text, "=")
		if s.row.options[name] != nil {
			return s.whole(i, text)
		}
	}
	last := i
	for at := 1; at < len(text); at++ {
		opt := s.row.options[text[:1]+text[at:at+1]]
		if opt == nil {
			s.unknown(i)
			continue
		}
		h := hit{opt: opt, name: text[:1] + text[at:at+1], at: i, from: i}
		rest := text[at+1:]
		if opt.need == needNext && last+1 < len(s.words) {
			last++
			h.value, h.from, h.has = s.words[last], last, true
			s.hits = append(s.hits, h)
			continue
		}
		if opt.need != needNone && rest != "" {
			h.value = s.words[i]
			h.value.Text, h.has = rest, true
			s.hits = append(s.hits, h)
			return i
		}
		if opt.need == needValue && s.follows(opt, last+1) {
			last++
			h.value, h.from, h.has = s.words[last], last, true
			s.hits = append(s.hits, h)
			return last
		}
		s.hits = append(s.hits, h)
	}
	return last
}

func (s *scan) unknown(i int) {
	if s.strange == 0 {
		s.strange = i
	}
}

// has reports whether one of the options was given.
func (s *scan) has(names ...string) bool { return s.find(names...) != nil }

// find is the first of the options that was given.
func (s *scan) find(names ...string) *hit {
	for i := range s.hits {
		for _, n := range names {
			if s.hits[i].name == n {
				return &s.hits[i]
			}
		}
	}
	return nil
}

func (s *scan) any(names map[string]bool) bool {
	for i := range s.hits {
		if names[s.hits[i].name] {
			return true
		}
	}
	return false
}
