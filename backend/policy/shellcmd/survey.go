package shellcmd

import (
	"maps"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// facts are what must be known of a whole script before its first command is read.
type facts struct {
	// used holds the variables that are looked at, with the last place where.
	used map[string]uint
	// set holds the variables that something assigns to.
	set map[string]bool
	// functions are the names that the script gives to functions.
	functions map[string]bool
	// defaults are the texts that ${name:=text} gives to variables, given the calls of what may
	// be functions.
	defaults map[string][]*syntax.Word
	given    map[string][]*syntax.CallExpr
	// all is what any command of the script may change, bodies what those of functions may.
	all, bodies changes
	// calls is how many simple commands there are.
	calls int
}

// survey collects the facts. It says why a script is refused that the parser took and bash
// would not.
func survey(file *syntax.File, text string) (facts, string) {
	var f facts
	why := ""
	patterns := map[*syntax.ExtGlob]bool{}
	syntax.Walk(file, func(node syntax.Node) bool {
		f.all.note(node)
		switch n := node.(type) {
		case *syntax.ParamExp:
			if n.Param != nil {
				f.use(n.Param.Value, n.Pos().Offset())
				f.setsDefault(n)
			}
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
			f.useAll(n)
		case *syntax.Assign:
			if n.Name != nil {
				f.assign(n.Name.Value)
				if !variable(n.Name.Value) || !strings.HasPrefix(text[min(n.Pos().Offset(), uint(len(text))):], n.Name.Value) {
					why = "it sets a variable whose name bash does not take for one"
				}
			}
			if n.Index != nil {
				f.useAll(n.Index)
			}
		case *syntax.WordIter:
			f.assign(n.Name.Value)
		case *syntax.FuncDecl:
			if n.Name == nil || !nameable(n.Name.Value) {
				why = "it gives a function a name that bash may refuse"
				return false
			}
			f.declare(n.Name.Value)
			f.bodies.in(n.Body)
			if !compound(n.Body) {
				why = "it gives a function a body that bash refuses"
			}
		case *syntax.CallExpr:
			f.calls++
			f.calling(n)
			if len(n.Assigns) == 0 && len(n.Args) > 0 && reserved[n.Args[0].Lit()] {
				why = "it begins a command with a word that bash keeps for itself"
			}
		case *syntax.BinaryTest:
			if n.Op == syntax.TsMatch || n.Op == syntax.TsMatchShort || n.Op == syntax.TsNoMatch {
				allowGlobs(n.Y, patterns)
			}
		case *syntax.ExtGlob:
			if !patterns[n] {
				why = "it uses a pattern that bash refuses unless it is told otherwise"
			}
		case *syntax.ArrayExpr:
			if end := int(n.End().Offset()); end < len(text) && strings.IndexByte(" \t\n;&|)<>", text[end]) < 0 {
				why = "a word goes on behind a list, where the parser ends it"
			}
		case *syntax.TimeClause:
			if call, ok := timed(n); !ok || len(call) > 0 && strings.HasPrefix(call[0].Lit(), "-") {
				why = "it times nothing, or with options that are read in other ways"
			}
		case *syntax.TestDecl:
			why = "it is not written for bash"
		}
		return why == ""
	})
	return f, why
}

// timed are the words of the simple command that is timed; ok is false where nothing is.
func timed(c *syntax.TimeClause) (words []*syntax.Word, ok bool) {
	if c.Stmt == nil {
		return nil, false
	}
	if call, simple := c.Stmt.Cmd.(*syntax.CallExpr); simple {
		words = call.Args
	}
	return words, true
}

// reserved are the words that bash takes for its grammar where a command begins.
var reserved = map[string]bool{
	"!": true, "[[": true, "]]": true, "case": true, "coproc": true, "do": true, "done": true, "elif": true, "else": true, "esac": true, "fi": true, "for": true,
	"function": true, "if": true, "in": true, "select": true, "then": true, "time": true, "until": true, "while": true, "{": true, "}": true,
}

// nameable says whether bash takes a name for a function.
func nameable(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && strings.IndexByte("_-.:+@,%/", c) < 0 {
			return false
		}
	}
	return name != "" && !reserved[name]
}

// compound says whether bash takes a statement for the body of a function.
func compound(s *syntax.Stmt) bool {
	if s.Negated || s.Background {
		return false
	}
	switch s.Cmd.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.ArithmCmd, *syntax.TestClause:
		return true
	}
	return false
}

func (f *facts) use(name string, at uint) {
	if f.used == nil {
		f.used = map[string]uint{}
	}
	f.used[name] = max(f.used[name], at)
}

// setsDefault notes an expansion that sets its variable.
func (f *facts) setsDefault(p *syntax.ParamExp) {
	if p.Exp == nil || p.Exp.Op != syntax.AssignUnset && p.Exp.Op != syntax.AssignUnsetOrNull {
		return
	}
	if f.defaults == nil {
		f.defaults = map[string][]*syntax.Word{}
	}
	f.defaults[p.Param.Value] = append(f.defaults[p.Param.Value], p.Exp.Word)
}

// calling notes a command with words, which may be the call of a function.
func (f *facts) calling(c *syntax.CallExpr) {
	if len(c.Args) < 2 || c.Args[0].Lit() == "" {
		return
	}
	name := c.Args[0].Lit()
	if len(f.given[name]) >= maxGuesses {
		return
	}
	if f.given == nil {
		f.given = map[string][]*syntax.CallExpr{}
	}
	f.given[name] = append(f.given[name], c)
}

func (f *facts) assign(name string) {
	if f.set == nil {
		f.set = map[string]bool{}
	}
	f.set[name] = true
}

func (f *facts) declare(name string) {
	if f.functions == nil {
		f.functions = map[string]bool{}
	}
	f.functions[name] = true
}

// useAll counts each name in an expression as looked at and as assigned to.
func (f *facts) useAll(node syntax.Node) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if lit, ok := n.(*syntax.Lit); ok {
			f.use(lit.Value, lit.Pos().Offset())
			f.assign(lit.Value)
		}
		return true
	})
}

func allowGlobs(node syntax.Node, into map[*syntax.ExtGlob]bool) {
	syntax.Walk(node, func(n syntax.Node) bool {
		if g, ok := n.(*syntax.ExtGlob); ok {
			into[g] = true
		}
		return true
	})
}

// inherit adds what a script knows that runs in the same shell.
func (f *facts) inherit(o *facts) {
	f.functions = either(f.functions, o.functions)
	f.set = either(f.set, o.set)
	f.all.add(o.all)
	f.bodies.add(o.bodies)
}

// either is the set of the names that are in one of two; it changes neither.
func either(a, b map[string]bool) map[string]bool {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
