package policy

import (
	"strings"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/tool"
)

// grantable reports whether a grant may answer for calls of this class.
func grantable(e tool.SideEffect) bool {
	return e == tool.EffectWorkspaceRead || e == tool.EffectWorkspaceWrite || e == tool.EffectNetworkRead || e == tool.EffectCodeExecution
}

// granted returns the grants that cover the call together, nil where something of it is not
// covered. It is asked only where a plain question is open.
func granted(v *view) []*Grant {
	if len(v.Grants) == 0 || !grantable(v.effect) {
		return nil
	}
	live := v.live()
	if v.Target.Command != "" {
		return v.commandsGranted(live)
	}
	for _, g := range live {
		if g.covers(v) {
			return []*Grant{g}
		}
	}
	return nil
}

// live returns the grants that count for the tool and the class of the call.
func (v *view) live() []*Grant {
	place, version, packaged := v.place(), Version(v.Rules), Packaged()
	var out []*Grant
	for i := range v.Grants {
		g := &v.Grants[i]
		if g.ToolID != v.ToolID || risen(g.Effect, v.effect) {
			continue
		}
		if state, _ := g.state(place, version, packaged); state == GrantLive {
			out = append(out, g)
		}
	}
	return out
}

// risen reports whether now is more than what was granted: a grant to write a file
// lets the same tool read it, and nothing else follows from anything.
func risen(granted, now tool.SideEffect) bool {
	return now != granted && !(granted == tool.EffectWorkspaceWrite && now == tool.EffectWorkspaceRead)
}

// covers compares what the grant matches with a call that runs no command.
func (g *Grant) covers(v *view) bool {
	t := &v.Target
	if t.Runs() || v.outside != nil {
		return false
	}
	one := t.URL == "" && len(t.Touches) == 1 && inWorkspace(v.effect) && g.Value != ""
	switch g.Kind {
	case GrantFile:
		return one && t.Touches[0].Path.Real == g.Value
	case GrantFolder:
		return one && within(g.Value, t.Touches[0].Path.Real)
	case GrantHost:
		return v.effect == tool.EffectNetworkRead && len(t.Touches) == 0 && g.Value != "" && v.host == g.Value
	case GrantTool:
		return g.Value == "" && t.URL == "" && (len(t.Touches) == 0 || v.Source == tool.SourceSet)
	case GrantCommand:
	}
	return false
}

// within reports whether a real path lies below a folder that is one, too.
func within(folder, path string) bool {
	rest, below := strings.CutPrefix(path, folder)
	return below && rest != "" && (rest[0] == '/' || rest[0] == '\\' || strings.HasSuffix(folder, "/"))
}

// commandsGranted returns the grants that cover every command of the call's command line, each
// once. The line must be known through and through.
func (v *view) commandsGranted(live []*Grant) []*Grant {
	if v.unruled() != "" {
		return nil
	}
	rules := rulesOf(live)
	var out []*Grant
	for i := range v.Reading.Commands {
		g := coveredBy(rules, &v.Reading.Commands[i])
		if g == nil {
			return nil
		}
		if !holds(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// unruled says why no rules cover a command line as a whole, however many there are, in words
// that complete "Once only: "; "" when they can.
func (v *view) unruled() string {
	switch r := v.Reading; {
	case r == nil || !r.Parsed || len(r.Commands) == 0:
		return "the command could not be read."
	case v.dynamic || r.Dynamic:
		return "nobody can say what another such command would do."
	case len(r.Hidden) > 0:
		return "it holds characters that cannot be seen or may be taken for others."
	case v.Target.Input != "" || v.Target.URL != "":
		return "the call is more than a command."
	case v.outside != nil:
		return "what lies outside the workspace is asked for each time."
	case len(r.Commands) > maxParts:
		return "it runs more commands than can be looked through one by one."
	}
	return ""
}

// maxParts is how many commands of one line may run by grants.
const maxParts = 64

// ruled is a grant of commands with its rule read.
type ruled struct {
	grant *Grant
	rule  shellcmd.Rule
}

func rulesOf(live []*Grant) []ruled {
	var out []ruled
	for _, g := range live {
		if g.Kind != GrantCommand {
			continue
		}
		if r, err := shellcmd.ParseRule(g.Value); err == nil {
			out = append(out, ruled{g, r})
		}
	}
	return out
}

func coveredBy(rules []ruled, c *shellcmd.Command) *Grant {
	for _, r := range rules {
		if r.rule.Covers(c) {
			return r.grant
		}
	}
	return nil
}

func holds(list []*Grant, g *Grant) bool {
	for _, one := range list {
		if one == g {
			return true
		}
	}
	return false
}

func idsOf(grants []*Grant) []string {
	out := make([]string, len(grants))
	for i, g := range grants {
		out[i] = g.ID
	}
	return out
}
