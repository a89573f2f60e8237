package program

import (
	"strings"

	"countersign/backend/tool"
)

// sedSpecial reads sed's scripts for commands that write files, read them or run programs.
func sedSpecial(j *judging, s *scan) {
	operands := s.operands
	scripts := 0
	for i := range s.hits {
		switch h := &s.hits[i]; h.name {
		case "-e", "--expression":
			scripts++
			j.sedScript(h.value, h.from)
		case "-f", "--file":
			scripts++
		}
	}
	if scripts == 0 && len(operands) > 0 {
		j.sedScript(s.words[operands[0]], operands[0])
		operands = operands[1:]
	}
	access := accessOf(s.has("-i", "--in-place", "-I"))
	for _, at := range operands {
		j.path(at, s.words[at], access, false)
	}
}

// sedScript notes what a script does; one that cannot be followed may do anything.
func (j *judging) sedScript(w Word, at int) {
	r := sedReader{text: w.Text}
	for r.at < len(r.text) && !r.lost {
		r.command()
	}
	if r.lost && !w.Dynamic {
		j.finding(act{effect: Runs, words: "has a script that cannot be followed"}, at, "")
	}
	if r.runs {
		j.finding(act{effect: Runs, words: "runs programs from its script"}, at, "")
	}
	for _, name := range r.writes {
		if name == "/dev/stdout" || name == "/dev/stderr" {
			continue
		}
		j.finding(act{effect: Writes, words: "writes a file from its script"}, at, "")
		j.path(at, Word{Text: name, Dynamic: strings.Contains(name, Unknown)}, tool.AccessWrite, false)
	}
	for _, name := range r.reads {
		j.path(at, Word{Text: name, Dynamic: strings.Contains(name, Unknown)}, tool.AccessRead, false)
	}
}

// sedReader walks a sed script.
type sedReader struct {
	text          string
	at            int
	runs, lost    bool
	writes, reads []string
}

func (r *sedReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *sedReader) skip(set string) {
	for r.at < len(r.text) && strings.IndexByte(set, r.text[r.at]) >= 0 {
		r.at++
	}
}

// label goes to the end of a label. GNU's sed goes on in the same line with a command behind
// it, others take the line for the label; so what stands there counts as a command.
func (r *sedReader) label(ends string) {
	for r.at < len(r.text) && strings.IndexByte(ends, r.text[r.at]) < 0 {
		r.at++
	}
}

// line takes the rest of the line.
func (r *sedReader) line() string {
	rest := r.text[r.at:]
	line, _, _ := strings.Cut(rest, "\n")
	r.at += len(line)
	return strings.TrimLeft(line, " \t")
}

// until goes behind the next delimiter that no backslash and, in a pattern, no bracket
// hides.
func (r *sedReader) until(delimiter byte, pattern bool) {
	bracket := 0
	for ; r.at < len(r.text); r.at++ {
		c := r.text[r.at]
		switch {
		case c == '\\':
			r.at++
		case pattern && bracket > 0:
			if c == ']' && r.at > bracket {
				bracket = 0
			}
		case c == delimiter:
			r.at++
			return
		case pattern && c == '[':
			bracket = r.at + 1
			if r.at+1 < len(r.text) && r.text[r.at+1] == '^' {
				bracket++
			}
		}
	}
	r.lost = true
}

func (r *sedReader) address() bool {
	switch c := r.peek(); {
	case c >= '0' && c <= '9':
		r.skip("0123456789~")
	case c == '$':
		r.at++
	case c == '/':
		r.at++
		r.until('/', true)
		r.skip("IM")
	case c == '\\' && r.at+1 < len(r.text):
		delimiter := r.text[r.at+1]
		r.at += 2
		r.until(delimiter, true)
		r.skip("IM")
	default:
		return false
	}
	return true
}

func (r *sedReader) command() {
	r.skip(" \t\n;")
	if r.at >= len(r.text) {
		return
	}
	if r.address() {
		r.skip(" \t")
		if r.peek() == ',' {
			r.at++
			r.skip(" \t+~")
			r.address()
		}
	}
	r.skip(" \t!")
	if r.at >= len(r.text) {
		r.lost = true
		return
	}
	c := r.text[r.at]
	r.at++
	switch c {
	case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
	case '#':
		r.line()
	case ':':
		r.skip(" \t")
		r.label(" \t\n;")
	case 'l', 'L', 'q', 'Q':
		r.skip(" \t0123456789")
	case 'b', 't', 'T', 'v':
		r.skip(" \t")
		r.label(" \t\n;}")
	case 'a', 'i', 'c':
		r.paragraph()
	case 'w', 'W':
		r.writes = append(r.writes, r.line())
	case 'r', 'R':
		r.reads = append(r.reads, r.line())
	case 'e':
		r.runs = true
		r.line()
	case 's':
		r.substitution()
	case 'y':
		r.pair(false)
	default:
		r.lost = true
	}
}

// paragraph takes text to the end of the first line that no backslash ends.
func (r *sedReader) paragraph() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '\n':
			return
		}
		r.at++
	}
}

// pair goes behind the two parts of s or y.
func (r *sedReader) pair(pattern bool) {
	delimiter := r.peek()
	if delimiter == 0 || delimiter == '\n' || delimiter == '\\' {
		r.lost = true
		return
	}
	r.at++
	// A bracket hides the delimiter in some versions and not in others, so that where it
	// holds one the script may be read in two ways.
	plain := *r
	r.until(delimiter, pattern)
	plain.until(delimiter, false)
	if plain.at != r.at {
		r.lost = true
	}
	r.until(delimiter, false)
}

func (r *sedReader) substitution() {
	r.pair(true)
	for r.at < len(r.text) && !r.lost {
		c := r.text[r.at]
		switch {
		case strings.IndexByte("gpiImM0123456789", c) >= 0:
			r.at++
		case c == 'e':
			r.at++
			r.runs = true
		case c == 'w':
			r.at++
			r.writes = append(r.writes, r.line())
			return
		case strings.IndexByte(" \t\n;}#", c) >= 0:
			return
		default:
			r.lost = true
		}
	}
}
