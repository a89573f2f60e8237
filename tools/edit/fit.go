package edit

import "strings"

// fitCore fits the new text to a place that was found without the quote's outer white
// space. What the quote and the new text have alike around them stays as the file has
// it. Else the place takes as much of the file's as the quote has there itself; a line
// break at the end of the quote is one.
func fitCore(s *search, p place, text string) (start, end int, fitted string) {
	before, after := s.text.plain[:p.start], s.text.plain[p.end:]
	if rest, ok := strings.CutPrefix(text, s.lead); ok {
		text = rest
	} else {
		p.start -= sameSuffix(s.lead, trailing(before))
	}
	taken, missing := ending(s.tail, leading(after))
	if missing > 0 && strings.HasSuffix(text, s.tail) {
		text = text[:len(text)-missing]
	}
	return p.start, p.end + taken, text
}

// ending says how much of the white space that follows a place the end of a quote
// takes, and how much of the quote's own is not there.
func ending(quoted, follows string) (taken, missing int) {
	rest := quoted
	for {
		i, j := strings.IndexByte(rest, '\n'), strings.IndexByte(follows[taken:], '\n')
		if i < 0 || j < 0 {
			break
		}
		rest = rest[i+1:]
		taken += j + 1
	}
	if strings.Contains(rest, "\n") {
		return taken, len(rest)
	}
	n := samePrefix(rest, follows[taken:])
	return taken + n, len(rest) - n
}

// fitLines fits the new text to a place that was found line by line. The first line's
// indentation is taken only if the quote has some there, and the white space behind the
// last line only as far as the quote has it or ends the line.
func fitLines(s *search, p place, text string) (start, end int, fitted string) {
	first, last := s.lines[p.from], s.lines[p.to]
	for i := range p.from {
		text = strings.TrimPrefix(text, s.lines[i]+"\n")
	}
	start = s.text.start(p.first)
	indented := leading(first) != ""
	if !indented {
		start += len(leading(s.text.line(p.first)))
	}
	text = s.indentation(p).indent(text, indented)

	quoted := trailing(last)
	if p.to < len(s.lines)-1 || s.ended {
		quoted += "\n"
		// Blank lines at the end of the quote that no line of the file stands for.
		if rest := s.behind(p.to); strings.HasSuffix(text, "\n"+rest) {
			text = strings.TrimSuffix(text, rest)
		}
	}
	end = s.text.end(p.last) - len(trailing(s.text.line(p.last)))
	line := s.text.plain[end:min(s.text.end(p.last)+1, len(s.text.plain))]
	taken, missing := ending(quoted, line)
	if missing > 0 && strings.HasSuffix(text, quoted) {
		text = text[:len(text)-missing]
	}
	return start, end + taken, text
}

// behind is what follows the line break of a line of the quote.
func (s *search) behind(line int) string {
	rest := s.old
	for range line + 1 {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return rest
}
