package edit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// whitespaceNormalized finds the quote with each run of white space, in it and in the
// file, taken for one space. The start and the end of the file count as white space. A
// block that is only shifted as a whole belongs to indentationFlexible.
func whitespaceNormalized(s *search) places {
	if s.core == "" || !s.tokensThere() {
		return places{}
	}
	// Outer white space of the quote must meet some in the file.
	var before, after int
	part := squeeze(s.core)
	if s.lead != "" {
		part, before = " "+part, 1
	}
	if s.tail != "" {
		part, after = part+" ", 1
	}
	whole := " " + squeeze(s.text.plain) + " "
	squeezed := verbatim(whole, part)
	if e := s.equalLines(); squeezed.count == e.shifted {
		return places{}
	}
	// Places are alike long, so that the later one also ends later.
	starts, ends := walk{text: s.text.plain}, walk{text: s.text.plain}
	out := places{count: squeezed.count}
	for _, p := range squeezed.list {
		// The first character of whole stands before the file.
		out.list = append(out.list, place{start: starts.to(p.start + before - 1), end: ends.to(p.end-after-2) + 1})
	}
	return out
}

// tokensThere reports whether the longest words of the quote are in the file at all,
// which is quicker to say than where.
func (s *search) tokensThere() bool {
	words := strings.Fields(s.core)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	for _, word := range words[:min(len(words), 4)] {
		if !strings.Contains(s.text.plain, word) {
			return false
		}
	}
	return true
}

// squeeze writes a space for each run of white space.
func squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for at := 0; at < len(s); {
		if n := space(s[at:]); n > 0 {
			b.WriteByte(' ')
			at += n
			continue
		}
		n := solid(s[at:])
		b.WriteString(s[at : at+n])
		at += n
	}
	return b.String()
}

// space and solid return how many bytes at the start of s are white space, or are none.
func space(s string) int { return run(s, true) }

func solid(s string) int { return run(s, false) }

// run returns how many bytes at the start of s are white space, or are none.
func run(s string, white bool) int {
	for i := 0; i < len(s); {
		c, n := rune(s[i]), 1
		is := c == ' ' || '\t' <= c && c <= '\r'
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(s[i:])
			is = unicode.IsSpace(c)
		}
		if is != white {
			return i
		}
		i += n
	}
	return len(s)
}

// walk goes through a text and its squeezed form side by side.
type walk struct {
	text               string
	original, squashed int
}

// to returns the offset in the text of the byte at an offset of the squeezed form that
// is no white space. Offsets may only grow.
func (w *walk) to(at int) int {
	for {
		rest := w.text[w.original:]
		if n := space(rest); n > 0 {
			w.original += n
			w.squashed++
			continue
		}
		n := solid(rest)
		if w.squashed+n > at {
			return w.original + at - w.squashed
		}
		w.original += n
		w.squashed += n
	}
}
