package legible

import (
	"bytes"
	"math"
	"unicode/utf8"
)

// Limits bound a text. Zero means none.
type Limits struct {
	// Bytes bounds the legible text, Lines the line breaks in it.
	Bytes, Lines int
}

// Text makes legible text of raw bytes, which may be cut anywhere.
type Text struct {
	limits Limits

	done  []byte
	lines int
	full  bool

	line line
	// state says within what a byte is read, and parameters gather what a control
	// sequence says.
	state      state
	parameters []byte
	// partial is the start of a rune, pending how many bytes of a rune or a sequence were
	// taken that has not ended.
	partial  [utf8.UTFMax]byte
	partials int
	pending  int
}

type state int

const (
	ground state = iota
	escape
	// intermediate is within an escape sequence of several bytes, such as a choice of
	// characters.
	intermediate
	control
	// text is within a control string, textEscape behind an escape in one.
	text
	textEscape
)

const (
	bel = 0x07
	esc = 0x1b
	can = 0x18
	sub = 0x1a
	del = 0x7f
)

// maxParameters bounds what is kept of one control sequence; longer ones mean nothing.
const maxParameters = 64

// New returns an empty text.
func New(l Limits) *Text {
	if l.Bytes <= 0 {
		l.Bytes = math.MaxInt
	}
	if l.Lines <= 0 {
		l.Lines = math.MaxInt
	}
	return &Text{limits: l}
}

// Of returns raw as legible text.
func Of(raw []byte) string {
	t := New(Limits{})
	t.Add(raw)
	return t.String()
}

// Full reports whether a limit is reached: nothing more is taken.
func (t *Text) Full() bool { return t.full }

// Add takes raw bytes until a limit is reached and returns how many it took.
func (t *Text) Add(raw []byte) int {
	for i := 0; i < len(raw); {
		if t.full {
			return i
		}
		if t.state == ground && t.partials == 0 {
			if n := plain(raw[i:]); n > 0 {
				i += t.letters(raw[i : i+n])
				continue
			}
		}
		before := t.state
		t.take(raw[i])
		i++
		switch {
		case t.state == ground:
			t.pending = t.partials
		case before == ground:
			t.pending = 1
		default:
			t.pending++
		}
	}
	return len(raw)
}

// Pending is how many bytes at the end of what was taken are the start of a rune or of a
// sequence that has not ended.
func (t *Text) Pending() int { return t.pending }

// Drop forgets the pending bytes, for a reader that will take them with what follows.
func (t *Text) Drop() { t.state, t.partials, t.pending = ground, 0, 0 }

// plain is how many bytes at the start of raw are printable ASCII.
func plain(raw []byte) int {
	for i, b := range raw {
		if b < ' ' || b >= del {
			return i
		}
	}
	return len(raw)
}

// letters takes printable ASCII and returns how much of it had room.
func (t *Text) letters(ascii []byte) int {
	room := t.limits.Bytes - len(t.done) - t.line.size
	if len(ascii) > room {
		// Letters over others need no room, which only the line knows.
		ascii = ascii[:max(1, room)]
	}
	for _, b := range ascii {
		t.line.put(rune(b))
	}
	t.check()
	return len(ascii)
}

func (t *Text) check() {
	if len(t.done)+t.line.size >= t.limits.Bytes {
		t.full = true
	}
}

func (t *Text) take(b byte) {
	switch t.state {
	case ground:
		t.ground(b)
	case escape:
		t.escape(b)
	case intermediate:
		if b == '\n' {
			t.ground(b)
		} else if b >= '0' && b <= '~' || b < ' ' {
			t.state = ground
		}
	case control:
		t.control(b)
	case text, textEscape:
		t.text(b)
	}
}

func (t *Text) ground(b byte) {
	t.state = ground
	switch {
	case t.partials > 0 || b >= utf8.RuneSelf:
		t.encoded(b)
	case b == '\n':
		t.feed()
	case b == '\r':
		t.line.at = 0
	case b == '\b':
		t.line.at = max(0, t.line.at-1)
	case b == '\t' || b >= ' ' && b < del:
		t.line.put(rune(b))
	case b == '\v' || b == '\f':
		t.feed()
	case b == esc:
		t.state = escape
	case b == bel || b == del || b == can || b == sub || b == 0x0e || b == 0x0f:
		// A terminal shows nothing for these.
	default:
		t.line.put(escaped + rune(b))
	}
	t.check()
}

// encoded takes a byte of a rune that has several.
func (t *Text) encoded(b byte) {
	t.partial[t.partials] = b
	t.partials++
	for t.partials > 0 {
		p := t.partial[:t.partials]
		if !utf8.FullRune(p) {
			return
		}
		r, n := utf8.DecodeRune(p)
		switch {
		case r == utf8.RuneError && n <= 1:
			r, n = escaped+rune(p[0]), 1
		case r >= 0x80 && r < 0xa0:
			r += wide
		}
		if p[0] < utf8.RuneSelf {
			// A broken rune ended before this byte.
			t.partials = 0
			t.ground(p[0])
			return
		}
		t.line.put(r)
		t.partials = copy(t.partial[:], p[n:])
	}
}

// feed ends the line.
func (t *Text) feed() {
	t.done = append(t.line.append(t.done), '\n')
	t.line.clear()
	t.lines++
	if t.lines >= t.limits.Lines || len(t.done) >= t.limits.Bytes {
		t.full = true
	}
}

func (t *Text) escape(b byte) {
	switch {
	case b == '[':
		t.state, t.parameters = control, t.parameters[:0]
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		t.state = text
	case b >= ' ' && b <= '/':
		t.state = intermediate
	case b == 'E' || b == 'D' || b == 'M' || b == 'c':
		// Another line, or a new screen.
		t.away()
		t.state = ground
	case b < ' ':
		t.ground(b)
	default:
		t.state = ground
		if b >= del {
			t.ground(b)
		}
	}
}

func (t *Text) text(b byte) {
	switch {
	case b == '\n':
		t.ground(b)
	case b == bel || b == can || b == sub || t.state == textEscape && b == '\\':
		t.state = ground
	case b == esc:
		t.state = textEscape
	case t.state == textEscape:
		t.state = escape
		t.escape(b)
	}
}

func (t *Text) control(b byte) {
	switch {
	case b >= ' ' && b <= '?':
		if len(t.parameters) < maxParameters {
			t.parameters = append(t.parameters, b)
		}
	case b >= '@' && b <= '~':
		t.state = ground
		t.move(b)
	case b == '\n' || b == esc || b >= utf8.RuneSelf:
		t.ground(b)
	case b == can || b == sub:
		t.state = ground
	}
}

// move follows a control sequence as far as it stays in the line.
func (t *Text) move(final byte) {
	switch n, ok := t.number(); {
	case !ok:
	case final == 'K':
		t.line.erase(n)
	case final == 'J' && n >= 2:
		t.away()
	case final == 'J':
		t.line.erase(n)
	case final == 'G' || final == '`':
		t.line.to(n - 1)
	case final == 'C' || final == 'a':
		t.line.to(t.line.at + max(1, n))
	case final == 'D':
		t.line.to(t.line.at - max(1, n))
	case final == 'P':
		t.line.remove(max(1, n))
	case final == 'X':
		t.line.blank(t.line.at, t.line.at+max(1, n))
	case bytes.IndexByte([]byte("ABEFHdfeSTLM"), final) >= 0:
		t.away()
	}
}

// number reads the first parameter; false when the sequence is private or too long.
func (t *Text) number() (int, bool) {
	n := 0
	for _, b := range t.parameters {
		switch {
		case b == ';' || b == ':':
			return n, true
		case b < '0' || b > '9':
			return 0, false
		case n < maxColumns:
			n = n*10 + int(b-'0')
		}
	}
	return n, len(t.parameters) < maxParameters
}

// away goes to another line: what stands in this one stays.
func (t *Text) away() {
	if t.line.size > 0 {
		t.feed()
	}
	t.line.clear()
}

// String returns the text, the last line as it stands now.
func (t *Text) String() string {
	l := t.line
	if t.partials > 0 {
		l.cells = append([]rune(nil), l.cells...)
		for _, b := range t.partial[:t.partials] {
			l.put(escaped + rune(b))
		}
	}
	out := make([]byte, 0, len(t.done)+l.size)
	return string(l.append(append(out, t.done...)))
}
