package redact

import "strings"

// quoteAt returns the quote that opens at i with the backslashes before it, "" for none.
func (c *scanner) quoteAt(i int) string {
	j := i
	for c.byteAt(j) == '\\' && j-i < 8 {
		j++
	}
	if b := c.byteAt(j); b != '"' && b != '\'' && b != '`' {
		return ""
	}
	return c.s[i : j+1]
}

// quoted hides the value between quotes, whatever it is made of.
func (c *scanner) quoted(l label, i int, open string) {
	from := i + len(open)
	quote := open[len(open)-1]
	if open == `""` || strings.HasPrefix(c.s[from-1:], `"""`) || strings.HasPrefix(c.s[from-1:], "'''") {
		c.tripled(l, from+2, c.s[from-1:from+2])
		return
	}
	end, closed := c.closing(from, quote, len(open)-1)
	if end == from {
		return
	}
	text := c.s[from:end]
	if c.keeps(l, text, from, end) {
		return
	}
	start := from
	if l.header {
		start = from + schemeLength(text)
	}
	if closed {
		end = c.goesOn(end, len(open))
	}
	c.hide(start, end, l.kind)
}

// keeps reports whether what stands between quotes is kept for the reader.
func (c *scanner) keeps(l label, text string, from, end int) bool {
	small := ""
	if len(text) <= 24 {
		small = strings.ToLower(text)
	}
	switch {
	case plainWords[small] || c.placeholder(from, end):
		return true
	case text[0] == '$' || text[0] == '%' || strings.HasPrefix(text, "{{"):
		return wholeReference(text)
	case l.file && pathLike(text) && strings.IndexByte(text, ' ') < 0:
		return true
	case l.kind == KindToken:
		return len(text) < 3
	case !l.strong && !l.header && !l.cookie:
		return weakValue(text)
	}
	return false
}

// wholeReference reports whether a text is one reference to something else and no more.
func wholeReference(text string) bool {
	for _, pair := range [][2]string{{"${", "}"}, {"$(", ")"}, {"{{", "}}"}, {"%", "%"}} {
		if inner, is := strings.CutPrefix(text, pair[0]); is {
			inner, is = strings.CutSuffix(inner, pair[1])
			return is && !strings.ContainsAny(inner, "${}()%\"'`;|&")
		}
	}
	for i := 1; i < len(text); i++ {
		if b := text[i]; b != '_' && !alnum.has[b] {
			return false
		}
	}
	return len(text) > 1 && !(text[1] >= '2' && text[1] <= '9')
}

// maxApart bounds how far a closing quote may be on another line, in bytes.
const maxApart = 16 << 10

// closing finds the quote that ends a value which begins at from, after so many backslashes.
// Where none does, the value ends with its line: there is always an end.
func (c *scanner) closing(from int, quote byte, slashes int) (end int, closed bool) {
	run, line := 0, -1
	i := from
	defer func() { c.steps += i - from }()
	for ; i < len(c.s); i++ {
		switch b := c.s[i]; {
		case b == '\\':
			run++
			continue
		case b == quote:
			if run < slashes {
				return i - run, false
			}
			if (run-slashes)%(2*(slashes+1)) == 0 {
				return i - slashes, true
			}
			if quote == '\'' && c.endsWord(i+1) {
				return i, true
			}
		case b == '\n':
			if line < 0 {
				line = i
			}
			if i-from > maxApart {
				return c.lineEnd(from), false
			}
		}
		run = 0
	}
	if line >= 0 {
		return c.lineEnd(from), false
	}
	return len(c.s), false
}

// endsWord reports whether a word ends at i: the shell knows no backslash between single
// quotes.
func (c *scanner) endsWord(i int) bool {
	b := c.byteAt(i)
	return b == 0 || strings.IndexByte(" \t\r\n;|&)", b) >= 0
}

// tripled hides a value between triple quotes.
func (c *scanner) tripled(l label, from int, quotes string) {
	end := strings.Index(c.s[from:], quotes)
	if end < 0 {
		end = c.lineEnd(from)
	} else {
		c.steps += end
		end += from
	}
	c.hide(from, end, l.kind)
}

// goesOn returns the end of a value whose quotes end at i, with what the shell joins to it:
// 'it'\”s'. A last quote is left out.
func (c *scanner) goesOn(i, quote int) int {
	end := i
	for j := i + quote; j < len(c.s); {
		switch b := c.s[j]; {
		case b == '\\' && (c.byteAt(j+1) == '\'' || c.byteAt(j+1) == '"' && quote == 1 && alnum.has[c.byteAt(j+2)]):
			j += 2
			end = j
		case (b == '"' || b == '\'') && j > i+quote || (b == '"' || b == '\'') && alnum.has[c.byteAt(j+1)]:
			shut, closed := c.closing(j+1, b, 0)
			if end = shut; !closed {
				return end
			}
			j = shut + 1
		case name.has[b] && (alnum.has[b] || j > i+quote):
			j = c.while(j, name)
			end = j
		default:
			return end
		}
	}
	return end
}

// folded hides a block of YAML: the lines that are indented deeper than their name.
func (c *scanner) folded(l label, i int) {
	end := c.lineEnd(i)
	if strings.TrimLeft(c.s[i:end], "|>+-0123456789 \t") != "" {
		return
	}
	depth, sign := c.depth(strings.LastIndexByte(c.s[:l.start], '\n') + 1)
	from, last := -1, -1
	for at := end; at < len(c.s); {
		at = c.lineBreak(at)
		if at >= len(c.s) {
			break
		}
		deep, mark := c.depth(at)
		stop := c.lineEnd(at)
		if stop > at+deep && (deep <= depth || mark != sign && sign == 0) {
			break
		}
		if from < 0 && stop > at {
			from = at + deep
		}
		if stop > at+deep {
			last = stop
		}
		at = stop
	}
	if from >= 0 && last > from {
		c.hide(from, last, l.kind)
	}
}

// lineBreak steps over the line break at i.
func (c *scanner) lineBreak(i int) int {
	if c.byteAt(i) == '\r' {
		i++
	}
	if c.byteAt(i) == '\n' {
		i++
	}
	return i
}

// depth is how far the line at i is indented; sign is that of a diff before it.
func (c *scanner) depth(i int) (deep int, sign byte) {
	from := i
	if b := c.byteAt(i); b == '+' || b == '-' && c.byteAt(i+1) != ' ' {
		sign = b
		i++
	}
	return c.blanks(i) - from, sign
}
