package tool

import (
	"strconv"
	"strings"
	"unicode"
)

// KindLink is a link in a listing, where it is not followed. A resolved path is
// never a link.
const KindLink FileKind = "link"

// Child is the path of an entry of the directory p, for a tool that lists more
// than one level. Files resolves it again before it is used.
func (p Path) Child(e Entry) Path {
	c := p
	c.Real = strings.TrimSuffix(p.Real, "/") + "/" + e.Name
	c.Arg, c.Abs, c.Kind, c.Linked = c.Real, c.Real, e.Kind, false
	switch p.Rel {
	case "":
	case ".":
		c.Rel = e.Name
	default:
		c.Rel = p.Rel + "/" + e.Name
	}
	return c
}

// Shown is the real path as a reader sees it: as ShowPath writes it.
func (p Path) Shown() string { return ShowPath(p.Real) }

// Short is the path relative to the workspace, absolute outside it, as ShowPath
// writes it.
func (p Path) Short() string {
	if p.Rel != "" {
		return ShowPath(p.Rel)
	}
	return ShowPath(p.Real)
}

// ShowPath writes a path so that it stays on its line and acts on no terminal:
// characters that do not print are escaped as in Go source. Ordinary names, spaces
// and letters of any script stay as they are.
func ShowPath(path string) string {
	if !strings.ContainsFunc(path, hidden) && strings.ToValidUTF8(path, "") == path {
		return path
	}
	var b strings.Builder
	for i, r := range path {
		switch {
		case r == unicode.ReplacementChar && !strings.HasPrefix(path[i:], string(r)):
			b.WriteString(`\x` + strconv.FormatUint(uint64(path[i]), 16))
		case hidden(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports whether a character is not drawn: controls, formats such as the
// bidirectional marks, separators of lines, and private ones.
func hidden(r rune) bool { return r != ' ' && !unicode.IsGraphic(r) }
