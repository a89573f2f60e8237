package registry

import (
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Rejudge says what a call of which policy would be asked f gets under other rules: it is
// judged like a call that is made now, and nobody is asked. A tool that is not offered under
// the rules is denied, as it is before policy is asked. s is the session of the call.
func (r *Registry) Rejudge(s *Context, f policy.Facts, rules session.Rules) tool.Decision {
	e := r.catalog.latest[f.ToolID]
	if f.Source == tool.SourceSet {
		e = s.sets().entry(f.ToolID)
	}
	if e == nil || !enabled(e.spec, rules) {
		return tool.Decision{Verdict: tool.VerdictDeny, ReasonCode: tool.CodeNotEnabled}
	}
	f.Rules = rules
	return policy.Decide(f).Decision
}
