package mcp

import (
	"bytes"
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/backend/tool"
)

// waitNote ends each tool's description.
const waitNote = "A call may wait for a person's decision; wait for its result and do not repeat it."

// shown is a tool as clients see it.
type shown struct {
	// wire is the JSON that was last announced, to tell a change from none.
	wire []byte
	// structured says that the tool has an output schema.
	structured bool
}

// refresh makes the SDK's list equal to the session's. The SDK tells the client when
// anything changed.
func (d *door) refresh(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	have := map[string]bool{}
	for _, spec := range d.session.Tools(ctx) {
		t := toolOf(&spec)
		have[t.Name] = true
		wire := encode(t)
		if bytes.Equal(wire, d.tools[t.Name].wire) {
			continue
		}
		d.server.AddTool(t, notHere)
		d.tools[t.Name] = shown{wire: wire, structured: spec.Output != nil}
	}
	for name := range d.tools {
		if !have[name] {
			d.server.RemoveTools(name)
			delete(d.tools, name)
		}
	}
}

// toolOf describes a tool to clients. Some of them let a tool run unasked when it says
// that it only reads, so the hints are what the classification says and no kinder.
func toolOf(s *tool.Spec) *sdk.Tool {
	t := &sdk.Tool{
		Name:        s.WireName(),
		Description: fmt.Sprintf("%s\n\n%s", s.Description, waitNote),
		InputSchema: s.Input,
		Annotations: hints(s.Class),
	}
	if s.Output != nil {
		t.OutputSchema = s.Output
	}
	return t
}

func hints(c tool.Class) *sdk.ToolAnnotations {
	readOnly := c.SideEffect.ReadOnly()
	destructive, open := !readOnly, reachesOut(c)
	return &sdk.ToolAnnotations{
		ReadOnlyHint:    readOnly,
		DestructiveHint: &destructive,
		IdempotentHint:  c.Idempotency == tool.IdempotencyReadOnly || c.Idempotency == tool.IdempotencyIdempotent,
		OpenWorldHint:   &open,
	}
}

// reachesOut reports whether a call may meet anything beyond this machine.
func reachesOut(c tool.Class) bool {
	switch c.SideEffect {
	case tool.EffectNone, tool.EffectWorkspaceRead, tool.EffectWorkspaceWrite,
		tool.EffectHostAccess, tool.EffectCredentialAccess, tool.EffectPrivileged:
		return c.Target.Foreign()
	case tool.EffectNetworkRead, tool.EffectCodeExecution, tool.EffectPackageInstall,
		tool.EffectSandboxNetwork, tool.EffectExternalMessage, tool.EffectExternalWrite,
		tool.EffectExternalDelete, tool.EffectFinancial, tool.EffectPublication:
		return true
	}
	return true
}
