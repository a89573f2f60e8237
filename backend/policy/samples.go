package policy

import (
	"slices"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
)

// Sample is a command that a rule would or would not let through.
type Sample struct {
	Text string
	// Why says what keeps it from being let through, in words that complete a sentence about
	// the command.
	Why string
}

// maxSamples is how many samples of a kind are shown of the packaged examples.
const maxSamples = 4

// Samples are commands that the grant would let through, and ones that begin like them and that
// it would not: made of its own words, and from the packaged examples of the programs. Each was
// held against the rule. Both are empty for a grant that is not of commands.
func Samples(g Grant) (lets, stops []Sample) {
	rule, err := shellcmd.ParseRule(g.Value)
	if g.Kind != GrantCommand || err != nil {
		return nil, nil
	}
	lets, stops = packagedSamples(rule)
	bare := shellcmd.Rule{Words: rule.Words}.String()
	for _, s := range []Sample{
		{bare + " > out.txt", "it writes to a file by a redirect"},
		{bare + ` "$(id)"`, "part of it is known only when it runs"},
		{bare + " ../other", "it may name what lies outside the workspace"},
		{bare + " && rm -rf build", "another command follows that is not covered"},
		{"sudo " + bare, "it is started by another program"},
	} {
		if !rule.Prefix && s.Text != bare+" > out.txt" && s.Text != bare+" && rm -rf build" {
			continue
		}
		if !samplePasses(rule, s.Text) {
			stops = append(stops, s)
		}
	}
	return lets, stops
}

// packagedSamples are the examples of the programs that begin with the words of the rule.
func packagedSamples(rule shellcmd.Rule) (lets, stops []Sample) {
	bare := shellcmd.Rule{Words: rule.Words}.String()
	if samplePasses(rule, bare) {
		lets = append(lets, Sample{Text: bare})
	}
	for _, text := range program.Examples(rule.Words[0]) {
		r := shellcmd.Read(text, samplePlace)
		if !r.Parsed || len(r.Commands) == 0 || !begin(r.Commands[0].Words, rule.Words) || text == bare {
			continue
		}
		switch {
		case samplePasses(rule, text):
			if len(lets) < maxSamples {
				lets = append(lets, Sample{Text: text})
			}
		case len(stops) < maxSamples:
			if why := stopped(rule, &r); why != "" {
				stops = append(stops, Sample{text, why})
			}
		}
	}
	return lets, stops
}

// samplePlace is where samples are read: only what they say counts, not where.
var samplePlace = shellcmd.Place{Directory: "/w", Home: "/home/u"}

// samplePasses reports whether the rule alone would let a command line run that stays in its
// folder.
func samplePasses(rule shellcmd.Rule, text string) bool {
	r := shellcmd.Read(text, samplePlace)
	return r.Parsed && !r.Dynamic && len(r.Commands) > 0 && !slices.ContainsFunc(r.Commands, func(c shellcmd.Command) bool {
		return !rule.Covers(&c) || slices.ContainsFunc(c.Uses, func(u shellcmd.Use) bool {
			return !within(samplePlace.Directory, u.Path) && u.Path != samplePlace.Directory
		})
	})
}

// stopped says what about the first command keeps the rule from covering it.
func stopped(rule shellcmd.Rule, r *shellcmd.Reading) string {
	c := &r.Commands[0]
	if why := c.Uncoverable(); why != "" {
		return why
	}
	for _, f := range c.Findings {
		if f.Word < 0 || f.Word >= len(rule.Words) {
			return "it " + f.Words
		}
	}
	return ""
}

// begin reports whether words begin with others.
func begin(words []program.Word, with []string) bool {
	if len(words) < len(with) {
		return false
	}
	for i, w := range with {
		if words[i].Text != w {
			return false
		}
	}
	return true
}
