package bridge

import (
	"context"
	"errors"
	"strconv"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Grants returns the grants that have not ended and those that ended lately, the latest first.
func (a *API) Grants() (GrantList, error) { return respond(a, "Grants", a.grants) }

// RevokeGrant takes a grant back from the next decision on; what it let run goes on.
func (a *API) RevokeGrant(id string) error {
	return perform(a, "RevokeGrant", func(ctx context.Context) error {
		if len(id) > maxID {
			return invalid("id", "is too long")
		}
		_, err := a.engine.RevokeGrant(ctx, id)
		return err
	})
}

func (a *API) grants(ctx context.Context) (GrantList, error) {
	all, err := a.engine.Grants(ctx)
	if err != nil {
		return GrantList{}, err
	}
	out := GrantList{More: len(all) >= approval.MaxGrants, Grants: make([]GrantRow, 0, len(all))}
	known := map[string]session.Session{}
	for _, g := range all {
		s, found := known[g.SessionID]
		if !found {
			s, err = a.engine.Session(ctx, g.SessionID)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return GrantList{}, err
			}
			known[g.SessionID] = s
		}
		out.Grants = append(out.Grants, grantRow(&g, s))
	}
	return out, nil
}

// grantRow tells a grant that was given in s, which has no id when it is not kept any more.
func grantRow(g *backend.LedgerGrant, s session.Session) GrantRow {
	row := GrantRow{
		ID: g.ID, Life: string(g.Life), ToolID: g.ToolID, Key: g.Key(), State: string(g.State), Why: g.Why,
		Workspace: g.Workspace, By: giverWords(g.By), CallID: g.CallID, At: stamp(g.CreatedAt), UsedAt: stampOf(g.LastUsed),
		Uses: strconv.FormatInt(g.Uses, 10), ExpiresAt: stampOf(g.ExpiresAt), SweptAt: stampOf(g.SweptAt), EndedAt: stampOf(g.EndedAt),
	}
	if s.ID != "" {
		row.SessionID, row.Session, row.Caller = s.ID, titleOf(s), callerWords(s.Caller)
	} else {
		row.CallID = ""
	}
	if row.Workspace == "" {
		row.Workspace = s.Workspace
	}
	row.Verb, row.Subject, row.Words = grantWords(&g.Grant, row.Workspace)
	row.IsPath = row.Subject != "" && (g.Kind == policy.GrantFile || g.Kind == policy.GrantFolder)
	return row
}

// giverWords names who gave a grant.
func giverWords(by string) string {
	if by == "" || by == "person" {
		return "you"
	}
	return by
}

// grantWords says what a grant lets through, and what not.
func grantWords(g *policy.Grant, workspace string) (verb, subject, words string) {
	does := "Reads"
	if g.Effect == tool.EffectWorkspaceWrite {
		does = "Changes"
	}
	switch g.Kind {
	case policy.GrantFile:
		return does, relative(g.Value, workspace), "This one file, with any content."
	case policy.GrantFolder:
		if g.Value == workspace {
			return does + " any file of the workspace", "", "Not what is protected, and not new kinds of change."
		}
		return does + " files below", relative(g.Value, workspace) + "/", "Every file below it, with any content; not what is protected."
	case policy.GrantHost:
		return "Reads from", g.Value, "Reads only, any path on this host."
	case policy.GrantTool:
		if g.Source == tool.SourceSet {
			return "Makes any call of", g.ToolID, "Ends by itself when the tool set changes."
		}
		return "Makes any call of", g.ToolID, "With any arguments."
	case policy.GrantCommand:
		return commandGrantWords(g.Value)
	}
	return "Lets nothing through", "", ""
}

func commandGrantWords(value string) (verb, subject, words string) {
	rule, err := shellcmd.ParseRule(value)
	switch {
	case err != nil:
		return "Runs no command: this cannot be read", value, "Revoke it, and allow the command again when it comes."
	case rule.Prefix:
		rule.Prefix = false
		return "Runs commands that begin with", rule.String(), "Not with redirects, outside the workspace, or with options that do something else."
	}
	return "Runs exactly", rule.String(), "No other words, no redirects."
}
