package pathclass

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is one name of a reading: text[from:to].
type span struct{ from, to int }

// reading is a path in one case with slashes between its names, empty and dot
// names dropped and parent steps taken.
type reading struct {
	text  []byte
	names []span
	// drops says that some system would read a name as a shorter one.
	drops bool
	// short says that a name looks like a short name of Windows.
	short bool
}

func (r *reading) name(i int) []byte { return r.text[r.names[i].from:r.names[i].to] }

func (r *reading) last() []byte {
	if len(r.names) == 0 {
		return nil
	}
	return r.name(len(r.names) - 1)
}

// The buffers of a judge hold all but unusually long paths.
const (
	bufferText  = 256
	bufferNames = 24
)

// plain maps the bytes that need no thought to their folded form, all others to 0.
var plain = func() (t [256]byte) {
	for c := byte(' '); c < 0x7f; c++ {
		switch {
		case 'A' <= c && c <= 'Z':
			t[c] = c + 'a' - 'A'
		case c == ':' || c == '~' || c == '\\':
		default:
			t[c] = c
		}
	}
	return t
}()

// readPlain folds a path that is absolute, clean and plain in one pass; ok is false
// for any other, which read must take.
func readPlain(text *[bufferText]byte, names *[bufferNames]span, path string) (n int, ok bool) {
	if len(path) < 2 || len(path) > len(text) || path[0] != '/' {
		return 0, false
	}
	text[0] = '/'
	from := 1
	for i := 1; i <= len(path); i++ {
		c := byte('/')
		if i < len(path) {
			c = plain[path[i]]
			if c == 0 {
				return 0, false
			}
			text[i] = c
		}
		if c != '/' {
			continue
		}
		if last := text[i-1]; i == from || last == '.' || last == ' ' || n == len(names) {
			return 0, false
		}
		names[n] = span{from, i}
		n++
		from = i + 1
	}
	return n, true
}

// read folds path into r, whose slices are used again. It and with hand the reading
// through by value, so that the buffers of a judge stay on its stack.
func read(r reading, sys System, path string) reading {
	r.text, r.names = r.text[:0], r.names[:0]
	back := sys != Linux && sys != Darwin
	if back {
		path = withoutDevicePrefix(path)
	}
	start := 0
	for i := range len(path) {
		if c := path[i]; c == '/' || back && c == '\\' {
			r = r.with(path[start:i])
			start = i + 1
		}
	}
	return r.with(path[start:])
}

// withoutDevicePrefix takes off the forms in which Windows is given a path that it
// shall not look at, so that the drive is the first name.
func withoutDevicePrefix(path string) string {
	for _, prefix := range []string{`\\?\`, `\\.\`, `//?/`, `//./`, `\??\`} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			return rest
		}
	}
	return path
}

// with returns r with one more name: a parent step takes one away.
func (r reading) with(name string) reading {
	switch name {
	case "", ".":
		return r
	case "..":
		if n := len(r.names); n > 0 {
			r.text = r.text[:r.names[n-1].from-1]
			r.names = r.names[:n-1]
		}
		return r
	}
	r.text = append(r.text, '/')
	from := len(r.text)
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			r.text = appendFolded(r.text, name[i:])
			r.drops = r.drops || strings.ContainsFunc(name[i:], ignorable) || strings.Contains(name[i:], ":")
			r.short = r.short || strings.Contains(name[i:], "~")
			break
		}
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == ':':
			r.drops = true
		case c == '~':
			r.short = true
		}
		r.text = append(r.text, c)
	}
	if c := name[len(name)-1]; c == '.' || c == ' ' {
		r.drops = true
	}
	r.names = append(r.names, span{from, len(r.text)})
	return r
}

// appendFolded folds text that is not all ASCII, as the loosest file systems do: a
// letter that has an ASCII letter in its case orbit becomes that one.
func appendFolded(dst []byte, text string) []byte {
	for _, c := range text {
		if c < utf8.RuneSelf {
			dst = append(dst, byte(unicode.ToLower(c)))
			continue
		}
		if s, ok := ligatures[c]; ok {
			dst = append(dst, s...)
			continue
		}
		dst = utf8.AppendRune(dst, orbitHead(c))
	}
	return dst
}

func orbitHead(c rune) rune {
	for o := unicode.SimpleFold(c); o != c; o = unicode.SimpleFold(o) {
		if o < utf8.RuneSelf {
			return unicode.ToLower(o)
		}
	}
	return unicode.ToLower(c)
}

// ligatures are the letters whose full case folding is ASCII.
var ligatures = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "st", 'ﬆ': "st",
}

// ignorable are the characters that HFS+ leaves out when it compares names.
func ignorable(c rune) bool {
	return 0x200c <= c && c <= 0x200f || 0x202a <= c && c <= 0x202e || 0x206a <= c && c <= 0x206f || c == 0xfeff
}

// dropped returns r without what some system does not see: streams, trailing dots
// and spaces, ignorable characters.
func (r *reading) dropped() reading {
	var out reading
	for i := range r.names {
		name := string(r.name(i))
		if drive := i == 0 && len(name) == 2 && name[1] == ':'; !drive {
			name, _, _ = strings.Cut(name, ":")
		}
		name = strings.Map(func(c rune) rune {
			if ignorable(c) {
				return -1
			}
			return c
		}, name)
		out = out.with(strings.TrimRight(name, ". "))
	}
	out.short = r.short
	return out
}

// maxExpansions bounds how many readings the short names of one path may make.
const maxExpansions = 64

// expanded returns the readings in which short names are written out as the names
// of rows that they may stand for. ok is false when there are too many to try.
func (r *reading) expanded() (out []reading, ok bool) {
	choices := [][]string{nil}
	for i := range r.names {
		name := string(r.name(i))
		options := append([]string{name}, index.longNames(name)...)
		if len(choices)*len(options) > maxExpansions {
			return nil, false
		}
		next := make([][]string, 0, len(choices)*len(options))
		for _, c := range choices {
			for _, o := range options {
				next = append(next, append(append([]string(nil), c...), o))
			}
		}
		choices = next
	}
	for _, c := range choices[1:] {
		var e reading
		for _, name := range c {
			e = e.with(name)
		}
		out = append(out, e)
	}
	return out, true
}

// within reports whether r lies in root or is it, and how many names root has.
func (r *reading) within(sys System, root string) (names int, ok bool) {
	if root == "" || !r.mayBegin(root) {
		return 0, false
	}
	top := read(reading{}, sys, root)
	if len(top.names) > len(r.names) {
		return 0, false
	}
	for i := range top.names {
		if string(top.name(i)) != string(r.name(i)) {
			return 0, false
		}
	}
	return len(top.names), true
}

// mayBegin is the cheap part of within: it compares plain text until the first
// difference, leaves every root that is not plain to the full comparison, and is
// right whenever it says no.
func (r *reading) mayBegin(root string) bool {
	for i := range len(root) {
		c := plain[root[i]]
		if c == 0 || i == 0 && c != '/' || c == '/' && !opensName(root[i+1:]) {
			return true
		}
		if i >= len(r.text) || c != r.text[i] {
			return false
		}
	}
	return true
}

// opensName reports whether text begins with a name that is neither empty nor a step.
func opensName(text string) bool {
	name := text
	if i := strings.IndexByte(text, '/'); i >= 0 {
		name = text[:i]
	}
	return name != "" && name != "." && name != ".."
}
