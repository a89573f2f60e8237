package policy

import "countersign/backend/tool"

// condition is what a row of the matrix asks before it lets its class pass.
type condition uint8

const (
	// never: the row's ruling stands.
	never condition = iota
	// always: nothing is asked.
	always
	// ifListed: the host is on the list of allowed hosts.
	ifListed
	// ifIsolated: the code runs in an isolated place.
	ifIsolated
)

// row is one class of the matrix: when it passes, and what each profile says else.
// Paths outside the workspace never reach the rows of the workspace: they make a call
// HOST_ACCESS.
type row struct {
	effect  tool.SideEffect
	when    condition
	passes  string
	strict  voice
	desktop voice
}

func same(effect tool.SideEffect, v voice) row { return row{effect: effect, strict: v, desktop: v} }

func free(effect tool.SideEffect, reason string) row {
	return row{effect: effect, when: always, passes: reason}
}

func shut(reason string) voice {
	return voice{force: denies, code: tool.CodePolicyDenied, reason: reason}
}

func person(reason, once string) voice { return voice{force: insists, reason: reason, once: once} }

// rows are the fifteen classes, in the order of tool.SideEffects.
var rows = [...]row{
	free(tool.EffectNone, "It changes nothing and reaches nothing."),
	free(tool.EffectWorkspaceRead, "It reads inside the workspace."),
	free(tool.EffectWorkspaceWrite, "It writes inside the workspace."),
	{
		effect: tool.EffectNetworkRead, when: ifListed, passes: "It reads from a host on the list of allowed hosts.",
		strict: voice{
			force: denies, code: tool.CodePolicyHostNotListed,
			reason: "Profile strict lets calls read only from hosts on the list of allowed hosts.",
		},
		desktop: voice{force: asks, reason: "It reads from a host that is not on the list of allowed hosts."},
	},
	{
		effect: tool.EffectCodeExecution, when: ifIsolated, passes: "It runs code in an isolated place.",
		strict: voice{
			force: denies, code: tool.CodePolicyNotIsolated,
			reason: "Profile strict runs code only in an isolated place.",
		},
		desktop: voice{force: asks, reason: "It runs code on this machine as you, not isolated."},
	},
	same(tool.EffectPackageInstall, shut("Installing packages is not allowed in any profile.")),
	same(tool.EffectSandboxNetwork, shut("Opening the network to isolated code is not allowed in any profile.")),
	same(tool.EffectExternalMessage, person("It sends a message to somebody.", "Once only: each message that goes out is asked for.")),
	same(tool.EffectExternalWrite, person("It changes something outside this machine.", "Once only: each change outside this machine is asked for.")),
	same(tool.EffectExternalDelete, person("It deletes something outside this machine.", "Once only: each deletion outside this machine is asked for.")),
	same(tool.EffectFinancial, person("It moves money or commits to pay.", "Once only: each payment is asked for.")),
	same(tool.EffectPublication, person("It publishes something.", "Once only: each publication is asked for.")),
	same(tool.EffectCredentialAccess, shut("Access to credentials is not allowed in any profile.")),
	{
		effect:  tool.EffectHostAccess,
		strict:  shut("Profile strict keeps calls inside the workspace."),
		desktop: person("It reaches your machine outside the workspace.", "Once only: what lies outside the workspace is asked for each time."),
	},
	same(tool.EffectPrivileged, shut("Actions with raised privileges are not allowed in any profile.")),
}

func rowOf(e tool.SideEffect) *row {
	for i := range rows {
		if rows[i].effect == e {
			return &rows[i]
		}
	}
	return nil
}

// matrix judges the class. What a running program is sent, and a commit, are for a person in
// every preset.
func matrix(v *view) voice {
	r := rowOf(v.effect)
	if v.fault != "" || r == nil {
		return voice{force: denies, code: tool.CodePolicyUnclassifiable, reason: "It cannot be classified, so it is refused. " + v.fault}
	}
	said := r.say(v)
	switch {
	case said.force == denies:
	case v.Target.Input != "":
		said = voice{force: insists, reason: unknownInput, restricted: true, once: "Once only: nobody can say what another text would do."}
	case said.force < insists && ownGate(v):
		said = person("A commit has a gate of its own: a person opens it, each time.", "Once only: each commit is asked for.")
	}
	return said
}

const unknownInput = "Only the program knows what it makes of a text that it is sent, so that is asked for every time, in every preset."

func (r *row) say(v *view) voice {
	if r.holds(v) {
		return voice{force: passes, reason: r.passes}
	}
	if !v.strict {
		return r.desktop
	}
	if v.effect == tool.EffectHostAccess && v.outside != nil {
		return voice{force: denies, code: tool.CodePolicyOutsideWorkspace, reason: r.strict.reason}
	}
	return r.strict
}

func (r *row) holds(v *view) bool {
	switch r.when {
	case never:
		return false
	case always:
		return true
	case ifListed:
		return v.listed
	case ifIsolated:
		return v.Class.Target == tool.TargetSandbox
	}
	return false
}

// ownGate reports whether the call is a git commit, which no preset opens.
func ownGate(v *view) bool { return v.Source == tool.SourceBuiltin && v.ToolID == "git_commit" }
