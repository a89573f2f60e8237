package edit

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// pattern is a line that others are compared with, as bit vectors: Myers' algorithm
// takes 64 of its characters at a time.
type pattern struct {
	text  string
	chars int
	// ascii[b] and other[b] tell for a character where in block b it stands.
	ascii [][utf8.RuneSelf]uint64
	other []map[rune]uint64
}

const wordBits = 64

func newPattern(text string) *pattern {
	p := &pattern{text: text, chars: characters(text)}
	blocks := (p.chars + wordBits - 1) / wordBits
	p.ascii, p.other = make([][utf8.RuneSelf]uint64, blocks), make([]map[rune]uint64, blocks)
	i := 0
	for _, r := range text {
		block, bit := i/wordBits, uint64(1)<<(i%wordBits)
		if r < utf8.RuneSelf {
			p.ascii[block][r] |= bit
		} else {
			if p.other[block] == nil {
				p.other[block] = map[rune]uint64{}
			}
			p.other[block][r] |= bit
		}
		i++
	}
	return p
}

func (p *pattern) where(block int, r rune) uint64 {
	if uint32(r) < utf8.RuneSelf {
		return p.ascii[block][r]
	}
	return p.other[block][r]
}

// distance is the fewest characters to put in, take out or change that make the
// pattern into text.
func (p *pattern) distance(text string) int {
	if p.chars == 0 {
		return characters(text)
	}
	if len(p.ascii) == 1 {
		return p.short(text)
	}
	return p.long(text, 1, func(score int) {})
}

// within is the fewest characters to change in the pattern for it to stand somewhere
// in text, and how many characters of text end there.
func (p *pattern) within(text string) (distance, end int) {
	distance = p.chars
	if p.chars == 0 {
		return 0, 0
	}
	at := 0
	p.long(text, 0, func(score int) {
		if at++; score < distance {
			distance, end = score, at
		}
	})
	return distance, end
}

// short is distance for a pattern of one block.
func (p *pattern) short(text string) int {
	table, other := &p.ascii[0], p.other[0]
	last := uint64(1) << (p.chars - 1)
	up, down, score := ^uint64(0), uint64(0), p.chars
	for _, r := range text {
		var equal uint64
		if uint32(r) < utf8.RuneSelf {
			equal = table[r]
		} else {
			equal = other[r]
		}
		vertical := equal | down
		horizontal := (((equal & up) + up) ^ up) | equal
		plus, minus := down|^(horizontal|up), up&horizontal
		if plus&last != 0 {
			score++
		} else if minus&last != 0 {
			score--
		}
		plus, minus = plus<<1|1, minus<<1
		up, down = minus|^(vertical|plus), plus&vertical
	}
	return score
}

// long is distance for any pattern, and with a first of 0 instead of 1 the distance to
// the best part of text. It tells each the distance to text up to every character.
func (p *pattern) long(text string, first int, each func(score int)) int {
	n := len(p.ascii)
	var room [2 * maxReady / wordBits]uint64
	up, down := room[:len(room)/2], room[len(room)/2:]
	if n > len(up) {
		up, down = make([]uint64, n), make([]uint64, n)
	}
	for b := range up {
		up[b] = ^uint64(0)
	}
	lastBit := uint64(1) << ((p.chars - 1) % wordBits)
	score := p.chars
	for _, r := range text {
		carry := first
		for b := range n {
			high := uint64(1) << (wordBits - 1)
			if b == n-1 {
				high = lastBit
			}
			equal := p.where(b, r)
			vertical := equal | down[b]
			if carry < 0 {
				equal |= 1
			}
			horizontal := (((equal & up[b]) + up[b]) ^ up[b]) | equal
			plus, minus := down[b]|^(horizontal|up[b]), up[b]&horizontal
			in := carry
			carry = 0
			if plus&high != 0 {
				carry = 1
			} else if minus&high != 0 {
				carry = -1
			}
			plus, minus = plus<<1, minus<<1
			if in < 0 {
				minus |= 1
			} else if in > 0 {
				plus |= 1
			}
			up[b], down[b] = minus|^(vertical|plus), plus&vertical
		}
		score += carry
		each(score)
	}
	return score
}

// sketch is what is quickly known of a line: how many characters it has, which, and
// which pairs of neighbours, each hashed to a bit.
type sketch struct {
	chars   int
	singles uint64
	pairs   [4]uint64
}

func sketchOf(text string) sketch {
	var s sketch
	last := rune(-1)
	for _, r := range text {
		s.chars++
		s.singles |= 1 << (mix(uint32(r)) >> 26)
		if last >= 0 {
			h := mix(uint32(last)*31+uint32(r)) >> 24
			s.pairs[h>>6] |= 1 << (h & 63)
		}
		last = r
	}
	return s
}

func mix(x uint32) uint32 { return x * 0x9E3779B1 }

// apart is a lower bound of the distance of two lines. One change of a character takes
// away at most one character and at most two pairs of neighbours of the longer line.
func (s *sketch) apart(t *sketch) int {
	if s.chars < t.chars {
		s, t = t, s
	}
	pairs := bits.OnesCount64(s.pairs[0]&^t.pairs[0]) + bits.OnesCount64(s.pairs[1]&^t.pairs[1]) +
		bits.OnesCount64(s.pairs[2]&^t.pairs[2]) + bits.OnesCount64(s.pairs[3]&^t.pairs[3])
	return max(s.chars-t.chars, bits.OnesCount64(s.singles&^t.singles), (pairs+1)/2)
}

// compare is the distance of two lines and the steps that it took. What both begin and end
// with is passed over, which takes a step for every eight bytes. ok is false when the rest
// would take more than maxCompare steps.
func compare(p *pattern, text string) (distance, steps int, ok bool) {
	if p.chars <= maxReady {
		return p.distance(text), len(p.ascii)*len(text) + 1, true
	}
	a, b := p.text, text
	head := runeFloor(a, samePrefix(a, b))
	a, b = a[head:], b[head:]
	tail := sameSuffix(a, b)
	for tail > 0 && !utf8.RuneStart(a[len(a)-tail]) {
		tail--
	}
	a, b = a[:len(a)-tail], b[:len(b)-tail]
	if len(a) > len(b) {
		a, b = b, a
	}
	passed := (head + tail) / 8
	steps = (len(a)/wordBits + 1) * (len(b) + 1)
	if steps > maxCompare {
		return 0, passed, false
	}
	return newPattern(a).distance(b), passed + steps, true
}

// maxReady is how long a line may be to be made ready for many comparisons, in
// characters, and readySteps what that takes for each wordBits of them.
const (
	maxReady   = 4 * wordBits
	readySteps = utf8.RuneSelf
)

// readyLine makes a line ready as far as it is short enough for that.
func readyLine(text string) *pattern {
	p := &pattern{text: text, chars: characters(text)}
	if p.chars <= maxReady {
		return newPattern(text)
	}
	return p
}

// maxCompare bounds the comparing of two lines, in steps.
const maxCompare = 20_000_000

func runeFloor(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// blank reports whether a line is white space alone.
func blank(line string) bool { return strings.TrimSpace(line) == "" }
