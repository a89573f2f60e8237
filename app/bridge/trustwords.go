package bridge

import "countersign/backend/session"

// trustQuestion tells a trust question with what each answer opens under the present settings.
func trustQuestion(q Question, rules session.Rules) TrustQuestion {
	out := TrustQuestion{
		Root: q.Root, Workspace: q.Workspace, AskedBy: callerWords(q.AskedBy), AskerKind: string(q.AskedBy.Kind), SessionID: q.SessionID,
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
