package running

import (
	"time"

	"countersign/backend/tool"
)

// Bounding lets through what tools that run commands answer: they keep limits of their own.
func Bounding() tool.Bounding { return tool.Bounding{MaxBytes: 60 << 10, MaxLines: 10_000} }

// Class is that of a tool that runs commands. A call may take as long as limit; after says
// what becomes of it then.
func Class(limit time.Duration, after tool.OnTimeout) tool.Class {
	return tool.Class{
		SideEffect:  tool.EffectCodeExecution,
		Risk:        tool.RiskHigh,
		Idempotency: tool.IdempotencyNone,
		Action:      tool.ActionToolCall,
		OutputTrust: tool.TrustInternalTool,
		Target:      tool.TargetHost,
		Timeout:     limit,
		OnTimeout:   after,
		MaxBytes:    64 << 10,
	}
}

// Unavailable says which part of the machine a tool that runs commands misses.
func Unavailable(h tool.Host) error {
	part := "to run programs"
	if h.Processes != nil {
		part = "access to files"
	}
	return tool.Errorf(tool.CodeUnavailable, "the host has no files or no processes").
		WithText("This tool needs " + part + ", which this host does not offer.")
}
