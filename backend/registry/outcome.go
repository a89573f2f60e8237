package registry

import (
	"context"
	"errors"
	"time"

	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// cancelledText is the exact first line of a cancelled call's content.
const cancelledText = "[Tool execution cancelled by user]"

// codeOf returns the code of an error; a context that ended is a cancellation.
func codeOf(err error) tool.Code {
	var own *tool.Error
	if errors.As(err, &own) {
		return own.Code
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return tool.CodeCancelled
	}
	return tool.CodeExecutionFailed
}

// end turns an error into the outcome of the call and stores it. A cancellation wins over
// every other end but an effect that is not known, and work that was done before it.
func (r *Registry) end(ctx context.Context, c *run, err error) tool.Outcome {
	code := codeOf(err)
	if ctx.Err() != nil && code != tool.CodeUncertain && !c.worked {
		code = tool.CodeCancelled
	}
	if c.stored {
		r.log.Info("call ended", "invocation", c.inv.ID, "tool", c.inv.ToolID, "code", string(code), "cause", err)
	}
	r.voidEnded(c, code)
	o := r.shell(c, r.Reason(code))
	if own, ok := errors.AsType[*tool.Error](err); ok && own.Code == code {
		r.explain(c, &o, own)
	}
	if code == tool.CodeCancelled {
		o.Content = []tool.Part{tool.TextPart(cancelledText + c.beforeItsEnd(o.Content))}
	}
	o.Metadata.DurationMs = c.inv.DurationMs
	c.inv.Detail = redact.Text(err.Error(), redact.MarkOf(c.s.SessionID))
	c.settleInvocation(&o, r.clock.Now())
	if c.stored {
		if err := r.journal.Finish(c.keep, c.inv, c.result.Files, c.allOutputs()); err != nil {
			r.log.Error("the end of a call was not stored", "invocation", c.inv.ID, "cause", err)
			if c.marked {
				o = r.shell(c, r.Reason(tool.CodeUncertain))
			}
		}
	}
	c.remember(&o)
	return o
}

// beforeItsEnd is what a tool that was cancelled says of what it did before, each on a line.
func (c *run) beforeItsEnd(said []tool.Part) string {
	text := ""
	if c.entered && !c.worked {
		for _, p := range said {
			text += "\n" + p.Text.Open()
		}
	}
	return text
}

// explain puts what an error says to the caller into the outcome. What a tool wrote has the
// label of the tool, and the limits of a result.
func (r *Registry) explain(c *run, o *tool.Outcome, own *tool.Error) {
	if own.Metadata != nil {
		o.Metadata = *own.Metadata
	}
	if c.entered && !c.worked && len(own.Content) > 0 {
		o.OutputTrust = c.entry.spec.Class.OutputTrust
		said, _ := r.pass(c, true, own.Content, nil)
		o.Decision = &c.policy.Decision
		o.Content = r.cut(c, r.withChange(c, said), &o.Metadata)
		return
	}
	o.Content = append(o.Content, r.withChange(c, own.Content)...)
}

// shell is an outcome with everything but its content.
func (r *Registry) shell(c *run, reason tool.Reason) tool.Outcome {
	o := tool.Outcome{
		ID: c.call.ID, Action: clip(c.call.Name), Status: reason.Status, ReasonCode: reason.Code, Message: reason.Sentence,
		Retryable: reason.Retryable, Remediation: reason.Remediation, Content: []tool.Part{}, IsError: true,
		OutputTrust: tool.TrustInternalTool, DurationMs: c.inv.DurationMs, InvocationID: c.inv.ID, Began: c.claimed,
	}
	if c.entry != nil {
		o.Action = c.entry.spec.ID
	}
	if d := &c.policy.Decision; d.Verdict != "" {
		if d.Capabilities == nil {
			d.Capabilities = []tool.Capability{}
		}
		if d.Chain == nil {
			d.Chain = []tool.Link{}
		}
		o.Decision = d
	}
	return o
}

func (r *Registry) succeeded(c *run) tool.Outcome {
	o := r.shell(c, tool.Reason{Status: tool.StatusSucceeded, Remediation: tool.RemediationNone})
	o.IsError = false
	if c.result.Content != nil {
		o.Content = c.result.Content
	}
	o.Structured = c.result.Structured
	o.Metadata = c.result.Metadata
	o.Metadata.DurationMs = c.inv.DurationMs
	o.OutputTrust = c.entry.spec.Class.OutputTrust
	if c.result.Trust != "" {
		o.OutputTrust = o.OutputTrust.Lower(c.result.Trust)
	}
	return o
}

// settleInvocation writes the end of the call into its record.
func (c *run) settleInvocation(o *tool.Outcome, at time.Time) {
	c.at.ended = at
	c.inv.State, c.inv.Status, c.inv.ReasonCode = session.StateOf(o.Status), o.Status, o.ReasonCode
	// A title is for eyes alone; what a tool cut into it, it hid before.
	o.Metadata.Title = redact.Text(o.Metadata.Title, redact.MarkOf(c.s.SessionID))
	c.inv.EndedAt, c.inv.OutputTrust = &c.at.ended, o.OutputTrust
	c.inv.Content, c.inv.Structured, c.inv.Metadata = o.Content, o.Structured, o.Metadata
}
