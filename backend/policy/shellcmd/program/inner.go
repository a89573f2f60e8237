package program

import "strings"

// wrapped reads the command that begins among the operands.
func (j *judging) wrapped(s *scan) {
	r := s.row
	for n := 0; n < r.wraps && n < len(s.operands); n++ {
		if n < len(r.roles) {
			for i := range r.roles[n] {
				j.act(r.roles[n][i], s.operands[n], s.words[s.operands[n]], s.operands[n], "")
			}
		}
	}
	if s.strange > 0 {
		j.opaque("has an option that may hide the command that it starts")
	}
	if r.wraps < len(s.operands) && !s.any(r.quiet) {
		j.start(s.operands[r.wraps], r.wrap)
	}
}

// start notes the command that begins at a word.
func (j *judging) start(at int, how wrapping) {
	j.begin(j.inv.Words[at:], at, how)
}

// begin notes a command. A wrapper in a wrapper is no command of its own: what counts are
// the words as they were written, and what is started in the end.
func (j *judging) begin(words []Word, at int, how wrapping) {
	if how.more {
		j.filled(words, "", at)
	}
	if how.shell {
		text := joined(words)
		j.out.Inner = append(j.out.Inner, Inner{Shell: &text, Elsewhere: how.elsewhere, By: at})
		return
	}
	if j.depth >= maxDepth {
		j.out.Inner = append(j.out.Inner, Inner{Words: words, More: how.more, Elsewhere: how.elsewhere, By: at})
		return
	}
	inner := judge(Invocation{Words: words, Fed: j.inv.Fed, Script: j.inv.Script, Piped: j.inv.Piped}, j.depth+1)
	for i := range inner.Inner {
		if !inner.Inner[i].Silent {
			j.absorb(inner, at, how)
			return
		}
	}
	if inner.Opaque != "" && j.inv.Script != nil {
		j.absorb(inner, at, how)
	}
	j.out.Inner = append(j.out.Inner, Inner{Words: words, More: how.more, Elsewhere: how.elsewhere, By: at})
}

// absorb takes over what a command does whose words begin at a word of this one.
func (j *judging) absorb(inner Judgement, at int, how wrapping) {
	for _, f := range inner.Findings {
		f.Word = max(f.Word, 0) + at
		j.out.Findings = append(j.out.Findings, f)
	}
	if !how.elsewhere {
		for _, p := range inner.Paths {
			p.Word += at
			j.use(p)
		}
	}
	j.out.Hosts = append(j.out.Hosts, inner.Hosts...)
	for _, in := range inner.Inner {
		in.By += at
		in.Elsewhere = in.Elsewhere || how.elsewhere
		in.More = in.More || how.more
		in.Silent = in.Silent || how.silent
		j.out.Inner = append(j.out.Inner, in)
	}
	if inner.Opaque != "" {
		j.opaque(inner.Opaque)
	}
	j.out.Input = j.out.Input || inner.Input
}

// include takes over what a command does that the words of this one show already: those
// from a word to before another.
func (j *judging) include(from, to int) Judgement {
	if j.depth >= maxDepth {
		j.opaque("starts too many programs through one another")
		return Judgement{}
	}
	return judge(Invocation{Words: j.inv.Words[from:to:to]}, j.depth+1)
}

// joined is a text of several words, as programs make that join what they were given.
func joined(words []Word) Word {
	if len(words) == 0 {
		return Word{}
	}
	out := Word{Start: words[0].Start, End: words[len(words)-1].End}
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[i].Text)
		out.Dynamic = out.Dynamic || words[i].Dynamic
		out.Glob = out.Glob || words[i].Glob
	}
	out.Text = b.String()
	return out
}
