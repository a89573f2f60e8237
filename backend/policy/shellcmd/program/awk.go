package program

import (
	"strings"

	"countersign/backend/tool"
)

// awkSpecial reads awk's programs for what runs programs, writes files or reads them.
func awkSpecial(j *judging, s *scan) {
	operands := s.operands
	var scripts []int
	fromFile := false
	for i := range s.hits {
		switch h := &s.hits[i]; h.name {
		case "-e", "--source":
			scripts = append(scripts, h.from)
			j.awkScript(h.value, h.from)
		case "-f", "--file", "-E", "--exec":
			fromFile = true
		}
	}
	if len(scripts) == 0 && !fromFile && len(operands) > 0 {
		scripts = append(scripts, operands[0])
		j.awkScript(s.words[operands[0]], operands[0])
		operands = operands[1:]
	}
	if j.out.Opaque != "" {
		j.conceal(scripts, "<script>")
	}
	inplace := s.has("-i", "--include")
	for _, at := range operands {
		if w := s.words[at]; !strings.Contains(w.Text, "=") || strings.Contains(w.Text, "/") {
			j.path(at, w, accessOf(inplace), false)
		}
	}
}

// conceal lists the command with a mark in the place of some words.
func (j *judging) conceal(at []int, mark string) {
	words := append([]Word(nil), j.inv.Words...)
	for _, i := range at {
		words[i].Text = mark
	}
	j.out.Shown = joined(words).Text
}

// awkScript notes what a program does.
func (j *judging) awkScript(w Word, at int) {
	r := awkReader{text: w.Text}
	r.read()
	// A slash divides or begins a pattern, which only the grammar tells in some places: both
	// are looked at.
	other := awkReader{text: w.Text, other: true}
	if other.read(); other.doubts && !other.lost {
		r.runs, r.writes, r.files = r.runs || other.runs, r.writes || other.writes, append(r.files, other.files...)
	}
	if r.runs {
		j.finding(act{effect: Runs, words: "runs programs from its script"}, at, "")
		j.opaque("runs programs from its script")
	}
	if r.writes {
		j.finding(act{effect: Writes, words: "writes files from its script"}, at, "")
		j.opaque("writes files from its script")
	}
	for _, f := range r.files {
		j.path(at, Word{Text: f.name, Dynamic: f.name == Unknown}, f.access, false)
	}
}

type awkFile struct {
	name   string
	access tool.Access
}

// awkReader walks an awk program word by word.
type awkReader struct {
	text         string
	at           int
	runs, writes bool
	files        []awkFile
	// printing says that a print statement may be open, so that > is a redirect outside
	// parentheses; value that an operand stands before, so that / divides.
	printing bool
	nested   int
	value    bool
	getline  bool
	// doubt says that either may be so here, other that it is then taken the other way,
	// doubts that there was such a place, and lost that the text makes no sense so.
	doubt, other, doubts, lost bool
}

func (r *awkReader) read() {
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			r.at++
		case c == '#':
			r.at += len(before(r.text[r.at:], "\n"))
		case c == '"':
			r.quoted('"')
			r.value = true
		case c == '/' && r.pattern():
			r.quoted('/')
			r.value = true
		case letter(c):
			r.word()
		case c >= '0' && c <= '9' || c == '.' || c == '$':
			r.at++
			r.doubt = false
			r.value = c != '$'
		default:
			r.sign(c)
		}
	}
}

// pattern says that the slash here begins a pattern.
func (r *awkReader) pattern() bool {
	if !r.doubt {
		return !r.value
	}
	r.doubts = true
	return r.value == r.other
}

func before(text, mark string) string {
	head, _, _ := strings.Cut(text, mark)
	return head
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// quoted goes behind a string or a pattern and returns what stood in it.
func (r *awkReader) quoted(mark byte) string {
	from := r.at + 1
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '\\':
			r.at++
		case c == '[' && mark == '/':
			if end := strings.IndexByte(r.text[r.at:], ']'); end > 1 {
				r.at += end
			}
		case c == mark:
			r.at++
			r.doubt = false
			return r.text[from : r.at-1]
		case c == '\n' && mark == '/':
			r.lost = true
		}
	}
	r.at = len(r.text)
	r.runs, r.lost = true, true
	return ""
}

func (r *awkReader) word() {
	from := r.at
	for r.at < len(r.text) && (letter(r.text[r.at]) || r.text[r.at] >= '0' && r.text[r.at] <= '9') {
		r.at++
	}
	r.value, r.doubt = true, false
	switch r.text[from:r.at] {
	case "length", "getline":
		r.doubt = true
	}
	switch r.text[from:r.at] {
	case "system":
		r.runs = true
	case "ARGV", "ARGC":
		// What a program puts there it reads as files, and only it knows which.
		r.files = append(r.files, awkFile{Unknown, tool.AccessRead})
	case "print", "printf":
		r.printing, r.nested, r.value = true, 0, false
	case "getline":
		r.getline = true
	case "in", "return", "case", "if", "while", "else", "do", "delete", "exit":
		r.value = false
	}
}

func (r *awkReader) sign(c byte) {
	next := byte(0)
	if r.at+1 < len(r.text) {
		next = r.text[r.at+1]
	}
	r.at++
	if (c == '+' || c == '-') && next == c {
		// Behind a value it adds to it, before one it begins another.
		r.at++
		r.doubt = r.value
		return
	}
	r.value, r.doubt = c == ')' || c == ']', c == ')'
	switch c {
	case '@':
		r.runs = true
	case '|':
		if next == '|' {
			r.at++
			return
		}
		r.runs = true
	case ';', '{', '}':
		r.printing, r.getline = false, false
	case '(', '[':
		r.nested++
	case ')', ']':
		r.nested--
	case '>':
		if r.printing && r.nested <= 0 {
			if next == '>' {
				r.at++
			}
			r.target(tool.AccessWrite)
		}
	case '<':
		if r.getline {
			r.target(tool.AccessRead)
		}
	}
}

// target reads the file behind a sign: it is known where it is one string alone.
func (r *awkReader) target(access tool.Access) {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
	name := Unknown
	if r.at < len(r.text) && r.text[r.at] == '"' {
		text := r.quoted('"')
		rest := strings.TrimLeft(r.text[r.at:], " \t")
		if !strings.ContainsRune(text, '\\') && (rest == "" || strings.IndexByte(";}\n#)", rest[0]) >= 0) {
			name = text
		}
	}
	r.value, r.getline = true, false
	if name == "/dev/stderr" || name == "/dev/stdout" {
		return
	}
	if strings.HasPrefix(name, "/inet") {
		r.runs = true
	}
	r.writes = r.writes || access == tool.AccessWrite
	r.files = append(r.files, awkFile{name, access})
}
