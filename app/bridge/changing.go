package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/redact"
	"countersign/backend/schema"
	"countersign/backend/tool"
)

// Changer is what the page needs of the engine to have the arguments of a call changed.
type Changer interface {
	// Changeable returns the arguments of a waiting call for a person to change. They are not a
	// copy without secrets where reveal asks for that.
	Changeable(ctx context.Context, id string, reveal bool) (backend.Changeable, error)
	// ChangeArguments puts other arguments in their place, which is no answer.
	ChangeArguments(ctx context.Context, id string, c backend.Changes) (approval.Result, error)
}

// maxChange bounds the arguments that a person may write, in bytes.
const maxChange = 8 << 20

// ChangeForm returns the arguments of a waiting call for a person to change.
func (a *API) ChangeForm(q ChangeQuery) (ChangeForm, error) {
	return respond(a, "ChangeForm", func(ctx context.Context) (ChangeForm, error) {
		if len(q.ID) > maxID {
			return ChangeForm{}, invalid("id", "is too long")
		}
		c, err := a.engine.Changeable(ctx, q.ID, q.Reveal)
		if err != nil {
			return ChangeForm{}, err
		}
		if len(c.Arguments) > maxArgumentText {
			return ChangeForm{}, Fault(CodeUnavailable, "These arguments are too long to be changed here. Deny the call and tell the agent what to send.")
		}
		spec, _ := a.engine.Spec(c.Request.ToolID)
		return changeForm(c, spec, q.Reveal), nil
	})
}

// ChangeArguments puts other arguments in the place of those that a card shows, under the hash
// that the form came with. The card shows them then and waits for an answer.
func (a *API) ChangeArguments(r ChangeRequest) (ChangeResult, error) {
	return respond(a, "ChangeArguments", func(ctx context.Context) (ChangeResult, error) {
		switch {
		case len(r.ID) > maxID:
			return ChangeResult{}, invalid("id", "is too long")
		case r.Hash == "":
			return ChangeResult{}, invalid("hash", "is missing")
		case len(r.Arguments) > maxChange || !utf8.ValidString(r.Arguments):
			return ChangeResult{}, invalid("arguments", "is not text or longer than 8 MB")
		}
		change := approval.Change{Arguments: []byte(r.Arguments), ArgumentsHash: r.Hash}
		done, err := a.engine.ChangeArguments(ctx, r.ID, backend.Changes{Change: change, Revealed: r.Revealed})
		if err != nil {
			return ChangeResult{}, err
		}
		out := ChangeResult{Outcome: string(done.Outcome), Words: done.Words}
		for _, p := range done.Problems {
			out.Problems = append(out.Problems, ChangeProblem(p))
		}
		switch done.Outcome {
		case approval.OutcomeGone:
			out.Words = "This card ended meanwhile, so nothing was changed. What you wrote is still here to copy."
		case approval.OutcomeConflict:
			out.Words = "The card shows other arguments by now, so yours were not taken. What you wrote is still here to copy."
		case approval.OutcomeChanged, approval.OutcomeRefused, approval.OutcomeDone, approval.OutcomeKept, approval.OutcomeSame:
		}
		out.Card, err = a.cardOf(ctx, done.Request)
		return out, err
	})
}

func changeForm(c backend.Changeable, spec *tool.Spec, revealed bool) ChangeForm {
	out := ChangeForm{
		ID: c.Request.ID, Hash: c.Request.ArgumentsHash, Hidden: c.Hidden, Locked: c.Locked, Revealed: revealed,
		Marker: strings.TrimSuffix(redact.MarkOf(c.Request.SessionID).String(), "]") + ":",
	}
	if c.Locked {
		return out
	}
	out.Text = indented(c.Arguments)
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(c.Arguments, &values); err != nil {
		return out
	}
	if spec != nil {
		out.Fields = schemaFields(spec.Input, values)
	}
	for _, name := range sortedKeys(values) {
		if !slices.ContainsFunc(out.Fields, func(f ChangeField) bool { return f.Name == name }) {
			out.Fields = append(out.Fields, ChangeField{Name: name, Kind: "json", Given: true, Value: string(values[name])})
		}
	}
	return out
}

// schemaFields are the outermost fields of a schema, those first that must be given.
func schemaFields(text []byte, values map[string]json.RawMessage) []ChangeField {
	v, err := schema.Read(text)
	if err != nil {
		return nil
	}
	root, _ := v.(map[string]any)
	t := table{root: root}
	named, _ := root["properties"].(map[string]any)
	var out []ChangeField
	for _, row := range fieldRows(text) {
		if row.Depth > 0 {
			continue
		}
		value, given := values[row.Name]
		node := t.resolved(named[row.Name])
		f := ChangeField{
			Name: row.Name, Kind: changeKind(node, value), Given: given, Value: string(value), Required: row.Required,
			Type: row.Type, Limits: row.Limits, Description: row.Description,
		}
		if f.Kind == "choice" {
			f.Choices = choicesAsJSON(node)
		}
		out = append(out, f)
	}
	return out
}

// changeKind is how a field is written. A value that its schema does not foresee is written as
// JSON, so that it can be seen and mended.
func changeKind(node map[string]any, value json.RawMessage) string {
	first := byte(0)
	if value = bytes.TrimSpace(value); len(value) > 0 {
		first = value[0]
	}
	names, choices := typeNames(node), choicesAsJSON(node)
	switch {
	case len(choices) > 0 && (first == 0 || slices.Contains(choices, string(value))):
		return "choice"
	case len(names) != 1:
		return "json"
	case names[0] == "string" && (first == 0 || first == '"'):
		return "text"
	case (names[0] == "integer" || names[0] == "number") && first != '"' && first != '{' && first != '[' && first != 't' && first != 'f' && first != 'n':
		return "number"
	case names[0] == "boolean" && (first == 0 || first == 't' || first == 'f'):
		return "boolean"
	}
	return "json"
}

func choicesAsJSON(node map[string]any) []string {
	list, _ := node["enum"].([]any)
	out := []string{}
	for _, v := range list {
		if v == nil {
			out = append(out, "null")
			continue
		}
		out = append(out, jsonText(v))
	}
	return out
}

// changedOf tells what became of the arguments of a request since the caller sent them.
func changedOf(r approval.Request) Changed {
	c := r.Changed
	if c == nil {
		return Changed{}
	}
	out := Changed{By: "hook", Words: "A hook changed the arguments that the agent sent.", HashShort: c.Hash[:min(shortHash, len(c.Hash))]}
	switch hook := slices.Contains(c.By, tool.LayerHook); {
	case c.Person() && hook:
		out.By, out.Words = "both", "A hook and you changed the arguments that the agent sent."
	case c.Person():
		out.By, out.Words = "you", "You changed the arguments that the agent sent."
	}
	before, after := argumentTexts(c.Canonical), argumentTexts(r.Canonical)
	for _, name := range c.Fields {
		field := ChangedField{Name: name, Before: before[name], After: after[name]}
		field.Hidden = field.Before == field.After
		out.Fields = append(out.Fields, field)
	}
	return out
}

// argumentTexts are the arguments of a JSON text as they are shown.
func argumentTexts(text []byte) map[string]string {
	out := map[string]string{}
	for _, row := range argumentRows(nil, text) {
		out[row.Name] = shown([]byte(row.Value))
	}
	return out
}
