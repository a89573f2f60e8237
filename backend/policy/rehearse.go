package policy

import "countersign/backend/policy/shellcmd"

// Coverage is how much of a call a grant covers.
type Coverage string

// The coverages.
const (
	// CoversAll means that the call would run by it wherever a plain question is asked.
	CoversAll Coverage = "all"
	// CoversPart means that it covers some of the commands of a command line, which runs once
	// other grants cover the rest.
	CoversPart Coverage = "part"
	CoversNone Coverage = "none"
)

// Cover says how much of a call one grant covers, whatever the preset would say of it. A call
// that only a person may answer, or nobody, is covered by none. f.Grants are not looked at.
func Cover(f Facts, g Grant) Coverage {
	g.PolicyVersion = Version(f.Rules)
	f.Grants = []Grant{g}
	v := look(&f)
	var s story
	s.floors(&v)
	switch {
	case s.force > asks || !grantable(v.effect):
		return CoversNone
	case granted(&v) != nil:
		return CoversAll
	case v.Target.Command == "" || v.unruled() != "":
		return CoversNone
	}
	rules := rulesOf(v.live())
	for i := range v.Reading.Commands {
		if coveredBy(rules, &v.Reading.Commands[i]) != nil {
			return CoversPart
		}
	}
	return CoversNone
}

// Candidate makes the grant that a person considers, of what such grants have in common and
// what it would match as they wrote it. The refusal says what is wrong with the text; what may
// be granted Choose says.
func Candidate(granting Grant, c Choice) (Grant, *Refusal) {
	g := granting
	g.ID, g.Life, g.Kind, g.Value = "candidate", GrantRun, c.Kind, c.Value
	if c.Kind == GrantCommand {
		rule, err := shellcmd.ParseRule(c.Value)
		if err != nil {
			return Grant{}, refusedRule(err)
		}
		g.Value = rule.String()
	}
	return g, nil
}

// ChoiceOf is what a grant matches.
func ChoiceOf(g Grant) Choice {
	return Choice{Kind: g.Kind, Value: g.Value, Words: g.Matches(), Key: g.Key()}
}
