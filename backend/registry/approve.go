package registry

import (
	"context"
	"errors"
	"fmt"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// approve waits, if policy asks for it, until a person has answered, and holds the answer
// against the call as it is then. It returns nil when the call may run.
func (r *Registry) approve(ctx context.Context, c *run) error {
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
	answered, kept, err := desk.Kept(ctx, c.s.SessionID, c.entry.spec.ID, c.args.Hash, c.args.Sent())
	if err != nil {
		return false, "", notObtained(err)
	}
	if !kept {
		verdict, err := r.hold(ctx, c, request)
		if err != nil {
			return false, "", notObtained(err)
		}
		if verdict.Reconsider {
			return false, moved, r.reconsider(ctx, c, verdict.Request)
		}
		answered = verdict.Request
	}
	return r.settleAnswer(ctx, c, answered, kept)
}

// errHeld is the cause of a wait that settings ended before a person answered.
var errHeld = errors.New("the hold ended")

// hold waits for the answer, no longer than the settings let a caller be held.
func (r *Registry) hold(ctx context.Context, c *run, q approval.Request) (approval.Verdict, error) {
	if c.s.MaxHold > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.s.MaxHold, errHeld)
		defer cancel()
	}
	return r.desk.Ask(ctx, q, func(approval.Request) {
		c.progress(Waiting)
		r.finished(ctx, StepApproval)
	})
}

// Progress texts of a call.
const (
	Waiting = "waiting"
	Running = "running"
)

// notObtained keeps a cancellation as what it is; anything else means that consent could
// not be obtained.
func notObtained(err error) error {
	if errors.Is(err, errHeld) {
		return tool.Errorf(tool.CodeApprovalPending, "held long enough: %w", err)
	}
	for _, cause := range []error{
		context.Canceled, context.DeadlineExceeded, approval.ErrCallerLeft, approval.ErrInterrupted, approval.ErrStopped,
	} {
		if errors.Is(err, cause) {
			return fmt.Errorf("%w: %w", context.Canceled, err)
		}
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
			err = tool.Errorf(tool.CodeApprovalError, "the preview panicked: %v", v)
		}
	}()
	return c.entry.spec.Draw(ctx, r.env(c), c.args)
}

// reconsider judges a call again whose rules changed while it waited. Its card closes when
// nobody needs to answer it any more.
func (r *Registry) reconsider(ctx context.Context, c *run, q approval.Request) error {
	if err := r.judge(ctx, c); err != nil {
		return err
	}
	switch c.policy.Decision.Verdict {
	case tool.VerdictAllow:
		return r.desk.Close(ctx, q.ID, "settings")
	case tool.VerdictDeny:
		if err := r.desk.Close(ctx, q.ID, "settings"); err != nil {
			return notObtained(err)
		}
		return tool.Errorf(tool.CodePolicyEscalated, "the rules changed while the call waited")
	case tool.VerdictAsk, tool.VerdictReview:
		moved := "The settings changed while this call waited; it still needs an answer."
		if c.inv.PolicyVersion == q.PolicyVersion {
			return nil
		}
		if err := r.desk.Refresh(ctx, q.ID, c.policy.Decision, c.inv.PolicyVersion, moved); err != nil {
			return notObtained(err)
		}
	}
	return nil
}

// settleAnswer turns an ended request into the fate of the call.
func (r *Registry) settleAnswer(ctx context.Context, c *run, q approval.Request, kept bool) (done bool, why string, err error) {
	switch q.Status {
	case approval.StatusApproved:
		return r.useAnswer(ctx, c, q, kept)
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
		if q.ResolvedBy == "settings" {
			return false, "", r.judge(ctx, c)
		}
		return false, "", fmt.Errorf("%w: the request was cancelled", context.Canceled)
	case approval.StatusPending:
		return false, "", nil
	}
	return false, "", tool.Errorf(tool.CodeApprovalError, "the request has an unknown state")
}

// useAnswer holds a person's Allow against the call as it is now. The answer was for what
// the card showed: other rules or other files mean that it was for something else.
func (r *Registry) useAnswer(ctx context.Context, c *run, q approval.Request, kept bool) (done bool, why string, err error) {
	if !kept {
		used, err := r.desk.Consume(ctx, q.ID)
		if err != nil {
			return false, "", notObtained(err)
		}
		if !used {
			return false, "", r.judge(ctx, c)
		}
	}
	if err := r.judge(ctx, c); err != nil {
		return false, "", err
	}
	if c.policy.Decision.Verdict == tool.VerdictDeny {
		return false, "", tool.Errorf(tool.CodePolicyEscalated, "the rules deny the call now")
	}
	if c.inv.PolicyVersion != q.PolicyVersion && c.policy.Decision.Verdict != tool.VerdictAllow {
		return false, "The settings changed after you answered, so the call is asked again.", nil
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

func (c *run) progress(text string) {
	if c.s.Progress != nil {
		c.s.Progress(text)
	}
}
