package registry

import (
	"slices"
	"strings"

	"countersign/backend/policy"
	"countersign/backend/policy/shellcmd"
)

// runGrant is the id of every grant that holds for this run of the program. None is stored.
const runGrant = "allow"

// allowed turns the grants of this program run into grants for the tool that is called: a
// rule of commands for a tool that runs one, a path for a tool with one path, a host for one
// with an address.
func (r *Registry) allowed(c *run) []policy.Grant {
	var out []policy.Grant
	for _, rule := range c.s.Allow {
		rule, mine := r.ruleFor(c, rule)
		if !mine {
			continue
		}
		spec := c.entry.spec
		g := policy.Grant{
			ID: runGrant, SessionID: c.s.SessionID, Workspace: c.s.Workspace, Life: policy.GrantRun, ToolID: spec.ID,
			Source: spec.Source, Set: spec.Set, SetOrigin: spec.Origin, Fingerprint: spec.Fingerprint, Effect: c.effect,
			Risk: spec.Class.Risk, PolicyVersion: policy.Version(c.rules), Packaged: policy.Packaged(), CreatedAt: r.clock.Now(),
		}
		switch {
		case c.target.Command != "":
			read, err := shellcmd.ParseRule(rule)
			if err != nil {
				continue
			}
			g.Kind, g.Value = policy.GrantCommand, read.String()
		case len(c.target.Touches) == 1:
			path, err := c.s.Host.Files.Resolve(rule)
			if err != nil {
				continue
			}
			g.Kind, g.Value = policy.GrantFile, path.Real
		case c.target.URL != "":
			g.Kind, g.Value = policy.GrantHost, rule
		default:
			continue
		}
		out = append(out, g)
	}
	return out
}

// ruleFor returns what a grant in its printed form matches. The form may begin with the
// name of a tool; then it is for that tool alone.
func (r *Registry) ruleFor(c *run, rule string) (value string, mine bool) {
	name, rest, named := strings.Cut(rule, " ")
	e := r.catalog.latest[name]
	if !named || e == nil {
		return rule, true
	}
	return rest, e.spec.ID == c.entry.spec.ID
}

// stored returns the grants among ids that are kept in the ledger.
func stored(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == runGrant })
}
