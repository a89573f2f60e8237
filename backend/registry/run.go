package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// persistIntent stores what is about to happen, durably, before anything happens. A grant that
// was taken back in this moment has no power: the call is judged again.
func (r *Registry) persistIntent(ctx context.Context, c *run) error {
	err := r.authorize(c)
	for errors.Is(err, ErrGrantGone) {
		if err := r.judge(ctx, c); err != nil {
			return err
		}
		if err := r.approve(ctx, c); err != nil {
			return err
		}
		err = r.authorize(c)
	}
	if errors.Is(err, ErrDuplicate) {
		return tool.Errorf(tool.CodeDuplicateCall, "authorize: %w", err)
	}
	if err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "authorize the call: %w", err)
	}
	return nil
}

// authorize stores the intent and counts the grants that the call runs by.
func (r *Registry) authorize(c *run) error {
	c.inv.IdempotencyKey = c.idempotencyKey()
	c.at.authorized = r.clock.Now()
	c.inv.State, c.inv.AuthorizedAt, c.inv.Grants, c.inv.Answered = session.StateAuthorized, &c.at.authorized, nil, c.answered
	if c.answered == "" {
		c.inv.Grants = stored(c.policy.Grants)
	}
	return r.journal.Authorize(c.keep, c.inv)
}

// idempotencyKey is sha256 over session, turn, call, tool, version and argument hash. The
// attempt is not part of it.
func (c *run) idempotencyKey() string {
	key := c.call.Key
	if key == "" {
		key = c.inv.ID
	}
	var room [256]byte
	text := room[:0]
	for _, part := range [...]string{c.s.SessionID, c.s.Turn, key, c.inv.ToolID, c.inv.Version, c.args.Hash} {
		text = append(append(text, part...), 0)
	}
	return hexSum(text)
}

// claim takes the call for this program. What moved since it was judged, or since a person
// saw it, stops it here.
func (r *Registry) claim(ctx context.Context, c *run) error {
	if err := r.rightPlace(c); err != nil {
		return err
	}
	if intact, err := c.intact(ctx); err != nil {
		return err
	} else if !intact {
		return tool.Errorf(tool.CodePolicySetChanged, "the tool set changed before the claim")
	}
	if c.answered != "" {
		same, err := r.unmoved(ctx, c, c.pins)
		if err != nil {
			return err
		}
		if !same {
			return r.movedAtClaim(ctx, c)
		}
	}
	c.at.started = r.clock.Now()
	won, err := r.journal.Claim(c.keep, c.inv.ID, c.at.started)
	if err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "claim the call: %w", err)
	}
	if !won {
		return tool.Errorf(tool.CodeUnavailable, "the session belongs to another program")
	}
	c.claimed = true
	c.inv.StartedAt = &c.at.started
	return nil
}

// movedAtClaim ends a call whose files changed after the answer. A tool that can say itself
// what is wrong now, such as a stale read, does.
func (r *Registry) movedAtClaim(ctx context.Context, c *run) error {
	if _, err := r.draw(ctx, c); err != nil {
		return err
	}
	return tool.Errorf(tool.CodeApprovalInvalidated, "a file changed before the claim")
}

// execute runs the tool under its timeout. It is the one place where a tool runs. Work that
// was cancelled already never enters.
func (r *Registry) execute(ctx context.Context, c *run) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	limited := ctx
	if class := &c.entry.spec.Class; !class.KeepsTime {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, class.Timeout)
		defer cancel()
	}
	c.s.progress()(Running)
	c.entered = true
	start := r.clock.Now()
	result, err := r.invoke(limited, c)
	c.inv.DurationMs = r.clock.Now().Sub(start).Milliseconds()
	if err == nil {
		c.result, c.worked = result, true
		return nil
	}
	return c.failure(ctx, err)
}

// failure says what the error of a tool means. After the effect mark, only the tool itself
// can say that a call that may not be repeated had no effect, and only by a code.
func (c *run) failure(ctx context.Context, err error) error {
	interrupted := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	_, coded := errors.AsType[*tool.Error](err)
	once := c.inv.Idempotency == tool.IdempotencyNone || c.inv.Idempotency == tool.IdempotencyConditional
	switch {
	case c.marked && once && (interrupted || !coded):
		return tool.Errorf(tool.CodeUncertain, "ended after the effect mark: %w", err)
	case interrupted && ctx.Err() == nil:
		return tool.Errorf(tool.CodeTimeout, "over %s: %w", c.entry.spec.Class.Timeout, err)
	}
	return err
}

func (r *Registry) invoke(ctx context.Context, c *run) (result tool.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(v)
		}
	}()
	return c.entry.spec.Run(ctx, r.env(c), c.args)
}

// panicked is the error of a panic. What a panic says may hold arguments, so only what the
// runtime says of it goes on, and else its type.
func panicked(v any) error {
	what := fmt.Sprintf("%T", v)
	if fault, ok := v.(runtime.Error); ok {
		what = fault.Error()
	}
	return fmt.Errorf("panic: %s\n%s", what, debug.Stack())
}

func (r *Registry) env(c *run) tool.Env {
	host := c.s.Host
	host.Output = r.recorded(c)
	return tool.Env{
		SessionID: c.s.SessionID, InvocationID: c.inv.ID, Host: host, Target: c.target, Stamps: c.s.Memory, Contained: c.policy.Contained,
		Approval: approvalWord(c.rules), Images: c.s.Images,
		Pins: c.pins, Keep: c.kept, Notes: c.s.Notes, Marker: redact.MarkOf(c.s.SessionID).String(), Progress: c.s.says(),
		EffectStarts: func(ctx context.Context) error { return r.markEffect(ctx, c) },
	}
}

// approvalWord is the preset in force as programs are told it.
func approvalWord(rules session.Rules) string {
	if rules.Catalog == tool.CatalogPlan {
		return string(tool.CatalogPlan)
	}
	return string(rules.Preset)
}

func (r *Registry) markEffect(ctx context.Context, c *run) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !c.claimed {
		return tool.Errorf(tool.CodeExecutionFailed, "an effect before the claim")
	}
	if c.marked {
		return nil
	}
	c.at.marked = r.clock.Now()
	if err := r.journal.MarkEffect(c.keep, c.inv.ID, c.at.marked); err != nil {
		return tool.Errorf(tool.CodeStorageUnavailable, "mark the effect: %w", err)
	}
	c.marked = true
	c.inv.EffectSentAt = &c.at.marked
	return nil
}

// recorded is the output store of a call for the tool itself: what the tool keeps there is
// recorded as what the pipeline keeps is.
func (r *Registry) recorded(c *run) tool.Output {
	if c.output() == nil {
		return nil
	}
	return keeper{r, c}
}

type keeper struct {
	r *Registry
	c *run
}

// Spill keeps text and records where.
func (k keeper) Spill(ctx context.Context, label string, text io.Reader) (string, int64, error) {
	path, size, err := k.c.output().Spill(ctx, label, text)
	if err == nil {
		k.r.kept(k.c, path, size)
	}
	return path, size, err
}

// Log begins a text that grows and records where.
func (k keeper) Log(ctx context.Context, label string) (tool.Log, error) {
	return k.grows(k.c.output().Log(ctx, label))
}

// NamedLog begins a text that grows under a name and records where.
func (k keeper) NamedLog(ctx context.Context, name string) (tool.Log, error) {
	return k.grows(k.c.output().NamedLog(ctx, name))
}

// grows records a text that the call began.
func (k keeper) grows(l tool.Log, err error) (tool.Log, error) {
	if err == nil {
		k.c.logs = append(k.c.logs, log{l, k.r.clock.Now()})
		if k.c.s.Grows != nil {
			k.c.s.Grows(l)
		}
	}
	return l, err
}

func (c *run) output() tool.Output {
	if c.s.Output == nil {
		return nil
	}
	return c.s.Output(c.inv.ID)
}
