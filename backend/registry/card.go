package registry

import (
	"context"
	"errors"
	"slices"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/redact"
	"countersign/backend/tool"
	"countersign/backend/veil"
)

// request draws the preview and writes down what is asked.
func (r *Registry) request(ctx context.Context, c *run, moved string) (approval.Request, error) {
	spec := c.entry.spec
	preview, note, err := r.preview(ctx, c)
	if err != nil {
		return approval.Request{}, err
	}
	c.pins = preview.Pins
	q := approval.Request{
		SessionID: c.s.SessionID, InvocationID: c.inv.ID, ToolID: spec.ID, Wire: spec.WireName(), Set: spec.Set, Fingerprint: spec.Fingerprint,
		SideEffect: c.effect, Risk: c.policy.Risk, Decision: c.policy.Decision, Restricted: c.policy.Restricted, Dangers: c.policy.Dangers,
		ArgumentsHash: c.args.Hash, PolicyVersion: c.inv.PolicyVersion, Pins: preview.Pins, Canonical: c.args.Sent(), Changed: r.changed(c),
		Verb: c.sentence(preview), Preview: spec.Preview, Diffs: preview.Diffs, Paths: c.target.Touches, Note: note,
		Command: tool.Mark(c.target.Command), Listing: c.listing(), URL: tool.Mark(c.target.URL),
		Input: tool.Mark(c.target.Input), About: preview.About, NoGrant: c.policy.NoGrant, Moved: moved,
	}
	if c.policy.Offered {
		q.Offers, q.Granting = policy.Offers(c.facts), policy.Granting(&c.facts)
		for i := range q.Offers {
			q.Offers[i].Shown = redact.Text(q.Offers[i].Shown, redact.MarkOf(c.s.SessionID))
		}
	}
	// What is asked was judged; from here on it is for eyes.
	q.Hidden = veil.Preview(&q)
	return q, nil
}

// preview draws what the call would do now. What the tool refuses ends the call before
// anybody is asked, except where a path leads outside the workspace: such a refusal tells
// what stands there, so a person is asked first, with a note instead of a diff.
func (r *Registry) preview(ctx context.Context, c *run) (tool.Preview, string, error) {
	c.pins, c.kept = nil, nil
	if c.entry.spec.Draw == nil {
		return tool.Preview{}, "", nil
	}
	p, err := r.draw(ctx, c)
	if err == nil || !c.reachesOut() || ctx.Err() != nil {
		return p, "", err
	}
	own, coded := errors.AsType[*tool.Error](err)
	if !coded || own.Code == tool.CodeApprovalError || own.Code == tool.CodePolicyPathMoved {
		return p, "", err
	}
	return tool.Preview{}, "As things are, the call would end without effect: " + obstacle(own.Code) + ".", nil
}

// reachesOut reports whether an argument of the call is a path outside the workspace.
func (c *run) reachesOut() bool {
	return slices.ContainsFunc(c.target.Arguments(), func(t tool.Touch) bool {
		return t.Path.Zone != tool.ZoneWorkspace && t.Path.Zone != tool.ZoneOutput
	})
}

// obstacle says for the person why a call would have no effect.
func obstacle(code tool.Code) string {
	switch code {
	case tool.CodeNotRead:
		return "a file stands there that this session has not read"
	case tool.CodeStale:
		return "the file changed after this session read it"
	case tool.CodeIsDirectory:
		return "a directory stands there, or the path is written as that of one"
	case tool.CodeNotAFile:
		return "what stands there is no regular file"
	case tool.CodeFileNotFound:
		return "nothing stands there"
	case tool.CodeTooLarge:
		return "it is too large"
	case tool.CodeIO:
		return "the system does not let it be looked at"
	case tool.CodeTimeout:
		return "it could not be looked at in time"
	}
	return "the tool refuses it"
}

func (r *Registry) draw(ctx context.Context, c *run) (p tool.Preview, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = tool.Errorf(tool.CodeApprovalError, "draw the preview: %w", panicked(v))
		}
	}()
	limited, cancel := context.WithTimeout(ctx, c.entry.spec.Class.Timeout)
	defer cancel()
	p, err = c.entry.spec.Draw(limited, r.env(c), c.args)
	return p, c.inTime(ctx, err)
}

// inTime tells the end of the time that a look at the files may take from the end of ctx.
func (c *run) inTime(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return tool.Errorf(tool.CodeTimeout, "over %s: %w", c.entry.spec.Class.Timeout, err)
	}
	return err
}

// revise judges a call that waits by the rules and files of now. Its card ends when nobody
// needs to answer it any more, or when what an answer could do is no longer what the card
// says.
func (r *Registry) revise(ctx context.Context, c *run, q approval.Request) (approval.Revision, error) {
	if _, err := r.follow(ctx, c, q); err != nil {
		return approval.Revision{}, err
	}
	err := r.judge(ctx, c)
	if err != nil && codeOf(err) == tool.CodeNotEnabled {
		return approval.Revision{Status: approval.StatusDenied, By: approval.BySettings, Reason: "The tool is not offered any more."}, nil
	}
	if err != nil {
		return approval.Revision{}, err
	}
	switch d := c.policy.Decision; d.Verdict {
	case tool.VerdictAllow:
		return approval.Revision{Status: approval.StatusApproved, By: c.letBy(), Reason: said(d, tool.VerdictAllow)}, nil
	case tool.VerdictDeny:
		return approval.Revision{Status: approval.StatusDenied, By: approval.BySettings, Reason: said(d, tool.VerdictDeny)}, nil
	case tool.VerdictAsk, tool.VerdictReview:
	}
	if c.renewed || c.entry.spec.Fingerprint != q.Fingerprint {
		return approval.Revision{Status: approval.StatusCancelled, By: approval.BySettings, Reason: setChanged}, nil
	}
	if c.policy.Decision.Verdict == tool.VerdictReview || c.outgrows(q) || c.policy.NoGrant != q.NoGrant {
		return approval.Revision{Status: approval.StatusCancelled, By: approval.BySettings, Reason: settingsChanged}, nil
	}
	outdated, err := r.outdated(ctx, c, q)
	if err != nil {
		return approval.Revision{}, err
	}
	if outdated {
		return approval.Revision{Status: approval.StatusCancelled, By: approval.ByFiles, Reason: fileChanged}, nil
	}
	return approval.Revision{
		Decision: c.policy.Decision, PolicyVersion: c.inv.PolicyVersion,
		Moved: "The settings changed while this call waited; it still needs an answer.",
	}, nil
}

// What a card says that ended because another question took its place.
const (
	settingsChanged = "The settings changed while this call waited, so the card no longer said what an answer would do."
	setChanged      = "The tool set changed while this call waited, so the card no longer said what would run."
	fileChanged     = "A file changed while this call waited, so the card no longer showed what the call would do."
)

// letBy names what lets the call run without an answer.
func (c *run) letBy() string {
	if len(c.policy.Grants) > 0 {
		return c.decider()
	}
	return approval.BySettings
}

// said returns the sentence of the layer that gave the verdict: of several denials the
// first, which the others only confirm, else the last word.
func said(d tool.Decision, v tool.Verdict) string {
	reason := ""
	for _, link := range d.Chain {
		if link.Verdict != v {
			continue
		}
		if reason = link.Reason; v == tool.VerdictDeny {
			break
		}
	}
	return reason
}

// outdated reports whether the card q shows other files than there are. What cannot be
// looked at any more counts as changed; a card that showed an obstacle is out of date once
// there is none.
func (r *Registry) outdated(ctx context.Context, c *run, q approval.Request) (bool, error) {
	var changed bool
	var err error
	if q.Note != "" {
		_, note, failed := r.preview(ctx, c)
		changed, err = failed != nil || note != q.Note, failed
	} else {
		var same bool
		same, err = r.unmoved(ctx, c, q.Pins)
		changed = err != nil || !same
	}
	if err != nil && ctx.Err() != nil {
		return false, err
	}
	return changed, nil
}

// outgrows reports whether the call is more than what the card q showed: an answer to it
// does not cover that.
func (c *run) outgrows(q approval.Request) bool {
	return c.effect != q.SideEffect || c.policy.Risk.Rank() > q.Risk.Rank() || c.policy.Restricted && !q.Restricted
}
