package shellcmd

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"
)

// Rule says which commands a grant covers: those whose words are Words, or with Prefix those
// that begin with them. It never covers more than one simple command of a command line.
type Rule struct {
	Words  []string
	Prefix bool
}

// Equal reports whether two rules cover the same commands.
func (r Rule) Equal(o Rule) bool { return r.Prefix == o.Prefix && slices.Equal(r.Words, o.Words) }

// Covers reports whether the rule lets a command run: its words match, nothing about it is
// unknown, and all that it does is done by words of the rule itself, which a person saw. What
// stands behind them may only be what the program takes without doing anything else.
func (r Rule) Covers(c *Command) bool {
	return r.matches(c) && c.Uncoverable() == "" && r.Holds(c)
}

// matches compares words alone.
func (r Rule) matches(c *Command) bool {
	if len(r.Words) == 0 || len(c.Words) < len(r.Words) || !r.Prefix && len(c.Words) != len(r.Words) {
		return false
	}
	for i, w := range r.Words {
		if c.Words[i].Text != w {
			return false
		}
	}
	return true
}

// Holds reports whether every finding about a command that the rule matches is caused by a
// word of the rule.
func (r Rule) Holds(c *Command) bool {
	for _, f := range c.Findings {
		if f.Word < 0 || f.Word >= len(r.Words) {
			return false
		}
	}
	return true
}

// Uncoverable says why no rule whatever covers a command, in words that complete a sentence
// about it; "" when a rule can.
func (c *Command) Uncoverable() string {
	switch {
	case c.Dynamic || slices.ContainsFunc(c.Words, func(w program.Word) bool { return w.Dynamic }):
		return "part of it is not known"
	case c.Background:
		return "it runs in the background, where nobody waits for it"
	case c.Redirects:
		return "it reads from or writes to a file by a redirect"
	case len(c.Words) == 0:
		return "it names no program"
	case c.Words[0].Glob || c.Words[0].Text == "":
		return "the program that it starts is not known"
	}
	for _, f := range c.Findings {
		switch {
		case f.Restricted || f.Effect == program.Privileged:
			return "it " + f.Words
		case f.Word < 0:
			return "a variable that is set for it changes what it does"
		}
	}
	for _, a := range c.Environment {
		if a.Value.Dynamic || !program.HarmlessSetting(a) {
			return "it sets the variable " + a.Name
		}
	}
	if !program.TakesAnything(c.Words[0].Text) && slices.ContainsFunc(c.Words, mayBeOption) {
		return "a pattern among its words may stand for a file that is named like an option"
	}
	return ""
}

// mayBeOption reports whether the shell may put the name of a file in a word's place that the
// program takes for an option.
func mayBeOption(w program.Word) bool {
	return w.Glob && w.Text != "" && strings.IndexByte("*?[-@+!", w.Text[0]) >= 0
}

// maxRuleWords is how many words a rule has at most that Rules makes of the beginning of a
// command.
const maxRuleWords = 12

// Rules returns the rules that cover the command, the narrowest first: exactly its words, then
// its beginnings down to the shortest that holds all that it does. A beginning after which
// other words decide what is run is none. nil where no rule covers the command.
func (c *Command) Rules() []Rule {
	if c.Uncoverable() != "" {
		return nil
	}
	out := c.Exactly()
	all := out[0].Words
	for n := min(len(all), maxRuleWords); n > 0; n-- {
		if r := (Rule{Words: all[:n:n], Prefix: true}); r.Holds(c) && !r.Open() {
			out = append(out, r)
		}
	}
	return out
}

// Exactly is the rule of the very words of a command that a rule covers.
func (c *Command) Exactly() []Rule {
	all := make([]string, len(c.Words))
	for i, w := range c.Words {
		all[i] = w.Text
	}
	return []Rule{{Words: all}}
}

// Open reports whether the words that may follow those of the rule decide what is run, as
// after env, sudo or python -c. What a person would allow by it nobody can say.
func (r Rule) Open() bool {
	if !r.Prefix {
		return false
	}
	n := len(r.Words)
	words := make([]program.Word, n, n+probes)
	for i, w := range r.Words {
		words[i] = program.Word{Text: w, Start: i}
	}
	for i := n; i < n+probes; i++ {
		words = append(words, program.Word{Text: "x", Start: i})
		j := program.Judge(program.Invocation{Words: words})
		if j.Opaque != "" || slices.ContainsFunc(j.Inner, func(in program.Inner) bool { return starts(in, n) }) ||
			slices.ContainsFunc(j.Findings, func(f program.Finding) bool {
				return f.Word >= n && (f.Effect == program.Runs || f.Effect == program.Obeys || f.Effect == program.Privileged)
			}) {
			return true
		}
	}
	return false
}

// probes is how many words behind a rule are tried.
const probes = 3

// starts reports whether an inner command begins at the word n or behind it.
func starts(in program.Inner, n int) bool {
	if in.Shell != nil {
		return in.Shell.Start >= n
	}
	return len(in.Words) > 0 && in.Words[0].Start >= n
}
