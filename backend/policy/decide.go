package policy

import (
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"
)

// force is how hard a voice of the chain pulls, weakest first.
type force uint8

const (
	// silent voices leave no link.
	silent force = iota
	// passes would let the call run.
	passes
	// asks is a plain question: a grant, the preset, a reviewer or the person answers it.
	asks
	// raises is a question that neither grant nor preset answers.
	raises
	// insists is a question for the person alone, once.
	insists
	// denies is answered by nobody.
	denies
)

func (f force) verdict() tool.Verdict {
	switch f {
	case silent, passes:
		return tool.VerdictAllow
	case asks, raises, insists:
		return tool.VerdictAsk
	case denies:
		return tool.VerdictDeny
	}
	return tool.VerdictDeny
}

// voice is what one layer says.
type voice struct {
	force force
	// code is set where the layer denies.
	code tool.Code
	// reason is the sentence for the person.
	reason string
	// once says why the question can be answered only once; it goes with raises and insists.
	once string
	// restricted marks what needs a person, once, without a default button.
	restricted bool
}

// Decide judges a call. It is total and pure: every value of Facts gets a decision,
// and what it does not know is denied or counts as the stricter of two.
func Decide(f Facts) Outcome {
	v := look(&f)
	var s story
	s.judge(&v)
	return s.outcome(&v)
}

// judge hears the floors and then those who may answer.
func (s *story) judge(v *view) {
	s.floors(v)
	s.answer(v)
}

// floors hears every layer that can only tighten.
func (s *story) floors(v *view) {
	s.floor(tool.LayerScopes, scopes(v))
	s.floor(tool.LayerHardline, hardline(v))
	s.floor(tool.LayerMatrix, matrix(v))
	s.commands(v)
	s.floor(tool.LayerPaths, paths(v))
	s.floor(tool.LayerTrust, trust(v))
	s.floor(tool.LayerSet, setVoice(v))
	for i := range v.Hooks {
		s.floor(tool.LayerHook, hookVoice(&v.Hooks[i]))
	}
	s.floor(tool.LayerHook, changedByHook(v))
	s.floor(tool.LayerLock, lock(v))
	s.floor(tool.LayerAllowlist, allowlist(v))
}

// story is a decision while it is made: the links in the order in which they spoke,
// and the strictest of the floors.
type story struct {
	links []tool.Link
	// passed is the sentence of a matrix that lets the call pass, until something else
	// is said. Most calls hear nothing else, and share one chain that was made before.
	passed string
	force  force
	code   tool.Code
	once   string
	// denials counts the floors that deny.
	denials    int
	restricted bool

	review  Review
	allowed bool
	grants  []string
	offered bool
}

func (s *story) say(layer tool.Layer, verdict tool.Verdict, reason string) {
	s.settle()
	s.links = append(s.links, tool.Link{Layer: layer, Verdict: verdict, Reason: reason})
}

// add says more in the link of a layer that spoke, where only what came after it shows it.
func (s *story) add(layer tool.Layer, more string) {
	for i := range s.links {
		if s.links[i].Layer == layer {
			s.links[i].Reason += more
		}
	}
}

// settle writes the matrix's pass into the chain.
func (s *story) settle() {
	if s.links == nil {
		s.links = make([]tool.Link, 0, 6)
	}
	if s.passed != "" {
		s.links = append(s.links, tool.Link{Layer: tool.LayerMatrix, Verdict: tool.VerdictAllow, Reason: s.passed})
		s.passed = ""
	}
}

// floor hears one layer. Nothing a layer says can take back what another said.
func (s *story) floor(layer tool.Layer, v voice) {
	switch {
	case v.force == silent:
	case v.force == passes && layer == tool.LayerMatrix:
		s.passed = v.reason
	default:
		s.hear(layer, v)
	}
}

func (s *story) hear(layer tool.Layer, v voice) {
	s.say(layer, v.force.verdict(), v.reason)
	s.restricted = s.restricted || v.restricted
	if v.force == denies {
		s.denials++
		if s.code == "" || v.code == tool.CodePolicyBlocked {
			s.code = v.code
		}
	}
	if v.force > s.force {
		s.force, s.once = v.force, v.once
	}
}

func (s *story) outcome(v *view) Outcome {
	out := Outcome{
		Decision: tool.Decision{Verdict: tool.VerdictAsk, Chain: s.links, Capabilities: capabilities(v)},
		Dynamic:  v.dynamic,
	}
	out.Contained = v.read != nil && v.Target.Input == "" && v.leaves() == ""
	out.Risk = v.risk(s.restricted, out.Contained)
	switch {
	case s.force == denies:
		out.Decision.Verdict, out.Decision.ReasonCode = tool.VerdictDeny, s.code
		out.TrustOnly = s.denials == 1 && s.code == tool.CodePolicyWorkspaceUntrusted
	case s.allowed:
		out.Decision.Verdict, out.Grants = tool.VerdictAllow, s.grants
	default:
		if s.review != ReviewNone && s.force < insists {
			out.Decision.Verdict = tool.VerdictReview
		}
		out.Review = s.review
		out.Offered, out.NoGrant = s.offered, s.once
		if out.Restricted = s.restricted; s.restricted {
			out.Dangers = v.dangers()
		}
	}
	return out
}

// risk is the risk to show of a call: medium at least where a path leads outside the
// workspace. It never decides anything. The class of a tool that runs commands speaks of the
// worst of them, so a command line that stays inside the workspace is told by what it does.
func (v *view) risk(restricted, contained bool) tool.Risk {
	r := risk(v.Class.Risk, restricted)
	if r == tool.RiskLow && v.outside != nil {
		return tool.RiskMedium
	}
	if contained && !restricted && v.judgesCommands() {
		if told := v.commandRisk(); told.Rank() < r.Rank() {
			return told
		}
	}
	return r
}

// judgesCommands reports whether the reading of a command line says how bad a call would be:
// for our own tools, on this machine, whose class is known.
func (v *view) judgesCommands() bool {
	return v.Source == tool.SourceBuiltin && v.Class.Target == tool.TargetHost && v.fault == "" && v.Class.Risk.Known()
}

// commandRisk is how bad it would be to allow the wrong one of such command lines that stay
// inside the workspace: low where it only looks at files, medium where it changes them or
// does what the files of the project say, and high where nobody knows what its programs do,
// where more is taken away than is named, or where foreign text may have had a hand in it.
func (v *view) commandRisk() tool.Risk {
	extent := program.Looks
	for i := range v.read.Commands {
		if c := &v.read.Commands[i]; len(c.Words) > 0 {
			extent = min(extent, c.Extent)
		}
	}
	if v.writes {
		extent = min(extent, program.Works)
	}
	switch {
	case extent == program.Looks:
		return tool.RiskLow
	case extent == program.Works && !v.foreignText():
		return tool.RiskMedium
	}
	return tool.RiskHigh
}

// risk is the risk of a class to show.
func risk(r tool.Risk, restricted bool) tool.Risk {
	switch r {
	case tool.RiskLow, tool.RiskMedium:
		if restricted {
			return tool.RiskHigh
		}
		return r
	case tool.RiskHigh, tool.RiskCritical:
		return r
	}
	return tool.RiskCritical
}
