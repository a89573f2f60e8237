package bridge

import (
	"strconv"

	"countersign/backend/tool"
)

// classRow tells a classification in words.
func classRow(c tool.Class) ClassRow {
	return ClassRow{
		SideEffect:  effectWords(c.SideEffect),
		Risk:        string(c.Risk),
		Idempotency: idempotencyWords(c.Idempotency),
		Action:      actionWords(c.Action),
		OutputTrust: trustWords(c.OutputTrust),
		Scopes:      append([]string{}, c.Scopes...),
		Target:      targetWords(c.Target),
		TimeoutMs:   strconv.FormatInt(c.TimeoutMs(), 10),
		OnTimeout:   timeoutWords(c.OnTimeout),
		MaxBytes:    strconv.FormatInt(c.MaxBytes, 10),
		Parallel:    c.Parallel,
	}
}

func effectWords(e tool.SideEffect) string {
	switch e {
	case tool.EffectNone:
		return "Changes nothing"
	case tool.EffectWorkspaceRead:
		return "Reads the workspace"
	case tool.EffectWorkspaceWrite:
		return "Writes to the workspace"
	case tool.EffectNetworkRead:
		return "Reads from the network"
	case tool.EffectCodeExecution:
		return "Runs code"
	case tool.EffectPackageInstall:
		return "Installs packages"
	case tool.EffectSandboxNetwork:
		return "Opens the network to a sandbox"
	case tool.EffectExternalMessage:
		return "Sends a message"
	case tool.EffectExternalWrite:
		return "Changes something outside this machine"
	case tool.EffectExternalDelete:
		return "Deletes something outside"
	case tool.EffectFinancial:
		return "Moves money"
	case tool.EffectPublication:
		return "Publishes"
	case tool.EffectCredentialAccess:
		return "Uses credentials"
	case tool.EffectHostAccess:
		return "Reaches this machine outside the workspace"
	case tool.EffectPrivileged:
		return "Acts with raised rights"
	}
	return "Unknown effect"
}

// doesWords tells a side effect in a list.
func doesWords(e tool.SideEffect) string {
	switch e {
	case tool.EffectNone:
		return "No effect"
	case tool.EffectWorkspaceRead:
		return "Reads"
	case tool.EffectWorkspaceWrite:
		return "Writes"
	case tool.EffectNetworkRead:
		return "Network read"
	case tool.EffectCodeExecution, tool.EffectPackageInstall, tool.EffectSandboxNetwork:
		return "Runs code"
	case tool.EffectExternalMessage, tool.EffectExternalWrite, tool.EffectExternalDelete, tool.EffectFinancial, tool.EffectPublication:
		return "External"
	case tool.EffectCredentialAccess:
		return "Credentials"
	case tool.EffectHostAccess:
		return "This machine"
	case tool.EffectPrivileged:
		return "Raised rights"
	}
	return "Unknown"
}

func idempotencyWords(i tool.Idempotency) string {
	switch i {
	case tool.IdempotencyReadOnly:
		return "Only reads"
	case tool.IdempotencyIdempotent:
		return "Repeating changes nothing more"
	case tool.IdempotencyConditional:
		return "Repeating is safe with a key"
	case tool.IdempotencyNone:
		return "Repeating does it again"
	}
	return "Unknown"
}

func actionWords(a tool.Action) string {
	switch a {
	case tool.ActionToolCall:
		return "Tool call"
	case tool.ActionMemoryWrite:
		return "Memory write"
	case tool.ActionSkillAuthoring:
		return "Skill authoring"
	case tool.ActionArtifactExport:
		return "Artifact export"
	}
	return "Unknown"
}

func trustWords(t tool.Trust) string {
	switch t {
	case tool.TrustPlatform:
		return "Countersign"
	case tool.TrustConfiguration:
		return "Configuration"
	case tool.TrustUser:
		return "You"
	case tool.TrustInternalTool:
		return "A built-in tool"
	case tool.TrustMemory:
		return "Memory"
	case tool.TrustKnowledge:
		return "Knowledge"
	case tool.TrustExternalUntrusted:
		return "Outside, not trusted"
	}
	return ""
}

func targetWords(k tool.TargetKind) string {
	switch k {
	case tool.TargetInProcess:
		return "Inside Countersign"
	case tool.TargetHost:
		return "On this machine"
	case tool.TargetSandbox:
		return "In a sandbox"
	case tool.TargetMCP:
		return "On an MCP server"
	case tool.TargetDevice:
		return "On a device"
	}
	return "Unknown"
}

func timeoutWords(o tool.OnTimeout) string {
	switch o {
	case tool.TimeoutKill:
		return "Stopped"
	case tool.TimeoutBackground:
		return "Moved to the background"
	}
	return "Unknown"
}
