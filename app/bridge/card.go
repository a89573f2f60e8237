package bridge

import (
	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/veil"
)

// shortHash is how much of a hash a card shows, in characters.
const shortHash = 12

// card tells a request with everything that a person needs to decide. spec may be nil
// when the tool is not registered any more.
func card(r approval.Request, s session.Session, spec *tool.Spec) ApprovalCard {
	canonical, left := bounded(r.Canonical)
	c := ApprovalCard{
		Row:  approvalRow(approval.Brief{Request: r, Heads: session.HeadsOf(r.Canonical)}, s),
		Wire: r.Wire, Set: r.Set, Origin: originWords(spec),
		Preview: string(r.Preview), Diffs: diffRows(r.Diffs, r.Paths), Paths: pathRows(r.Paths),
		Command: r.Command.Open(), Odd: oddRows(r.Command.Open()), Listing: listingOf(r), Offers: offerRows(r.Offers), URL: r.URL.Open(), Input: r.Input.Open(), About: aboutRows(r.About),
		Arguments: argumentRows(spec, r.Canonical), Canonical: canonical, CanonicalLeft: left,
		Hash: r.ArgumentsHash, HashShort: r.ArgumentsHash[:min(shortHash, len(r.ArgumentsHash))], Shown: r.Card,
		Why: whyAsked(r.Decision), NoGrant: r.NoGrant, Restricted: r.Restricted, Dangers: append([]string{}, r.Dangers...), Moved: r.Moved,
		Changed: changedOf(r),
		Note:    r.Note, Marker: markerOf(r.SessionID, r.Hidden), Hidden: hiddenRows(r.Hidden),
		// A high or critical risk wants a deliberate hand, and so does a risk that is not known.
		Hold: r.Risk.Rank() >= tool.RiskHigh.Rank(), MustSee: mustSee(r),
		Resolution: string(r.Resolution), Words: r.Words.Open(),
		ResolvedBy: closerWords(r.ResolvedBy), ResolvedAt: stampOf(r.ResolvedAt),
	}
	veilPaths(&c, r.SessionID)
	c.MustReveal = mustReveal(&c)
	if spec != nil {
		c.Class = classRow(spec.Class)
	}
	c.Class.SideEffect, c.Class.Risk = effectWords(r.SideEffect), string(r.Risk)
	return c
}

// veilPaths takes the secrets out of the names of files: a request keeps those as they are,
// since they are held against the files.
func veilPaths(c *ApprovalCard, sessionID string) {
	for i := range c.Paths {
		c.Paths[i].Path, c.Paths[i].Absolute = veil.Text(sessionID, c.Paths[i].Path), veil.Text(sessionID, c.Paths[i].Absolute)
	}
	for i := range c.Diffs {
		c.Diffs[i].Path, c.Diffs[i].Absolute = veil.Text(sessionID, c.Diffs[i].Path), veil.Text(sessionID, c.Diffs[i].Absolute)
	}
}

func aboutRows(facts []tool.About) []AboutRow {
	out := make([]AboutRow, 0, len(facts))
	for _, f := range facts {
		out = append(out, AboutRow{Label: f.Label, Text: shown([]byte(f.Text.Open()))})
	}
	return out
}

func originWords(spec *tool.Spec) string {
	if spec == nil {
		return "not here any more"
	}
	switch spec.Source {
	case tool.SourceBuiltin:
		return "built in"
	case tool.SourceSet:
		return spec.Origin
	case tool.SourceMCP:
		return "MCP server"
	case tool.SourceDevice:
		return "device"
	}
	return "unknown"
}
