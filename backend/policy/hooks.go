package policy

import (
	"strconv"

	"countersign/backend/tool"
)

// hookOnce says why a call that a hook asks about is allowed only once.
const hookOnce = "Once only: a hook asks about this call each time."

// hookVoice is what one hook says. It never lowers what another layer said: one that has
// nothing against a call passes, which counts for nothing.
func hookVoice(h *Hook) voice {
	name := "Hook " + strconv.Quote(h.Name)
	said := "."
	if h.Reason != "" {
		said = ". It says: " + h.Reason
	}
	switch {
	case h.Foreseen:
		return voice{force: passes, reason: name + " would be asked before the call runs. It was not asked now, and may ask you, deny the call or rewrite it."}
	case h.Failed:
		return voice{
			force: denies, code: tool.CodePolicyHookFailed,
			reason: name + " gave no answer, so the call is denied. Mend the hook, or take it out of config.json; the log in the home folder has the cause.",
		}
	}
	switch h.Verdict {
	case tool.VerdictAllow:
		return voice{force: passes, reason: name + " has nothing against it" + said}
	case tool.VerdictAsk, tool.VerdictReview:
		return voice{force: raises, once: hookOnce, reason: name + " wants you to be asked" + said}
	case tool.VerdictDeny:
	}
	return voice{force: denies, code: tool.CodePolicyHookDenied, reason: name + " denies it" + said}
}
