package registry

import (
	"bytes"
	"context"
	"fmt"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// settleAnswer turns an ended request into the fate of the call. done is true when the call
// may run by a person's answer; why says, when it must be judged again, what moved.
func (r *Registry) settleAnswer(ctx context.Context, c *run, v approval.Verdict) (done bool, why string, err error) {
	q := v.Request
	switch q.Status {
	case approval.StatusApproved:
		if q.Resolution == "" {
			return r.useRules(ctx, c, q)
		}
		return r.useAnswer(ctx, c, v)
	case approval.StatusDenied:
		if q.Resolution == "" {
			return r.useRules(ctx, c, q)
		}
		c.inv.DecidedBy = "person"
		c.speak(tool.LayerOperator, tool.VerdictDeny, tool.CodeApprovalUserRejected, "You denied it.")
		refusal := tool.Errorf(tool.CodeApprovalUserRejected, "a person denied the call")
		if q.Words.Len() > 0 {
			refusal.WithText(q.Words.Open())
		}
		return false, "", refusal
	case approval.StatusExpired:
		return false, "", tool.Errorf(tool.CodeApprovalExpired, "the request expired")
	case approval.StatusCancelled:
		if q.ResolvedBy != approval.BySettings && q.ResolvedBy != approval.ByFiles {
			return false, "", fmt.Errorf("%w: the request was cancelled", context.Canceled)
		}
		return r.useRules(ctx, c, q)
	case approval.StatusPending:
	}
	return false, "", tool.Errorf(tool.CodeApprovalError, "the request has no end")
}

// useRules goes on with a call whose card ended without a person, by the rules of now: they
// may have changed once more.
func (r *Registry) useRules(ctx context.Context, c *run, q approval.Request) (done bool, why string, err error) {
	c.card = ""
	if q.Status == approval.StatusApproved {
		c.card = q.ID
	}
	if err := r.judge(ctx, c); err != nil {
		return false, "", err
	}
	switch c.policy.Decision.Verdict {
	case tool.VerdictAllow:
		return false, "", nil
	case tool.VerdictDeny:
		return false, "", r.deniedNow(c, "the rules changed while the call waited")
	case tool.VerdictAsk, tool.VerdictReview:
	}
	renewed := c.renewed
	if c.renewed = false; c.card != "" {
		r.void(c, rulesChanged)
	}
	if renewed {
		return false, "The tool set changed while this call waited, so it is asked again as it is now.", nil
	}
	if q.ResolvedBy == approval.ByFiles {
		return false, "A file changed while this call waited, so it is asked again.", nil
	}
	return false, "The settings changed while this call waited, so it is asked again.", nil
}

// useAnswer holds a person's Allow against the call as it is now. The answer was for what
// the card showed: other rules or other files mean that it was for something else.
func (r *Registry) useAnswer(ctx context.Context, c *run, v approval.Verdict) (done bool, why string, err error) {
	q := v.Request
	c.card = ""
	if v.Used {
		c.card = q.ID
	}
	moved, err := r.follow(ctx, c, q)
	if err != nil {
		return false, "", err
	}
	if err := r.judge(ctx, c); err != nil {
		return false, "", err
	}
	if !v.Used {
		return false, "", nil
	}
	if c.policy.Decision.Verdict != tool.VerdictDeny && c.entry.spec.Fingerprint != q.Fingerprint {
		c.renewed = false
		r.void(c, setMoved)
		return false, "The tool set changed after you answered, so the call is asked again as it is now.", nil
	}
	if !bytes.Equal(c.args.Sent(), q.Canonical) {
		r.void(c, hookMoved)
		return false, "A hook changed the arguments after you answered, so the call is asked again.", nil
	}
	if moved {
		r.void(c, pathMoved)
		return false, "A path leads elsewhere than it did, so the call is asked again.", nil
	}
	if c.policy.Decision.Verdict == tool.VerdictDeny {
		return false, "", r.deniedNow(c, "the rules deny the call now")
	}
	if (c.inv.PolicyVersion != q.PolicyVersion || c.outgrows(q)) && c.policy.Decision.Verdict != tool.VerdictAllow {
		r.void(c, rulesChanged)
		return false, "The rules changed after you answered, so the call is asked again.", nil
	}
	if q.Note != "" {
		return r.useNoted(ctx, c)
	}
	same, err := r.unmoved(ctx, c, q.Pins)
	if err != nil {
		return false, "", err
	}
	if !same {
		r.void(c, fileMoved)
		return false, "A file changed after the preview was made, so the call is asked again.", nil
	}
	c.answered, c.pins, c.kept = q.ID, q.Pins, q.Kept()
	c.inv.DecidedBy = "person"
	c.speak(tool.LayerOperator, tool.VerdictAllow, "", allowedWords(&q))
	return true, "", nil
}

func allowedWords(q *approval.Request) string {
	if kept, of := q.KeptOf(); of > 0 {
		return fmt.Sprintf("You allowed %d of its %d changes once.", kept, of)
	}
	switch q.Resolution {
	case approval.AllowSession:
		return "You allowed it for this session."
	case approval.AllowWorkspace:
		return "You allowed it always in this workspace."
	case approval.AllowOnce, approval.Deny:
	}
	return "You allowed it once."
}

// useNoted uses an Allow to a card that said what stands in the way: the tool's own refusal
// goes to the caller now. If nothing stands in the way any more, the person has not seen
// what the call would do, and is asked again.
func (r *Registry) useNoted(ctx context.Context, c *run) (done bool, why string, err error) {
	c.pins, c.kept = nil, nil
	if _, err := r.draw(ctx, c); err != nil {
		c.inv.DecidedBy = "person"
		c.speak(tool.LayerOperator, tool.VerdictAllow, "", "You allowed it once.")
		if ctx.Err() == nil {
			r.void(c, "It would have had no effect: "+obstacle(codeOf(err))+".")
		}
		return false, "", err
	}
	r.void(c, "What stood in its way was gone, and the card had shown no diff.")
	return false, "What stood in the way of this call is gone, so it is asked again with what it would do.", nil
}

// What is said of a yes that did not run its call.
const (
	rulesChanged = "The rules changed after the card was made."
	fileMoved    = "A file changed after the card was made."
	hookMoved    = "A hook changed the arguments after the card was made."
	pathMoved    = "A path leads elsewhere than when the card was made."
	setMoved     = "The tool set changed after the card was made."
)

// deniedNow ends a call that waited and that nothing would let run any more.
func (r *Registry) deniedNow(c *run, cause string) error {
	if c.policy.Decision.ReasonCode == tool.CodePolicySetChanged {
		return r.denied(c)
	}
	return tool.Errorf(tool.CodePolicyEscalated, "%s", cause)
}

// void says on the card that had let the call run that it did not.
func (r *Registry) void(c *run, words string) {
	if err := r.desk.Void(c.keep, c.card, words); err != nil {
		r.log.Error("that a yes did not count was not stored", "invocation", c.inv.ID, "cause", err)
	}
	c.card = ""
}

// voidEnded does the same for a call that ended before its effect because something moved.
func (r *Registry) voidEnded(c *run, code tool.Code) {
	if c.card == "" || c.marked {
		return
	}
	switch code {
	case tool.CodeStale, tool.CodeApprovalInvalidated:
		r.void(c, fileMoved)
	case tool.CodePolicyPathMoved:
		r.void(c, pathMoved)
	case tool.CodePolicySetChanged:
		r.void(c, setMoved)
	case tool.CodePolicyEscalated, tool.CodeNotEnabled:
		r.void(c, rulesChanged)
	case tool.CodeCancelled:
		if !c.entered {
			r.void(c, "The call was cancelled before it ran.")
		}
	default:
		if !c.entered {
			r.void(c, r.Reason(code).Sentence)
		}
	}
}

// speak ends the chain with the link of the person or the reviewer.
func (c *run) speak(who tool.Layer, v tool.Verdict, code tool.Code, words string) {
	d := c.policy.Decision
	d.Chain = append(append([]tool.Link(nil), d.Chain...), tool.Link{Layer: who, Verdict: v, Reason: words})
	d.Verdict, d.ReasonCode = v, code
	c.policy.Decision = d
	c.inv.Decision = &c.policy.Decision
}
