package policy

import (
	"strconv"
	"strings"

	"countersign/backend/tool"
)

// grantable reports whether a grant may answer for calls of this class.
func grantable(e tool.SideEffect) bool {
	return e == tool.EffectWorkspaceRead || e == tool.EffectWorkspaceWrite || e == tool.EffectNetworkRead
}

// granted returns the first grant that covers the call, nil without one. It is asked
// only where a plain question is open.
func granted(v *view) *Grant {
	if len(v.Grants) == 0 || !grantable(v.effect) {
		return nil
	}
	version := Version(v.Rules)
	for i := range v.Grants {
		if g := &v.Grants[i]; g.PolicyVersion == version && g.covers(v) {
			return g
		}
	}
	return nil
}

// covers compares everything but the policy version. A grant dies when the class of
// its tool rises above what the person saw.
func (g *Grant) covers(v *view) bool {
	if g.ToolID != v.ToolID || risen(g.Effect, v.effect) || v.Class.Risk.Rank() > g.Risk.Rank() || !g.Risk.Known() {
		return false
	}
	t := &v.Target
	switch g.Kind {
	case GrantFile:
		return t.URL == "" && !t.Runs() && len(t.Touches) == 1 && g.Value != "" && t.Touches[0].Path.Real == g.Value
	case GrantHost:
		return v.effect == tool.EffectNetworkRead && !t.Runs() && len(t.Touches) == 0 && g.Value != "" && v.host == g.Value
	case GrantTool:
		return g.Value == "" && t.URL == "" && !t.Runs() && len(t.Touches) == 0
	}
	return false
}

// risen reports whether now is more than what was granted: a grant to write a file
// lets the same tool read it, and nothing else follows from anything.
func risen(granted, now tool.SideEffect) bool {
	return now != granted && !(granted == tool.EffectWorkspaceWrite && now == tool.EffectWorkspaceRead)
}

// offer returns the narrowest grant that would let this call run again in the session,
// in words too, or why there is none.
func offer(v *view) (g *Grant, words, none string) {
	t := &v.Target
	switch {
	case v.effect == tool.EffectCodeExecution:
		return nil, "", "Once only: it runs code."
	case !grantable(v.effect):
		return nil, "", "Once only: calls of this class are asked for each time."
	case v.effect == tool.EffectNetworkRead && (v.host == "" || len(t.Touches) > 0):
		return nil, "", "Once only: the call is more than a read from one host."
	case v.effect == tool.EffectNetworkRead:
		g = newGrant(v.Facts, GrantHost, strings.Clone(v.host))
	case len(t.Touches) != 1 || t.URL != "" || t.Touches[0].Path.Real == "":
		return nil, "", "Once only: the call is not about exactly one file."
	default:
		g = newGrant(v.Facts, GrantFile, t.Touches[0].Path.Real)
	}
	return g, grantWords(v, g), ""
}

func newGrant(f *Facts, kind GrantKind, value string) *Grant {
	return &Grant{
		Life: GrantSession, Kind: kind, ToolID: f.ToolID, Effect: f.Effect, Value: value,
		Risk: risk(f.Class.Risk, false), PolicyVersion: Version(f.Rules),
	}
}

// grantWords says what a grant that covers the call lets through.
func grantWords(v *view, g *Grant) string {
	name := strconv.Quote(g.ToolID)
	switch g.Kind {
	case GrantFile:
		return name + " on " + named(&v.Target.Touches[0].Path) + ", until the session ends"
	case GrantHost:
		return name + " reading from " + g.Value + ", until the session ends"
	case GrantTool:
		return "every call of " + name + ", until the session ends"
	}
	return name
}
