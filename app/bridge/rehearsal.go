package bridge

import (
	"context"
	"fmt"
	"time"

	"countersign/backend"
	"countersign/backend/config"
	"countersign/backend/session"
	"countersign/backend/store"
)

// maxFlipSubject is how much of a subject a row tells, in characters.
const maxFlipSubject = 200

// Rehearse says which past calls a change of settings would decide otherwise, as far as one
// step comes. Nothing is changed.
func (a *API) Rehearse(r RehearsalRequest) (Rehearsal, error) {
	return respond(a, "Rehearse", func(ctx context.Context) (Rehearsal, error) { return a.rehearse(ctx, r) })
}

func (a *API) rehearse(ctx context.Context, r RehearsalRequest) (Rehearsal, error) {
	patch, err := patchOf(r.Rules)
	if err != nil {
		return Rehearsal{}, err
	}
	switch {
	case len(r.Setting.Key) > maxID:
		return Rehearsal{}, invalid("setting", "is no setting")
	case len(r.Setting.Value) > maxSetting:
		return Rehearsal{}, invalid("setting", "is longer than 256 KB")
	case r.Setting.Key != "":
		patch.Values = map[string]string{r.Setting.Key: r.Setting.Value}
	}
	from, ok := markOf(r.From)
	if !ok {
		return Rehearsal{}, invalid("from", "is not a mark of an earlier answer")
	}
	step, err := a.engine.Rehearse(ctx, patch, from)
	if err != nil {
		return Rehearsal{}, settingsFault(err)
	}
	out := Rehearsal{
		Loosens: step.Loosens, Total: min(step.Total, backend.MaxRehearsed), Capped: step.Total > backend.MaxRehearsed,
		Looked: step.Looked, Next: markText(step.Next),
	}
	for _, f := range step.Flips {
		out.Flips = append(out.Flips, flipRow(f))
	}
	for _, why := range []backend.Unjudged{backend.UnjudgedTool, backend.UnjudgedFolder, backend.UnjudgedPath, backend.UnjudgedArguments} {
		if n := step.Unjudged[why]; n > 0 {
			out.Unjudged = append(out.Unjudged, UnjudgedRow{Words: unjudgedWords(why), Count: n})
		}
	}
	return out, nil
}

// markText writes how far a rehearsal has come, "" for its end.
func markText(m *backend.RehearsalMark) string {
	if m == nil {
		return ""
	}
	return fmt.Sprintf("%d.%d.%d", m.Last.At.UnixMilli(), m.Last.Num, m.Looked)
}

func markOf(text string) (m backend.RehearsalMark, ok bool) {
	if text == "" {
		return m, true
	}
	var at int64
	if n, err := fmt.Sscanf(text, "%d.%d.%d", &at, &m.Last.Num, &m.Looked); err != nil || n != 3 || m.Looked < 1 || m.Last.Num < 1 {
		return m, false
	}
	m.Last.At = time.UnixMilli(at).UTC()
	return m, markText(&m) == text
}

func flipRow(f backend.Flip) FlipRow {
	subject, left := f.Text.Open(), 0
	marker := markerIn(f.Call.SessionID, subject)
	if text := []rune(subject); len(text) > maxFlipSubject {
		subject, left = string(text[:maxFlipSubject]), len(text)-maxFlipSubject
	}
	return FlipRow{
		CallID: f.Call.ID, ToolID: toolOf(f.Call), Subject: shown([]byte(subject)), SubjectLeft: left, Marker: marker, At: stamp(f.Call.At),
		Now: string(f.Now), Would: string(f.Would), Then: thenWords(f.Call),
	}
}

// toolOf names the tool of a call, or what was asked for where there is no such tool.
func toolOf(c store.DecidedCall) string {
	if c.ToolID != "" {
		return c.ToolID
	}
	return clip(c.Wanted)
}

// thenWords say what became of a call that was decided.
func thenWords(c store.DecidedCall) string {
	denied := session.Ending(c.Ending) == session.EndingDenied
	switch session.Decider(c.Decider) {
	case session.DeciderPerson:
		if denied {
			return "You denied it"
		}
		return "You allowed it"
	case session.DeciderReviewer:
		if denied {
			return "The reviewer denied it"
		}
		return "The reviewer allowed it"
	case session.DeciderGrant:
		return "A grant let it run"
	case session.DeciderRules:
		if denied {
			return "Denied by the rules"
		}
		return "Ran without asking"
	case session.DeciderNobody:
	}
	return "Ended without an answer"
}

func unjudgedWords(why backend.Unjudged) string {
	switch why {
	case backend.UnjudgedTool:
		return "their tool is not there any more, or takes other arguments now"
	case backend.UnjudgedFolder:
		return "the folder of their session cannot be opened any more"
	case backend.UnjudgedPath:
		return "a path that they name cannot be looked up any more"
	case backend.UnjudgedArguments:
		return "their arguments are too large, or were not kept"
	}
	return "they cannot be read"
}

// Rehearse shows past calls without their secrets.
func (v veiled) Rehearse(ctx context.Context, p config.Patch, from backend.RehearsalMark) (backend.Rehearsal, error) {
	step, err := v.Engine.Rehearse(ctx, p, from)
	step.Flips = each(step.Flips, veilFlip)
	return step, err
}
