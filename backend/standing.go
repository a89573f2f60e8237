package backend

import (
	"context"
	"path/filepath"
	"strings"

	"countersign/backend/config"
	"countersign/backend/host/workspace"
	"countersign/backend/policy"
	"countersign/backend/policy/pathclass"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// Standing foresees an ordinary call of a tool under the settings of now, in a trusted
// workspace and without the limits that a session may have.
func (e *Engine) Standing(spec *tool.Spec) registry.Standing {
	return e.registry.Standing(spec, e.Rules(), scopes())
}

// Foresee says what each kind of call would get under a preset with the settings of now,
// if the lock were off.
func (e *Engine) Foresee(p session.Preset) map[policy.Kind]policy.Foreseen {
	rules := e.Rules()
	rules.Preset, rules.ReadOnly = p, false
	out := map[policy.Kind]policy.Foreseen{}
	for _, k := range policy.Kinds() {
		out[k] = policy.ForeseeKind(k, rules)
	}
	return out
}

// SettingsFile tells what stands in config.json now, beside the settings in force.
func (e *Engine) SettingsFile() config.State { return e.file.Look() }

// ToolTotals returns how often each tool was called and how it last failed.
func (e *Engine) ToolTotals(ctx context.Context) ([]store.ToolTotal, error) {
	return e.store.ToolTotals(ctx)
}

// ForeseenPath is what a path is, and what reading and writing it would get.
type ForeseenPath struct {
	Path        tool.Path
	Class       pathclass.Finding
	Read, Write registry.Standing
}

// ForeseePath says what the file tools would get at a path in the desk's own workspace under
// the settings of now. It is read as a person writes it: a relative one begins at the
// workspace, ~/ at the user's home. Nothing is looked up, so no link is followed.
func (e *Engine) ForeseePath(text string) ForeseenPath {
	at := policy.Place{Workspace: e.options.Workspace, UserHome: e.options.Paths.UserHome, OwnHome: e.options.Paths.Home}
	abs := filepath.Clean(text)
	switch rest, ofHome := strings.CutPrefix(text, "~/"); {
	case ofHome && at.UserHome != "":
		abs = filepath.Join(at.UserHome, rest)
	case text == "~" && at.UserHome != "":
		abs = at.UserHome
	case !filepath.IsAbs(text):
		abs = filepath.Join(at.Workspace, text)
	}
	p := tool.Path{Arg: text, Abs: abs, Real: abs, Zone: workspace.ZoneIn(at.Workspace, at.OwnHome, e.options.Paths.OutputDir(), abs)}
	out := ForeseenPath{Path: p, Class: pathclass.Classify(pathclass.Place{Lexical: abs, Workspace: at.Workspace, OwnHome: at.OwnHome})}
	for access, to := range map[tool.Access]*registry.Standing{tool.AccessRead: &out.Read, tool.AccessWrite: &out.Write} {
		outcome, foreseen := policy.ForeseePath(p, access, at, e.Rules())
		*to = registry.Standing{SetOn: true, InCatalog: true, Decision: outcome.Decision, Foreseen: foreseen}
	}
	return out
}
