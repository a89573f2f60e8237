package shellcmd

import (
	"strings"

	"countersign/backend/policy/shellcmd/program"

	"mvdan.cc/sh/v3/syntax"
)

// call reads a simple command.
func (r *reader) call(c *syntax.CallExpr, s *syntax.Stmt, st state) (ok, no state) {
	if len(c.Args) == 0 {
		end := r.assign(c.Assigns, s, st)
		return end, end
	}
	var inner []nested
	cmd := Command{Of: r.of, Background: st.background}
	cmd.Start, cmd.End = r.extent(c, s)
	for _, a := range c.Assigns {
		value, _ := r.value(a, st, &cmd, &inner)
		cmd.Environment = append(cmd.Environment, value)
	}
	words := r.words(c.Args, st, &inner)
	return r.run(cmd, words, s.Redirs, st, inner)
}

// extent is where a simple command stands, with its redirects but without their texts.
func (r *reader) extent(c syntax.Node, s *syntax.Stmt) (int, int) {
	start, end := c.Pos(), c.End()
	for _, d := range s.Redirs {
		if start.After(d.Pos()) {
			start = d.Pos()
		}
		if d.Word.End().After(end) {
			end = d.Word.End()
		}
	}
	at := r.at(start, end)
	return at.start, at.end
}

// run reads the redirects of a command, judges it and lists it with all that is inside.
func (r *reader) run(cmd Command, words []word, redirs []*syntax.Redirect, st state, inner []nested) (ok, no state) {
	from := feed{fed: st.fed}
	r.redirects(redirs, st, &cmd, &from, &inner)
	r.take(&cmd, words)
	index := len(r.out.Commands)
	r.out.Commands = append(r.out.Commands, cmd)
	j := r.judged(index, words, from, st)
	r.inside(inner, st)
	if c := &r.out.Commands[index]; len(inner) > 0 && (program.Evaluates(c.Words) || program.RunsInput(c.Words)) {
		downloaded(c, r.out.Commands[index+1:])
	}
	end := r.builtin(index, words, from, st)
	ok, no = r.inners(index, words, j.Inner, end)
	if j.Directory != nil || j.Home {
		no = ok
		ok = r.moved(j, words, ok)
	}
	return ok, no
}

// take gives a command its words.
func (r *reader) take(c *Command, words []word) {
	c.Words = make([]program.Word, len(words))
	for i := range words {
		c.Words[i] = words[i].Word
		if words[i].unsure != "" {
			r.doubt(c, "one of its words is not known: "+words[i].unsure)
		}
	}
	c.Shown = shown(words)
}

func shown(words []word) string {
	if len(words) == 1 {
		return words[0].shown
	}
	size := len(words)
	for i := range words {
		size += len(words[i].shown)
	}
	var out strings.Builder
	out.Grow(size)
	for i, w := range words {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(w.shown)
	}
	return out.String()
}

func (r *reader) moved(j program.Judgement, words []word, st state) state {
	if j.Home {
		return r.enter(program.Word{Text: "~"}, false, st)
	}
	return r.enter(*j.Directory, literal(words, j.Directory), st)
}

// literal says whether the word that another one was made of begins with an ordinary ~.
func literal(words []word, w *program.Word) bool {
	for i := range words {
		if words[i].Start == w.Start && words[i].Text == w.Text {
			return words[i].tilde
		}
	}
	return false
}

// judged asks what the program does and notes it at the command of index.
func (r *reader) judged(index int, words []word, from feed, st state) program.Judgement {
	cmd := &r.out.Commands[index]
	name := words[0]
	if name.Dynamic || name.Glob {
		r.doubt(cmd, "the name of the command is not known")
		return program.Judgement{}
	}
	// A function may be defined and still not be what is called, so the words are judged
	// as those of a program in any case.
	if r.function(name.Text) && (shadows(name.Text) || len(cmd.Environment)+len(st.exported) > 0) {
		r.doubt(cmd, "the script gives the name "+name.Text+" to something else")
	}
	env := cmd.Environment
	if len(st.exported) > 0 {
		env = append(append([]program.Assignment(nil), st.exported...), env...)
		cmd.Environment = env
	}
	j := r.judge(program.Invocation{Words: cmd.Words, Environment: env, Fed: from.fed, Script: from.script})
	r.note(cmd, words, j, st)
	if j.Shown != "" {
		cmd.Shown = relisted(j.Shown, cmd.Shown, words)
	}
	return j
}

// relisted is how a judgement lists a command. Where it only adds to the words, they stand as
// the reader lists them.
func relisted(judged, listed string, words []word) string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].Text
	}
	if more, ok := strings.CutPrefix(judged, strings.Join(texts, " ")); ok {
		return listed + more
	}
	return judged
}

// note adds what a judgement says to a command.
func (r *reader) note(cmd *Command, words []word, j program.Judgement, st state) {
	cmd.Findings = append(cmd.Findings, j.Findings...)
	cmd.Hosts = append(cmd.Hosts, j.Hosts...)
	for _, p := range j.Paths {
		tilde := p.Word >= 0 && p.Word < len(words) && words[p.Word].tilde
		cmd.Uses = append(cmd.Uses, r.uses(p, tilde, st)...)
	}
	if j.Opaque != "" {
		r.doubt(cmd, j.Opaque)
	}
}

// value reads an assignment. The second result says whether its text is known.
func (r *reader) value(a *syntax.Assign, st state, c *Command, inner *[]nested) (program.Assignment, bool) {
	at := r.at(a.Pos(), a.End())
	out := program.Assignment{Name: a.Name.Value, Value: program.Word{Start: at.start, End: at.end}}
	if a.Index != nil {
		collect(a.Index, inner)
		if w, ok := a.Index.(*syntax.Word); !ok || !digits(w.Lit()) {
			r.doubt(c, "it sets a part of a list whose place may run a command")
		}
	}
	switch {
	case a.Array != nil:
		out.Value.Text, out.Value.Dynamic = r.array(a.Array, st, c, inner)
	case a.Value != nil:
		w := r.word(a.Value, builder{st: st, inner: inner, assigned: true})
		if w.unsure != "" {
			r.doubt(c, "it keeps a text that is not known: "+w.unsure)
		}
		out.Value.Text, out.Value.Dynamic = w.Text, w.Dynamic
		if a.Append {
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
	return out, !out.Value.Dynamic && a.Index == nil && a.Array == nil
}

// array reads the value of a list and says whether it is unknown.
func (r *reader) array(a *syntax.ArrayExpr, st state, c *Command, inner *[]nested) (string, bool) {
	var text []string
	dynamic := false
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
		text, dynamic = append(text, w.Text), dynamic || w.Dynamic
	}
	return "(" + strings.Join(text, " ") + ")", dynamic
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
		value, known := r.value(a, st, &cmd, &inner)
		st = r.keep(a.Name.Value, value, known, st, &cmd)
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
	if why := steers(name); why != "" {
		r.doubt(c, why)
	} else if mayBeExported(name) && program.Loads(name) {
		r.doubt(c, "it changes "+name+", which later programs may obey")
	}
	st = st.with(name, value.Value.Text, known)
	if mayBeExported(name) {
		st = st.export(value)
	}
	return st
}

// declare reads export and its kin.
func (r *reader) declare(c *syntax.DeclClause, s *syntax.Stmt, st state) (ok, no state) {
	var inner []nested
	cmd := Command{Of: r.of, Background: st.background}
	cmd.Start, cmd.End = r.extent(c, s)
	at := r.at(c.Variant.Pos(), c.Variant.End())
	words := []word{{Word: program.Word{Text: c.Variant.Value, Start: at.start, End: at.end}, shown: c.Variant.Value}}
	next := st
	for _, a := range c.Args {
		if a.Naked && a.Name == nil || a.Name == nil {
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
		value, known := r.value(a, st, &cmd, &inner)
		next = r.keep(a.Name.Value, value, known, next, &cmd)
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
