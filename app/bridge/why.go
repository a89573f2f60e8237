package bridge

import "countersign/backend/tool"

// whyAll tells every voice of a decision.
func whyAll(d *tool.Decision) []Why {
	out := []Why{}
	if d == nil {
		return out
	}
	for _, link := range d.Chain {
		// That the person decides is no reason.
		if link.Layer != tool.LayerOperator || link.Verdict == tool.VerdictDeny || link.Verdict == tool.VerdictAllow {
			out = append(out, whyOf(link, d.ReasonCode))
		}
	}
	return out
}

// whyAsked tells the voices that raised the question, and all of them when none did. That
// the person decides is what the card is, so it is left out; a missing grant comes last,
// since it is only what would have answered.
func whyAsked(d tool.Decision) []Why {
	out, grants := []Why{}, []Why{}
	for _, link := range d.Chain {
		switch {
		case link.Verdict.Rank() < tool.VerdictReview.Rank(), link.Layer == tool.LayerOperator:
		case link.Layer == tool.LayerGrant:
			grants = append(grants, whyOf(link, d.ReasonCode))
		default:
			out = append(out, whyOf(link, d.ReasonCode))
		}
	}
	if out = append(out, grants...); len(out) == 0 {
		return whyAll(&d)
	}
	return out
}

func whyOf(link tool.Link, code tool.Code) Why {
	return Why{
		Layer: string(link.Layer), Verdict: string(link.Verdict), Text: link.Reason,
		Setting: settingOf(link.Layer, code),
	}
}

// settingOf names the view that would change what a layer said. Floors that no
// setting moves have none.
func settingOf(layer tool.Layer, code tool.Code) string {
	switch layer {
	case tool.LayerPreset, tool.LayerReviewer:
		return "presets"
	case tool.LayerLock:
		if code == tool.CodePolicyWorkspaceUntrusted {
			return "trust"
		}
		return "lock"
	case tool.LayerGrant:
		return "grants"
	case tool.LayerTrust, tool.LayerScopes, tool.LayerHardline, tool.LayerMatrix, tool.LayerPaths, tool.LayerSet,
		tool.LayerHook, tool.LayerAllowlist, tool.LayerAuthor, tool.LayerOperator:
		return ""
	}
	return ""
}
