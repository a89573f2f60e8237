package bridge

import (
	"context"
	"unicode/utf8"
)

// Trier is what the page needs of the engine to have a person try tools.
type Trier interface {
	// TryTool takes a call of the person's own through the whole pipeline, and returns at once
	// with the session that it is in.
	TryTool(ctx context.Context, name string, arguments []byte) (sessionID string, err error)
}

// TryForm returns the arguments of a tool for a person to fill in.
func (a *API) TryForm(name string) (TryForm, error) {
	return respond(a, "TryForm", func(context.Context) (TryForm, error) {
		spec, ok := a.engine.Spec(name)
		if !ok {
			return TryForm{}, ErrNotFound
		}
		return TryForm{Fields: schemaFields(spec.Input, nil), Text: "{}"}, nil
	})
}

// TryTool makes a call for a person, who is asked about it as about any other, and returns the
// session that it is in.
func (a *API) TryTool(r TryRequest) (string, error) {
	return respond(a, "TryTool", func(ctx context.Context) (string, error) {
		switch {
		case r.Tool == "" || len(r.Tool) > maxID:
			return "", invalid("tool", "is no tool")
		case len(r.Arguments) > maxChange || !utf8.ValidString(r.Arguments):
			return "", invalid("arguments", "is not text or longer than 8 MB")
		}
		return a.engine.TryTool(ctx, r.Tool, []byte(r.Arguments))
	})
}
