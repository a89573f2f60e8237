package bridge

import (
	"countersign/backend/session"
	"countersign/backend/tool"
)

// checkPatch refuses a value that no setting has, by the name of its field.
func checkPatch(p RulesPatch) error {
	switch {
	case p.Preset != "" && !session.Preset(p.Preset).Known():
		return invalid("preset", "is not default, edit, review, audit or full")
	case p.Catalog != "" && !tool.Catalog(p.Catalog).Known():
		return invalid("catalog", "is not plan or work")
	case p.ReadOnly != "" && p.ReadOnly != "on" && p.ReadOnly != "off":
		return invalid("readOnly", "is not on or off")
	case p.Theme != "" && p.Theme != "system" && p.Theme != "light" && p.Theme != "dark":
		return invalid("theme", "is not system, light or dark")
	}
	return nil
}

// trustQuestion tells a trust question with what each answer opens under the present settings.
func trustQuestion(q Question, rules session.Rules) TrustQuestion {
	out := TrustQuestion{
		Root: q.Root, Workspace: q.Workspace, AskedBy: clip(q.AskedBy.Open()), SessionID: q.SessionID,
		CreatedAt: stamp(q.CreatedAt), Postpone: q.Postponed, Waiting: q.Waiting,
	}
	switch {
	case rules.ReadOnly:
		out.Opens = append(out.Opens, "Nothing yet: the read-only lock is on.")
	case rules.Preset == session.PresetDefault:
		out.Opens = append(out.Opens, "Writes inside this folder, each after you allowed it.")
	default:
		out.Opens = append(out.Opens, "Writes inside this folder, as the preset lets them run.")
	}
	out.Shut = append(out.Shut, "Every change in this folder waits for your answer. After No it is denied. Reading works.",
		"Paths outside this folder ask, before and after.")
	return out
}
