package policy

import (
	"fmt"
	"slices"
	"strings"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// MatrixText prints what every class of call gets in every profile under every preset,
// aligned, one line a case. It is made by deciding, so it cannot differ from what
// happens.
func MatrixText() string {
	var b strings.Builder
	b.WriteString(legend)
	for _, profile := range []session.Profile{session.ProfileStrict, session.ProfileDesktop} {
		fmt.Fprintf(&b, "\nprofile %s: calls\n\n", profile)
		printTable(&b, profile, callCases())
		fmt.Fprintf(&b, "\nprofile %s: commands\n\n", profile)
		printTable(&b, profile, commandCases())
		fmt.Fprintf(&b, "\nprofile %s: paths\n\n", profile)
		printTable(&b, profile, pathCases())
		fmt.Fprintf(&b, "\nprofile %s: locks and foreign text\n\n", profile)
		printTable(&b, profile, stateCases())
	}
	return b.String()
}

const legend = `What a call gets. In these lines it has the scopes it needs, its workspace is
trusted, no foreign text was read and no grant was given, unless the line says so.

  allow     runs
  ask       a person is asked and may allow it for the session
  once      a person is asked and may allow it once; a grant cannot cover it
  insist    as once, and no reviewer or preset could answer in the person's place
  restrict  as insist, without a default button
  review    the reviewer is asked first; without one it is ask
  review1   the reviewer is asked first; without one it is once
  deny      nobody is asked; the code stands at the end of the line
`

// matrixCase is one line of the text.
type matrixCase struct {
	class string
	what  string
	facts Facts
}

func printTable(b *strings.Builder, profile session.Profile, cases []matrixCase) {
	line := func(class, what string, cells []string, code string) {
		text := fmt.Sprintf("%-18s %-31s", class, what)
		for _, c := range cells {
			text += fmt.Sprintf(" %-8s", c)
		}
		b.WriteString(strings.TrimRight(text+" "+code, " ") + "\n")
	}
	var names []string
	for _, p := range session.Presets() {
		names = append(names, string(p))
	}
	line("class", "case", names, "code")
	for _, c := range cases {
		var cells, codes []string
		for _, p := range session.Presets() {
			f := c.facts
			f.Rules.Profile, f.Rules.Preset = profile, p
			outcome, foreseen := foresee(f)
			cells = append(cells, string(foreseen))
			if code := string(outcome.Decision.ReasonCode); foreseen == ForeseenDeny && !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
		line(c.class, c.what, cells, strings.Join(codes, " "))
	}
}

func (s *story) foreseen() Foreseen {
	reviewer := slices.ContainsFunc(s.links, func(l tool.Link) bool { return l.Layer == tool.LayerReviewer })
	switch {
	case s.force == denies:
		return ForeseenDeny
	case s.allowed:
		return ForeseenAllow
	case s.restricted:
		return ForeseenRestrict
	case s.force == insists:
		return ForeseenInsist
	case reviewer && s.offered:
		return ForeseenReview
	case reviewer:
		return ForeseenReviewOnce
	case s.offered:
		return ForeseenAsk
	}
	return ForeseenOnce
}
