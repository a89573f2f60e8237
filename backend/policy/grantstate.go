package policy

import (
	"strings"
	"time"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// GrantState says whether a grant counts.
type GrantState string

// The states of a grant.
const (
	GrantLive GrantState = "live"
	// GrantResting means that it does not count as things are and will again.
	GrantResting GrantState = "resting"
	// GrantDead means that it never counts again.
	GrantDead GrantState = "dead"
)

// GrantPlace is what a grant is held against: the rules of now, and the tool as it is now.
type GrantPlace struct {
	Rules       session.Rules
	Now         time.Time
	Source      tool.Source
	Set         string
	SetOrigin   string
	Fingerprint string
	// Risk is that of the tool's class. Effect is what every call of the tool does, "" where
	// that depends on the call.
	Risk   tool.Risk
	Effect tool.SideEffect
}

// State says whether the grant counts in a place, and if not why, as a sentence for the
// person. What it matches is another question.
func (g *Grant) State(p GrantPlace) (state GrantState, why string) {
	return g.state(&p, Version(p.Rules), Packaged())
}

func (g *Grant) state(p *GrantPlace, version, packaged string) (state GrantState, why string) {
	switch {
	case g.EndedAt != nil:
		return GrantDead, endWords(g.EndedBy)
	case g.ExpiresAt != nil && !p.Now.Before(*g.ExpiresAt):
		return GrantDead, "Its time is over."
	case g.Packaged != "" && g.Packaged != packaged:
		return GrantDead, "The rules that come with the program changed since it was given."
	case g.Source != p.Source || g.Source == tool.SourceSet && (g.Set != p.Set || g.SetOrigin != p.SetOrigin):
		return GrantDead, "It was given for another tool of the same name."
	case g.Fingerprint != p.Fingerprint:
		return GrantDead, "The tool set changed since it was given."
	case !g.Risk.Known() || p.Risk.Rank() > g.Risk.Rank():
		return GrantDead, "The tool counts as more dangerous than when it was given."
	case p.Effect != "" && risen(g.Effect, p.Effect):
		return GrantDead, "The tool does something else than when it was given."
	case g.Life == GrantWorkspace && profileOf(g.PolicyVersion) != profileOf(version):
		return GrantResting, "It was given under profile " + profileOf(g.PolicyVersion) + " and rests under every other."
	case g.Life != GrantWorkspace && g.PolicyVersion != version:
		return GrantResting, "It rests until the settings are again what they were when it was given."
	}
	return GrantLive, ""
}

func endWords(by GrantEnd) string {
	switch by {
	case GrantRevoked:
		return "You took it back."
	case GrantUnused:
		return "It was not used for a long time, so it was swept away."
	case GrantReplaced:
		return "The same was granted anew."
	}
	return "It ended."
}

// profileOf is the profile that a policy version begins with.
func profileOf(version string) string {
	profile, _, _ := strings.Cut(version, "@")
	return profile
}

// place is the place of a call.
func (f *Facts) place() *GrantPlace {
	return &GrantPlace{
		Rules: f.Rules, Now: f.Now, Source: f.Source, Set: f.Set, SetOrigin: f.SetOrigin, Fingerprint: f.Fingerprint, Risk: f.Class.Risk,
	}
}
