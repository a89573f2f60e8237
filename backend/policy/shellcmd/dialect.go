package shellcmd

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// bashes are the words that make bash read a script that stands behind them.
var bashes = map[string]bool{"bash": true, "rbash": true, "eval": true, "trap": true}

// readByBash says whether bash is what reads a script among words: others, such as the sh of
// many systems, take some of its grammar for something else.
func readByBash(words []word) bool {
	for _, w := range words {
		if bashes[path.Base(w.Text)] {
			return true
		}
	}
	return false
}

// bashOnly says whether a script uses what only bash reads as bash does: elsewhere [[ a > b ]]
// writes a file and a &> b waits for nothing.
func bashOnly(file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop, *syntax.CoprocClause, *syntax.TimeClause, *syntax.ArrayExpr,
			*syntax.ExtGlob, *syntax.ProcSubst:
			found = true
		case *syntax.DeclClause:
			found = found || n.Variant.Value != "export" && n.Variant.Value != "readonly"
		case *syntax.Assign:
			found = found || n.Append || n.Index != nil
		case *syntax.ForClause:
			found = found || n.Select || n.Braces
		case *syntax.FuncDecl:
			found = found || n.RsrvWord
		case *syntax.BinaryCmd:
			found = found || n.Op == syntax.PipeAll
		case *syntax.CaseItem:
			found = found || n.Op != syntax.Break
		case *syntax.SglQuoted:
			found = found || n.Dollar
		case *syntax.DblQuoted:
			found = found || n.Dollar
		case *syntax.Redirect:
			found = found || n.N != nil && !digits(n.N.Value) || n.Op == syntax.RdrAll || n.Op == syntax.AppAll || n.Op == syntax.WordHdoc || n.Op == syntax.DplOut && !copies(n)
		case *syntax.Word:
			found = found || strings.HasPrefix(n.Lit(), "=") || strings.Contains(n.Lit(), "{") && n.Lit() != "{}"
		}
		return !found
	})
	return found
}
