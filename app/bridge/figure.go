package bridge

import (
	"fmt"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/change"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// figure is the short result at the end of a call's line.
func figure(inv *session.Invocation) string {
	switch inv.State {
	case session.StateSucceeded:
		if inv.ToolID == processTool {
			return processFigure(inv.Metadata)
		}
		return doneFigure(inv.Metadata)
	case session.StateDenied:
		return deniedFigure(inv)
	case session.StateFailed, session.StateUnavailable:
		return failedFigure(inv)
	case session.StateUncertain:
		return "it may have happened"
	case session.StateProposed, session.StateWaiting, session.StateAuthorized, session.StateRunning,
		session.StateCancelled:
		return ""
	}
	return ""
}

func doneFigure(m tool.Metadata) string {
	parts := []string{}
	if m.Additions != nil && m.Deletions != nil {
		parts = append(parts, fmt.Sprintf("+%d −%d", *m.Additions, *m.Deletions))
	}
	if kept, ok := wholeNumber(m.Extra[change.KeyKept]); ok {
		if of, ok := wholeNumber(m.Extra[change.KeyChanges]); ok {
			parts = append(parts, "kept "+keptWords(int(kept), int(of)))
		}
	}
	switch {
	case m.Matches != nil && m.Files != nil:
		parts = append(parts, fmt.Sprintf("%s in %s", bound.Count(int64(*m.Matches)), bound.Plural(int64(*m.Files), "file")))
	case m.Files != nil:
		parts = append(parts, bound.Plural(int64(*m.Files), "file"))
	}
	if m.Images > 0 {
		parts = append(parts, bound.Plural(int64(m.Images), "image"))
	}
	parts = append(parts, runFigure(m)...)
	if lines, ok := wholeNumber(m.Extra["lines"]); ok {
		parts = append(parts, bound.Plural(lines, "line"))
	}
	return strings.Join(parts, ", ")
}

// keptWords says how many changes were kept: "1 of 2 changes".
func keptWords(kept, of int) string {
	return bound.Count(int64(kept)) + " of " + bound.Plural(int64(of), "change")
}

func deniedFigure(inv *session.Invocation) string {
	switch inv.ReasonCode {
	case tool.CodeApprovalUserRejected:
		return "by you"
	case tool.CodeApprovalNoOperator:
		return "nobody to ask"
	case tool.CodeApprovalExpired:
		return "no answer in time"
	case tool.CodeApprovalInvalidated:
		return "changed after the answer"
	case tool.CodeApprovalPending:
		return "still waiting"
	case tool.CodePolicyBlocked:
		return "blocked"
	case tool.CodePolicyReadOnly:
		return "read-only"
	case tool.CodePolicyWorkspaceUntrusted:
		return "workspace not trusted"
	case tool.CodePolicyOutsideWorkspace:
		return "outside the workspace"
	case tool.CodePolicyEscalated:
		return "the rules changed"
	case tool.CodeNotFound:
		return "no such tool"
	case tool.CodeNotEnabled:
		return "not enabled"
	case tool.CodeRepeatedDenial:
		return "not to be repeated"
	case tool.CodeLoopDetected:
		return "repeated five times"
	case tool.CodeDuplicateCall:
		return "already taken up"
	}
	if inv.DecidedBy == "person" {
		return "by you"
	}
	return "by the rules"
}

func failedFigure(inv *session.Invocation) string {
	if inv.Metadata.ExitCode != nil {
		return fmt.Sprintf("exit %d", *inv.Metadata.ExitCode)
	}
	if words, ok := failures[inv.ReasonCode]; ok {
		return words
	}
	// A tool's own code is tool.{kind}.{detail}, and the detail is made of words.
	if own := strings.Split(string(inv.ReasonCode), "."); len(own) == 3 && own[0] == "tool" {
		return strings.ReplaceAll(own[2], "_", " ")
	}
	return ""
}

// failures are the words for the codes that do not say themselves what went wrong.
var failures = map[tool.Code]string{
	tool.CodeArgumentsInvalid:   "arguments refused",
	tool.CodeTimeout:            "time limit",
	tool.CodeOutputInvalid:      "result withheld",
	tool.CodeOutputTooLarge:     "too much output",
	tool.CodeStorageUnavailable: "could not be recorded",
	tool.CodeStale:              "file changed",
	tool.CodeNotRead:            "not read before",
	tool.CodeIO:                 "file could not be used",
	tool.CodeSpawn:              "did not start",
	tool.CodeNoProcess:          "no such process",
	"tool.not_found.not_found":  "text not found",
}

func wholeNumber(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	case float64:
		return int64(n), n == float64(int64(n))
	}
	return 0, false
}
