package edit

import (
	"cmp"
	"slices"
	"strings"
)

// level is an indentation of the quote and what stands in its place in the file.
type level struct{ from, to string }

// depth is a line of the quote and the level of the line of the file that it pairs with.
type depth struct {
	line string
	level
}

// indentation is how a place is indented where the quote is indented in its own way. It
// gives a new line that was quoted too the indentation of its own line in the file, and
// another one that of a level. The empty one changes nothing.
type indentation struct {
	depths []depth
	// levels are what different indentations of the quote are in the file, lengths how
	// long those are, in bytes, the longest first.
	levels  map[string]string
	lengths []int
	less    shallower
}

// indentation compares the lines of the quote with those of the file at a place that was
// found line by line. Where not all lines are equal, its levels are those of the ones that
// are.
func (s *search) indentation(p place) *indentation {
	in := &indentation{}
	quoted := s.lines[p.from : p.to+1]
	own := make([]string, 0, p.last-p.first+1)
	for i := p.first; i <= p.last; i++ {
		own = append(own, s.text.line(i))
	}
	for i, j := range align(quoted, own, strings.TrimSpace) {
		if j >= 0 {
			in.pair(quoted[i], own[j])
		}
	}
	in.learn()
	return in
}

// pair adds a line of the quote and the line of the file that it pairs with.
func (in *indentation) pair(quoted, own string) {
	if !blank(quoted) {
		in.depths = append(in.depths, depth{quoted, level{leading(quoted), leading(own)}})
	}
}

// learn adds the levels that new lines get which pair with none: that of the first
// line, and where the file has that one at another depth those of the others too.
func (in *indentation) learn() {
	in.levels = map[string]string{}
	for i, d := range in.depths {
		if i == 0 || in.depths[0].from != in.depths[0].to {
			if _, known := in.levels[d.from]; !known {
				in.levels[d.from] = d.to
			}
		}
	}
	for from := range in.levels {
		if len(from) <= maxLevel {
			in.lengths = append(in.lengths, len(from))
		}
	}
	slices.SortFunc(in.lengths, func(a, b int) int { return cmp.Compare(b, a) })
	in.lengths = slices.Compact(in.lengths)
	if len(in.depths) > 0 {
		in.less = newShallower(in.depths[0].level)
	}
}

// indent gives the lines of a text the file's indentation. Its first line is left alone
// when what stands before it stays in the file. A text that becomes too long for any file
// is refused as a whole, so the rest of it stays as it is.
func (in *indentation) indent(text string, firstToo bool) string {
	if len(in.depths) == 0 {
		return text
	}
	quoted := make([]string, len(in.depths))
	for i, d := range in.depths {
		quoted[i] = d.line
	}
	lines := strings.Split(text, "\n")
	partner := align(lines, quoted, strings.TrimSpace)
	for i, size := 0, 0; i < len(lines) && size <= maxFile+maxString; i++ {
		own := leading(lines[i])
		if i == 0 && !firstToo || own == lines[i] {
			continue
		}
		lines[i] = in.of(own, partner[i]) + lines[i][len(own):]
		size += len(lines[i])
	}
	return strings.Join(lines, "\n")
}

// of returns the indentation for a new line that has own and pairs with a line of the
// quote, or with none when that is -1.
func (in *indentation) of(own string, partner int) string {
	if partner >= 0 {
		d := in.depths[partner]
		if rest, ok := strings.CutPrefix(own, d.from); ok {
			return d.to + rest
		}
	}
	for _, n := range in.lengths {
		if n > len(own) {
			continue
		}
		if to, known := in.levels[own[:n]]; known {
			return to + own[n:]
		}
	}
	return in.less.of(own)
}

// maxLevel is how long an indentation may be to be looked up, in bytes.
const maxLevel = 4 << 10

// shallower finds the level for an indentation that a level goes beyond. What it needs
// to know of the level is found out once, since there can be as many lines as characters.
type shallower struct {
	level
	// alike is how many bytes both sides end with, chars how many characters from has.
	alike, chars int
	to           []rune
}

func newShallower(l level) shallower {
	return shallower{l, sameSuffix(l.from, l.to), characters(l.from), []rune(l.to)}
}

func (s *shallower) of(own string) string {
	rest, ok := strings.CutPrefix(s.from, own)
	switch {
	case !ok:
		// It was written in another style than the quote, perhaps that of the file.
		return own
	case len(rest) <= s.alike:
		return s.level.to[:len(s.level.to)-len(rest)]
	}
	return string(s.to[:len(s.to)*characters(own)/s.chars])
}

// shifted reports whether all lines are moved alike: what they have beyond what all of
// a side start with is the same on both sides, and those starts differ.
func (in *indentation) shifted() bool {
	if len(in.depths) == 0 {
		return false
	}
	from, to := in.depths[0].from, in.depths[0].to
	for _, d := range in.depths {
		from, to = from[:samePrefix(from, d.from)], to[:samePrefix(to, d.to)]
	}
	for _, d := range in.depths {
		if d.from[len(from):] != d.to[len(to):] {
			return false
		}
	}
	return from != to
}

func samePrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func sameSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
