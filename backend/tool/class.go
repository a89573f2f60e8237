package tool

import (
	"math"
	"slices"
	"time"
)

// SideEffect says what kind of thing a call can change. The policy matrix is
// keyed by it. The set is closed: a value outside SideEffects is refused at
// registration and denied by policy.
type SideEffect string

// The fifteen classes, in the order the policy matrix prints them.
const (
	EffectNone             SideEffect = "none"
	EffectWorkspaceRead    SideEffect = "workspace_read"
	EffectWorkspaceWrite   SideEffect = "workspace_write"
	EffectNetworkRead      SideEffect = "network_read"
	EffectCodeExecution    SideEffect = "code_execution"
	EffectPackageInstall   SideEffect = "package_install"
	EffectSandboxNetwork   SideEffect = "sandbox_network"
	EffectExternalMessage  SideEffect = "external_message"
	EffectExternalWrite    SideEffect = "external_write"
	EffectExternalDelete   SideEffect = "external_delete"
	EffectFinancial        SideEffect = "financial"
	EffectPublication      SideEffect = "publication"
	EffectCredentialAccess SideEffect = "credential_access"
	EffectHostAccess       SideEffect = "host_access"
	EffectPrivileged       SideEffect = "privileged"
)

// SideEffects returns the fifteen classes in matrix order.
func SideEffects() []SideEffect {
	return []SideEffect{
		EffectNone, EffectWorkspaceRead, EffectWorkspaceWrite, EffectNetworkRead, EffectCodeExecution,
		EffectPackageInstall, EffectSandboxNetwork, EffectExternalMessage, EffectExternalWrite,
		EffectExternalDelete, EffectFinancial, EffectPublication, EffectCredentialAccess,
		EffectHostAccess, EffectPrivileged,
	}
}

// Known reports whether e is one of the fifteen classes.
func (e SideEffect) Known() bool { return slices.Contains(SideEffects(), e) }

// ReadOnly reports whether a call of this class leaves the world as it was, so
// that a crash in the middle of it leaves nothing uncertain.
func (e SideEffect) ReadOnly() bool {
	return e == EffectNone || e == EffectWorkspaceRead || e == EffectNetworkRead
}

// Risk orders the approval queue, sets expiry and groups figures. It never
// selects a decision.
type Risk string

// The four levels, lowest first.
const (
	RiskLow      Risk = "low"
	RiskMedium   Risk = "medium"
	RiskHigh     Risk = "high"
	RiskCritical Risk = "critical"
)

// Risks returns the levels, lowest first.
func Risks() []Risk { return []Risk{RiskLow, RiskMedium, RiskHigh, RiskCritical} }

// Known reports whether r is one of the four levels.
func (r Risk) Known() bool { return slices.Contains(Risks(), r) }

// Rank is 0 for low to 3 for critical, and 3 for anything unknown.
func (r Risk) Rank() int {
	if i := slices.Index(Risks(), r); i >= 0 {
		return i
	}
	return len(Risks()) - 1
}

// Idempotency says what repeating a call with the same arguments does.
type Idempotency string

// The four classes.
const (
	IdempotencyReadOnly    Idempotency = "read_only"
	IdempotencyIdempotent  Idempotency = "idempotent"
	IdempotencyConditional Idempotency = "conditionally_idempotent"
	IdempotencyNone        Idempotency = "non_idempotent"
)

// Idempotencies returns the classes, safest first.
func Idempotencies() []Idempotency {
	return []Idempotency{IdempotencyReadOnly, IdempotencyIdempotent, IdempotencyConditional, IdempotencyNone}
}

// Known reports whether i is one of the four classes.
func (i Idempotency) Known() bool { return slices.Contains(Idempotencies(), i) }

// Action says what kind of act a call is, for the approval that shows it.
type Action string

// The four kinds.
const (
	ActionToolCall       Action = "tool_call"
	ActionMemoryWrite    Action = "memory_write"
	ActionSkillAuthoring Action = "skill_authoring"
	ActionArtifactExport Action = "artifact_export"
)

// Actions returns the kinds.
func Actions() []Action {
	return []Action{ActionToolCall, ActionMemoryWrite, ActionSkillAuthoring, ActionArtifactExport}
}

// Known reports whether a is one of the four kinds.
func (a Action) Known() bool { return slices.Contains(Actions(), a) }

// Trust labels where text came from. Labels only go down on the way through the
// product. Only the first two may authorise anything, and USER within its scopes.
type Trust string

// The labels, most trusted first.
const (
	TrustPlatform          Trust = "PLATFORM"
	TrustConfiguration     Trust = "TRUSTED_CONFIGURATION"
	TrustUser              Trust = "USER"
	TrustInternalTool      Trust = "INTERNAL_TOOL"
	TrustMemory            Trust = "MEMORY"
	TrustKnowledge         Trust = "KNOWLEDGE"
	TrustExternalUntrusted Trust = "EXTERNAL_UNTRUSTED"
)

// Trusts returns the labels, most trusted first.
func Trusts() []Trust {
	return []Trust{
		TrustPlatform, TrustConfiguration, TrustUser, TrustInternalTool, TrustMemory,
		TrustKnowledge, TrustExternalUntrusted,
	}
}

// Known reports whether t is one of the labels.
func (t Trust) Known() bool { return slices.Contains(Trusts(), t) }

// Lower returns the less trusted of t and u. An unknown label counts as
// EXTERNAL_UNTRUSTED.
func (t Trust) Lower(u Trust) Trust {
	all := Trusts()
	a, b := slices.Index(all, t), slices.Index(all, u)
	if a < 0 || b < 0 {
		return TrustExternalUntrusted
	}
	return all[max(a, b)]
}

// TargetKind says where a call runs.
type TargetKind string

// The kinds of place.
const (
	TargetInProcess TargetKind = "in_process"
	TargetHost      TargetKind = "host"
	TargetSandbox   TargetKind = "sandbox"
	TargetMCP       TargetKind = "mcp"
	TargetDevice    TargetKind = "device"
)

// TargetKinds returns the kinds of place.
func TargetKinds() []TargetKind {
	return []TargetKind{TargetInProcess, TargetHost, TargetSandbox, TargetMCP, TargetDevice}
}

// Known reports whether k is one of the kinds of place.
func (k TargetKind) Known() bool { return slices.Contains(TargetKinds(), k) }

// Foreign reports whether output from this place is written by code that is not
// ours, so that it can never be trusted above EXTERNAL_UNTRUSTED.
func (k TargetKind) Foreign() bool {
	return k == TargetSandbox || k == TargetMCP || k == TargetDevice
}

// OnTimeout says what happens to a call that reaches its timeout.
type OnTimeout string

// What a timeout does. Time spent waiting for a person never counts.
const (
	TimeoutKill       OnTimeout = "kill"
	TimeoutBackground OnTimeout = "background"
)

// Known reports whether o is one of the two answers.
func (o OnTimeout) Known() bool { return o == TimeoutKill || o == TimeoutBackground }

// Catalog is a list of tools offered to a caller.
type Catalog string

// The catalogs.
const (
	CatalogPlan Catalog = "plan"
	CatalogWork Catalog = "work"
)

// Catalogs returns the catalogs, tightest first.
func Catalogs() []Catalog { return []Catalog{CatalogPlan, CatalogWork} }

// Known reports whether c is one of the catalogs.
func (c Catalog) Known() bool { return slices.Contains(Catalogs(), c) }

// NoTimeout is the timeout of a tool whose calls may take as long as they like.
const NoTimeout time.Duration = math.MaxInt64

// MaxBytesCeiling is the largest MaxBytes that a tool may declare, in bytes.
const MaxBytesCeiling = 64 << 20

// Class is the classification record of a tool. Every field has a value; a
// record with a hole refuses the start.
type Class struct {
	SideEffect  SideEffect
	Risk        Risk
	Idempotency Idempotency
	Action      Action
	// OutputTrust is the highest label a result may carry; a result may lower it.
	OutputTrust Trust
	// Scopes are the exact names that a caller must hold. Empty is complete.
	Scopes []string
	Target TargetKind
	// Timeout is NoTimeout where nothing but a cancellation ends a call.
	Timeout   time.Duration
	OnTimeout OnTimeout
	// KeepsTime says that the tool itself keeps Timeout, which covers only a part of a call. The
	// pipeline sets it no other.
	KeepsTime bool
	// MaxBytes bounds what one call may produce, in bytes.
	MaxBytes int64
	// Parallel says that calls of this tool may run side by side in one batch.
	Parallel bool
}

// TimeoutMs is the timeout in milliseconds, 0 for one that has none.
func (c *Class) TimeoutMs() int64 {
	if c.Timeout == NoTimeout {
		return 0
	}
	return c.Timeout.Milliseconds()
}
