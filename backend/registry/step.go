package registry

// Step is one step of the pipeline.
type Step int

// The fourteen steps, in order.
const (
	StepResolve Step = iota + 1
	StepEnabled
	StepScopes
	StepValidate
	StepNormalise
	StepPolicy
	StepApproval
	StepIntent
	StepClaim
	StepExecute
	StepResult
	StepBound
	StepPersist
	StepRender
)

// String names the step.
func (s Step) String() string {
	names := [...]string{
		"resolve", "enabled", "scopes", "validate", "normalise", "policy", "approval", "intent", "claim",
		"execute", "result", "bound", "persist", "render",
	}
	if s < 1 || int(s) > len(names) {
		return "unknown"
	}
	return names[s-1]
}

// Steps returns the fourteen steps in order.
func Steps() []Step {
	out := make([]Step, 0, StepRender)
	for s := StepResolve; s <= StepRender; s++ {
		out = append(out, s)
	}
	return out
}
