package registry

import (
	"context"
	"slices"
	"strings"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// decide computes once what the call reaches and asks policy. A denial ends the call,
// except one that only the missing trust in the workspace makes, when the trust
// question can be asked.
func (r *Registry) decide(ctx context.Context, c *run) error {
	if err := r.freezeTarget(ctx, c); err != nil {
		return err
	}
	if err := r.judge(ctx, c); err != nil {
		return err
	}
	if c.policy.Decision.Verdict == tool.VerdictDeny && !r.waitsForTrust(c) {
		return r.denied(c)
	}
	return nil
}

func (r *Registry) waitsForTrust(c *run) bool { return c.policy.TrustOnly && c.s.AskTrust != nil }

func (r *Registry) denied(c *run) error {
	code := c.policy.Decision.ReasonCode
	if code == "" {
		code = tool.CodePolicyDenied
	}
	return tool.Errorf(code, "policy denied the call")
}

// freezeTarget resolves every path that the call names. From here on the call is held
// to what was resolved.
func (r *Registry) freezeTarget(ctx context.Context, c *run) error {
	spec := c.entry.spec
	if spec.Target == nil {
		return nil
	}
	request, err := spec.Target(c.args)
	if err != nil {
		return err
	}
	c.target.Command, c.target.Input, c.target.URL = request.Command, request.Input, request.URL
	for _, use := range request.Paths {
		if c.s.Host.Files == nil {
			return tool.Errorf(tool.CodeUnavailable, "no file access on this host").
				WithText("This tool needs access to files, which this host does not have.")
		}
		path, err := c.s.Host.Files.Resolve(use.Arg)
		if err != nil {
			return err
		}
		c.target.Touches = append(c.target.Touches, tool.Touch{Path: path, Access: use.Access})
	}
	if c.target.Command != "" {
		return c.readCommand(ctx)
	}
	return nil
}

// judge asks policy with the rules of the moment, by which the tool must still be enabled.
// Grants are read only when they could change the answer.
func (r *Registry) judge(ctx context.Context, c *run) error {
	c.rules = c.s.Rules()
	renewed, err := r.renew(ctx, c)
	if err == nil {
		err = r.checkEnabled(ctx, c)
	}
	if err != nil {
		c.inv.DecidedBy = "policy"
		return err
	}
	c.renewed = c.renewed || renewed
	if err := r.weigh(ctx, c); err != nil {
		return err
	}
	more, err := r.hear(ctx, c)
	if err == nil && more {
		err = r.weigh(ctx, c)
	}
	if err != nil {
		return err
	}
	if c.handed != "" {
		c.hand()
	}
	c.inv.Decision = &c.policy.Decision
	c.inv.PolicyVersion = r.version(c.rules)
	c.inv.Risk = c.policy.Risk
	c.inv.DecidedBy = c.decider()
	return nil
}

// weigh asks policy about the call as it is, with what the hooks have said of it.
func (r *Registry) weigh(ctx context.Context, c *run) error {
	facts := r.facts(ctx, c)
	intact, err := c.intact(ctx)
	if err != nil {
		return err
	}
	facts.SetChanged = !intact
	facts.Grants = r.allowed(c)
	c.policy = policy.Decide(facts)
	if c.policy.Offered && r.desk != nil {
		grants, err := r.desk.Grants(ctx, c.s.SessionID, c.s.Workspace)
		if err != nil {
			return tool.Errorf(tool.CodeStorageUnavailable, "read the grants: %w", err)
		}
		if len(grants) > 0 {
			facts.Grants = append(grants, facts.Grants...)
			c.policy = policy.Decide(facts)
		}
	}
	c.facts = facts
	return nil
}

// held are the scopes of the call: those that its caller held when it made it and holds still.
func (c *run) held() []string {
	lost := func(scope string) bool { return !slices.Contains(c.s.Scopes, scope) }
	if !slices.ContainsFunc(c.scopes, lost) {
		return c.scopes
	}
	return slices.DeleteFunc(slices.Clone(c.scopes), lost)
}

// facts are what policy is asked about the call, but for the grants.
func (r *Registry) facts(ctx context.Context, c *run) policy.Facts {
	class, raised := c.raise(ctx)
	return policy.Facts{
		ToolID: c.entry.spec.ID, Set: c.entry.spec.Set, Source: c.entry.spec.Source, Class: class, Raised: raised, Always: c.entry.spec.Always,
		Effect: c.effect, Target: c.target, Reading: c.reading, Secrets: c.secrets, Rules: c.rules, Scopes: c.held(), Trusted: c.s.Trusted(ctx),
		TrustRoot: c.s.TrustRoot, Workspace: c.s.Workspace, UserHome: c.s.UserHome, OwnHome: c.s.OwnHome,
		Origin: c.s.Memory.Origin(), SetOrigin: c.entry.spec.Origin, Fingerprint: c.entry.spec.Fingerprint,
		Changed: c.rewrittenBy, Hooks: c.hooked,
		Reviewer: c.s.Reviewer != nil && c.s.Transcript != nil, Now: r.clock.Now(),
	}
}

// FactsOf takes a call through the steps before policy, whatever is enabled now and whoever
// calls, and returns what policy would be asked. It stores nothing and asks nobody.
func (r *Registry) FactsOf(ctx context.Context, s *Context, call tool.Call) (policy.Facts, error) {
	c := &run{s: s, keep: context.WithoutCancel(ctx), call: call, began: r.clock.Now(), rules: s.Rules(), scopes: slices.Clone(s.Scopes)}
	for _, step := range []func(*Registry, context.Context, *run) error{
		(*Registry).resolve, (*Registry).validate, (*Registry).canonicalise,
	} {
		if err := step(r, ctx, c); err != nil {
			return policy.Facts{}, err
		}
	}
	if err := r.freezeTarget(ctx, c); err != nil {
		return policy.Facts{}, err
	}
	return r.facts(ctx, c), nil
}

// decider names who decided the call as policy left it: nobody, while it asks.
func (c *run) decider() string {
	switch {
	case c.policy.Decision.Verdict == tool.VerdictAsk, c.policy.Decision.Verdict == tool.VerdictReview:
		return ""
	case len(c.policy.Grants) > 0:
		return approval.ByGrant + strings.Join(c.policy.Grants, " ")
	}
	return "policy"
}

// ruled is rules with their policy version, which takes a hash to find out.
type ruled struct {
	rules   session.Rules
	version string
}

// version is policy.Version, remembered for the rules that were asked for last.
func (r *Registry) version(rules session.Rules) string {
	last := r.ruled.Load()
	if last != nil && last.rules.Equal(rules) {
		return last.version
	}
	last = &ruled{rules, policy.Version(rules)}
	r.ruled.Store(last)
	return last.version
}
