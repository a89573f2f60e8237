package backend

import (
	"context"

	"countersign/backend/config"
	"countersign/backend/policy"
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
