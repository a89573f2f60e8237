package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// joinsComment says whether a comment of the text ends in a backslash. For bash the next line
// is a command; the parser goes on with the one before the comment.
func joinsComment(file *syntax.File, text string) bool {
	var plain []span
	for end := 0; ; {
		i := strings.Index(text[end:], "\\\n")
		if i < 0 {
			return false
		}
		start := strings.LastIndexByte(text[:end+i], '\n') + 1
		end += i + 2
		for at := start; at < end; at++ {
			if !opensComment(text, at) {
				continue
			}
			if plain == nil {
				plain = literals(file)
			}
			if !within(plain, at) {
				return true
			}
		}
	}
}

// literals are the places of quoted texts and here-documents, where # is a letter.
func literals(file *syntax.File) []span {
	out := []span{}
	add := func(from, to syntax.Pos) { out = append(out, span{int(from.Offset()), int(to.Offset())}) }
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.SglQuoted:
			add(n.Left, n.End())
		case *syntax.DblQuoted:
			for _, part := range n.Parts {
				if lit, ok := part.(*syntax.Lit); ok {
					add(lit.Pos(), lit.End())
				}
			}
		case *syntax.Redirect:
			if n.Hdoc != nil {
				for _, part := range n.Hdoc.Parts {
					if lit, ok := part.(*syntax.Lit); ok {
						add(lit.Pos(), lit.End())
					}
				}
			}
		}
		return true
	})
	return out
}

func within(list []span, at int) bool {
	for _, s := range list {
		if at >= s.start && at < s.end {
			return true
		}
	}
	return false
}

// opensComment says whether a comment may begin at a place of the text, if it is not quoted.
func opensComment(text string, at int) bool {
	return text[at] == '#' && (at == 0 || strings.IndexByte(" \t\n\r;&|()<>`", text[at-1]) >= 0)
}

// mayComment says whether a comment may begin anywhere in the text.
func mayComment(text string) bool {
	for at := range len(text) {
		if opensComment(text, at) {
			return true
		}
	}
	return false
}
