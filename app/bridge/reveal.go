package bridge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"countersign/backend"
	"countersign/backend/redact"
)

// Reveal returns what a waiting card hides from eyes. Nothing keeps it: it goes to the page that
// asked and into no event and no log.
func (a *API) Reveal(r RevealRequest) (Revealed, error) {
	return respond(a, "Reveal", func(ctx context.Context) (Revealed, error) {
		switch {
		case len(r.ID) > maxID:
			return Revealed{}, invalid("id", "is too long")
		case r.Hash == "":
			return Revealed{}, invalid("hash", "is missing")
		}
		q, err := a.engine.Request(ctx, r.ID)
		if err != nil {
			return Revealed{}, err
		}
		veiled, err := a.cardOf(ctx, q)
		if err != nil {
			return Revealed{}, err
		}
		plain, err := a.engine.Revealed(ctx, r.ID, r.Hash)
		if errors.Is(err, backend.ErrOutdated) {
			return Revealed{}, Fault(CodeUnavailable, "What this card shows is out of date, so nothing was revealed. Look at it again.")
		}
		if err != nil {
			return Revealed{}, err
		}
		spec, _ := a.engine.Spec(q.ToolID)
		command := plain.Command.Open()
		canonical, left := bounded(plain.Canonical)
		out := Revealed{
			Command: command, Odd: oddRows(command), Listing: listingOf(plain), URL: plain.URL.Open(), Input: plain.Input.Open(),
			About: aboutRows(plain.About), Diffs: diffRows(plain.Diffs, plain.Paths), Paths: pathRows(plain.Paths),
			Arguments: argumentRows(spec, plain.Canonical), Canonical: canonical, CanonicalLeft: left,
		}
		out.Pieces = revealedPieces(veiled.texts(), out.texts(), redact.MarkOf(q.SessionID).String())
		return out, nil
	})
}

// texts are what a card shows of the call, in an order that it shares with what is revealed.
func (c *ApprovalCard) texts() []string {
	return cardTexts(&Revealed{
		Command: c.Command, URL: c.URL, Input: c.Input, About: c.About, Diffs: c.Diffs, Paths: c.Paths, Arguments: c.Arguments, Canonical: c.Canonical,
	})
}

func (r *Revealed) texts() []string { return cardTexts(r) }

func cardTexts(r *Revealed) []string {
	out := []string{r.Command, r.URL, r.Input, r.Canonical}
	for _, f := range r.About {
		out = append(out, f.Text)
	}
	for i := range r.Diffs {
		out = append(out, r.Diffs[i].Path)
		out = append(out, strings.Split(r.Diffs[i].Unified, "\n")...)
	}
	for _, p := range r.Paths {
		out = append(out, p.Path)
	}
	for _, a := range r.Arguments {
		out = append(out, a.Value)
	}
	return out
}

// revealedPieces are the texts that stand where a marker stood, the longest first. They are only
// for marking what was hidden: a text that the copy tells otherwise adds none.
func revealedPieces(veiled, plain []string, marker string) []string {
	out := []string{}
	for i := range min(len(veiled), len(plain)) {
		between := strings.Split(veiled[i], marker)
		rest, is := strings.CutPrefix(plain[i], between[0])
		for k := 1; is && k < len(between); k++ {
			at := strings.Index(rest, between[k])
			if k == len(between)-1 {
				at = len(rest) - len(between[k])
				is = strings.HasSuffix(rest, between[k])
			}
			if at < 0 || !is {
				break
			}
			if piece := rest[:at]; piece != "" && !slices.Contains(out, piece) {
				out = append(out, piece)
			}
			rest = rest[at+len(between[k]):]
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return out
}

// mustReveal reports whether something is hidden in a command or a path: what that would do
// cannot be judged unseen.
func mustReveal(c *ApprovalCard) bool {
	if c.Marker == "" {
		return false
	}
	in := func(text string) bool { return strings.Contains(text, c.Marker) }
	return in(c.Command) || in(c.Input) ||
		slices.ContainsFunc(c.Paths, func(p PathRow) bool { return in(p.Path) || in(p.Absolute) }) ||
		slices.ContainsFunc(c.Diffs, func(d FileDiff) bool { return in(d.Path) }) ||
		slices.ContainsFunc(c.About, func(f AboutRow) bool { return in(f.Text) })
}
