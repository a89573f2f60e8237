package policy

import (
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Foreseen is what a call would get, in one word.
type Foreseen string

// What a call may get. The legend of MatrixText says what each means.
const (
	ForeseenAllow    Foreseen = "allow"
	ForeseenAsk      Foreseen = "ask"
	ForeseenOnce     Foreseen = "once"
	ForeseenInsist   Foreseen = "insist"
	ForeseenRestrict Foreseen = "restrict"
	// ForeseenReview is for the reviewer; where none is set up it is ForeseenAsk or, as
	// ForeseenReviewOnce, ForeseenOnce.
	ForeseenReview     Foreseen = "review"
	ForeseenReviewOnce Foreseen = "review1"
	ForeseenDeny       Foreseen = "deny"
)

// foresee decides as Decide does, and says the outcome in a word too.
func foresee(f Facts) (Outcome, Foreseen) {
	v := look(&f)
	var s story
	s.judge(&v)
	return s.outcome(&v), s.foreseen()
}

// Kind is a kind of call in which presets and profiles differ.
type Kind string

// The kinds of call.
const (
	// KindRead reads a file of the workspace, KindEdit writes one.
	KindRead Kind = "read"
	KindEdit Kind = "edit"
	// KindCommand runs a command line on this machine.
	KindCommand Kind = "command"
	// KindOutside reads a file outside the workspace.
	KindOutside Kind = "outside"
	// KindNetwork reads from a host that is on no list.
	KindNetwork Kind = "network"
)

// Kinds returns the kinds, the most harmless first.
func Kinds() []Kind { return []Kind{KindRead, KindEdit, KindCommand, KindOutside, KindNetwork} }

// ForeseeKind decides an ordinary call of a kind by a built-in tool.
func ForeseeKind(k Kind, rules session.Rules) Foreseen {
	f := exampleFacts("")
	switch k {
	case KindRead:
		f = touching(tool.EffectWorkspaceRead, tool.AccessRead, ordinaryFile)
	case KindEdit:
		f = touching(tool.EffectWorkspaceWrite, tool.AccessWrite, ordinaryFile)
	case KindCommand:
		f = commanding(plainCommand(ordinaryCommand...))
	case KindOutside:
		f = touching(tool.EffectWorkspaceRead, tool.AccessRead, "/home/u/notes.txt")
		f.Target.Touches[0].Path.Zone = tool.ZoneOutside
	case KindNetwork:
		f = reaching(ordinaryAddress)
	}
	f.Rules = rules
	_, foreseen := foresee(f)
	return foreseen
}

// What an ordinary call names: nothing that any rule knows.
const (
	ordinaryFile    = "/w/notes.txt"
	ordinaryAddress = "https://host.invalid/"
)

var ordinaryCommand = []string{"ls"}

// ForeseeTool decides an ordinary call of a tool: one on what such tools are for, inside a
// trusted workspace, by a caller that holds these scopes, has read nothing foreign and was
// granted nothing. What the arguments of a call name may make it stricter.
func ForeseeTool(spec *tool.Spec, rules session.Rules, scopes []string) (Outcome, Foreseen) {
	f, ordinary := exampleFacts(spec.Class.SideEffect), commanding(plainCommand(ordinaryCommand...))
	switch {
	case spec.Target == nil:
	case spec.Preview == tool.PreviewCommand:
		f.Target.Command, f.Reading = ordinary.Target.Command, ordinary.Reading
	case spec.Preview == tool.PreviewEgress || f.Effect == tool.EffectNetworkRead:
		f.Target.URL = ordinaryAddress
	case f.Effect == tool.EffectWorkspaceRead:
		f = touching(f.Effect, tool.AccessRead, ordinaryFile)
	case f.Effect == tool.EffectWorkspaceWrite:
		f = touching(f.Effect, tool.AccessWrite, ordinaryFile)
	}
	f.ToolID, f.Set, f.Source, f.Class = spec.ID, spec.Set, spec.Source, spec.Class
	f.SetOrigin, f.Fingerprint, f.Always = spec.Origin, spec.Fingerprint, spec.Always
	f.Rules, f.Scopes = rules, scopes
	return foresee(f)
}

// Place is where a foreseen call would be made. All are absolute; the homes may be "".
type Place struct {
	Workspace, UserHome, OwnHome string
}

// ForeseePath decides a read or a write of one path by a built-in file tool in a trusted
// workspace, by a caller that has read nothing foreign and was granted nothing. The path is
// judged as it says; nothing is looked up.
func ForeseePath(p tool.Path, a tool.Access, at Place, rules session.Rules) (Outcome, Foreseen) {
	effect := tool.EffectWorkspaceWrite
	if a == tool.AccessRead {
		effect = tool.EffectWorkspaceRead
	}
	f := touching(effect, a, p.Abs)
	f.Target.Touches[0].Path = p
	f.Workspace, f.TrustRoot, f.UserHome, f.OwnHome, f.System = at.Workspace, at.Workspace, at.UserHome, at.OwnHome, ""
	f.Rules = rules
	return foresee(f)
}
