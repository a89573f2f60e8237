package shellcmd

import (
	"strings"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// value reads an assignment. known says whether its text is, may are texts that it may be
// where it is not.
func (r *reader) value(a *syntax.Assign, st state, c *Command, inner *[]nested) (out program.Assignment, known bool, may []string) {
	at := r.at(a.Pos(), a.End())
	out = program.Assignment{Name: a.Name.Value, Value: program.Word{Start: at.start, End: at.end}}
	if a.Index != nil {
		collect(a.Index, inner)
		if w, ok := a.Index.(*syntax.Word); !ok || !digits(w.Lit()) {
			r.doubt(c, "it sets a part of a list whose place may run a command")
		}
	}
	switch {
	case a.Array != nil:
		out.Value.Text, out.Value.Dynamic, may = r.array(a.Array, st, c, inner)
	case a.Value != nil:
		w := r.word(a.Value, builder{st: st, inner: inner, assigned: true})
		if w.unsure != "" {
			r.doubt(c, "it keeps a text that is not known: "+w.unsure)
		}
		out.Value.Text, out.Value.Dynamic = w.Text, w.Dynamic
		may = w.texts()
		if a.Append {
			b := builder{r: r, st: st}
			may = joins(b.values(a.Name.Value), may)
			text, ok := st.value(a.Name.Value)
			out.Value.Text = text + w.Text
			if !ok {
				out.Value.Text, out.Value.Dynamic = program.Unknown+w.Text, true
			}
		}
		// A ~ is replaced where the variable is set, not where it is used.
		if !out.Value.Dynamic && !w.tilde && strings.HasPrefix(w.Text, "~") {
			home, ok := r.home()
			if !ok {
				out.Value.Text, out.Value.Dynamic = program.Unknown, true
			} else {
				out.Value.Text = home + w.Text[1:]
			}
		}
	}
	return out, !out.Value.Dynamic && a.Index == nil && a.Array == nil, may
}

// joins are all ways to put one text behind another.
func joins(heads, tails []string) []string {
	var out []string
	for _, head := range heads {
		for _, tail := range tails {
			out = eitherText(out, []string{head + tail})
		}
	}
	return out
}

// array reads the value of a list and says whether it is unknown.
func (r *reader) array(a *syntax.ArrayExpr, st state, c *Command, inner *[]nested) (value string, dynamic bool, may []string) {
	var text []string
	for _, e := range a.Elems {
		if e.Index != nil {
			collect(e.Index, inner)
			r.doubt(c, "it sets a part of a list whose place may run a command")
		}
		if e.Value == nil {
			continue
		}
		w := r.word(e.Value, builder{st: st, inner: inner})
		if w.unsure != "" {
			r.doubt(c, "it keeps a text that is not known: "+w.unsure)
		}
		text, dynamic, may = append(text, w.Text), dynamic || w.Dynamic, append(may, w.texts()...)
	}
	return "(" + strings.Join(text, " ") + ")", dynamic, may
}

// assign reads a statement of assignments alone, which change the shell itself. It is listed
// when something looks at one of its variables later.
func (r *reader) assign(list []*syntax.Assign, s *syntax.Stmt, st state) state {
	var inner []nested
	cmd := Command{Of: r.of, Background: st.background}
	cmd.Start, cmd.End = r.extent(s.Cmd, s)
	from := feed{}
	r.redirects(s.Redirs, st, &cmd, &from, &inner)
	listing := make([]string, 0, len(list))
	listed := cmd.Redirects
	before := st
	for _, a := range list {
		value, known, may := r.value(a, st, &cmd, &inner)
		st = r.keep(a.Name.Value, value, known, st, &cmd)
		st = st.guessUnless(known, a.Name.Value, may)
		cmd.Environment = append(cmd.Environment, value)
		text := r.source(a.Value)
		if value.Value.Dynamic || text == "" {
			text = value.Value.Text
		}
		if a.Append {
			listing = append(listing, value.Name+"+="+text)
		} else {
			listing = append(listing, value.Name+"="+text)
		}
		listed = listed || r.facts.used[value.Name] > a.Pos().Offset() || steers(value.Name) != ""
	}
	if listed || cmd.Dynamic {
		if r.usedLater(list) {
			cmd.Shown = strings.Join(listing, " ")
		}
		r.out.Commands = append(r.out.Commands, cmd)
	}
	r.inside(inner, before)
	return st
}

// usedLater says whether an assignment is to be listed by its text.
func (r *reader) usedLater(list []*syntax.Assign) bool {
	for _, a := range list {
		if r.facts.used[a.Name.Value] > a.Pos().Offset() || steers(a.Name.Value) != "" {
			return true
		}
	}
	return false
}

// source is the text of a plain word, as it is listed.
func (r *reader) source(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	return r.restore(w.Lit())
}

// keep notes a variable of the shell.
func (r *reader) keep(name string, value program.Assignment, known bool, st state, c *Command) state {
	if why := steersLater(name, false); why != "" {
		r.doubt(c, why)
	}
	st = st.with(name, value.Value.Text, known)
	if mayBeExported(name) {
		st = st.export(value)
	}
	return st
}

// declare reads export and its kin.
func (r *reader) declare(c *syntax.DeclClause, s *syntax.Stmt, st state) (ok, no state) {
	if c.Variant.Value == "nameref" {
		r.refuse("for bash it holds a command where the parser sees a variable set")
		return st, st
	}
	var inner []nested
	cmd := Command{Of: r.of, Background: st.background}
	cmd.Start, cmd.End = r.extent(c, s)
	at := r.at(c.Variant.Pos(), c.Variant.End())
	words := []word{{Word: program.Word{Text: c.Variant.Value, Start: at.start, End: at.end}, shown: c.Variant.Value}}
	next := st
	for _, a := range c.Args {
		if a.Name == nil {
			w := r.word(a.Value, builder{st: st, inner: &inner})
			words = append(words, w)
			if !harmlessDeclaration[w.Text] {
				r.doubt(&cmd, "it declares variables in a way that may run commands")
			}
			continue
		}
		at := r.at(a.Pos(), a.End())
		if a.Naked {
			if a.Index != nil {
				collect(a.Index, &inner)
				r.doubt(&cmd, "it sets a part of a list whose place may run a command")
			}
			words = append(words, word{Word: program.Word{Text: a.Name.Value, Start: at.start, End: at.end}, shown: a.Name.Value})
			if why := steers(a.Name.Value); why != "" {
				r.doubt(&cmd, why)
			}
			text, known := st.value(a.Name.Value)
			next = next.export(program.Assignment{Name: a.Name.Value, Value: program.Word{Text: text, Dynamic: !known}})
			continue
		}
		value, known, may := r.value(a, st, &cmd, &inner)
		if value.Value.Dynamic {
			r.doubt(&cmd, "it keeps a text that is not known")
		}
		next = r.keep(a.Name.Value, value, known, next, &cmd)
		next = next.guessUnless(known, a.Name.Value, may)
		if !mayBeExported(a.Name.Value) {
			next = next.export(value)
		}
		text := a.Name.Value + "=" + value.Value.Text
		words = append(words, word{Word: program.Word{Text: text, Dynamic: value.Value.Dynamic, Start: at.start, End: at.end}, shown: text})
	}
	from := feed{}
	r.redirects(s.Redirs, st, &cmd, &from, &inner)
	r.take(&cmd, words)
	r.out.Commands = append(r.out.Commands, cmd)
	r.judged(len(r.out.Commands)-1, words, from, st)
	r.inside(inner, st)
	return next, next
}

// harmlessDeclaration are the options that give a variable no other meaning.
var harmlessDeclaration = map[string]bool{"-x": true, "-r": true, "-g": true, "-p": true, "-a": true, "-A": true, "-gx": true, "-rx": true, "-xr": true}
