package bridge

import (
	"cmp"
	"slices"

	"countersign/backend/tool"
)

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

// whyAsked tells the voices that raised the question, the weightiest first, and all of them
// when none did. That the person decides is what the card is, so it is left out; a missing
// grant comes last, since it is only what would have answered.
func whyAsked(d tool.Decision) []Why {
	links := []tool.Link{}
	for _, link := range d.Chain {
		switch {
		case link.Verdict.Rank() < tool.VerdictReview.Rank(), link.Layer == tool.LayerOperator:
		default:
			links = append(links, link)
		}
	}
	if len(links) == 0 {
		return whyAll(&d)
	}
	slices.SortStableFunc(links, func(a, b tool.Link) int {
		return cmp.Or(cmp.Compare(generality(a.Layer), generality(b.Layer)), cmp.Compare(b.Verdict.Rank(), a.Verdict.Rank()))
	})
	out := make([]Why, 0, len(links))
	for _, link := range links {
		out = append(out, whyOf(link, d.ReasonCode))
	}
	return out
}

// generality is how little a layer says of this one call: what it touches comes before what
// its kind is, and that before what the person has set for all calls.
func generality(l tool.Layer) int {
	switch l {
	case tool.LayerMatrix:
		return 1
	case tool.LayerPreset, tool.LayerReviewer:
		return 2
	case tool.LayerGrant:
		return 3
	case tool.LayerHardline, tool.LayerLock, tool.LayerTrust, tool.LayerScopes, tool.LayerPaths, tool.LayerSet,
		tool.LayerHook, tool.LayerAllowlist, tool.LayerAuthor, tool.LayerOperator:
		return 0
	}
	return 0
}

func whyOf(link tool.Link, code tool.Code) Why {
	return Why{
		Layer: string(link.Layer), Verdict: string(link.Verdict), Text: link.Reason,
		Setting: settingOf(link.Layer, code),
	}
}

// settingOf names the part of the settings that would change what a layer said, or that lists
// the rules it follows. Floors that no setting moves have none.
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
	case tool.LayerMatrix, tool.LayerTrust:
		return "profile"
	case tool.LayerPaths:
		return "paths"
	case tool.LayerSet:
		return "toolSets"
	case tool.LayerAuthor:
		return "externalToolApproval"
	case tool.LayerAllowlist:
		if code == tool.CodePolicyHostNotListed {
			return "allowedDomains"
		}
		return ""
	case tool.LayerHook:
		return "hooks"
	case tool.LayerScopes, tool.LayerHardline, tool.LayerOperator:
		return ""
	}
	return ""
}
