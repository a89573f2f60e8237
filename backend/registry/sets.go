package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"countersign/backend/policy"
	"countersign/backend/tool"
)

// SetCatalog is the tools that tool sets bring beside those that are built in, as one load of
// them found it. It never changes: a call that began with one keeps its definitions.
type SetCatalog struct{ tools *catalog }

// LeftOut is a tool of a set that is not registered, and why.
type LeftOut struct {
	Set, Origin, ID string
	Cause           error
}

// Sets are the tool sets of a session's workspace.
type Sets interface {
	// Now returns what is loaded; nil until the first load has ended. It never waits.
	Now() *SetCatalog
	// Loaded waits until the first load has ended. Its error is the end of ctx.
	Loaded(ctx context.Context) (*SetCatalog, error)
}

// Compile registers the tools of sets, in the order in which they take names, by the same rules
// as those that are built in. What is refused is left out and keeps nothing else from working;
// every name of a built-in tool is taken already.
func (r *Registry) Compile(specs []tool.Spec) (*SetCatalog, []LeftOut) {
	out := &SetCatalog{tools: newCatalog()}
	var left []LeftOut
	for i := range specs {
		if err := r.admit(out.tools, &specs[i]); err != nil {
			left = append(left, LeftOut{Set: specs[i].Set, Origin: specs[i].Origin, ID: specs[i].ID, Cause: err})
		}
	}
	return out, left
}

// admit adds one tool of a set to a catalog.
func (r *Registry) admit(c *catalog, spec *tool.Spec) error {
	var refusals []error
	refuse := func(id, format string, args ...any) {
		refusals = append(refusals, fmt.Errorf("tool %q: %s", id, fmt.Sprintf(format, args...)))
	}
	checkSetTool(spec, refuse)
	checkNames(spec, refuse)
	checkClass(spec, refuse)
	checkParts(spec, refuse)
	for _, reason := range spec.Reasons {
		if r.reasons[reason.Code] != reason {
			refuse(spec.ID, "reason code %q is not one of those that tool sets use", reason.Code)
		}
	}
	for _, name := range []string{spec.ID, spec.WireName()} {
		if r.catalog.latest[name] != nil {
			refuse(spec.ID, "the name %q belongs to a built-in tool", name)
		}
	}
	e := compile(spec, refuse)
	if len(refusals) == 0 {
		c.add(e, refuse)
	}
	return errors.Join(refusals...)
}

// checkSetTool holds a tool of a set to what is true of all of them: it runs code on this
// machine, and nobody can let it run without knowing where it comes from and what it is made of.
func checkSetTool(s *tool.Spec, refuse refusal) {
	switch {
	case s.Source != tool.SourceSet:
		refuse(s.ID, "it is not a tool of a set")
	case s.Class.SideEffect != tool.EffectCodeExecution || s.Effect != nil:
		refuse(s.ID, "a tool of a set runs code, whatever its arguments are")
	case s.Class.Target != tool.TargetHost:
		refuse(s.ID, "a tool of a set runs on this machine")
	case s.Origin == "" || s.Fingerprint == "" || s.Intact == nil:
		refuse(s.ID, "where the tool comes from and what it is made of is missing")
	}
}

// newest returns the entries that callers can reach, sorted by id.
func (c *catalog) newest() []*entry {
	out := slices.DeleteFunc(slices.Clone(c.order), func(e *entry) bool { return c.latest[e.spec.ID] != e })
	slices.SortFunc(out, func(a, b *entry) int { return strings.Compare(a.spec.ID, b.spec.ID) })
	return out
}

// Specs returns the tools, sorted by id. A nil catalog has none.
func (c *SetCatalog) Specs() []*tool.Spec {
	if c == nil {
		return nil
	}
	var out []*tool.Spec
	for _, e := range c.tools.newest() {
		out = append(out, e.spec)
	}
	return out
}

// Lookup returns a tool by id or wire name.
func (c *SetCatalog) Lookup(name string) (*tool.Spec, bool) {
	e := c.entry(name)
	if e == nil {
		return nil, false
	}
	return e.spec, true
}

func (c *SetCatalog) entry(name string) *entry {
	if c == nil {
		return nil
	}
	return c.tools.latest[name]
}

// sets are those of the session as they are loaded now.
func (s *Context) sets() *SetCatalog {
	if s.Sets == nil {
		return nil
	}
	return s.Sets.Now()
}

// find returns the tool of a name: a built-in one, else one of a set. Only a name that is not
// built in waits until the sets were looked at.
func (r *Registry) find(ctx context.Context, s *Context, name string) (*entry, error) {
	if e := r.catalog.latest[name]; e != nil || s.Sets == nil {
		return e, nil
	}
	loaded, err := s.Sets.Loaded(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for the tool sets: %w", err)
	}
	return loaded.entry(name), nil
}

// renew follows the tool of a call to what its set makes of it now. A set that was loaded again
// as it was leaves the call with the definition that it has. Of one that changed, and whose change
// was accepted, the call gets the new definition and passes the same steps with it. A tool that its
// set offers no more is refused.
func (r *Registry) renew(ctx context.Context, c *run) (changed bool, err error) {
	spec := c.entry.spec
	if spec.Source != tool.SourceSet {
		return false, nil
	}
	// A workspace that has just come to be trusted has other sets, which are looked at first.
	loaded, err := c.s.Sets.Loaded(ctx)
	if err != nil {
		return false, fmt.Errorf("wait for the tool sets: %w", err)
	}
	now := loaded.entry(spec.ID)
	switch {
	case now == nil || now.spec.Origin != spec.Origin || now.spec.Set != spec.Set:
		return false, tool.Errorf(tool.CodeNotEnabled, "%s is offered no more", spec.ID).WithText(r.offered(c))
	case now.spec.Fingerprint == spec.Fingerprint:
		return false, nil
	case now.spec.Intact(ctx) != nil:
		// Nobody has let it in yet, so it is not what the call becomes.
		return false, ctx.Err()
	}
	c.entry = now
	c.tellTool()
	if err := assemble(c, c.text); err != nil {
		return true, err
	}
	if err := r.canonicalise(ctx, c); err != nil {
		return true, err
	}
	c.target, c.reading, c.secrets, c.pins, c.kept, c.heard, c.hooked = tool.Target{}, nil, nil, nil, nil, nil, nil
	return true, r.freezeTarget(ctx, c)
}

// tellTool writes into the record of the call which tool it calls.
func (c *run) tellTool() {
	spec := c.entry.spec
	c.inv.ToolID, c.inv.Version, c.inv.Set = spec.ID, spec.Version, spec.Set
	c.inv.Source, c.inv.ServerID = spec.Source, spec.ServerID
	c.inv.SideEffect, c.inv.Risk, c.inv.Idempotency = spec.Class.SideEffect, spec.Class.Risk, spec.Class.Idempotency
}

// intact finds out whether the tool of a call is what a person let in. What cannot be looked at
// counts as changed; the error is the end of ctx alone.
func (c *run) intact(ctx context.Context) (bool, error) {
	if c.entry.spec.Intact == nil {
		return true, nil
	}
	err := c.entry.spec.Intact(ctx)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return err == nil, nil
}

// raise is the class of a call, as strict as its tool wants it judged. A tool that cannot say how
// strict that is has its call denied.
func (c *run) raise(ctx context.Context) (class tool.Class, raised policy.Raised) {
	class = c.entry.spec.Class
	if c.entry.spec.Raise == nil {
		return class, policy.Raised{}
	}
	said, err := c.askRaise(ctx)
	if err != nil || said.Risk != "" && !said.Risk.Known() {
		return class, policy.Raised{Failed: true}
	}
	if said.Risk != "" && said.Risk.Rank() > class.Risk.Rank() {
		class.Risk = said.Risk
	}
	return class, policy.Raised{Person: said.Person}
}

func (c *run) askRaise(ctx context.Context) (said tool.Raise, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(v)
		}
	}()
	limited, cancel := context.WithTimeout(ctx, raiseTime)
	defer cancel()
	return c.entry.spec.Raise(limited, c.args)
}

// raiseTime is how long a tool may take to say how strictly a call is to be judged.
const raiseTime = 5 * time.Second
