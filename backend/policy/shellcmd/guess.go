package shellcmd

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// Of a word that is not known, often all that it may be is: ${HOME%/}, $(echo /), the variable
// of a loop. Such a word stays unknown, and the command stays one of which nobody can tell what
// it does. But what it would do with the words that are guessed counts as done too, so that
// what nobody may allow is not hidden by a way to write it. A guess adds and never takes away;
// it may be one too many.
const (
	// maxGuesses is how many texts one word may be.
	maxGuesses = 64
	// maxGuess is how long a text is that is guessed, in bytes, maxMatched how long one is that
	// is compared with a pattern, and the pattern.
	maxGuess   = 4096
	maxMatched = 256
)

// budget is how much may still be guessed in a whole command line, since that costs time:
// how many ways to fill in words are tried, how many parts of words are guessed, and how many
// texts are compared with patterns. bytes is how much of the values of variables may still be
// put in, known or guessed: a variable that is put into itself twice doubles.
type budget struct{ ways, parts, matches, bytes int }

func newBudget() *budget { return &budget{ways: 256, parts: 4096, matches: 512, bytes: 1 << 20} }

// spend takes one off a part of a budget; ok is false where nothing is left of it.
func spend(left *int) (ok bool) {
	*left--
	return *left >= 0
}

// guess is a list of words that may stand in the place of one.
type guess []string

// guessing puts together what a word may be, part by part.
type guessing struct {
	texts []string
	lost  bool
}

func (g *guessing) add(text string) {
	for i := range g.texts {
		g.texts[i] += text
	}
}

// either adds a part that may be one of several texts; before is all that stands before the
// first such part.
func (g *guessing) either(before string, may []string) {
	if g.lost = g.lost || len(may) == 0; g.lost {
		g.texts = nil
		return
	}
	heads := g.texts
	if heads == nil {
		heads = []string{before}
	}
	g.texts = nil
	for _, head := range heads {
		for _, tail := range may {
			if len(g.texts) < maxGuesses && len(head)+len(tail) <= maxGuess {
				g.texts = append(g.texts, head+tail)
			}
		}
	}
	g.lost = g.texts == nil
}

// guessed is what the shell may make of the word: one text, or the words that it splits it into.
func (b *builder) guessed() []guess {
	var out []guess
	for _, text := range b.guessing.texts {
		text = b.r.restore(text)
		out = append(out, guess{text})
		if fields := strings.Fields(text); !b.assigned && !b.heredoc && (len(fields) != 1 || fields[0] != text) {
			out = append(out, fields)
		}
	}
	return out
}

// texts are what a word is, or may be.
func (w *word) texts() []string {
	if !w.Dynamic {
		return []string{w.Text}
	}
	var out []string
	for _, g := range w.guesses {
		out = append(out, strings.Join(g, " "))
	}
	return out
}

// bracesGuessed are the words that the shell makes of one with braces.
func (r *reader) bracesGuessed(w *syntax.Word, st state) []guess {
	split := &syntax.Word{Parts: slices.Clone(w.Parts)}
	if !syntax.SplitBraces(split) || !spend(&r.left.parts) {
		return nil
	}
	var out guess
	for one, err := range expand.BracesSeq(nil, split) {
		if err != nil || len(out) >= maxBraces || !spend(&r.left.parts) {
			return nil
		}
		var inner []nested
		b := builder{r: r, st: st, inner: &inner}
		b.parts(together(one.Parts), false)
		b.brace = false
		made := b.word()
		for _, text := range made.texts() {
			// An empty word falls away.
			if text != "" {
				out = append(out, text)
			}
		}
	}
	return []guess{out}
}

// together are parts of a word with those that stand next to one another and are of ordinary
// letters put together.
func together(parts []syntax.WordPart) []syntax.WordPart {
	var out []syntax.WordPart
	for _, p := range parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || len(out) == 0 {
			out = append(out, p)
			continue
		}
		if before, ok := out[len(out)-1].(*syntax.Lit); ok {
			joined := *before
			joined.Value += lit.Value
			out[len(out)-1] = &joined
			continue
		}
		out = append(out, p)
	}
	return out
}

// guessed adds to the command of index what it would do with the words that are guessed. It
// returns the folders that it may change to.
func (r *reader) guessed(index int, words []word, from feed, st state) (to []program.Word) {
	if !slices.ContainsFunc(words, func(w word) bool { return w.guesses != nil }) {
		return nil
	}
	for choice := 0; spend(&r.left.ways); choice++ {
		list, origin, ok := choose(words, choice)
		if !ok {
			return to
		}
		r.left.ways -= len(list) / 16
		if len(list) == 0 || list[0].Dynamic || list[0].Glob {
			continue
		}
		c := &r.out.Commands[index]
		plain := make([]program.Word, len(list))
		for i := range list {
			plain[i] = list[i].Word
		}
		j := r.judge(program.Invocation{Words: plain, Environment: c.Environment, Fed: from.fed, Script: from.script, Piped: from.piped})
		r.noteGuess(c, list, j, origin, st)
		for i := range j.Inner {
			j.Inner[i].Silent, j.Inner[i].Guessed = true, true
			j.Inner[i].By = origin[min(max(j.Inner[i].By, 0), len(origin)-1)]
		}
		r.inners(index, list, j.Inner, st)
		if j.Directory != nil {
			to = append(to, *j.Directory)
		}
	}
	return to
}

// choose fills guesses in, in the way of that number; ok is false when there is none. The first
// ways hold every guess of every word once, those that follow all of them with one another.
// origin are the indices of the words that the new ones come from.
func choose(words []word, choice int) (out []word, origin []int, ok bool) {
	most := 0
	for i := range words {
		most = max(most, len(words[i].guesses))
	}
	straight := choice
	choice = max(0, choice-most)
	for i, w := range words {
		if w.guesses == nil {
			out, origin = append(out, w), append(origin, i)
			continue
		}
		g := w.guesses[choice%len(w.guesses)]
		if straight < most {
			g = w.guesses[straight%len(w.guesses)]
		}
		choice /= len(w.guesses)
		for _, text := range g {
			made := word{Word: program.Word{Text: text, Glob: strings.ContainsAny(text, "*?["), Start: w.Start, End: w.End}, shown: program.Unknown, unsure: w.unsure}
			out, origin = append(out, made), append(origin, i)
		}
	}
	return out, origin, choice == 0
}

// noteGuess adds what a judgement of guessed words says to a command.
func (r *reader) noteGuess(c *Command, words []word, j program.Judgement, origin []int, st state) {
	back := func(at int) int {
		if at < 0 || at >= len(origin) {
			return -1
		}
		return origin[at]
	}
	for _, f := range j.Findings {
		if f.Word = back(f.Word); !slices.Contains(c.Findings, f) {
			c.Findings = append(c.Findings, f)
		}
	}
	for _, h := range j.Hosts {
		if !slices.Contains(c.Hosts, h) {
			c.Hosts = append(c.Hosts, h)
		}
	}
	for _, p := range j.Paths {
		tilde := p.Word >= 0 && p.Word < len(words) && words[p.Word].tilde
		p.Word = back(p.Word)
		r.useGuess(c, p, tilde, st)
	}
}

// useGuess adds the files that a guessed word names. The shell does not say which word they
// come from, so the pattern that such a word holds is kept.
func (r *reader) useGuess(c *Command, p program.Path, tilde bool, st state) {
	for _, u := range r.uses(p, tilde, st) {
		if p.Glob {
			u.Pattern = p.Text
		}
		if u.Path != "" && !slices.ContainsFunc(c.Uses, u.same) {
			c.Uses = append(c.Uses, u)
		}
	}
}

// targetGuessed adds the files that a redirect may go to.
func (r *reader) targetGuessed(c *Command, w word, access tool.Access, st state) {
	if !w.Dynamic {
		return
	}
	for _, text := range w.texts() {
		r.useGuess(c, program.Path{Text: text, Glob: strings.ContainsAny(text, "*?["), Word: -1, Access: access}, w.tilde, st)
	}
}
