package bridge

import (
	"context"
	"log/slog"
	"slices"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// API is what a page may ask, by Dispatch: its methods are called concurrently, and return
// plain data or an *Error.
type API struct {
	ctx       context.Context
	engine    Engine
	clock     tool.Clock
	log       *slog.Logger
	version   string
	home      string
	userHome  string
	workspace string
	model     string
	faults    faultGate
}

// Config is what an API is made of.
type Config struct {
	Engine  Engine
	Clock   tool.Clock
	Log     *slog.Logger
	Version string
	Home    string
	// UserHome is the home folder of the person, "" where it is not known.
	UserHome  string
	Workspace string
	// Model names the built-in agent's model; "" means that there is no agent.
	Model string
}

// New makes an API whose methods end when ctx does.
func New(ctx context.Context, c Config) *API {
	return &API{
		ctx: ctx, engine: veiled{c.Engine}, clock: c.Clock, log: c.Log,
		version: c.Version, home: c.Home, userHome: c.UserHome, workspace: c.Workspace, model: c.Model,
	}
}

// maxID bounds an id that comes from the page, maxTask the text of a task, in bytes.
const (
	maxID   = 256
	maxTask = 256 << 10
)

// Snapshot returns what the page draws itself from.
func (a *API) Snapshot() (Snapshot, error) { return respond(a, "Snapshot", a.snapshot) }

// SessionPage returns a page of a session's timeline, oldest first.
func (a *API) SessionPage(r PageRequest) (SessionView, error) {
	return respond(a, "SessionPage", func(ctx context.Context) (SessionView, error) { return a.page(ctx, r) })
}

// SessionChanges returns the lines of a session that changed since an earlier answer.
func (a *API) SessionChanges(r ChangesRequest) (Changes, error) {
	return respond(a, "SessionChanges", func(ctx context.Context) (Changes, error) { return a.changes(ctx, r) })
}

// SessionFind returns where words stand in a session.
func (a *API) SessionFind(r FindRequest) (FindResult, error) {
	return respond(a, "SessionFind", func(ctx context.Context) (FindResult, error) { return a.find(ctx, r) })
}

// Message returns the whole text of a message.
func (a *API) Message(sessionID, id string) (string, error) {
	return respond(a, "Message", func(ctx context.Context) (string, error) {
		if len(sessionID) > maxID || len(id) > maxID {
			return "", invalid("id", "is too long")
		}
		m, err := a.engine.Message(ctx, sessionID, id)
		return shown([]byte(m.Text.Open())), err
	})
}

// Call returns a call, opened.
func (a *API) Call(id string) (CallDetail, error) {
	return respond(a, "Call", func(ctx context.Context) (CallDetail, error) { return a.call(ctx, id) })
}

// Approval returns a request with everything needed to decide.
func (a *API) Approval(id string) (ApprovalCard, error) {
	return respond(a, "Approval", func(ctx context.Context) (ApprovalCard, error) { return a.approval(ctx, id) })
}

// Answer gives a person's answer. The hash must be the one that the card showed.
func (a *API) Answer(r AnswerRequest) (AnswerResult, error) {
	return respond(a, "Answer", func(ctx context.Context) (AnswerResult, error) { return a.answer(ctx, r) })
}

// AnswerTrust answers a trust question.
func (a *API) AnswerTrust(r TrustAnswer) error {
	return perform(a, "AnswerTrust", func(ctx context.Context) error {
		if r.Answer != "yes" && r.Answer != "no" && r.Answer != "later" {
			return invalid("answer", "is not yes, no or later")
		}
		return a.engine.AnswerTrust(ctx, r.Root, r.Answer)
	})
}

// Trusts returns the answered trust questions.
func (a *API) Trusts() ([]TrustRow, error) {
	return respond(a, "Trusts", func(ctx context.Context) ([]TrustRow, error) {
		trusts, err := a.engine.Trusts(ctx)
		out := make([]TrustRow, 0, len(trusts))
		for _, t := range trusts {
			out = append(out, TrustRow{Root: t.Root, Answer: t.Answer, At: stamp(t.At)})
		}
		return out, err
	})
}

// DismissLeft ends the cards of a session whose caller left. Nothing of them runs.
func (a *API) DismissLeft(sessionID string) error {
	return perform(a, "DismissLeft", func(ctx context.Context) error { return a.engine.DismissLeft(ctx, sessionID) })
}

// ForgetTrust takes an answer back, so that the question is asked again.
func (a *API) ForgetTrust(root string) error {
	return perform(a, "ForgetTrust", func(ctx context.Context) error { return a.engine.ForgetTrust(ctx, root) })
}

// Tools returns the tool sets with their tools, those that are off too.
func (a *API) Tools() (CatalogView, error) { return respond(a, "Tools", a.catalog) }

// SwitchSet turns a tool set on or off, and tells what that did. It takes effect with the next
// decision.
func (a *API) SwitchSet(c SetChange) (Effect, error) {
	return respond(a, "SwitchSet", func(ctx context.Context) (Effect, error) { return a.switchSet(ctx, c) })
}

// Settings returns the settings in force beside the file that they come from.
func (a *API) Settings() (SettingsView, error) { return respond(a, "Settings", a.settings) }

// SetSetting gives one setting another value, and tells what that did. It takes effect with the
// next decision.
func (a *API) SetSetting(c SettingChange) (Effect, error) {
	return respond(a, "SetSetting", func(ctx context.Context) (Effect, error) { return a.setSetting(ctx, c) })
}

// SetRules changes settings, and tells what that did. A change takes effect with the next
// decision.
func (a *API) SetRules(p RulesPatch) (Effect, error) {
	return respond(a, "SetRules", func(ctx context.Context) (Effect, error) {
		patch, err := patchOf(p)
		if err != nil {
			return Effect{}, err
		}
		return a.change(ctx, patch)
	})
}

// StartTask gives the built-in agent something to do and returns the session's id.
func (a *API) StartTask(r TaskRequest) (string, error) {
	return respond(a, "StartTask", func(ctx context.Context) (string, error) {
		switch {
		case a.model == "":
			return "", Fault(CodeUnavailable, "No model is set up, so the built-in agent cannot work. Connect an agent through countersign mcp.")
		case r.Text == "" || !utf8.ValidString(r.Text):
			return "", invalid("text", "is empty or not text")
		case len(r.Text) > maxTask:
			return "", invalid("text", "is longer than 256 KB")
		case len(r.SessionID) > maxID:
			return "", invalid("sessionId", "is too long")
		}
		return a.engine.StartTask(ctx, r.SessionID, r.Text)
	})
}

// StopTurn stops the turn that runs in a session. What waits in it is cancelled.
func (a *API) StopTurn(sessionID string) error {
	return perform(a, "StopTurn", func(context.Context) error { return a.engine.StopTurn(sessionID) })
}

// StopCall stops one call that is under way here.
func (a *API) StopCall(id string) error {
	return perform(a, "StopCall", func(context.Context) error { return a.engine.StopCall(id) })
}

// answer checks an answer, gives it and tells what became of it.
func (a *API) answer(ctx context.Context, r AnswerRequest) (AnswerResult, error) {
	resolution := approval.Resolution(r.Resolution)
	switch {
	case !resolution.Known():
		return AnswerResult{}, invalid("resolution", "is not allow_once, allow_session, allow_workspace or deny")
	case r.Hash == "":
		return AnswerResult{}, invalid("hash", "is missing")
	case !utf8.ValidString(r.Words):
		return AnswerResult{}, invalid("words", "is not text")
	case utf8.RuneCountInString(r.Words) > approval.MaxWords:
		return AnswerResult{}, invalid("words", "is longer than 2,000 characters")
	case r.Words != "" && resolution != approval.Deny:
		return AnswerResult{}, invalid("words", "goes with a denial only")
	case resolution.Life() == "" && (len(r.Chosen) > 0 || r.Days != 0):
		return AnswerResult{}, invalid("chosen", "goes with an answer for the session or the workspace only")
	case slices.ContainsFunc(r.Chosen, func(c ChoiceRef) bool { return !validChoice(c.Value) }):
		return AnswerResult{}, invalid("chosen", "is not text or longer than 16 KB")
	case len(r.Keep) > 0 && resolution != approval.AllowOnce:
		return AnswerResult{}, invalid("keep", "goes with an answer for this once only")
	case r.Stop && resolution != approval.Deny:
		return AnswerResult{}, invalid("stop", "goes with a denial only")
	}
	given := approval.Answer{Resolution: resolution, Words: r.Words, ArgumentsHash: r.Hash, Card: r.Shown, Stop: r.Stop}
	if len(r.Keep) > 0 {
		given.Keep = r.Keep
	}
	if resolution.Life() != "" {
		given.Chosen, given.Days = chosenOf(r.Chosen), r.Days
	}
	answered, err := a.engine.Answer(ctx, r.ID, given)
	if err != nil {
		return AnswerResult{}, err
	}
	shown, err := a.cardOf(ctx, answered.Request)
	if err != nil {
		return AnswerResult{}, err
	}
	words := answered.Words
	if words == "" {
		words = answerWords(answered.Outcome, r.Resolution, &answered.Request)
	}
	return AnswerResult{Outcome: answered.Outcome, Words: words, Card: shown}, nil
}
