package shellcmd

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// list reads statements one after the other. Like all that walk, it returns the state of the
// shell after a success and after a failure.
func (r *reader) list(stmts []*syntax.Stmt, st state) (ok, no state) {
	ok, no = st, st
	for i, s := range stmts {
		if i > 0 {
			st = join(ok, no)
		}
		ok, no = r.stmt(s, st)
	}
	return ok, no
}

func (r *reader) stmt(s *syntax.Stmt, st state) (ok, no state) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth || len(r.out.Commands) > maxCommands || len(st.exported) > maxExported {
		r.refuse("it has too many commands or variables, or they are nested too deep")
		return st, st
	}
	before := st
	if s.Background {
		st.background = true
	}
	switch c := s.Cmd.(type) {
	case nil:
		r.bare(s, st)
		ok, no = st, st
	case *syntax.CallExpr:
		ok, no = r.call(c, s, st)
	case *syntax.DeclClause:
		ok, no = r.declare(c, s, st)
	default:
		inside := st
		if len(s.Redirs) > 0 {
			inside = r.bare(s, st)
		}
		ok, no = r.compound(c, inside)
		ok.fed, no.fed = st.fed, st.fed
		ok.piped, no.piped = st.piped, st.piped
	}
	if s.Negated {
		ok, no = no, ok
	}
	if s.Background {
		return before, before
	}
	return ok, no
}

func (r *reader) compound(c syntax.Command, st state) (ok, no state) {
	switch c := c.(type) {
	case *syntax.Block:
		return r.list(c.Stmts, st)
	case *syntax.Subshell:
		r.list(c.Stmts, st)
		return st, st
	case *syntax.BinaryCmd:
		return r.binary(c, st)
	case *syntax.IfClause:
		return r.branch(c, st)
	case *syntax.WhileClause:
		return r.while(c, st)
	case *syntax.ForClause:
		return r.loop(c, st)
	case *syntax.CaseClause:
		return r.choose(c, st)
	case *syntax.FuncDecl:
		r.define(c, st)
	case *syntax.ArithmCmd:
		r.calculate(c, c.X, st)
		return st.forget(), st.forget()
	case *syntax.LetClause:
		r.let(c, st)
		return st.forget(), st.forget()
	case *syntax.TestClause:
		r.test(c, st)
	case *syntax.TimeClause:
		return r.prefixed("time", c.Time, c.PosixFormat, c.Stmt, st)
	case *syntax.CoprocClause:
		if _, simple := c.Stmt.Cmd.(*syntax.CallExpr); !simple || c.Name != nil {
			// Whether the first word is a name hangs on what bash takes for a command behind it.
			r.refuse("it runs more than a simple command as a coprocess")
			break
		}
		st.fed = true
		st.background = true
		r.prefixed("coproc", c.Coproc, false, c.Stmt, st)
	default:
		r.refuse("it holds a command that is not known")
	}
	return st, st
}

func (r *reader) binary(c *syntax.BinaryCmd, st state) (ok, no state) {
	xOK, xNo := state{}, state{}
	switch c.Op {
	case syntax.AndStmt:
		xOK, xNo = r.stmt(c.X, st)
		ok, no = r.stmt(c.Y, xOK)
		return ok, join(xNo, no)
	case syntax.OrStmt:
		xOK, xNo = r.stmt(c.X, st)
		ok, no = r.stmt(c.Y, xNo)
		return join(xOK, ok), no
	}
	from := len(r.out.Commands)
	r.stmt(c.X, st)
	right := st
	right.fed, right.piped = true, nil
	if text, ok := r.printed([]*syntax.Stmt{c.X}, st); ok {
		right.piped = &text
	}
	middle := len(r.out.Commands)
	r.stmt(c.Y, right)
	for i := middle; i < len(r.out.Commands); i++ {
		if cmd := &r.out.Commands[i]; cmd.Dynamic && program.RunsInput(cmd.Words) {
			downloaded(cmd, r.out.Commands[from:middle])
		}
	}
	return st, st
}

func (r *reader) branch(c *syntax.IfClause, st state) (ok, no state) {
	if len(c.Cond) == 0 {
		return r.list(c.Then, st)
	}
	yes, not := r.list(c.Cond, st)
	thenOK, thenNo := r.list(c.Then, yes)
	if c.Else == nil {
		end := join(join(thenOK, thenNo), not)
		return end, end
	}
	elseOK, elseNo := r.branch(c.Else, not)
	return join(thenOK, elseOK), join(thenNo, elseNo)
}

// again is the state in a body that may run more than once: what it changes is unknown.
func (r *reader) again(body syntax.Node, st state) state {
	return r.facts.bodies.behind(changesOf(body).behind(st))
}

func (r *reader) while(c *syntax.WhileClause, st state) (ok, no state) {
	inside := r.again(c, st)
	ok, no = r.list(c.Cond, inside)
	ok, no = r.list(c.Do, join(ok, no))
	end := join(st, join(ok, no))
	return end, end
}

func (r *reader) loop(c *syntax.ForClause, st state) (ok, no state) {
	inside := r.again(c, st)
	var inner []nested
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		words := r.words(l.Items, st, &inner)
		if !c.Select && len(words) > 0 && !slices.ContainsFunc(words, func(w word) bool { return !constant(w) }) {
			inside.plain = map[string]bool{l.Name.Value: true}
		}
		inside = inside.guess(l.Name.Value, textsOf(words))
		for _, w := range words {
			// Which of the words it is does not matter here, since the variable is not
			// followed; but a name that steers the shell does.
			if w.Dynamic || w.unsure != "" {
				r.unsure("a loop runs over " + orWords(w.unsure))
			}
		}
		if why := steersLater(l.Name.Value, false); why != "" {
			r.unsure(why)
		}
	case *syntax.CStyleLoop:
		collect(l, &inner)
		r.unsure("a loop calculates")
	}
	r.inside(inner, st)
	ok, no = r.list(c.Do, inside)
	end := join(st.forget(), join(ok, no))
	return end, end
}

// constant says whether a word of a loop is the same for all that print it: letters, digits
// and signs that mean nothing to the shell, and no option.
func constant(w word) bool {
	return !w.Dynamic && !w.Glob && w.unsure == "" && w.Text != "" && w.Text[0] != '-' && strings.Trim(w.Text, constantSigns) == ""
}

const constantSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-"

func orWords(why string) string {
	if why == "" {
		return "words that are not known"
	}
	return "words of which one is not known: " + why
}

func (r *reader) choose(c *syntax.CaseClause, st state) (ok, no state) {
	var inner []nested
	words := []word{r.word(c.Word, builder{st: st, inner: &inner, assigned: true})}
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			words = append(words, r.word(p, builder{st: st, inner: &inner, assigned: true}))
		}
	}
	for _, w := range words {
		if w.unsure != "" {
			r.unsure("it chooses by a word that is not known: " + w.unsure)
		}
	}
	r.inside(inner, st)
	end := st
	for _, item := range c.Items {
		// An item that falls through goes on in the next one.
		ok, no = r.list(item.Stmts, end)
		end = join(end, join(ok, no))
	}
	return end, end
}

// define reads the body of a function where it stands; it runs wherever its name is called.
func (r *reader) define(c *syntax.FuncDecl, st state) {
	st = r.facts.all.behind(st)
	st.fed, st.piped = true, nil
	for _, call := range r.facts.given[c.Name.Value] {
		var inner []nested
		st = join(st, st.arguments(r.words(call.Args[1:], st, &inner)))
	}
	r.stmt(c.Body, st)
}

// calculate reads arithmetic: a name in it may hold a text that runs commands.
func (r *reader) calculate(node syntax.Node, x syntax.ArithmExpr, st state) {
	var inner []nested
	collect(node, &inner)
	if w, ok := x.(*syntax.Word); !ok || !digits(w.Lit()) {
		r.unsure("it calculates, and what stands in a variable may run there")
	}
	r.inside(inner, st)
}

// let is listed as it is written, since the parser reads its words as calculations.
func (r *reader) let(c *syntax.LetClause, st state) {
	at := r.at(c.Pos(), c.End())
	text := r.restore(r.text[c.Pos().Offset():min(c.End().Offset(), uint(len(r.text)))])
	r.out.Commands = append(r.out.Commands, Command{
		Words: []program.Word{{Text: text, Dynamic: true, Start: at.start, End: at.end}}, Of: r.of, Background: st.background, Dynamic: true,
		Shown: text, Start: at.start, End: at.end,
	})
	r.calculate(c, nil, st)
}

func (r *reader) test(c *syntax.TestClause, st state) {
	var inner []nested
	from := int(c.Left.Offset())
	text := r.text[from:max(from, min(int(c.Right.Offset()), len(r.text)))]
	switch {
	case mayComment(text):
		r.refuse("a condition of it holds a comment, which is easily misread")
		return
	case strings.Contains(text, "\n"):
		r.unsure("a condition of it goes on over a line break, which is easily misread")
	}
	syntax.Walk(c, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				r.unsure("it compares by calculating, and what stands in a variable may run there")
			}
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				r.unsure("it looks at a variable whose name may run a command")
			}
		case *syntax.Word:
			if w := r.word(n, builder{st: st, inner: &inner, assigned: true}); w.unsure != "" {
				r.unsure("it tests a word that is not known: " + w.unsure)
			}
			return false
		}
		return true
	})
	r.inside(inner, st)
}

// inside reads the commands that stand in words, which run in shells of their own.
func (r *reader) inside(list []nested, st state) {
	for _, n := range list {
		sub := st
		sub.fed = st.fed || n.fed
		r.list(n.stmts, sub)
	}
}

// prefixed lists a word of the shell that stands before a command, and the command.
func (r *reader) prefixed(name string, at syntax.Pos, posix bool, s *syntax.Stmt, st state) (ok, no state) {
	c := Command{Of: r.of, Background: st.background, Shown: name}
	if name == "time" {
		c.Extent = program.Looks
	}
	begin := r.at(at, at)
	end := span{begin.start, min(begin.start+len(name), r.length)}
	if r.within != nil {
		end = *r.within
	}
	c.Start, c.End = end.start, end.end
	c.Words = append(c.Words, program.Word{Text: name, Start: end.start, End: end.end})
	if posix {
		c.Words, c.Shown = append(c.Words, program.Word{Text: "-p", Start: end.start, End: end.end}), c.Shown+" -p"
	}
	r.out.Commands = append(r.out.Commands, c)
	index := len(r.out.Commands) - 1
	if s == nil {
		return st, st
	}
	ok, no = r.stmt(s, st)
	outer := &r.out.Commands[index]
	if call, plain := s.Cmd.(*syntax.CallExpr); plain && len(call.Args) > 0 && len(r.out.Commands) > index+1 {
		wrapped := r.out.Commands[index+1]
		outer.Words = append(outer.Words, wrapped.Words...)
		outer.Shown += " " + wrapped.Shown
		outer.Dynamic = wrapped.Dynamic
		outer.End = wrapped.End
		for i := index + 1; i < len(r.out.Commands); i++ {
			if r.out.Commands[i].Of == r.of {
				r.out.Commands[i].Of = index
				break
			}
		}
	}
	return ok, no
}
