package policy

import (
	"strconv"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// setVoice is what is to be said of the set of a tool, and what the tool itself says of the call.
// Neither can lower anything.
func setVoice(v *view) voice {
	switch {
	case v.Source != tool.SourceSet:
		return voice{}
	case v.SetChanged:
		return voice{
			force: denies, code: tool.CodePolicySetChanged,
			reason: "The tool set " + strconv.Quote(v.Set) + " changed since you let it in. Look at the change under Tools, or with `countersign tools show`, and accept it there.",
		}
	case v.Raised.Failed:
		return voice{
			force: denies, code: tool.CodePolicyUnclassifiable,
			reason: "The tool set could not say how dangerous this call is, so it is refused.",
		}
	case v.Raised.Person:
		return voice{
			force: insists, once: "Once only: the tool set asks for a person each time.",
			reason: "The tool set wants a person to answer this call.",
		}
	}
	return voice{}
}

// Follows reports whether rules follow what the author of a tool declares: that ordinary calls
// need no question.
func Follows(always bool, origin string, rules session.Rules) bool {
	return always && rules.Authors.Followed(origin)
}

// authored reports whether the author of the tool answers a plain question about the call: one
// that stays inside the workspace.
func authored(v *view) bool {
	return v.effect == tool.EffectCodeExecution && staysInside(v) && Follows(v.Always, v.SetOrigin, v.Rules)
}

// authorWords says that an author let a call run, and which setting lets that count.
func authorWords(v *view) string {
	return "The author of the tool set " + strconv.Quote(v.Set) + " says that ordinary calls need no question, and the settings follow authors of " +
		v.SetOrigin + " sets. Following the host instead would ask."
}
