package shellcmd

import (
	"strings"

	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"

	"mvdan.cc/sh/v3/syntax"
)

// feed is where a command reads from: nothing known, a text of the script, or something.
type feed struct {
	fed    bool
	script *string
	// piped says that the text comes through a pipe, and may be more or less than that.
	piped bool
}

// redirects reads the redirects of a statement into c.
func (r *reader) redirects(list []*syntax.Redirect, st state, c *Command, from *feed, inner *[]nested) {
	for _, d := range list {
		r.ends(d.Word)
		if r.numbered(d.Word) {
			r.refuse("it has a number between two redirects, which bash takes for the second one's")
		}
		if d.N != nil && digits(d.N.Value) && len(d.N.Value) > maxDigits {
			r.refuse("it counts a descriptor so high that bash takes the number for a word")
			return
		}
		if d.N != nil && !digits(d.N.Value) {
			if why := steers(strings.Trim(d.N.Value, "{}")); why != "" {
				r.doubt(c, why)
			}
		}
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			r.document(d, st, c, from, inner)
		case syntax.WordHdoc:
			w := r.word(d.Word, builder{st: st, inner: inner, assigned: true})
			from.text(w, "\n")
			if w.unsure != "" {
				r.doubt(c, "it reads a text that is not known: "+w.unsure)
			}
		case syntax.DplIn, syntax.DplOut:
			if lit, ok := d.Word.Parts[0].(*syntax.Lit); ok && strings.HasPrefix(lit.Value, "-") && d.Word.Lit() != "-" {
				r.refuse("it closes a descriptor and goes on in the same word, which bash takes for two")
			}
			if !copies(d) {
				r.target(d, st, c, from, inner)
			}
		default:
			r.target(d, st, c, from, inner)
		}
	}
}

// numbered says whether a word is one that bash takes for the descriptor of a redirect right
// behind it.
func (r *reader) numbered(w *syntax.Word) bool {
	text, end := w.Lit(), int(w.End().Offset())
	if end >= len(r.text) || r.text[end] != '<' && r.text[end] != '>' {
		return false
	}
	return digits(text) || strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}")
}

// copies says whether a redirect copies or closes a descriptor.
func copies(d *syntax.Redirect) bool {
	text := d.Word.Lit()
	return text == "-" || digits(strings.TrimSuffix(text, "-"))
}

func (f *feed) text(w word, end string) {
	f.fed, f.script, f.piped = true, nil, w.Dynamic
	if texts := w.texts(); len(texts) > 0 {
		text := strings.Join(texts, "\n") + end
		f.script = &text
	}
}

// delimiter says whether a word ends a here-document for bash just as for the parser, and
// whether it is quoted, so that the shell replaces nothing in the text.
func delimiter(w *syntax.Word) (quoted, ok bool) {
	// Printed, "<< -" and "<<-" look alike.
	if strings.HasPrefix(w.Lit(), "-") {
		return false, false
	}
	for _, part := range w.Parts {
		text := ""
		switch p := part.(type) {
		case *syntax.Lit:
			quoted = quoted || strings.IndexByte(p.Value, '\\') >= 0
			if !ordinary(strings.ReplaceAll(p.Value, "\\", "")) {
				return false, false
			}
		case *syntax.SglQuoted:
			text, quoted = p.Value, true
			if p.Dollar {
				return false, false
			}
		case *syntax.DblQuoted:
			quoted = true
			for _, in := range p.Parts {
				lit, plain := in.(*syntax.Lit)
				if !plain || p.Dollar {
					return false, false
				}
				text += lit.Value
			}
		default:
			return false, false
		}
		// A quote in it is written in other ways when it is printed, and easily misread.
		if strings.ContainsAny(text, "$`\\\n\r'\"") {
			return false, false
		}
	}
	return quoted, true
}

// joinsDelimiter says whether lines behind a here-document that a backslash joins make its
// delimiter: bash ends the text there, the parser does not.
func joinsDelimiter(text, stop string) bool {
	if !strings.Contains(text, "\\\n") {
		return false
	}
	var line strings.Builder
	joined := false
	for part := range strings.SplitSeq(text, "\n") {
		head, goesOn := strings.CutSuffix(part, "\\")
		if joined && strings.HasPrefix(part, "\t") && strings.TrimLeft(part, "\t") == stop {
			// For bash it goes on the line before, for the parser it ends the text.
			return true
		}
		line.WriteString(head)
		if goesOn {
			joined = true
			continue
		}
		if joined && strings.TrimLeft(line.String(), "\t") == stop {
			return true
		}
		line.Reset()
		joined = false
	}
	return joined && strings.TrimLeft(line.String(), "\t") == stop
}

// document reads a here-document.
func (r *reader) document(d *syntax.Redirect, st state, c *Command, from *feed, inner *[]nested) {
	quoted, ok := delimiter(d.Word)
	if !ok {
		r.refuse("it ends a text with a word that cannot be told for certain")
		return
	}
	if !quoted && joinsDelimiter(r.text[min(int(d.Word.End().Offset()), len(r.text)):], d.Word.Lit()) {
		r.refuse("lines of a text in it join to the word that ends the text")
		return
	}
	// There the parser takes a tab and the delimiter in the middle of a line for its end.
	if !quoted && d.Op == syntax.DashHdoc && strings.Contains(r.text[min(int(d.Word.End().Offset()), len(r.text)):], "$\t") {
		r.refuse("a text in it holds a dollar before a tab, which is easily misread")
		return
	}
	if d.Hdoc == nil {
		from.text(word{}, "")
		return
	}
	if quoted {
		var raw strings.Builder
		for _, part := range d.Hdoc.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				raw.WriteString(lit.Value)
			}
		}
		from.text(word{Word: program.Word{Text: r.restore(raw.String())}}, "")
		return
	}
	w := r.word(d.Hdoc, builder{st: st, inner: inner, heredoc: true})
	from.text(w, "")
	if w.unsure != "" {
		r.doubt(c, "it reads a text that is not known: "+w.unsure)
	}
}

// target reads the file of a redirect.
func (r *reader) target(d *syntax.Redirect, st state, c *Command, from *feed, inner *[]nested) {
	reads := d.Op == syntax.RdrIn || d.Op == syntax.RdrInOut || d.Op == syntax.DplIn
	writes := d.Op != syntax.RdrIn && d.Op != syntax.DplIn
	w := r.word(d.Word, builder{st: st, inner: inner})
	if reads {
		from.fed, from.script, from.piped = true, nil, true
		if pipes(d.Word) {
			if text, ok := r.printed(d.Word.Parts[0].(*syntax.ProcSubst).Stmts, st); ok {
				from.script = &text
			}
		}
	}
	if w.unsure != "" {
		r.doubt(c, "the file that it is sent to or reads is not known: "+w.unsure)
	}
	switch host, none := device(w.Text); {
	case host != "":
		c.Hosts = append(c.Hosts, host)
		c.Redirects = true
		r.doubt(c, "bash opens a connection for a name below /dev")
		return
	case none && !w.Dynamic:
		return
	}
	c.Redirects = true
	if d.Op == syntax.DplIn {
		r.doubt(c, "it copies a descriptor that is not known")
		return
	}
	if w.Glob {
		r.doubt(c, "the file that it is sent to or reads is given by a pattern")
	}
	if pipes(d.Word) {
		return
	}
	p := program.Path{Text: w.Text, Dynamic: w.Dynamic, Glob: w.Glob, Word: -1}
	if reads {
		p.Access = tool.AccessRead
		c.Uses = append(c.Uses, r.uses(p, w.tilde, st)...)
		r.targetGuessed(c, w, p.Access, st)
	}
	if writes {
		p.Access = tool.AccessWrite
		c.Uses = append(c.Uses, r.uses(p, w.tilde, st)...)
		r.targetGuessed(c, w, p.Access, st)
	}
}

// pipes says whether a target is the end of a pipe to another command, and no file.
func pipes(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	_, ok := w.Parts[0].(*syntax.ProcSubst)
	return ok
}

// bare reads the redirects of a statement without a simple command. It returns the state
// inside.
func (r *reader) bare(s *syntax.Stmt, st state) state {
	at := r.at(s.Pos(), s.End())
	if len(s.Redirs) > 0 {
		at = r.at(s.Redirs[0].Pos(), s.Redirs[len(s.Redirs)-1].End())
	}
	c := Command{Of: r.of, Background: st.background, Start: at.start, End: at.end}
	var inner []nested
	from := feed{}
	r.redirects(s.Redirs, st, &c, &from, &inner)
	if c.Redirects || c.Dynamic || len(c.Uses) > 0 {
		r.out.Commands = append(r.out.Commands, c)
	}
	r.inside(inner, st)
	if from.fed {
		st.fed, st.piped = true, from.script
	}
	return st
}

// doubt marks a command as one that cannot be told.
func (r *reader) doubt(c *Command, why string) {
	c.Dynamic = true
	r.unsure(why)
}
