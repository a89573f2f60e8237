package policy

import (
	"strconv"
	"strings"

	"countersign/backend/policy/shellcmd"
	"countersign/backend/tool"
)

// Words says what the grant lets through and for how long: "Runs commands that begin with
// `git log`, in this workspace".
func (g *Grant) Words() string { return g.Matches() + g.lasts() }

// Matches says what the grant lets through, without how long.
func (g *Grant) Matches() string {
	by := " by " + strconv.Quote(g.ToolID)
	switch g.Kind {
	case GrantFile:
		return g.verb() + " " + g.inWorkspace() + by
	case GrantFolder:
		if g.Value == g.Workspace {
			return g.verb() + " any file of the workspace" + by
		}
		return g.verb() + " files below " + g.inWorkspace() + by
	case GrantHost:
		return "Reads from " + g.Value + by
	case GrantTool:
		if g.Source == tool.SourceSet {
			return "Makes any call of " + strconv.Quote(g.ToolID) + " of the tool set " + strconv.Quote(g.Set)
		}
		return "Makes any call of " + strconv.Quote(g.ToolID)
	case GrantCommand:
		return "Runs " + ruleWords(g.Value)
	}
	return "Nothing"
}

// ruleWords says which commands a rule covers.
func ruleWords(text string) string {
	r, err := shellcmd.ParseRule(text)
	switch {
	case err != nil:
		return "no command"
	case r.Prefix:
		r.Prefix = false
		return "commands that begin with `" + r.String() + "`"
	}
	return "`" + r.String() + "`, exactly so"
}

func (g *Grant) verb() string {
	if g.Effect == tool.EffectWorkspaceWrite {
		return "Changes"
	}
	return "Reads"
}

func (g *Grant) lasts() string {
	switch g.Life {
	case GrantSession:
		return ", until the session ends"
	case GrantWorkspace:
		return ", in this workspace"
	case GrantRun:
		return ", in this run"
	}
	return ""
}

// inWorkspace is the path of the grant from its workspace on.
func (g *Grant) inWorkspace() string {
	if rest, inside := strings.CutPrefix(g.Value, g.Workspace); inside && g.Workspace != "" && rest != "" {
		return tool.ShowPath(clip(strings.TrimLeft(rest, `/\`)))
	}
	return tool.ShowPath(clip(g.Value))
}

// grantedWords says that grants let a call run, and which.
func grantedWords(grants []*Grant) string {
	said := make([]string, 0, len(grants))
	for i, g := range grants {
		if i == maxSaid {
			said = append(said, strconv.Itoa(len(grants)-i)+" more")
			break
		}
		said = append(said, g.Words())
	}
	if len(grants) == 1 {
		return "You allowed it before: " + said[0] + ". Taking that grant back would ask again."
	}
	return "You allowed it before: " + strings.Join(said, "; ") + ". Taking one of these grants back would ask again."
}

// maxSaid is how many grants one sentence names.
const maxSaid = 4
