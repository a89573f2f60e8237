// Package agent is the built-in agent's loop: it asks a provider for a reply, takes the
// calls of the reply through the pipeline, and goes on until a reply has no calls. Any
// provider plays in it, and any call in it meets the same pipeline as a call from
// outside.
package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"countersign/backend/agent/prompt"
	"countersign/backend/approval"
	"countersign/backend/model"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Budgets of one turn.
const (
	maxReplies     = 50
	maxCorrections = 3
	maxDenials     = 3
	maxParallel    = 8
)

// Why a turn ended before the provider was done.
var (
	ErrTooManyReplies = errors.New("the turn reached its limit of replies")
	ErrNotCorrected   = errors.New("the agent did not correct its call")
	ErrDeniedAgain    = errors.New("the agent repeated a denied call")
	// ErrDeniedAndStopped means that the person denied a call and stopped the turn.
	ErrDeniedAndStopped = errors.New("the person stopped the turn")
)

// Conversation is where the messages of a session are kept.
type Conversation interface {
	// Messages returns all messages in order.
	Messages(ctx context.Context) ([]session.Message, error)
	// Add appends a message.
	Add(ctx context.Context, m session.Message) error
}

// Desk is the pipeline as the loop sees it.
type Desk interface {
	// Tools returns what is offered now.
	Tools(ctx context.Context) []tool.Spec
	// Call takes one call through the pipeline.
	Call(ctx context.Context, c tool.Call) tool.Outcome
}

// Turn runs one turn: the user's text, and replies until one has no calls. When ctx ends,
// every call that was asked for still gets an answer in the conversation, so that it
// stays valid.
func Turn(ctx context.Context, p model.Provider, conversation Conversation, desk Desk, text string) error {
	keep := context.WithoutCancel(ctx)
	if err := conversation.Add(keep, session.Message{Role: session.RoleUser, Text: tool.Mark(text), Trust: tool.TrustUser}); err != nil {
		return err
	}
	var t tally
	for range maxReplies {
		log, err := conversation.Messages(ctx)
		if err != nil {
			return err
		}
		specs := desk.Tools(ctx)
		reply, err := p.Reply(ctx, model.Request{
			System: prompt.System, Messages: prompt.Messages(log), Tools: prompt.Tools(specs),
		})
		if err != nil {
			return fmt.Errorf("ask the provider: %w", err)
		}
		if err := conversation.Add(keep, assistant(p, reply)); err != nil {
			return err
		}
		if len(reply.Calls) == 0 {
			return nil
		}
		outcomes := run(ctx, desk, specs, reply.Calls)
		if err := answer(keep, conversation, reply.Calls, outcomes); err != nil {
			return err
		}
		if err := t.judge(ctx, reply.Calls, outcomes); err != nil {
			return err
		}
	}
	return ErrTooManyReplies
}

func assistant(p model.Provider, reply model.Reply) session.Message {
	m := session.Message{
		Role: session.RoleAssistant, Text: tool.Mark(reply.Text), Model: p.Name(), Trust: tool.TrustExternalUntrusted,
	}
	for _, c := range reply.Calls {
		m.Calls = append(m.Calls, session.MessageCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return m
}

// run takes the calls of one reply through the pipeline: side by side when every one of
// them may, otherwise in the order in which they were asked for.
func run(ctx context.Context, desk Desk, specs []tool.Spec, calls []model.Call) []tool.Outcome {
	out := make([]tool.Outcome, len(calls))
	one := func(i int) {
		out[i] = desk.Call(ctx, tool.Call{ID: calls[i].ID, Key: calls[i].ID, Name: calls[i].Name, Arguments: calls[i].Arguments})
	}
	if len(calls) < 2 || len(calls) > maxParallel || !parallel(specs, calls) {
		for i := range calls {
			one(i)
		}
		return out
	}
	var wait sync.WaitGroup
	for i := range calls {
		wait.Go(func() { one(i) })
	}
	wait.Wait()
	return out
}

func parallel(specs []tool.Spec, calls []model.Call) bool {
	for _, c := range calls {
		safe := false
		for i := range specs {
			s := &specs[i]
			if s.WireName() == c.Name || s.ID == c.Name {
				safe = s.Class.Parallel && s.Class.SideEffect.ReadOnly() && s.Class.Idempotency == tool.IdempotencyReadOnly
			}
		}
		if !safe {
			return false
		}
	}
	return true
}

func answer(ctx context.Context, conversation Conversation, calls []model.Call, outcomes []tool.Outcome) error {
	for i, o := range outcomes {
		err := conversation.Add(ctx, session.Message{
			Role: session.RoleTool, CallID: calls[i].ID, Text: tool.Mark(prompt.Outcome(o)), Trust: o.OutputTrust, Status: string(o.Status),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// tally counts what a turn may not do for ever.
type tally struct {
	// corrections are replies in a row that had to be corrected.
	corrections int
	denials     map[denial]int
}

// denial is the same call denied for the same reason.
type denial struct {
	name, arguments string
	code            tool.Code
}

// judge says whether the turn may go on after the calls of a reply.
func (t *tally) judge(ctx context.Context, calls []model.Call, outcomes []tool.Outcome) error {
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		if errors.Is(cause, approval.ErrStopped) {
			return ErrDeniedAndStopped
		}
		return cause
	}
	wrong := false
	for i, o := range outcomes {
		switch {
		case o.ReasonCode == tool.CodeNotFound, o.ReasonCode == tool.CodeArgumentsInvalid:
			wrong = true
		case o.ReasonCode == tool.CodeRepeatedDenial, o.ReasonCode == tool.CodeLoopDetected:
			return ErrDeniedAgain
		case o.ReasonCode == tool.CodeApprovalPending:
			// It was told to ask again.
		case o.Status == tool.StatusDenied && t.denied(calls[i], o.ReasonCode) >= maxDenials:
			return ErrDeniedAgain
		}
	}
	if !wrong {
		t.corrections = 0
		return nil
	}
	if t.corrections++; t.corrections > maxCorrections {
		return ErrNotCorrected
	}
	return nil
}

// denied counts a denial and returns how often it came.
func (t *tally) denied(c model.Call, code tool.Code) int {
	if t.denials == nil {
		t.denials = map[denial]int{}
	}
	d := denial{c.Name, string(c.Arguments), code}
	t.denials[d]++
	return t.denials[d]
}
