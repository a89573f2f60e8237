package registry

import (
	"context"
	"errors"
	"fmt"

	"countersign/backend/approval"
	"countersign/backend/session"
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
			// It runs as one that nobody was asked for.
			c.answered, c.pins, c.kept = "", nil, nil
			return nil
		case tool.VerdictDeny:
			if err := r.askTrust(ctx, c); err != nil {
				return err
			}
		case tool.VerdictAsk, tool.VerdictReview:
			if again, done, err := r.review(ctx, c); done || err != nil {
				return err
			} else if again {
				continue
			}
			done, why, err := r.ask(ctx, c, moved)
			if done || err != nil {
				return err
			}
			moved = why
		}
	}
}

// errDecided ends the wait behind a trust question that the rules have decided meanwhile.
var errDecided = errors.New("the rules decide the call without the answer")

// askTrust waits behind the trust question of the workspace and judges the call again, at
// every change of the rules and after the answer.
func (r *Registry) askTrust(ctx context.Context, c *run) error {
	if !r.waitsForTrust(c) {
		return r.denied(c)
	}
	c.s.progress()(Waiting)
	trusted, err := c.s.AskTrust(ctx, func(ctx context.Context) error {
		if err := r.judge(ctx, c); err != nil {
			return err
		}
		if c.policy.Decision.Verdict == tool.VerdictDeny && r.waitsForTrust(c) {
			return nil
		}
		return errDecided
	})
	switch {
	case errors.Is(err, errDecided) && c.policy.Decision.Verdict == tool.VerdictDeny:
		return r.denied(c)
	case errors.Is(err, errDecided):
		return nil
	case err != nil:
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
		Change: func(ctx context.Context, q approval.Request, arguments []byte) (next approval.Request, err error) {
			next, err = r.change(ctx, c, q, arguments)
			if _, refused := errors.AsType[*approval.RefusedChange](err); !refused {
				own = err
			}
			return next, err
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

// says returns who hears what a tool says. The caller does not: it may be the words of any
// program.
func (s *Context) says() func(string) {
	if s.Says == nil {
		return func(string) {}
	}
	return s.Says
}

// progress returns what is told of a call that takes time.
func (s *Context) progress() func(string) {
	if s.Progress == nil {
		return func(string) {}
	}
	return s.Progress
}

// caller is who calls.
func (s *Context) caller() session.Caller {
	if s.Caller == nil {
		return session.Caller{}
	}
	return s.Caller()
}
