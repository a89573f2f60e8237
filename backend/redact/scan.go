package redact

import "strings"

// scanner reads a text once, from its beginning to its end. at only grows.
type scanner struct {
	s     string
	spans []Span
	at    int
	// prev is the word before the one that is read.
	prev word
	// program is the last word on this line that is a program with flags of its own.
	program string
	// lineTo, plainTo and blockTo are ends that were found already, so that nothing is looked
	// for twice: of a line, of a value, and of the next private key.
	lineTo, plainTo, blockTo found
	runs                     [setCount]found
	// steps counts the bytes that were looked at, for the proof that this is linear.
	steps int
}

// found is an end that holds for every place from and before it.
type found struct{ from, end int }

func (f found) holds(i int) bool { return i >= f.from && i < f.end }

// word is a run of ASCII letters and digits.
type word struct{ start, end int }

func (w word) of(s string) string { return s[w.start:w.end] }

func (c *scanner) run() {
	s := c.s
	for c.at < len(s) {
		i := c.at
		switch b := s[i]; {
		case alnum.has[b]:
			j := i + 1
			for j < len(s) && alnum.has[s[j]] {
				j++
			}
			c.at = j
			w := word{i, j}
			c.word(w)
			c.prev = w
			continue
		case b == '-' && strings.HasPrefix(s[i:], "-----"):
			c.at++
			c.block(i)
			continue
		case b == ':' && strings.HasPrefix(s[i:], "://"):
			c.at += 3
			c.address(i + 3)
			continue
		case b == '\n' && (i == 0 || s[i-1] != '\\'):
			c.program = ""
		}
		c.at++
	}
	c.steps += len(s)
}

// hide adds a span and goes on behind it.
func (c *scanner) hide(start, end int, k Kind) {
	if end <= start {
		return
	}
	c.spans = append(c.spans, Span{start, end, k})
	c.at = max(c.at, end)
}

// word looks at one word: whether a token begins with it, and whether it is a label.
func (c *scanner) word(w word) {
	if c.token(w) {
		return
	}
	text := w.of(c.s)
	if isProgram(text) {
		c.program = text
	}
	c.shortFlag(w)
	if c.scheme(w) || c.media(w) {
		return
	}
	if l, is := c.label(w); is {
		c.value(l)
	}
}

// while returns the end of the bytes of a set from i on.
func (c *scanner) while(i int, of *set) int {
	run := &c.runs[of.id]
	if run.holds(i) {
		return run.end
	}
	from := i
	for i < len(c.s) && of.has[c.s[i]] {
		i++
	}
	c.steps += i - from
	*run = found{from, i}
	return i
}

// blanks returns the end of the spaces and tabs from i on.
func (c *scanner) blanks(i int) int {
	from := i
	for i < len(c.s) && (c.s[i] == ' ' || c.s[i] == '\t') {
		i++
	}
	c.steps += i - from
	return i
}

// byteAt returns the byte at i, 0 outside the text.
func (c *scanner) byteAt(i int) byte {
	if i < 0 || i >= len(c.s) {
		return 0
	}
	return c.s[i]
}

// lineEnd returns where the line of i ends, without its line break.
func (c *scanner) lineEnd(i int) int {
	end := c.lineTo.end
	if !c.lineTo.holds(i) {
		if end = strings.IndexByte(c.s[i:], '\n'); end < 0 {
			end = len(c.s) - i
		}
		c.steps += end
		end += i
		c.lineTo = found{i, end}
	}
	if end > i && c.s[end-1] == '\r' {
		end--
	}
	return end
}
