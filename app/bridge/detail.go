package bridge

import (
	"strconv"

	"countersign/backend/approval"
	"countersign/backend/bound"
	"countersign/backend/change"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// detail tells an opened call. request is the one it waited for, nil without one.
func detail(inv *session.Invocation, workspace string, spec *tool.Spec, request *approval.Request, reasons map[tool.Code]tool.Reason) CallDetail {
	who := decidingOf(inv, request)
	approvalID, touches := "", []tool.Touch(nil)
	if request != nil {
		approvalID, touches = request.ID, request.Paths
	}
	d := CallDetail{
		SessionID: inv.SessionID,
		Call:      callRow(inv, session.HeadsOf(argumentText(inv)), workspace, approvalID),
		Arguments: shown(argumentText(inv)), ArgumentsHash: inv.ArgumentsHash,
		Read: partRows(inv.Content), ReasonCode: string(inv.ReasonCode), Message: reasons[inv.ReasonCode].Sentence,
		Diffs: doneDiffs(inv, workspace), Decision: whyAll(inv.Decision), DecidedBy: who.by, Verdict: who.verdict, Undecided: who.undecided,
		DecidedAt: stampOf(inv.AuthorizedAt), StartedAt: stampOf(inv.StartedAt), EndedAt: stampOf(inv.EndedAt),
		OutputTrust: trustWords(inv.OutputTrust), Truncated: inv.Truncated,
		OutputBytes: strconv.FormatInt(inv.OutputBytes, 10), Run: runRow(inv), Found: foundOf(inv.Metadata), Hidden: hiddenRows(inv.Hidden), Marker: markerOf(inv.SessionID, inv.Hidden),
	}
	if request != nil {
		d.Changed = changedOf(*request)
		if len(d.Diffs) == 0 {
			d.Diffs = diffRows(request.Diffs, touches)
		}
		endRow(&d.Call, inv, request)
		if request.ResolvedAt != nil && who.by != "" {
			d.DecidedAt = stampOf(request.ResolvedAt)
		}
	}
	if t := inv.Metadata.Truncation; t != nil {
		d.SpillPath = t.SpillPath
		d.Omitted = bound.Plural(t.OmittedLines, "line") + " left out of " + bound.Count(t.OriginalLines)
	}
	if spec != nil {
		d.Class = classRow(spec.Class)
	}
	if inv.SideEffect != "" {
		d.Class.SideEffect = effectWords(inv.SideEffect)
	}
	if inv.Risk != "" {
		d.Class.Risk = string(inv.Risk)
	}
	return d
}

// doneDiffs is the diff that a finished call reported.
func doneDiffs(inv *session.Invocation, workspace string) []FileDiff {
	m := inv.Metadata
	if m.Diff == nil || *m.Diff == "" {
		return nil
	}
	p := phraseOf(inv.ToolID)
	path := argument(argumentText(inv), p.argument)
	d := FileDiff{Path: relative(path, workspace), Unified: *m.Diff, Notes: textsOf(m.Extra[change.KeyNotes])}
	d.Created, _ = m.Extra["created"].(bool)
	if m.Additions != nil {
		d.Additions = *m.Additions
	}
	if m.Deletions != nil {
		d.Deletions = *m.Deletions
	}
	return []FileDiff{d}
}

// textsOf reads a list of texts out of stored facts.
func textsOf(v any) []string {
	out := []string{}
	list, _ := v.([]any)
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
