package registry

import (
	"slices"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// Role says whose a turn of a transcript is.
type Role string

// The roles. A summary stands for turns that were folded into it.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSummary   Role = "summary"
)

// Turn is a turn of the transcript that a reviewer is given.
type Turn struct {
	Role Role
	Text tool.Untrusted
}

// What of a transcript a reviewer is given, in turns and in bytes.
const (
	maxUserTurns   = 8
	maxRecentTurns = 12
	maxTurnBytes   = 2000
)

// maxShownArguments bounds the arguments and the command that a reviewer is given, in bytes.
// What is longer is never allowed by a reviewer: it did not see all of it.
const maxShownArguments = 16 << 10

// boundTurns keeps of a transcript what a judgement needs: the first and the last thing that
// the user said, the turns of the user before that, summaries, and what happened last.
func boundTurns(all []Turn) []Turn {
	keep := make([]bool, len(all))
	user, recent := 0, 0
	for i, t := range slices.Backward(all) {
		switch {
		case t.Role == RoleSummary:
			keep[i] = true
		case t.Role == RoleUser && user < maxUserTurns:
			keep[i] = true
			user++
		case t.Role != RoleUser && recent < maxRecentTurns:
			keep[i] = true
			recent++
		}
	}
	if first := slices.IndexFunc(all, func(t Turn) bool { return t.Role == RoleUser }); first >= 0 {
		keep[first] = true
	}
	out := []Turn{}
	for i, t := range all {
		if keep[i] {
			out = append(out, Turn{t.Role, tool.Mark(bound.Head(t.Text.Open(), maxTurnBytes))})
		}
	}
	return out
}

// Evidence is what a reviewer judges a call by. All text in it is data.
type Evidence struct {
	SessionID string
	ToolID    string
	Effect    tool.SideEffect
	Risk      tool.Risk
	// Arguments are the canonical arguments, in full.
	Arguments tool.Untrusted
	// Chain is what was said of the call so far.
	Chain []tool.Link
	// Turns is a part of the transcript with at least one turn of the user.
	Turns []Turn
}

// evidence gathers what the reviewer judges by. Without a turn of the user, or with arguments
// that are too long to be given in full, there is none.
func (c *run) evidence(turns []Turn) (Evidence, bool) {
	arguments := c.args.Sent()
	if len(arguments) > maxShownArguments || !slices.ContainsFunc(turns, func(t Turn) bool { return t.Role == RoleUser && t.Text.Len() > 0 }) {
		return Evidence{}, false
	}
	return Evidence{
		SessionID: c.s.SessionID, ToolID: c.entry.spec.ID, Effect: c.effect, Risk: c.policy.Risk,
		Arguments: tool.Mark(string(arguments)), Chain: slices.Clone(c.policy.Decision.Chain), Turns: boundTurns(turns),
	}, true
}
