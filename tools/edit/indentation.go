package edit

import "strings"

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
	// levels are what different indentations of the quote are in the file.
	levels map[string]string
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
}

// indent gives the lines of a text the file's indentation. Its first line is left alone
// when what stands before it stays in the file.
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
	for i, line := range lines {
		own := leading(line)
		if i == 0 && !firstToo || own == line {
			continue
		}
		lines[i] = in.of(own, partner[i]) + line[len(own):]
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
	for n := min(len(own), maxLevel); n >= 0; n-- {
		if to, known := in.levels[own[:n]]; known {
			return to + own[n:]
		}
	}
	return in.depths[0].less(own)
}

// maxLevel is how long an indentation may be to be looked up, in bytes.
const maxLevel = 4 << 10

// less is the level for an indentation that it goes beyond itself.
func (l level) less(own string) string {
	rest, ok := strings.CutPrefix(l.from, own)
	switch {
	case !ok:
		// It was written in another style than the quote, perhaps that of the file.
		return own
	case strings.HasSuffix(l.to, rest):
		return l.to[:len(l.to)-len(rest)]
	}
	to := []rune(l.to)
	return string(to[:len(to)*characters(own)/characters(l.from)])
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
