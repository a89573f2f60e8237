package redact

import "strings"

// leastMedia is how long a text is that counts as bytes of media without a word about them
// beside it.
const leastMedia = 256

// beside is how far from the bytes their type may stand.
const beside = 256

// media hides the bytes of pictures and sounds: they tell a reader nothing, and may show
// what nobody meant to copy.
func (c *scanner) media(w word) bool {
	switch text := w.of(c.s); text {
	case "base64":
		if c.byteAt(w.end) == ',' && c.byteAt(w.start-1) == ';' {
			return c.mediaBytes(w.end + 1)
		}
		return c.mediaField(w)
	case "data", "blob", "bytes", "json":
		return c.mediaField(w)
	}
	return false
}

func (c *scanner) mediaBytes(i int) bool {
	end := c.while(i, base64URL)
	if end-i < 4 {
		return false
	}
	c.hide(i, end, KindMedia)
	return true
}

// mediaField hides the value of a field called data, where it is base64 and its type stands
// beside it.
func (c *scanner) mediaField(w word) bool {
	i, quote := c.afterName(w.end)
	if quote == "" {
		return false
	}
	at, sep := c.separator(i)
	open := c.quoteAt(at)
	if sep != sepColon || open == "" {
		return false
	}
	from := at + len(open)
	end := c.while(from, base64URL)
	if !strings.HasPrefix(c.s[end:], open) || end-from < 8 {
		return false
	}
	if end-from < leastMedia && !c.typeBeside(w.start, end) {
		return false
	}
	c.hide(from, end, KindMedia)
	return true
}

// typeBeside reports whether the type of media stands near the field between start and end.
func (c *scanner) typeBeside(start, end int) bool {
	c.steps += 2 * beside
	for _, near := range []string{c.s[max(0, start-beside):start], c.s[end:min(len(c.s), end+beside)]} {
		for _, mark := range []string{"mime", "Mime", "media", "\"image", "\"audio", "\"video"} {
			if strings.Contains(near, mark) {
				return true
			}
		}
	}
	return false
}
