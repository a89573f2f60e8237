package registry

import (
	"slices"
	"strings"

	"countersign/backend/policy"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/tool"
)

// runGrant is the id of every grant that holds for this run of the program. None is stored.
const runGrant = "allow"

// allowed turns the grants of this program run into grants for the tool that is called: a
// rule of commands for a tool that runs one, a path for a tool with one path, where a slash at
// the end means what lies below, and a host for one with an address.
func (r *Registry) allowed(c *run) []policy.Grant {
	var out []policy.Grant
	for _, rule := range c.s.Allow {
		for _, text := range r.rulesFor(c, rule) {
			kind, value, ok := c.scope(text)
			if !ok {
				continue
			}
			spec := c.entry.spec
			out = append(out, policy.Grant{
				ID: runGrant, SessionID: c.s.SessionID, Workspace: c.s.Workspace, Life: policy.GrantRun, Kind: kind, Value: value, ToolID: spec.ID,
				Source: spec.Source, Set: spec.Set, SetOrigin: spec.Origin, Fingerprint: spec.Fingerprint, Effect: c.effect,
				Risk: spec.Class.Risk, PolicyVersion: policy.Version(c.rules), Packaged: policy.Packaged(), CreatedAt: r.clock.Now(),
			})
		}
	}
	return out
}

// scope reads what a rule matches for the call; ok is false for what is none.
func (c *run) scope(rule string) (kind policy.GrantKind, value string, ok bool) {
	spec := c.entry.spec
	switch {
	case spec.Source == tool.SourceSet:
		return policy.GrantTool, "", rule == spec.ID || rule == spec.WireName()
	case c.target.Command != "":
		read, err := shellcmd.ParseRule(rule)
		return policy.GrantCommand, read.String(), err == nil
	case len(c.target.Touches) == 1:
		kind = policy.GrantFile
		if folder := strings.TrimRight(rule, "/"); folder != "" && folder != rule {
			kind, rule = policy.GrantFolder, folder
		}
		path, err := c.s.Host.Files.Resolve(rule)
		return kind, path.Real, err == nil
	case c.target.URL != "":
		return policy.GrantHost, rule, true
	}
	return "", "", false
}

// rulesFor returns what a grant in its printed form may match. The form may begin with the name
// of a tool, and then is for that tool alone. Some tools are named like programs: for a tool
// that runs commands the name may as well be the first word of one.
func (r *Registry) rulesFor(c *run, rule string) []string {
	name, rest, named := strings.Cut(rule, " ")
	e := r.catalog.latest[name]
	if e == nil {
		e = c.s.sets().entry(name)
	}
	switch {
	case !named || e == nil:
		return []string{rule}
	case c.target.Command == "" && e.spec.ID != c.entry.spec.ID:
		return nil
	case c.target.Command == "":
		return []string{rest}
	case e.spec.ID == c.entry.spec.ID:
		return []string{rest, rule}
	}
	return []string{rule}
}

// stored returns the grants among ids that are kept in the ledger.
func stored(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == runGrant })
}
