package bridge

import (
	"context"
	"path"
	"slices"
	"strings"

	"countersign/backend/session"
	"countersign/backend/tool"
)

func (a *API) historyChoices(ctx context.Context) (HistoryChoices, error) {
	stored, err := a.engine.HistoryChoices(ctx)
	if err != nil {
		return HistoryChoices{}, err
	}
	out := HistoryChoices{}
	for _, name := range stored.Tools {
		choice := Choice{Value: name, Label: clip(name)}
		if spec, ok := a.engine.Spec(name); ok {
			choice = Choice{Value: spec.ID, Label: spec.ID}
		}
		if !slices.Contains(out.Tools, choice) {
			out.Tools = append(out.Tools, choice)
		}
	}
	for _, e := range session.Endings() {
		out.Endings = append(out.Endings, Choice{Value: string(e), Label: endingWords(e)})
	}
	for _, d := range session.Deciders() {
		// There is no reviewer that could have decided.
		if d != session.DeciderReviewer {
			out.Deciders = append(out.Deciders, Choice{Value: string(d), Label: historyDeciderWords(d)})
		}
	}
	for _, r := range tool.Risks() {
		out.Risks = append(out.Risks, Choice{Value: string(r), Label: strings.ToUpper(string(r[:1])) + string(r[1:])})
	}
	for _, w := range stored.Workspaces {
		out.Workspaces = append(out.Workspaces, Choice{Value: w, Label: path.Base(w), Words: w})
	}
	for _, c := range stored.Callers {
		out.Callers = append(out.Callers, Choice{
			Value: string(c.Kind) + ":" + c.Name.Open(), Label: callerWords(session.Caller{Kind: c.Kind, Name: c.Name}),
		})
	}
	return out, nil
}
