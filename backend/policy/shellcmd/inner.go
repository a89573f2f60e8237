package shellcmd

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"
)

// here are the commands that run what they are given in the shell itself.
var here = map[string]bool{"eval": true, "command": true, "builtin": true}

// inners reads what the command of index starts from its own words. What it returns is the
// state of the shell behind it.
func (r *reader) inners(index int, words []word, list []program.Inner, st state) (ok, no state) {
	ok, no = st, st
	for _, in := range list {
		if in.Guessed && !r.affords(&in) {
			continue
		}
		sub := r.innerReader(index, in)
		sub.foreign = !readByBash(words)
		innerOK, innerNo := sub.inner(in, r.innerState(words, r.out.Commands[index].Environment, in, st), words)
		if in.Elsewhere {
			for i := range sub.out.Commands {
				sub.out.Commands[i].Uses = nil
			}
		}
		r.adopt(index, in, sub)
		if here[words[0].Text] {
			ok, no = innerOK, innerNo
			r.facts.inherit(&sub.facts)
		}
	}
	return ok, no
}

// affords reports whether one more command that may be started can be looked at.
func (r *reader) affords(in *program.Inner) bool {
	if in.Shell != nil {
		r.left.ways -= len(in.Shell.Text) / 512
	}
	return spend(&r.left.ways)
}

// innerReader reads into a list of its own.
func (r *reader) innerReader(index int, in program.Inner) *reader {
	sub := &reader{judge: r.judge, place: r.place, out: &Reading{}, of: -1, scripts: r.scripts + 1, facts: r.facts, depth: r.depth, left: r.left, substitutions: r.substitutions}
	if in.Elsewhere {
		sub.place.Home = ""
	}
	if in.Shell != nil {
		sub.within = &span{in.Shell.Start, in.Shell.End}
		if c := r.out.Commands[index]; in.Shell.End == 0 {
			sub.within = &span{c.Start, c.End}
		}
	}
	return sub
}

// innerState is what an inner command starts with that gets these variables.
func (r *reader) innerState(outer []word, given []program.Assignment, in program.Inner, st state) state {
	if !here[outer[0].Text] {
		st = st.elsewhere()
	}
	if !here[outer[0].Text] {
		given = append(slices.Clone(given), settings(outer)...)
	}
	for _, a := range slices.Concat(given, in.Environment) {
		if !a.Value.Dynamic {
			st = st.guess(a.Name, []string{a.Value.Text})
		}
	}
	if in.Arguments != nil {
		st = st.arguments(found(outer, in.Arguments))
	}
	if in.More || in.Guessed {
		st.piped = nil
	}
	if in.Directory != nil {
		st = r.enter(*in.Directory, false, st)
	}
	if in.Elsewhere {
		st = st.lost()
	}
	st.fed = st.fed || in.More
	return st
}

// settings are the variables that words may set for the command behind them, as env does.
func settings(words []word) []program.Assignment {
	var out []program.Assignment
	for i := range words {
		if name, value, ok := strings.Cut(words[i].Text, "="); ok && variable(name) && !words[i].Dynamic {
			out = append(out, program.Assignment{Name: name, Value: program.Word{Text: value}})
		}
	}
	return out
}

// inner reads one inner command or script.
func (r *reader) inner(in program.Inner, st state, outer []word) (ok, no state) {
	switch {
	case r.scripts > maxScripts:
		r.unsure("it starts commands through too many others")
		return st.lost(), st.lost()
	case in.Shell == nil:
		return r.started(in, st, outer)
	case in.Shell.Dynamic:
		r.unsure("the script that it runs is not known")
		return st.lost().forget(), st.lost().forget()
	}
	r.depth = 0
	if why := r.script(in.Shell.Text, st); why != "" {
		r.out.Commands = nil
		r.unsure("the script that it runs cannot be read: " + why)
		return st.lost().forget(), st.lost().forget()
	}
	return r.current, r.current
}

// started reads a command that is given as words.
func (r *reader) started(in program.Inner, st state, outer []word) (ok, no state) {
	words := make([]word, 0, len(in.Words)+1)
	words = append(words, found(outer, in.Words)...)
	if len(words) == 0 {
		return st, st
	}
	cmd := Command{Of: -1, Background: st.background, Environment: slices.Clone(in.Environment), Start: words[0].Start, End: words[len(words)-1].End}
	if in.More {
		words = append(words, word{Word: program.Word{Text: program.Unknown, Dynamic: true, Start: cmd.End, End: cmd.End}, unsure: "it is read from elsewhere"})
	}
	ok, no = r.run(cmd, words, nil, st, nil)
	if c := &r.out.Commands[0]; in.More && c.Shown == shown(words) {
		c.Shown = shown(words[:len(words)-1])
	}
	return ok, no
}

// found are the words of the outer command that those of an inner one are, where they are the
// same.
func found(outer []word, list []program.Word) []word {
	type place struct {
		start, end int
		text       string
	}
	at := make(map[place]int, len(outer))
	for i := len(outer) - 1; i >= 0; i-- {
		at[place{outer[i].Start, outer[i].End, outer[i].Text}] = i
	}
	out := make([]word, len(list))
	for n, w := range list {
		if i, ok := at[place{w.Start, w.End, w.Text}]; ok {
			out[n] = outer[i]
			continue
		}
		out[n] = word{Word: w, shown: w.Text}
		if w.Dynamic {
			out[n].unsure = "it is put together when it runs"
		}
	}
	return out
}

// adopt lists what an inner reader found behind the command that starts it, or counts it as
// done by that one where it is silent.
func (r *reader) adopt(index int, in program.Inner, sub *reader) {
	if sub.out.Dynamic {
		r.doubt(&r.out.Commands[index], sub.out.Why)
	}
	if !in.Silent {
		base := len(r.out.Commands)
		for _, c := range sub.out.Commands {
			if c.Of < 0 {
				c.Of = index
			} else {
				c.Of += base
			}
			r.out.Commands = append(r.out.Commands, c)
		}
		return
	}
	outer := &r.out.Commands[index]
	for _, c := range sub.out.Commands {
		outer.Extent = min(outer.Extent, c.Extent)
		for _, f := range c.Findings {
			f.Word = in.By
			outer.Findings = append(outer.Findings, f)
		}
		for _, u := range c.Uses {
			if in.Guessed && u.Pattern == "" && u.Word >= 0 && u.Word < len(c.Words) && c.Words[u.Word].Glob {
				u.Pattern = c.Words[u.Word].Text
			}
			u.Word = in.By
			outer.Uses = append(outer.Uses, u)
		}
		outer.Hosts = append(outer.Hosts, c.Hosts...)
	}
}
