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
		value, _, _ := r.value(a, st, &cmd, &inner)
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
	from := feed{fed: st.fed, script: st.piped, piped: st.piped != nil}
	r.redirects(redirs, st, &cmd, &from, &inner)
	r.take(&cmd, words)
	index := len(r.out.Commands)
	r.out.Commands = append(r.out.Commands, cmd)
	j := r.judged(index, words, from, st)
	to := r.guessed(index, words, from, st)
	r.inside(inner, st)
	if c := &r.out.Commands[index]; len(inner) > 0 && (program.Evaluates(c.Words) || program.RunsInput(c.Words)) {
		downloaded(c, r.out.Commands[index+1:])
	}
	end := r.builtin(index, words, from, st)
	before := end
	end.piped = from.script
	ok, no = r.inners(index, words, j.Inner, end)
	ok.piped, no.piped = before.piped, before.piped
	if j.Directory != nil || j.Home {
		no = ok
		ok = r.moved(j, words, ok)
		ok.near = eitherText(ok.near, r.folders(to, no))
	}
	return ok, no
}

// take gives a command its words.
func (r *reader) take(c *Command, words []word) {
	c.Words = make([]program.Word, len(words))
	for i := range words {
		c.Words[i] = words[i].Word
		if words[i].unsure != "" && !(words[i].plain && i > 0 && r.prints(words[0])) {
			r.doubt(c, "one of its words is not known: "+words[i].unsure)
		}
	}
	c.Shown = shown(words)
}

// prints says whether a command does no more with any of its words than print or compare them.
func (r *reader) prints(name word) bool {
	return !name.Dynamic && !r.facts.functions[name.Text] && program.Prints(name.Text)
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
	if r.facts.functions[name.Text] && (shadows(name.Text) || len(cmd.Environment)+len(st.exported) > 0) {
		r.doubt(cmd, "the script gives the name "+name.Text+" to something else")
	}
	env := cmd.Environment
	if len(st.exported) > 0 {
		env = append(append([]program.Assignment(nil), st.exported...), env...)
		cmd.Environment = env
	}
	j := r.judge(program.Invocation{Words: cmd.Words, Environment: env, Fed: from.fed, Script: from.script, Piped: from.piped})
	r.note(cmd, words, j, st)
	if j.Shown != "" {
		cmd.Shown = relisted(j.Shown, cmd.Shown, words)
		if len(st.exported) > 0 {
			cmd.Shown = withOnly(cmd.Shown, env[len(st.exported):])
		}
	}
	return j
}

// withOnly lists beside a command the variables that are set for it alone. Those that were
// set for all before it are listed where that was done.
func withOnly(listed string, own []program.Assignment) string {
	at := strings.LastIndex(listed, " (with ")
	if at < 0 {
		return listed
	}
	var names []string
	for _, a := range own {
		if !program.HarmlessVariable(a.Name) {
			names = append(names, a.Name)
		}
	}
	if len(names) == 0 {
		return listed[:at]
	}
	return listed[:at] + " (with " + strings.Join(names, ", ") + ")"
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
	cmd.Extent = j.Extent
	for _, p := range j.Paths {
		tilde := p.Word >= 0 && p.Word < len(words) && words[p.Word].tilde
		cmd.Uses = append(cmd.Uses, r.uses(p, tilde, st)...)
	}
	if j.Opaque != "" {
		r.doubt(cmd, "it "+j.Opaque)
	}
}
