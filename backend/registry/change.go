package registry

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"countersign/backend/approval"
	"countersign/backend/schema"
	"countersign/backend/tool"
)

// change makes the call that waits at the card q the one that the person would have instead,
// and returns the card of that. What the call does not take is an *approval.RefusedChange, and
// leaves the call as it was.
func (r *Registry) change(ctx context.Context, c *run, q approval.Request, text []byte) (approval.Request, error) {
	if _, err := r.follow(ctx, c, q); err != nil {
		return approval.Request{}, err
	}
	trial := *c
	next, err := r.tryChange(ctx, &trial, text)
	// What was kept while it was tried out is there, whatever becomes of the change.
	c.outputs, c.logs = trial.outputs, trial.logs
	if err != nil {
		return approval.Request{}, r.refusedChange(ctx, &trial, err)
	}
	*c = trial
	c.inv.Decision = &c.policy.Decision
	return next, nil
}

// errUnchanged refuses a change that changes nothing.
var errUnchanged = errors.New("the arguments are those that the card shows")

// tryChange takes the changed call as far as its card.
func (r *Registry) tryChange(ctx context.Context, c *run, text []byte) (approval.Request, error) {
	before := c.args.Sent()
	if err := r.rewrite(ctx, c, text, tool.LayerOperator); err != nil {
		return approval.Request{}, err
	}
	if bytes.Equal(c.args.Sent(), before) {
		return approval.Request{}, errUnchanged
	}
	if err := r.judge(ctx, c); err != nil {
		return approval.Request{}, err
	}
	if c.policy.Decision.Verdict == tool.VerdictDeny {
		return approval.Request{}, r.denied(c)
	}
	return r.request(ctx, c, "")
}

// What is said of a change that the call does not take.
const (
	changeInvalid = "The tool does not take these arguments. The card still asks for the call as it was."
	changeSame    = "These are the arguments that the card shows already."
	changeDenied  = "The rules do not let the changed call run, whoever allows it. "
	changeFails   = "The changed call would fail, so the card still asks for it as it was. "
)

// refusedChange says for the person what is wrong with a change. The end of the call's own
// context is not about the change, and ends the wait.
func (r *Registry) refusedChange(ctx context.Context, c *run, err error) error {
	if ctx.Err() != nil {
		return err
	}
	if fault, is := errors.AsType[*schema.Fault](err); is {
		out := &approval.RefusedChange{Words: changeInvalid}
		for _, p := range fault.Problems {
			out.Problems = append(out.Problems, approval.Problem{Field: p.Field, Words: p.Words})
		}
		return out
	}
	switch own, coded := errors.AsType[*tool.Error](err); {
	case errors.Is(err, errUnchanged):
		return &approval.RefusedChange{Words: changeSame}
	case c.policy.Decision.Verdict == tool.VerdictDeny:
		return &approval.RefusedChange{Words: changeDenied + said(c.policy.Decision, tool.VerdictDeny)}
	case coded:
		return &approval.RefusedChange{Words: strings.TrimSpace(changeFails + r.obstacleWords(own))}
	}
	r.log.Error("a change of the arguments could not be judged", "invocation", c.inv.ID, "cause", err)
	return &approval.RefusedChange{Words: changeFails + r.Reason(codeOf(err)).Sentence}
}

// obstacleWords is what a refusal says: its own prose, else the sentence of its code.
func (r *Registry) obstacleWords(err *tool.Error) string {
	var texts []string
	for _, p := range err.Content {
		if p.Type == tool.PartText && p.Text.Len() > 0 {
			texts = append(texts, p.Text.Open())
		}
	}
	if len(texts) == 0 {
		return r.Reason(err.Code).Sentence
	}
	return strings.Join(texts, " ")
}
