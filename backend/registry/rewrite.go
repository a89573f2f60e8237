package registry

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"countersign/backend/approval"
	"countersign/backend/schema"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// rewrite gives the call other arguments than its caller sent: text is the JSON of all of them,
// and by is who wants it, LayerOperator for the person or LayerHook for a hook. They pass the
// same steps as those that came: read strictly, checked against the schema, made canonical and
// hashed, and what they reach is resolved anew. The caller of rewrite must have the call judged
// after it: judge then raises a question, so that what was changed is always shown to the
// person before it runs, and the call, its card and its result say that it was changed.
//
// An error leaves the call half rewritten. Where the call is to go on as it was, rewrite a copy.
func (r *Registry) rewrite(ctx context.Context, c *run, text []byte, by tool.Layer) error {
	if c.asked == nil {
		c.asked = &sent{hash: c.args.Hash, canonical: c.args.Sent()}
	}
	if err := assemble(c, text); err != nil {
		return err
	}
	if err := r.canonicalise(ctx, c); err != nil {
		return err
	}
	c.target, c.reading, c.secrets, c.pins, c.kept = tool.Target{}, nil, nil, nil, nil
	if !slices.Contains(c.changedBy, by) {
		c.changedBy = append(slices.Clone(c.changedBy), by)
	}
	if c.rewrittenBy = by; bytes.Equal(c.args.Sent(), c.asked.canonical) {
		// It is what the caller sent again, and asked for all the same.
		c.changedBy = nil
	}
	c.tellChange()
	return r.freezeTarget(ctx, c)
}

// sent is what the caller sent, kept once it is something else that would run.
type sent struct {
	hash      string
	canonical []byte
}

// tellChange writes into the record of the call who changed it.
func (c *run) tellChange() {
	c.inv.AskedHash, c.inv.ChangedBy = "", ""
	if len(c.changedBy) == 0 {
		return
	}
	names := make([]string, 0, len(c.changedBy))
	for _, by := range c.changedBy {
		names = append(names, changerName(by))
	}
	c.inv.AskedHash, c.inv.ChangedBy = c.asked.hash, strings.Join(names, " ")
}

// changerName is what a record calls who changed a call.
func changerName(by tool.Layer) string {
	if by == tool.LayerOperator {
		return session.TagPerson
	}
	return string(by)
}

// askedHash is the hash of the arguments as the caller sent them.
func (c *run) askedHash() string {
	if c.asked != nil {
		return c.asked.hash
	}
	return c.args.Hash
}

// changed is what a card says of a call that was changed, nil for one that was not.
func (r *Registry) changed(c *run) *approval.Changed {
	if len(c.changedBy) == 0 {
		return nil
	}
	out := &approval.Changed{By: slices.Clone(c.changedBy), At: r.clock.Now(), Hash: c.asked.hash, Canonical: c.asked.canonical}
	before, err := schema.ReadObject(c.asked.canonical)
	if now, ok := c.value.(map[string]any); ok && err == nil {
		out.Fields = schema.Differing(before, now)
	}
	return out
}

// follow makes the call the one that its card shows: the person may have changed it there, at
// this call or at another that waits at the same card. moved says that what it names leads
// elsewhere than the card says.
func (r *Registry) follow(ctx context.Context, c *run, q approval.Request) (moved bool, err error) {
	if bytes.Equal(q.Canonical, c.args.Sent()) {
		return false, nil
	}
	if err := r.rewrite(ctx, c, q.Canonical, tool.LayerOperator); err != nil {
		return false, err
	}
	if q.Changed != nil {
		c.changedBy = slices.Clone(q.Changed.By)
		c.tellChange()
	}
	return !tool.SamePlaces(c.target.Touches, q.Paths), nil
}
