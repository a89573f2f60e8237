package policy

import (
	"slices"
	"strings"

	"countersign/backend/policy/pathclass"
	"countersign/backend/tool"
)

// scopes wants every scope of the tool by its exact name and tells only the missing.
func scopes(v *view) voice {
	var missing []string
	for _, s := range v.Class.Scopes {
		if !slices.Contains(v.Scopes, s) {
			missing = append(missing, s)
		}
	}
	if missing == nil {
		return voice{}
	}
	return voice{
		force: denies, code: tool.CodePolicyScopeMissing,
		reason: "The caller does not hold " + strings.Join(missing, ", ") + ". A new session with that scope would.",
	}
}

// paths judges what the paths are and where they lie. What is Blocked the hardline
// has already said.
func paths(v *view) voice {
	if v.judgement.Hold == pathclass.Restricted {
		return v.restrictedPath()
	}
	if v.outside != nil {
		where := v.names(v.outside, "lies outside the workspace") + ". "
		if v.strict {
			return voice{force: denies, code: tool.CodePolicyOutsideWorkspace, reason: where + "Profile desktop would ask instead."}
		}
		return person(where+"Such a path is asked for each time, whatever the preset.", "Once only: what lies outside the workspace is asked for each time.")
	}
	if v.mark != nil {
		return voice{force: passes, reason: v.names(v.mark, v.markWords) + "."}
	}
	return voice{}
}

func (v *view) restrictedPath() voice {
	what := v.names(v.held, v.judgement.Words) + ". "
	if v.outside != nil && v.outside == v.held {
		what = v.names(v.held, "lies outside the workspace and "+v.judgement.Words) + ". "
	}
	if v.strict {
		return voice{force: denies, code: tool.CodePolicyBlocked, reason: what + "Profile strict blocks such paths; profile desktop would ask."}
	}
	return voice{
		force: insists, restricted: true, once: "Once only: the path is restricted.",
		reason: what + "Such a path is restricted: it always asks, whatever the preset.",
	}
}

// changedByHook has a call shown whose arguments are not those that the caller sent.
func changedByHook(v *view) voice {
	if v.Changed != tool.LayerHook {
		return voice{}
	}
	return voice{force: raises, reason: "A hook changed the arguments, so they are asked for as they are now."}
}

// trust raises what could carry foreign text out or act on it.
func trust(v *view) voice {
	if !v.foreignText() {
		return voice{}
	}
	switch v.effect {
	case tool.EffectNone, tool.EffectWorkspaceRead:
		return voice{}
	case tool.EffectNetworkRead:
		if v.strict {
			return voice{}
		}
	case tool.EffectWorkspaceWrite:
		if !v.strict {
			return voice{force: passes, reason: "Text from outside was read in this session before this write."}
		}
	case tool.EffectCodeExecution, tool.EffectPackageInstall, tool.EffectSandboxNetwork, tool.EffectExternalMessage,
		tool.EffectExternalWrite, tool.EffectExternalDelete, tool.EffectFinancial, tool.EffectPublication,
		tool.EffectCredentialAccess, tool.EffectHostAccess, tool.EffectPrivileged:
	}
	return voice{
		force: raises, once: "Once only: text from outside was read in this session before this call.",
		reason: "Text from outside was read in this session before this call, so it is asked, whatever the preset.",
	}
}

// foreignText reports whether the caller has read text that may not be trusted. A
// label that is not known counts as the lowest.
func (v *view) foreignText() bool {
	switch v.Origin {
	case tool.TrustPlatform, tool.TrustConfiguration, tool.TrustUser, tool.TrustInternalTool, tool.TrustMemory, tool.TrustKnowledge:
		return false
	case tool.TrustExternalUntrusted:
		return true
	}
	return true
}

// lock lets only what changes nothing through. A workspace that is not trusted is
// locked until a person says otherwise.
func lock(v *view) voice {
	if !v.changes() {
		return voice{}
	}
	if v.Rules.ReadOnly {
		return voice{force: denies, code: tool.CodePolicyReadOnly, reason: "The read-only lock is on. Lifting it would let the rules decide."}
	}
	if !v.Trusted {
		return voice{
			force: denies, code: tool.CodePolicyWorkspaceUntrusted,
			reason: "You have not said that this workspace may be worked in, so it is read-only. Trusting it would let the rules decide.",
		}
	}
	return voice{}
}

// allowlist binds the addresses of built-in tools. A list that names hosts denies
// every other; without entries the matrix decides.
func allowlist(v *view) voice {
	if v.host == "" || v.Source != tool.SourceBuiltin {
		return voice{}
	}
	if !v.https {
		return voice{force: denies, code: tool.CodePolicyInsecureURL, reason: "The address is not https. Only https is reached, always."}
	}
	if len(v.Rules.AllowedDomains) > 0 && !v.listed {
		return voice{
			force: denies, code: tool.CodePolicyHostNotListed,
			reason: v.host + " is not on the list of allowed hosts. Adding it there would let the rules decide.",
		}
	}
	return voice{}
}
