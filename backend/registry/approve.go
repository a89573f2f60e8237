package registry

import (
	"context"
	"errors"
	"fmt"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// approve waits, if policy asks for it, until a person has answered, and holds the answer
// against the call as it is then. It returns nil when the call may run. The whole wait is
// no longer than the settings let a caller be held.
func (r *Registry) approve(ctx context.Context, c *run) error {
	held := ctx
	if c.s.MaxHold > 0 {
		var cancel context.CancelFunc
		held, cancel = context.WithTimeoutCause(ctx, c.s.MaxHold, errHeld)
		defer cancel()
	}
	err := r.obtain(held, c)
	if err != nil && codeOf(err) == tool.CodeCancelled && ctx.Err() == nil && errors.Is(context.Cause(held), errHeld) {
		return tool.Errorf(tool.CodeApprovalPending, "held long enough: %w", err)
	}
	return err
}

// errHeld is the cause of a wait that settings ended before a person answered.
var errHeld = errors.New("the hold ended")

// obtain asks until a decision stands.
func (r *Registry) obtain(ctx context.Context, c *run) error {
	moved := ""
	for {
		switch c.policy.Decision.Verdict {
		case tool.VerdictAllow:
			return nil
		case tool.VerdictDeny:
			if err := r.askTrust(ctx, c); err != nil {
				return err
			}
		case tool.VerdictAsk, tool.VerdictReview:
			done, why, err := r.ask(ctx, c, moved)
			if done || err != nil {
				return err
			}
			moved = why
		}
	}
}

// askTrust waits behind the trust question of the workspace and judges the call again.
func (r *Registry) askTrust(ctx context.Context, c *run) error {
	if !r.waitsForTrust(c) {
		return r.denied(c)
	}
	c.s.progress()(Waiting)
	trusted, err := c.s.AskTrust(ctx)
	if err != nil {
		return err
	}
	if err := r.judge(ctx, c); err != nil {
		return err
	}
	if !trusted || c.policy.Decision.Verdict == tool.VerdictDeny {
		return r.denied(c)
	}
	return nil
}

// ask puts the call before a person. done is true when the call may run; why says, when
// it must be asked again, what moved meanwhile.
func (r *Registry) ask(ctx context.Context, c *run, moved string) (done bool, why string, err error) {
	desk := r.deskFor(c)
	if desk == nil {
		return false, "", tool.Errorf(tool.CodeApprovalNoOperator, "nobody can be asked")
	}
	request, err := r.request(ctx, c, moved)
	if err != nil {
		return false, "", err
	}
	var own error
	verdict, err := desk.Ask(ctx, request, approval.Hooks{
		Waiting: func(approval.Request) {
			c.s.progress()(Waiting)
			r.finished(ctx, StepApproval)
		},
		Revise: func(ctx context.Context, q approval.Request) (revision approval.Revision, err error) {
			revision, own = r.revise(ctx, c, q)
			return revision, own
		},
	})
	if own != nil {
		return false, "", own
	}
	if err != nil {
		return false, "", notObtained(err)
	}
	return r.settleAnswer(ctx, c, verdict)
}

// Progress texts of a call.
const (
	Waiting = "waiting"
	Running = "running"
)

// notObtained keeps a cancellation as what it is; anything else means that consent could
// not be obtained.
func notObtained(err error) error {
	for _, cause := range []error{
		context.Canceled, context.DeadlineExceeded, errHeld, approval.ErrCallerLeft, approval.ErrInterrupted, approval.ErrStopped,
	} {
		if errors.Is(err, cause) {
			return fmt.Errorf("%w: %w", context.Canceled, err)
		}
	}
	if errors.Is(err, approval.ErrFull) {
		return tool.Errorf(tool.CodeApprovalTooMany, "ask for approval: %w", err)
	}
	return tool.Errorf(tool.CodeApprovalError, "ask for approval: %w", err)
}

// request draws the preview and writes down what is asked.
func (r *Registry) request(ctx context.Context, c *run, moved string) (approval.Request, error) {
	spec := c.entry.spec
	preview := tool.Preview{}
	if spec.Draw != nil {
		var err error
		if preview, err = r.draw(ctx, c); err != nil {
			return approval.Request{}, err
		}
	}
	c.pins = preview.Pins
	q := approval.Request{
		SessionID: c.s.SessionID, InvocationID: c.inv.ID, ToolID: spec.ID, Wire: spec.WireName(), Set: spec.Set,
		SideEffect: c.effect, Risk: c.policy.Risk, Decision: c.policy.Decision, Restricted: c.policy.Restricted,
		ArgumentsHash: c.args.Hash, PolicyVersion: c.inv.PolicyVersion, Pins: preview.Pins, Canonical: c.args.Sent(),
		Verb: preview.Verb, Preview: spec.Preview, Diffs: preview.Diffs, Paths: c.target.Touches,
		Command: tool.Mark(c.target.Command), URL: tool.Mark(c.target.URL), NoGrant: c.policy.NoGrant, Moved: moved,
	}
	if offer := c.policy.Offer; offer != nil {
		q.Offer = &approval.Offer{Key: offer.Key(), Words: c.policy.OfferWords, Grant: *offer}
	}
	return q, nil
}

func (r *Registry) draw(ctx context.Context, c *run) (p tool.Preview, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = tool.Errorf(tool.CodeApprovalError, "draw the preview: %w", panicked(v))
		}
	}()
	return c.entry.spec.Draw(ctx, r.env(c), c.args)
}

// revise judges a call that waits by the rules of now. Its card closes when nobody needs to
// answer it any more, or when what an answer could do is no longer what the card says.
func (r *Registry) revise(ctx context.Context, c *run, q approval.Request) (approval.Revision, error) {
	err := r.judge(ctx, c)
	if err != nil && codeOf(err) != tool.CodeNotEnabled {
		return approval.Revision{}, err
	}
	asked := c.policy.Decision.Verdict == tool.VerdictAsk || c.policy.Decision.Verdict == tool.VerdictReview
	if err != nil || !asked || c.outgrows(q) || c.policy.NoGrant != q.NoGrant {
		return approval.Revision{Close: true}, nil
	}
	return approval.Revision{
		Decision: c.policy.Decision, PolicyVersion: c.inv.PolicyVersion,
		Moved: "The settings changed while this call waited; it still needs an answer.",
	}, nil
}

// outgrows reports whether the call is more than what the card q showed: an answer to it
// does not cover that.
func (c *run) outgrows(q approval.Request) bool {
	return c.effect != q.SideEffect || c.policy.Risk.Rank() > q.Risk.Rank() || c.policy.Restricted && !q.Restricted
}

// settleAnswer turns an ended request into the fate of the call.
func (r *Registry) settleAnswer(ctx context.Context, c *run, v approval.Verdict) (done bool, why string, err error) {
	q := v.Request
	switch q.Status {
	case approval.StatusApproved:
		return r.useAnswer(ctx, c, v)
	case approval.StatusDenied:
		c.inv.DecidedBy = "person"
		c.speak(tool.VerdictDeny, tool.CodeApprovalUserRejected, "You denied it.")
		refusal := tool.Errorf(tool.CodeApprovalUserRejected, "a person denied the call")
		if q.Words.Len() > 0 {
			refusal.WithText(q.Words.Open())
		}
		return false, "", refusal
	case approval.StatusExpired:
		return false, "", tool.Errorf(tool.CodeApprovalExpired, "the request expired")
	case approval.StatusCancelled:
		if q.ResolvedBy != approval.BySettings {
			return false, "", fmt.Errorf("%w: the request was cancelled", context.Canceled)
		}
		if err := r.judge(ctx, c); err != nil {
			return false, "", err
		}
		if c.policy.Decision.Verdict == tool.VerdictDeny {
			return false, "", tool.Errorf(tool.CodePolicyEscalated, "the rules changed while the call waited")
		}
		return false, "The settings changed while this call waited, so it is asked again.", nil
	case approval.StatusPending:
	}
	return false, "", tool.Errorf(tool.CodeApprovalError, "the request has no end")
}

// useAnswer holds a person's Allow against the call as it is now. The answer was for what
// the card showed: other rules or other files mean that it was for something else.
func (r *Registry) useAnswer(ctx context.Context, c *run, v approval.Verdict) (done bool, why string, err error) {
	q := v.Request
	if err := r.judge(ctx, c); err != nil {
		return false, "", err
	}
	if !v.Used {
		return false, "", nil
	}
	if c.policy.Decision.Verdict == tool.VerdictDeny {
		return false, "", tool.Errorf(tool.CodePolicyEscalated, "the rules deny the call now")
	}
	if (c.inv.PolicyVersion != q.PolicyVersion || c.outgrows(q)) && c.policy.Decision.Verdict != tool.VerdictAllow {
		return false, "The rules changed after you answered, so the call is asked again.", nil
	}
	same, err := r.unmoved(ctx, c, q.Pins)
	if err != nil {
		return false, "", err
	}
	if !same {
		return false, "A file changed after the preview was made, so the call is asked again.", nil
	}
	c.answered, c.pins = q.ID, q.Pins
	c.inv.DecidedBy = "person"
	words := "You allowed it once."
	if q.Resolution == approval.AllowSession {
		words = "You allowed it for this session."
	}
	c.speak(tool.VerdictAllow, "", words)
	return true, "", nil
}

// speak adds the person's link to the chain.
func (c *run) speak(v tool.Verdict, code tool.Code, words string) {
	d := c.policy.Decision
	d.Chain = append(append([]tool.Link(nil), d.Chain...), tool.Link{Layer: tool.LayerOperator, Verdict: v, Reason: words})
	d.Verdict, d.ReasonCode = v, code
	c.policy.Decision = d
	c.inv.Decision = &c.policy.Decision
}

// progress returns what is told of a call that takes time.
func (s *Context) progress() func(string) {
	if s.Progress == nil {
		return func(string) {}
	}
	return s.Progress
}
