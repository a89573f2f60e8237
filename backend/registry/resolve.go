package registry

import (
	"context"
	"slices"
	"strings"

	"countersign/backend/tool"
)

// resolve finds the tool by its exact name. Nothing is guessed: a name that is almost
// right is an unknown tool, and the answer lists what is offered.
func (r *Registry) resolve(ctx context.Context, c *run) (err error) {
	if c.entry, err = r.find(ctx, c.s, c.call.Name); err != nil {
		return err
	}
	if c.entry == nil {
		return tool.Errorf(tool.CodeNotFound, "no tool of that name").WithText(r.offered(c))
	}
	c.tellTool()
	return nil
}

func (r *Registry) offered(c *run) string {
	var names []string
	for _, spec := range r.Advertised(c.rules, c.s.sets()) {
		names = append(names, spec.WireName())
	}
	if len(names) == 0 {
		return "No tools are offered here."
	}
	return "Offered tools: " + strings.Join(names, ", ") + "."
}

// checkEnabled refuses a tool whose set is off or that is not in the catalog of the
// session.
func (r *Registry) checkEnabled(_ context.Context, c *run) error {
	if enabled(c.entry.spec, c.rules) {
		return nil
	}
	return tool.Errorf(tool.CodeNotEnabled, "%s is not enabled", c.entry.spec.ID).WithText(r.offered(c))
}

// checkScopes refuses a tool that needs a scope which the caller does not hold. The
// refusal never says which scopes are held.
func (r *Registry) checkScopes(_ context.Context, c *run) error {
	for _, scope := range c.entry.spec.Class.Scopes {
		if !slices.Contains(c.s.Scopes, scope) {
			return tool.Errorf(tool.CodePolicyScopeMissing, "scope %s", scope).
				WithText("Missing scope: " + scope + ".")
		}
	}
	return nil
}
