package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"countersign/backend/hook"
	"countersign/backend/policy"
	"countersign/backend/tool"
)

// Hook is a program of the operator's that looks at calls.
type Hook struct {
	Name string
	// Ask runs it for a call in a workspace, with a question on its standard input, and returns
	// what it printed. It ends with its context, and leaves nothing running. Any error means
	// that there is no answer.
	Ask func(ctx context.Context, s *Context, question []byte) ([]byte, error)
}

// Hooks are those in force, in the order in which they are asked.
type Hooks struct{ BeforeCall, AfterResult []Hook }

// hooksNow are the hooks of the moment.
func (r *Registry) hooksNow() Hooks {
	if r.hooks == nil {
		return Hooks{}
	}
	return r.hooks()
}

// hear asks the hooks about a call that may run so far, once for the arguments that it has.
// Each sees what the one before made of it. more is true when they said something that the
// call must be judged by.
func (r *Registry) hear(ctx context.Context, c *run) (more bool, err error) {
	hooks := r.hooksNow().BeforeCall
	if len(hooks) == 0 || bytes.Equal(c.heard, c.args.Sent()) || c.policy.Decision.Verdict == tool.VerdictDeny {
		return false, nil
	}
	c.hooked = nil
	for _, h := range hooks {
		said := policy.Hook{Name: h.Name, Verdict: tool.VerdictAllow, Foreseen: c.dry}
		if !c.dry {
			said, err = r.askBefore(ctx, c, h)
		}
		if err != nil {
			return false, err
		}
		c.hooked = append(c.hooked, said)
		if said.Failed || said.Verdict == tool.VerdictDeny {
			break
		}
	}
	c.heard = c.args.Sent()
	return true, nil
}

// askBefore asks one hook and does what it says. Its error is the end of the call's context or
// a store that cannot be read; whatever is wrong with the hook makes it one that failed.
func (r *Registry) askBefore(ctx context.Context, c *run, h Hook) (policy.Hook, error) {
	said := policy.Hook{Name: h.Name}
	reply, err := r.askHook(ctx, c, h, r.question(c, hook.BeforeCall))
	if err == nil && reply.Arguments != nil {
		if err = r.rewrite(ctx, c, reply.Arguments, tool.LayerHook); err != nil {
			err = fmt.Errorf("the call does not take what it wrote: %w", err)
		}
	}
	if ctx.Err() != nil {
		return said, ctx.Err()
	}
	if err != nil {
		r.log.Error("a hook gave no answer, so its call is denied", "hook", h.Name, "invocation", c.inv.ID, "cause", err)
		said.Verdict, said.Failed = tool.VerdictDeny, true
		return said, nil
	}
	said.Reason = reply.Reason
	switch reply.Decision {
	case hook.Pass:
		said.Verdict = tool.VerdictAllow
	case hook.Ask:
		said.Verdict = tool.VerdictAsk
	default:
		said.Verdict = tool.VerdictDeny
	}
	if reply.Arguments != nil {
		// The next hook is told what the rules say of what the call is now.
		return said, r.weigh(ctx, c)
	}
	return said, nil
}

// askHook asks a hook within its limit.
func (r *Registry) askHook(ctx context.Context, c *run, h Hook, q hook.Question) (hook.Reply, error) {
	text, err := q.Write()
	if err != nil {
		return hook.Reply{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, hook.Limit, errHookLate)
	defer cancel()
	printed, err := h.Ask(ctx, c.s, text)
	if ctx.Err() != nil {
		return hook.Reply{}, context.Cause(ctx)
	}
	if err != nil {
		return hook.Reply{}, err
	}
	return hook.Read(q.Event, printed)
}

var errHookLate = errors.New("it took longer than 5 s")

// question is what a hook is told of the call as it is now.
func (r *Registry) question(c *run, event hook.Event) hook.Question {
	spec := c.entry.spec
	return hook.Question{
		Event: event, Call: c.inv.ID, Session: c.s.SessionID, Workspace: c.s.Workspace,
		Caller: hook.Caller{Kind: string(c.s.caller().Kind), Name: c.s.caller().Name.Open()},
		Tool:   spec.ID, Wire: spec.WireName(), Effect: c.effect, Risk: c.policy.Risk,
		Arguments: c.args.Sent(), Decision: c.policy.Decision,
	}
}

// What a caller is told of a result that a hook withheld or changed.
const (
	withheldByHook = "The call was done, and a hook of the user's withheld its result. Do not repeat the call to see it; ask the user."
	textByHook     = "A hook of the user's changed this result."
)

// pass shows a result to the hooks before its caller gets it. The effect is done by then, so
// how the call ended stays what it is: a hook that refuses or gives no answer withholds what
// the caller would read, and nothing else. It is not cut short by a caller that leaves.
func (r *Registry) pass(c *run, failed bool, content []tool.Part, structured []byte) ([]tool.Part, []byte) {
	for _, h := range r.hooksNow().AfterResult {
		q := r.question(c, hook.AfterResult)
		q.Result = resultOf(failed, content, structured)
		reply, err := r.askHook(c.keep, c, h, q)
		switch {
		case err != nil:
			r.log.Error("a hook gave no answer, so a result was withheld", "hook", h.Name, "invocation", c.inv.ID, "cause", err)
			c.note(h.Name + " gave no answer, so the result was withheld. Mend the hook, or take it out of config.json; the log in the home folder has the cause.")
			return []tool.Part{tool.TextPart(withheldByHook)}, nil
		case reply.Decision == hook.Withhold:
			c.note(h.Name + " withheld the result. " + reply.Reason)
			return []tool.Part{tool.TextPart(withheldByHook)}, nil
		case reply.Text != nil:
			c.note(h.Name + " changed the result. " + reply.Reason)
			content, structured = []tool.Part{tool.TextPart(textByHook), tool.TextPart(*reply.Text)}, nil
		}
	}
	return content, structured
}

// note adds what a hook did with the result to the chain, after everything that let the call run.
func (c *run) note(words string) {
	d := c.policy.Decision
	c.speak(tool.LayerHook, d.Verdict, d.ReasonCode, "Hook "+words)
}

func resultOf(failed bool, content []tool.Part, structured []byte) *hook.Result {
	out := &hook.Result{Failed: failed, Structured: structured}
	for _, p := range content {
		switch {
		case p.Type != tool.PartText:
			out.Images++
		case out.Text != "":
			out.Text += "\n" + p.Text.Open()
		default:
			out.Text = p.Text.Open()
		}
	}
	return out
}
