package redact

import "strings"

const (
	beginBlock = "-----BEGIN "
	endBlock   = "-----END "
	dashes     = "-----"
	// maxBlock bounds how long a key block is, in bytes.
	maxBlock = 64 << 10
)

// block hides the private key that begins, or ends, with the line at i.
func (c *scanner) block(i int) {
	switch rest := c.s[i:]; {
	case strings.HasPrefix(rest, beginBlock):
		if after := c.private(i + len(beginBlock)); after > 0 {
			c.hide(i, c.blockEnd(after), KindPrivateKey)
			return
		}
		c.at = i + len(beginBlock)
	case strings.HasPrefix(rest, endBlock):
		if after := c.private(i + len(endBlock)); after > 0 {
			c.hide(c.blockStart(i), after, KindPrivateKey)
		}
	default:
		for c.at < len(c.s) && c.s[c.at] == '-' && !strings.HasPrefix(c.s[c.at:], beginBlock) && !strings.HasPrefix(c.s[c.at:], endBlock) {
			c.at++
			c.steps++
		}
	}
}

// private returns where the line of a private key block ends whose words begin at i, 0 for
// any other block.
func (c *scanner) private(i int) int {
	words := c.s[i:min(len(c.s), i+maxName)]
	end := strings.Index(words, dashes)
	if end < 0 {
		// The line itself was cut.
		if i+len(words) == len(c.s) && strings.Contains(words, "PRIVATE KEY") {
			return len(c.s)
		}
		return 0
	}
	if !strings.Contains(words[:end], "PRIVATE KEY") {
		return 0
	}
	return i + end + len(dashes)
}

// blockEnd returns where the block ends whose first line ends at i. One without an end goes
// on as long as its lines look like a key.
func (c *scanner) blockEnd(i int) int {
	end := c.blockTo.end
	if !c.blockTo.holds(i) {
		if end = strings.Index(c.s[i:], endBlock); end < 0 {
			end = len(c.s) - i
		}
		c.steps += end
		end += i
		c.blockTo = found{i, end}
	}
	if end < len(c.s) && end-i <= maxBlock && !strings.Contains(c.s[i:end], beginBlock) {
		if after := c.private(end + len(endBlock)); after > 0 {
			return after
		}
	}
	return c.keyLines(i)
}

// keyLines steps over what may be lines of a key, also as they stand in a text with
// escapes, quotes or the signs of a diff.
func (c *scanner) keyLines(i int) int {
	end := i
	for i < len(c.s) {
		j := i
		for j < len(c.s) && strings.IndexByte("\r\n \t+-\"',>#|*", c.s[j]) >= 0 && !strings.HasPrefix(c.s[j:], beginBlock) {
			j++
		}
		if c.byteAt(j) == '\\' && (c.byteAt(j+1) == 'n' || c.byteAt(j+1) == 'r' || c.byteAt(j+1) == '\\' || c.byteAt(j+1) == '\n') {
			i = j + 2
			c.steps += 2
			continue
		}
		last := c.while(j, base64Set)
		if last == j {
			break
		}
		switch n := c.byteAt(last); {
		case (n == ':' || n == '-') && last-j < 16:
			// A line of the head of the block, such as Proc-Type.
			last = c.lineEnd(last)
		case last-j < 16 && !mixed(c.s[j:last]) && c.s[last-1] != '=', n != 0 && strings.IndexByte("\r\n\\\"' \t,", n) < 0:
			return end
		}
		i, end = last, last
	}
	return end
}

// maxBack bounds how much of a block is hidden whose beginning is missing, in bytes.
const maxBack = 8 << 10

// blockStart returns where the lines of a key begin that end at i: of a page of a file, or
// in the lines around a change, the beginning may be missing.
func (c *scanner) blockStart(i int) int {
	least := max(0, i-maxBack)
	if n := len(c.spans); n > 0 {
		least = max(least, c.spans[n-1].End)
	}
	start := i
	for start > least && strings.IndexByte("+- \t\"'", c.s[start-1]) >= 0 {
		start--
	}
	if start == least || c.s[start-1] != '\n' {
		return i
	}
	first := i
	for start > least {
		line := strings.LastIndexByte(c.s[least:start-1], '\n') + 1 + least
		text := strings.Trim(c.s[line:start], "\r\n +-\t\"'")
		c.steps += start - line
		if len(text) < 4 || !all(text, base64Set) || len(text) < leastBare && start != i && !mixed(text) {
			break
		}
		start, first = line, line+strings.Index(c.s[line:], text)
	}
	return first
}
